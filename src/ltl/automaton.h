// Automaton: a Büchi automaton over propositions, the form in which a property reaches a search.
//
// A word is a sequence of valuations; bit i of a valuation says whether proposition i holds. The
// automaton takes one edge per letter, and accepts a word if some run passes accepting states
// infinitely often. A state without an edge for a letter ends the run: nothing is added to make the
// automaton complete.
//
// Invariants:
//   1. There is at least one state; state 0 is the initial one, and states have the order in which
//      a breadth-first walk meets them.
//   2. Edges are sorted by source, then by target; two states have at most one edge in a direction.
//   3. A guard has at least one cube, and no cube has a proposition both ways. Guard `true` is one
//      cube without literals.
//   4. If `terminal`, then `weak`.
#pragma once

#include <span>
#include <string_view>

#include "xmc/types.h"

namespace xmc::ltl {

// A conjunction of literals: all propositions of `positive` hold and none of `negative` does.
struct Cube {
  u32 positive = 0;
  u32 negative = 0;

  bool holds(u32 valuation) const {
    return (valuation & positive) == positive && (valuation & negative) == 0;
  }
  bool operator==(const Cube&) const = default;
};

// From one state to another where one of the cubes of its guard holds.
struct Edge {
  u32 source = 0;
  u32 target = 0;
  u32 first_cube = 0;
  u32 cube_count = 0;
};

// All memory is of the arena that the automaton was made in.
struct Automaton {
  std::span<const std::string_view> propositions;  // their texts, for the model's front end
  // Where those texts begin in the formula or file; kNone for one that is not there as it is.
  std::span<const u32> places;
  std::span<const u8> accepting;    // by state: 0 or 1
  std::span<const u32> first_edge;  // by state, and one more
  std::span<const Edge> edges;
  std::span<const Cube> cubes;
  // Every strongly connected component has only accepting states, or no accepting cycle: a search
  // for a cycle of accepting states need not tell them from others of the component.
  bool weak = false;
  // An accepting state on a cycle accepts every word from there on: to reach one is a violation.
  bool terminal = false;

  u32 state_count() const { return static_cast<u32>(accepting.size()); }
  std::span<const Edge> edges_of(u32 state) const {
    return edges.subspan(first_edge[state], first_edge[state + 1] - first_edge[state]);
  }
  std::span<const Cube> guard(const Edge& edge) const {
    return cubes.subspan(edge.first_cube, edge.cube_count);
  }
};

}  // namespace xmc::ltl
