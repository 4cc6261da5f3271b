// SplitChoice: by what a partition that has outgrown the memory is divided: a field of its states
// and a value of it, so that few steps lead from one half to the other. Both are tried on a sample
// of the states in memory and their steps.
#pragma once

#include <span>

#include "engine/search/search.h"
#include "store/partitions/partition_tree.h"
#include "store/tables/state_table.h"
#include "xmc/model.h"

namespace xmc {

class SplitChoice {
 public:
  static constexpr u32 kSample = 256;  // states

  static u64 bytes(const Model& model);
  void plan(const Model& model, Arena& arena);
  // For the states of this leaf in the table. Overwrites the successor buffer.
  PartitionTree::Test choose(Search& search, const StateTable& table, const PartitionTree& tree,
                             u32 leaf);

 private:
  // A way to split a partition, and what it does to a sample.
  struct Split {
    u64 pivot = 0;
    u32 low = 0;    // states
    u32 cross = 0;  // steps between the halves
  };
  static constexpr u32 kPivots = 7;  // tried for each field

  void take_sample(const StateTable& table, const PartitionTree& tree, u32 leaf);
  void choose_pivots(const StateTable& table, std::span<const StateField> fields, u32 field);
  u32 count_steps(Search& search, const StateTable& table);
  void count_step(std::span<const StateField> fields, const Word* state, const Word* successor);

  std::span<Split> splits_;  // kPivots for each field
  StateIndex sample_[kSample] = {};
  u32 count_ = 0;  // of them
};

}  // namespace xmc
