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

Status finish_program(const FinishRequest& request, Arena& arena, ir::Program& program) {
  mark_components(program, request.errors_lead_on && program.error_state, arena);
  program.fair = request.fair && program.buchi;
  XMC_TRY(ir::assign_layout(program, arena));
  XMC_TRY(ir::number_steps(program));
  program.hash = ir::program_hash(program);
  return {};
}

}  // namespace xmc
