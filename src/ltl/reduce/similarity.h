// Direct simulation between the states of a graph (Etessami, Wilke and Schuller, "Fair simulation
// relations, parity games, and state space reduction for Büchi automata", ICALP 2001; here with
// marks on arcs). State s is simulated by t if for each letter that an arc of s takes, t has an arc
// with at least its marks to a state that simulates its target.
#pragma once

#include <span>

#include "ltl/graph/effort.h"
#include "ltl/graph/graph.h"

namespace xmc::ltl {

// The relation has a bit for each pair of states: 128 KiB.
inline constexpr u32 kSimilarityStates = 1024;

class Similarity {
 public:
  // The graph has at most kSimilarityStates states. Memory is scratch.
  Similarity(const Graph& graph, Arena& arena, Effort& effort);

  // Finds the relation. False when the effort does not do: nothing is known then.
  bool refine();

  // Whether t simulates s.
  bool below(u32 s, u32 t) const {
    return s == t || (bits_[s * row_words_ + t / 64] >> (t % 64) & 1) != 0;
  }
  bool equivalent(u32 s, u32 t) const { return below(s, t) && below(t, s); }
  // Whether b does whatever a does, for the letters of both.
  bool no_better(const Arc& a, const Arc& b) const {
    return (a.marks & ~b.marks) == 0 && below(a.target, b.target);
  }

 private:
  bool step_by_step(u32 s, u32 t);
  bool answered(const Arc& arc, std::span<const Arc> others);

  const Graph& graph_;
  Effort& effort_;
  u32 row_words_;
  std::span<u64> bits_;
  std::span<Cube> cubes_;
};

}  // namespace xmc::ltl
