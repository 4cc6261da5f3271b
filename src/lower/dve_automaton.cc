#include "lower/dve_automaton.h"

#include "front/dve_nodes.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

namespace {

template <class T>
std::span<T> scratch(Arena& arena, u64 count) {
  return {static_cast<T*>(arena.scratch("automaton", count * sizeof(T), alignof(T))),
          static_cast<std::size_t>(count)};
}

// From an automaton over propositions to one over expressions.
class Binder {
 public:
  Binder(const ltl::Automaton& from, std::span<const dve::ExprId> propositions, dve::System& system,
         Arena& arena)
      : from_(from), propositions_(propositions), arena_(arena), nodes_(arena, system) {}

  void bind(std::string_view name, DveAutomaton& out) {
    const auto names = scratch<std::string_view>(arena_, from_.state_count());
    for (u32 s = 0; s < from_.state_count(); ++s) names[s] = location_name(s);
    const auto edges = scratch<ir::Automaton::Edge>(arena_, from_.edges.size());
    const auto guards = scratch<dve::ExprId>(arena_, from_.edges.size());
    for (std::size_t i = 0; i < from_.edges.size(); ++i) {
      edges[i] = {.source = from_.edges[i].source, .target = from_.edges[i].target};
      guards[i] = guard(from_.edges[i]);
    }
    out = {{name, 0, names, from_.accepting, edges}, guards, kNone};
  }
  bool overflowed() const { return nodes_.overflowed(); }

 private:
  std::string_view location_name(u32 state) {
    const std::span<char> bytes = scratch<char>(arena_, 12);
    Text text(bytes.data(), static_cast<u32>(bytes.size()));
    text.format("q%u", static_cast<unsigned>(state));
    return text.view();
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
    const std::span<dve::ExprId> parts = scratch<dve::ExprId>(arena_, cubes.size());
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
  const auto names = scratch<std::string_view>(arena, p.state_count);
  const auto accepting = scratch<u8>(arena, p.state_count);
  for (u32 i = 0; i < p.state_count; ++i) {
    const dve::State& s = system.states[p.first_state + i];
    names[i] = s.name;
    accepting[i] = s.accepting ? 1 : 0;
  }
  const auto edges = scratch<ir::Automaton::Edge>(arena, p.transition_count);
  const auto guards = scratch<dve::ExprId>(arena, p.transition_count);
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
  return {{p.name, p.initial, names, accepting, edges}, guards, process};
}

Status automaton_of(const ltl::Automaton& from, std::span<const dve::ExprId> propositions,
                    std::string_view name, dve::System& system, Arena& arena, DveAutomaton& out) {
  XMC_CHECK(propositions.size() == from.propositions.size());
  Binder binder(from, propositions, system, arena);
  binder.bind(name, out);
  if (!binder.overflowed()) return {};
  return Status::fail(Code::model, "the guards of the automaton have too many expressions");
}

}  // namespace xmc
