#include "lower/dve_automaton.h"

#include "xmc/check.h"

namespace xmc {

namespace {

template <class T>
std::span<T> scratch(Arena& arena, u64 count) {
  return {static_cast<T*>(arena.scratch("automaton", count * sizeof(T), alignof(T))),
          static_cast<std::size_t>(count)};
}

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

}  // namespace xmc
