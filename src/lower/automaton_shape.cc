#include "lower/automaton_shape.h"

#include "xmc/scratch.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr const char* kName = "automaton";  // of memory

std::string_view location_name(u32 state, Arena& arena) {
  const std::span<char> bytes = scratch_array<char>(arena, kName, 12);
  Text text(bytes.data(), static_cast<u32>(bytes.size()));
  text.format("q%u", static_cast<unsigned>(state));
  return text.view();
}

// Whether an accepting state is entered from this one, or it is one itself.
bool rings(const ltl::Automaton& from, u32 state) {
  if (from.accepting[state] != 0) return true;
  for (const ltl::Edge& edge : from.edges_of(state)) {
    if (from.accepting[edge.target] != 0) return true;
  }
  return false;
}

}  // namespace

// Of a terminal one the initial state stays even if it accepts: all runs are bad then.
AutomatonShape shape_of(const ltl::Automaton& from, bool as_cycles, Arena& arena) {
  const bool terminal = from.terminal && !as_cycles;
  const auto left_out = [&](u32 state) { return terminal && from.accepting[state] != 0; };
  const auto number = scratch_array<u32>(arena, kName, from.state_count());
  u32 locations = 0;
  for (u32 s = 0; s < from.state_count(); ++s) {
    number[s] = s == 0 || !left_out(s) ? locations++ : kNone;
  }
  const auto names = scratch_array<std::string_view>(arena, kName, locations);
  const auto accepting = scratch_array<u8>(arena, kName, locations);
  const auto alarms = scratch_array<AutomatonShape::Alarm>(arena, kName, terminal ? locations : 0);
  const auto edges = scratch_array<ir::Automaton::Edge>(arena, kName, from.edges.size());
  const auto origins = scratch_array<u32>(arena, kName, from.edges.size());
  u32 kept = 0;
  u32 rung = 0;
  for (u32 s = 0; s < from.state_count(); ++s) {
    if (number[s] == kNone) continue;
    names[number[s]] = location_name(number[s], arena);
    accepting[number[s]] = terminal ? u8{0} : from.accepting[s];
    if (terminal && rings(from, s)) alarms[rung++] = {number[s], s};
    for (u32 e = from.first_edge[s]; e < from.first_edge[s + 1]; ++e) {
      const ltl::Edge& edge = from.edges[e];
      if (left_out(s) || left_out(edge.target)) continue;
      edges[kept] = {.source = number[s], .target = number[edge.target]};
      origins[kept++] = e;
    }
  }
  return {{kAutomatonName, 0, names, accepting, edges.first(kept), terminal},
          origins.first(kept),
          alarms.first(rung)};
}

}  // namespace xmc
