// RamLasso: a lasso space in memory. What may be on an accepting cycle are the components that have
// an accepting state and an edge inside. 29 bytes per state and 4 per edge in all.
#pragma once

#include "engine/cycles/edges/core_graph.h"
#include "engine/cycles/edges/lasso_space.h"

namespace xmc {

class RamLasso final : public LassoSpace {
 public:
  // Loads the states of `set` before `end`; `fits` as in CoreGraph::load().
  Status load(EdgeReader& reader, const StateBits& set, const MarkedNumbers& numbers, u64 end,
              std::span<u8> memory, PassFigures& figures, WorkPoll& poll, bool& fits);

  u64 states() const override { return graph_.states(); }
  Status level_begin(u64 level, u64& state) override;
  Status level_of(u64 state, u64& level) override;
  Status narrow(u64 level, bool& any) override;
  void drop_far_seeds(u64 total) override;
  Status first_return(u64 begin, u64 end, u64 floor, u64 most, u64& steps) override;
  Status trace(u64 seed, u64 floor, std::span<u64> cycle) override;

  std::span<u8> rest() const override { return graph_.rest(); }
  u64 edges() const { return graph_.edges(); }

 private:
  // Nodes of the search: twice a state, plus one if an accepting state was passed before it.
  struct Reach {
    u32 steps = 0;  // 0: no return
    u32 last = 0;   // entry of the queue from which the returning step is made
  };
  Reach search(u32 begin, u32 end, u32 floor, u64 most, bool parents);
  bool visit(u32 node);
  bool on_cycle(u32 v) const { return good_.test(graph_.component(v)); }
  void find_steps_from(std::span<u32> steps);
  bool find_steps_to(std::span<u32> steps) const;

  CoreGraph graph_;
  WorkPoll poll_;
  StateBits good_;     // components, by their numbers
  StateBits visited_;  // nodes
  u32* queue_ = nullptr;
  u32* parent_ = nullptr;
  u32 tail_ = 0;
};

}  // namespace xmc
