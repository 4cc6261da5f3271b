#include "lower/murphi/automaton.h"

#include "lower/murphi/expr/expr.h"
#include "lower/murphi/properties.h"
#include "lower/product.h"

namespace xmc::murphi_lower {

void place_automaton(const ir::Automaton& automaton, NameStore& names, Arena& arena,
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

namespace {

// To `yes` where one of the cubes holds. Propositions are evaluated as they are asked for.
void branch_on(Code& code, const Scope& scope, std::span<const ExprId> propositions,
               std::span<const ltl::Cube> cubes, Label& yes) {
  for (const ltl::Cube& cube : cubes) {
    Label next;
    for (u32 i = 0; i < propositions.size(); ++i) {
      if ((cube.positive >> i & 1) != 0) branch(code, scope, propositions[i], next, false);
      if ((cube.negative >> i & 1) != 0) branch(code, scope, propositions[i], next, true);
    }
    code.jump(BodyOp::jump, 0, yes);
    code.bind(next);
  }
}

// A body that is `then` where an edge of a state, to an accepting one or this very one, is open.
template <class Wanted>
u32 body_of_edges(Code& code, const Layout& layout, const MurphiRequest& request, u32 state,
                  bool then, Wanted wanted) {
  const ltl::Automaton& from = *request.automaton;
  const u32 body = code.open_body(layout.asked_cells);
  const u32 r = code.constant(then ? 0 : 1);
  Label yes;
  Label end;
  for (const ltl::Edge& edge : from.edges_of(state)) {
    if (wanted(edge))
      branch_on(code, {.layout = layout}, request.propositions, from.guard(edge), yes);
  }
  code.jump(BodyOp::jump, 0, end);
  code.bind(yes);
  code.set(r, then ? 1 : 0);
  code.bind(end);
  code.close_body(r);
  return body;
}

// An accepting state is bad as it is.
u32 alarm_body(Code& code, const Layout& layout, const MurphiRequest& request, u32 state) {
  const ltl::Automaton& from = *request.automaton;
  if (from.accepting[state] == 0) {
    return body_of_edges(code, layout, request, state, false,
                         [&](const ltl::Edge& e) { return from.accepting[e.target] != 0; });
  }
  const u32 body = code.open_body(layout.asked_cells);
  code.close_body(code.constant(0));
  return body;
}

}  // namespace

void lower_automaton(Code& code, const Layout& layout, const MurphiRequest& request,
                     AutomatonShape& shape, Arena& arena, RuleLists& lists,
                     ir::RuleProgram& program) {
  for (std::size_t i = 0; i < shape.origins.size(); ++i) {
    const ltl::Edge& origin = request.automaton->edges[shape.origins[i]];
    shape.automaton.edges[i].guard =
        body_of_edges(code, layout, request, origin.source, true,
                      [&](const ltl::Edge& e) { return &e == &origin; });
  }
  put_automaton(shape.automaton, 0, 0, program);
  for (u32 i = 0; i < shape.alarms.size(); ++i)
    lists.predicates[i].condition = alarm_body(code, layout, request, shape.alarms[i].state);
  const auto propositions = arena.carve_array<ir::ExprId>("program", request.propositions.size());
  for (std::size_t i = 0; i < propositions.size(); ++i)
    propositions[i] = lower_condition(code, layout, request.propositions[i]);
  program.propositions = propositions;
}

}  // namespace xmc::murphi_lower
