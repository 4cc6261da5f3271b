// CoreGraph: a part of an edge file as arrays in memory, its states numbered anew in the same
// order, and its strongly connected components (Pearce, "A space-efficient algorithm for finding
// strongly connected components", 2016), without recursion.
//
// 20 bytes per state and 4 per edge, the arrays of the component search included; that one's may be
// used for something else afterwards.
#pragma once

#include <span>

#include "engine/cycles/edges/edge_pass.h"

namespace xmc {

class CoreGraph {
 public:
  // Bytes beside those of the edges.
  static u64 bytes_for(u64 states);

  // The states of `set` before `end` and the edges between them. `fits` says whether memory, which
  // is aligned to 8 bytes, was enough.
  Status load(EdgeReader& reader, const StateBits& set, const MarkedNumbers& numbers, u64 end,
              std::span<u8> memory, PassFigures& figures, WorkPoll& poll, bool& fits);

  u32 states() const { return states_; }
  u32 edges() const { return edges_; }
  std::span<const u32> targets(u32 state) const {
    return {target_ + first_[state], first_[state + 1] - first_[state]};
  }
  u32 level(u32 state) const { return level_[state]; }
  bool accepting(u32 state) const { return accepting_.test(state); }
  // The first state that is not above this level.
  u32 level_begin(u64 level) const;

  // Components of the states before `end`.
  void find_components(u32 end);
  u32 component(u32 state) const { return component_[state]; }
  // Scratch of find_components(): two numbers for each state.
  std::span<u32> scratch() const { return {scratch_, 2 * std::size_t{states_}}; }
  // What load() left of its memory.
  std::span<u8> rest() const { return rest_; }

 private:
  u32 states_ = 0;
  u32 edges_ = 0;
  u32* first_ = nullptr;
  u32* target_ = nullptr;
  u32* level_ = nullptr;
  u32* component_ = nullptr;
  u32* scratch_ = nullptr;
  StateBits accepting_;
  std::span<u8> rest_;
};

}  // namespace xmc
