// The product with an automaton from elsewhere, or of a formula: its guards are bodies with a
// result, made of the propositions of its cubes.
#include "ir/automaton.h"

#include "lower/product.h"
#include "lower/promela/bodies.h"
#include "lower/promela/expr/values.h"

namespace xmc::promela_lower {

void place_automaton(const ir::Automaton& a, NameStore& names, Arena& arena,
                     ir::RuleProgram& program) {
  const u32 locations = static_cast<u32>(a.locations.size());
  const u32 variable = static_cast<u32>(program.variables.size()) - 1;
  program.processes = arena.carve_array<ir::Process>("program", 1);
  program.processes[0] = {.name = names.keep(a.name),
                          .location = variable,
                          .initial = a.initial,
                          .location_count = locations};
  ir::Variable& v = program.variables[variable] = {};
  v.name = program.processes[0].name;
  v.role = ir::Role::location;
  v.process = 0;
  v.hi = v.type_hi = static_cast<i32>(locations) - 1;
  program.location_names = arena.carve_array<std::string_view>("program", locations);
  program.location_flags = arena.carve_array<u8>("program", locations);
  program.by_location = arena.carve_array<ir::Range>("program", locations);
  for (u32 l = 0; l < locations; ++l) program.location_names[l] = names.keep(a.locations[l]);
  program.transitions = arena.carve_array<ir::Transition>("program", a.edges.size());
  program.order = arena.carve_array<u32>("program", a.edges.size());
  for (u32 i = 0; i < a.edges.size(); ++i) {
    ir::Range& r = program.by_location[a.edges[i].source];
    if (r.count++ == 0) r.first = i;  // edges come by their sources
    program.order[i] = i;
  }
  const u32 cell = static_cast<u32>(program.initial_values.size()) - 1;
  v.first_initial = cell;
  program.initial_values[cell] = static_cast<i32>(a.initial);
}

namespace {

// To `yes` where one of the cubes holds. Propositions are evaluated as they are asked for.
void branch_on_cubes(Writer& w, const PromelaRequest& request, std::span<const ltl::Cube> cubes,
                     Label& yes) {
  for (const ltl::Cube& cube : cubes) {
    Label next;
    for (u32 i = 0; i < request.propositions.size(); ++i) {
      if ((cube.positive >> i & 1) != 0) branch(w, {}, request.propositions[i], next, false);
      if ((cube.negative >> i & 1) != 0) branch(w, {}, request.propositions[i], next, true);
    }
    w.code.jump(BodyOp::jump, 0, yes);
    w.code.bind(next);
  }
}

// A body that is `then` where an edge of a state, to an accepting one or this very one, is open.
template <class Wanted>
u32 body_of_edges(Writer& w, const PromelaRequest& request, u32 state, bool then, Wanted wanted) {
  const ltl::Automaton& from = *request.automaton;
  const u32 code = open_body(w);
  const u32 r = constant(w, then ? 0 : 1);
  Label yes;
  Label end;
  for (const ltl::Edge& edge : from.edges_of(state)) {
    if (wanted(edge)) branch_on_cubes(w, request, from.guard(edge), yes);
  }
  w.code.jump(BodyOp::jump, 0, end);
  w.code.bind(yes);
  set(w, r, then ? 1 : 0);
  w.code.bind(end);
  close_body(w, {r, ir::kTruth});
  return code;
}

// An accepting state is bad as it is.
u32 alarm_body(Writer& w, const PromelaRequest& request, u32 state) {
  const ltl::Automaton& from = *request.automaton;
  if (from.accepting[state] != 0) {
    const u32 code = open_body(w);
    close_body(w, known(0));
    return code;
  }
  return body_of_edges(w, request, state, false,
                       [&](const ltl::Edge& e) { return from.accepting[e.target] != 0; });
}

}  // namespace

// Alarms are the first predicates.
void lower_automaton(Writer& w, const PromelaRequest& request, Property& property,
                     ir::RuleProgram& program, Predicates& predicates) {
  if (request.automaton == nullptr) return;
  for (std::size_t i = 0; i < property.shape.origins.size(); ++i) {
    const ltl::Edge& origin = request.automaton->edges[property.shape.origins[i]];
    property.shape.automaton.edges[i].guard = body_of_edges(
        w, request, origin.source, true, [&](const ltl::Edge& e) { return &e == &origin; });
  }
  put_automaton(property.shape.automaton, 0, 0, program);
  for (u32 i = 0; i < property.shape.alarms.size(); ++i)
    predicates[i].condition = alarm_body(w, request, property.shape.alarms[i].state);
  const auto propositions = w.arena.carve_array<ir::ExprId>("program", request.propositions.size());
  for (std::size_t i = 0; i < propositions.size(); ++i)
    propositions[i] = lower_condition(w, request.propositions[i]);
  program.propositions = propositions;
}

}  // namespace xmc::promela_lower
