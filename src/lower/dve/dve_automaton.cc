#include "lower/dve/dve_automaton.h"

#include "front/dve/dve_nodes.h"
#include "lower/automaton_shape.h"
#include "xmc/check.h"
#include "xmc/scratch.h"

namespace xmc {

namespace {

constexpr const char* kName = "automaton";  // of memory

// Guards over propositions as guards over expressions.
class Binder {
 public:
  Binder(const ltl::Automaton& from, std::span<const dve::ExprId> propositions, dve::System& system,
         Arena& arena)
      : from_(from), propositions_(propositions), arena_(arena), nodes_(arena, system) {}

  // Location by location: the order in which expressions are made is a part of the program.
  DveAutomaton bind(const AutomatonShape& shape) {
    const auto guards = scratch_array<dve::ExprId>(arena_, kName, shape.origins.size());
    const auto alarms = scratch_array<DveAutomaton::Alarm>(arena_, kName, shape.alarms.size());
    std::size_t edge = 0;
    std::size_t alarm = 0;
    for (u32 l = 0; l < shape.automaton.locations.size(); ++l) {
      for (; alarm < alarms.size() && shape.alarms[alarm].location == l; ++alarm) {
        alarms[alarm] = {l, nodes_.unary(dve::Op::logical_not, bad_in(shape.alarms[alarm].state))};
      }
      for (; edge < guards.size() && shape.automaton.edges[edge].source == l; ++edge) {
        guards[edge] = guard(from_.edges[shape.origins[edge]]);
      }
    }
    return {shape.automaton, guards, kNone, alarms};
  }
  bool overflowed() const { return nodes_.overflowed(); }

 private:
  bool accepts(u32 state) const { return from_.accepting[state] != 0; }

  // Where an accepting state would be entered; kNone for nowhere.
  dve::ExprId bad_in(u32 state) {
    if (accepts(state)) return nodes_.literal(1);
    dve::ExprId bad = kNone;
    for (const ltl::Edge& edge : from_.edges_of(state)) {
      if (!accepts(edge.target)) continue;
      const dve::ExprId open = guard(edge);
      if (open == kNone) return nodes_.literal(1);
      bad = bad == kNone ? open : nodes_.binary(dve::Op::logical_or, bad, open);
    }
    return bad;
  }

  // Pairs of neighbours become one until one is left: a guard of many cubes is not a deep one.
  dve::ExprId join(dve::Op op, std::span<dve::ExprId> parts) {
    XMC_CHECK(!parts.empty());
    while (parts.size() > 1) {
      const std::size_t half = (parts.size() + 1) / 2;
      for (std::size_t i = 0; i < half; ++i) {
        const bool pair = 2 * i + 1 < parts.size();
        parts[i] = pair ? nodes_.binary(op, parts[2 * i], parts[2 * i + 1]) : parts[2 * i];
      }
      parts = parts.first(half);
    }
    return parts[0];
  }

  dve::ExprId conjunction(const ltl::Cube& cube) {
    dve::ExprId literals[limits::kPropositions];
    u32 count = 0;
    for (u32 i = 0; i < propositions_.size(); ++i) {
      if ((cube.positive >> i & 1) != 0) literals[count++] = propositions_[i];
      if ((cube.negative >> i & 1) != 0)
        literals[count++] = nodes_.unary(dve::Op::logical_not, propositions_[i]);
    }
    return count == 0 ? nodes_.literal(1) : join(dve::Op::logical_and, {literals, count});
  }

  dve::ExprId guard(const ltl::Edge& edge) {
    const std::span<const ltl::Cube> cubes = from_.guard(edge);
    const std::span<dve::ExprId> parts = scratch_array<dve::ExprId>(arena_, kName, cubes.size());
    for (std::size_t i = 0; i < cubes.size(); ++i) {
      if (cubes[i] == ltl::Cube{}) return kNone;
      parts[i] = conjunction(cubes[i]);
    }
    return join(dve::Op::logical_or, parts);
  }

  const ltl::Automaton& from_;
  std::span<const dve::ExprId> propositions_;
  Arena& arena_;
  dve::Nodes nodes_;
};

}  // namespace

DveAutomaton automaton_of(const dve::System& system, u32 process, Arena& arena) {
  const dve::Process& p = system.processes[process];
  const auto names = scratch_array<std::string_view>(arena, kName, p.state_count);
  const auto accepting = scratch_array<u8>(arena, kName, p.state_count);
  for (u32 i = 0; i < p.state_count; ++i) {
    const dve::State& s = system.states[p.first_state + i];
    names[i] = s.name;
    accepting[i] = s.accepting ? 1 : 0;
  }
  const auto edges = scratch_array<ir::Automaton::Edge>(arena, kName, p.transition_count);
  const auto guards = scratch_array<dve::ExprId>(arena, kName, p.transition_count);
  for (u32 i = 0; i < p.transition_count; ++i) {
    const dve::Transition& t = system.transitions[p.first_transition + i];
    XMC_CHECK(t.process == process);
    XMC_CHECK(t.sync == dve::Sync::none);
    edges[i] = {.source = t.source,
                .target = t.target,
                .first_assignment = t.first_assignment,
                .assignment_count = t.assignment_count};
    guards[i] = t.guard;
  }
  return {{p.name, p.initial, names, accepting, edges}, guards, process, {}};
}

Status automaton_of(const ltl::Automaton& from, std::span<const dve::ExprId> propositions,
                    bool as_cycles, dve::System& system, Arena& arena, DveAutomaton& out) {
  XMC_CHECK(propositions.size() == from.propositions.size());
  Binder binder(from, propositions, system, arena);
  out = binder.bind(shape_of(from, as_cycles, arena));
  if (!binder.overflowed()) return {};
  return Status::fail(Code::model, "the guards of the automaton have too many expressions");
}

}  // namespace xmc
