// The product with an automaton from elsewhere, or of a formula: its guards are bodies with a
// result, made of the propositions of its cubes.
#include "ir/automaton.h"

#include "lower/product.h"
#include "lower/promela/lowering.h"
#include "xmc/check.h"

namespace xmc::promela_lower {

// The process, its locations and edges, and the variable that says where it is.
void Lowering::place_automaton() {
  const ir::Automaton& a = shape_.automaton;
  const u32 locations = static_cast<u32>(a.locations.size());
  const u32 variable = static_cast<u32>(p_.variables.size()) - 1;
  p_.processes = arena_.carve_array<ir::Process>("program", 1);
  p_.processes[0] = {.name = names_.keep(a.name),
                     .location = variable,
                     .initial = a.initial,
                     .location_count = locations};
  ir::Variable& v = p_.variables[variable] = {};
  v.name = p_.processes[0].name;
  v.role = ir::Role::location;
  v.process = 0;
  v.hi = v.type_hi = static_cast<i32>(locations) - 1;
  p_.location_names = arena_.carve_array<std::string_view>("program", locations);
  p_.location_flags = arena_.carve_array<u8>("program", locations);
  p_.by_location = arena_.carve_array<ir::Range>("program", locations);
  for (u32 l = 0; l < locations; ++l) p_.location_names[l] = names_.keep(a.locations[l]);
  p_.transitions = arena_.carve_array<ir::Transition>("program", a.edges.size());
  p_.order = arena_.carve_array<u32>("program", a.edges.size());
  for (u32 i = 0; i < a.edges.size(); ++i) {
    ir::Range& r = p_.by_location[a.edges[i].source];
    if (r.count++ == 0) r.first = i;  // edges come by their sources
    p_.order[i] = i;
  }
  const u32 cell = static_cast<u32>(p_.initial_values.size()) - 1;
  v.first_initial = cell;
  p_.initial_values[cell] = static_cast<i32>(a.initial);
}

// To `yes` where one of the cubes holds. Propositions are evaluated as they are asked for.
void Lowering::branch_on_cubes(std::span<const ltl::Cube> cubes, Label& yes) {
  for (const ltl::Cube& cube : cubes) {
    Label next;
    for (u32 i = 0; i < request_.propositions.size(); ++i) {
      if ((cube.positive >> i & 1) != 0) branch(request_.propositions[i], next, false);
      if ((cube.negative >> i & 1) != 0) branch(request_.propositions[i], next, true);
    }
    code_.jump(BodyOp::jump, 0, yes);
    code_.bind(next);
  }
}

// A body that is `then` where an edge of a state, to an accepting one or this very one, is open.
template <class Wanted>
u32 Lowering::body_of_edges(u32 state, bool then, Wanted wanted) {
  const ltl::Automaton& from = *request_.automaton;
  const u32 code = open_body();
  const u32 r = constant(then ? 0 : 1);
  Label yes;
  Label end;
  for (const ltl::Edge& edge : from.edges_of(state)) {
    if (wanted(edge)) branch_on_cubes(from.guard(edge), yes);
  }
  code_.jump(BodyOp::jump, 0, end);
  code_.bind(yes);
  set(r, then ? 1 : 0);
  code_.bind(end);
  close_body({r, ir::kTruth});
  return code;
}

// An accepting state is bad as it is.
u32 Lowering::alarm_body(u32 state) {
  const ltl::Automaton& from = *request_.automaton;
  if (from.accepting[state] != 0) {
    const u32 code = open_body();
    close_body(known(0));
    return code;
  }
  return body_of_edges(state, false,
                       [&](const ltl::Edge& e) { return from.accepting[e.target] != 0; });
}

// Alarms are the first predicates.
void Lowering::lower_automaton() {
  if (request_.automaton == nullptr) return;
  for (std::size_t i = 0; i < shape_.origins.size(); ++i) {
    const ltl::Edge& origin = request_.automaton->edges[shape_.origins[i]];
    shape_.automaton.edges[i].guard =
        body_of_edges(origin.source, true, [&](const ltl::Edge& e) { return &e == &origin; });
  }
  put_automaton(shape_.automaton, 0, 0, p_);
  for (u32 i = 0; i < shape_.alarms.size(); ++i)
    predicates_[i].condition = alarm_body(shape_.alarms[i].state);
  const auto propositions = arena_.carve_array<ir::ExprId>("program", request_.propositions.size());
  for (std::size_t i = 0; i < propositions.size(); ++i)
    propositions[i] = lower_condition(request_.propositions[i]);
  p_.propositions = propositions;
}

}  // namespace xmc::promela_lower
