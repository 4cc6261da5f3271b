#include "lower/product.h"

#include "ir/layout.h"
#include "ir/steps.h"
#include "lower/components.h"
#include "xmc/check.h"

namespace xmc {

void put_automaton(const ir::Automaton& automaton, u32 process, u32 first_transition,
                   ir::Program& program) {
  ir::Process& q = program.processes[process];
  XMC_CHECK(q.location_count == automaton.locations.size());
  XMC_CHECK(automaton.accepting.size() == automaton.locations.size());
  XMC_CHECK(automaton.initial < q.location_count);
  program.property = process;
  program.buchi = !automaton.terminal;
  for (u32 l = 0; l < q.location_count; ++l) {
    if (automaton.accepting[l] == 0) continue;
    program.location_flags[q.first_location + l] |= ir::kAcceptingLocation;
  }
  u32 next = first_transition;
  for (const ir::Automaton::Edge& edge : automaton.edges) {
    XMC_CHECK(edge.source < q.location_count);
    XMC_CHECK(edge.target < q.location_count);
    program.transitions[next++] = {.process = process,
                                   .source = edge.source,
                                   .target = edge.target,
                                   .guard = edge.guard,
                                   .first_assignment = edge.first_assignment,
                                   .assignment_count = edge.assignment_count};
  }
  q.first_transition = next == first_transition ? 0 : first_transition;
  q.transition_count = next - first_transition;
}

void add_automaton_process(const ir::Automaton& automaton, NameStore& names, Arena& arena,
                           ir::RuleProgram& program) {
  const u32 locations = static_cast<u32>(automaton.locations.size());
  const u32 edges = static_cast<u32>(automaton.edges.size());
  const std::string_view name = names.keep(automaton.name);
  program.processes = arena.carve_array<ir::Process>("program", 1);
  program.processes[0] = {.name = name,
                          .location = static_cast<u32>(program.variables.size()) - 1,
                          .initial = automaton.initial,
                          .location_count = locations};
  ir::Variable& v = program.variables.back() = {};
  v.name = name;
  v.role = ir::Role::location;
  v.process = 0;
  v.hi = v.type_hi = static_cast<i32>(locations) - 1;
  v.first_initial = static_cast<u32>(program.initial_values.size()) - 1;
  program.initial_values.back() = static_cast<i32>(automaton.initial);
  program.location_names = arena.carve_array<std::string_view>("program", locations);
  program.location_flags = arena.carve_array<u8>("program", locations);
  program.by_location = arena.carve_array<ir::Range>("program", locations);
  for (u32 l = 0; l < locations; ++l)
    program.location_names[l] = names.keep(automaton.locations[l]);
  program.transitions = arena.carve_array<ir::Transition>("program", edges);
  program.order = arena.carve_array<u32>("program", edges);
  for (u32 i = 0; i < edges; ++i) {
    ir::Range& r = program.by_location[automaton.edges[i].source];
    if (r.count++ == 0) r.first = i;  // edges come by their sources
    program.order[i] = i;
  }
}

Status finish_program(const FinishRequest& request, Arena& arena, ir::Program& program) {
  mark_components(program, request.errors_lead_on && program.error_state, arena);
  program.fair = request.fair && program.buchi;
  XMC_TRY(ir::assign_layout(program, arena));
  XMC_TRY(ir::number_steps(program));
  program.hash = ir::program_hash(program);
  return {};
}

}  // namespace xmc
