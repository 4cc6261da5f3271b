// Graph: a generalized Büchi automaton with marks on its edges, the form in which automata are made
// and reduced. Acceptance set i is the set of arcs with mark i; a run is accepting if it takes arcs
// of every set infinitely often. With no sets at all, every infinite run is.
//
// An arc has one cube. A guard with several cubes is several arcs. An automaton with accepting
// states is the special case of one set that has all arcs of such a state or none.
#pragma once

#include <span>

#include "ltl/automaton.h"
#include "xmc/arena.h"
#include "xmc/limits.h"
#include "xmc/pool.h"
#include "xmc/status.h"

namespace xmc::ltl {

struct Arc {
  u32 source = 0;
  u32 target = 0;
  u64 marks = 0;
  Cube cube;

  bool operator==(const Arc&) const = default;
};

struct Graph {
  u32 states = 0;
  u32 initial = 0;
  u32 sets = 0;          // of acceptance
  std::span<Arc> arcs;   // sorted by source
  std::span<u32> first;  // by state, and one more

  u64 all_marks() const { return sets == 64 ? ~u64{0} : (u64{1} << sets) - 1; }
  std::span<Arc> arcs_of(u32 state) const {
    return arcs.subspan(first[state], first[state + 1] - first[state]);
  }
};

// Collects arcs in any order and makes a graph of them; all memory is scratch.
class GraphBuilder {
 public:
  explicit GraphBuilder(Arena& arena) : arena_(arena), arcs_(arena, "automaton") {}

  Status add(const Arc& arc);
  u32 size() const { return arcs_.size(); }
  Graph finish(u32 states, u32 initial, u32 sets);

 private:
  Arena& arena_;
  Pool<Arc, 8, limits::kAutomatonEdges / 256> arcs_;
};

// The message when an automaton gets this large.
Status too_many_states();

// Renames states: `to[s]` is the new number of s, or kNone if it goes. Arcs to or from such states,
// and arcs whose target is kNone already, go, too. Equal arcs become one. The initial state stays.
void rename(Graph& graph, std::span<const u32> to, u32 states);

// Gives states the numbers of a breadth-first walk from the initial one, which becomes 0; what it
// does not meet goes. Arcs are tried in the order of their cubes and marks.
void number_by_walk(Graph& graph, Arena& arena);

// An array in scratch.
template <class T>
std::span<T> scratch_array(Arena& arena, u64 count) {
  return {static_cast<T*>(arena.scratch("automaton", count * sizeof(T), alignof(T))),
          static_cast<std::size_t>(count)};
}

}  // namespace xmc::ltl
