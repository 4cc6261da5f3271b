// PartitionTree: which partition a state belongs to, for partitions that are made as they are
// needed. It begins with one; a partition that has become too large is split in two by a test of
// one field of its states, or of a bit of their hash where no field does.
//
// A field that few steps change keeps most successors in the partition of their predecessor, which
// a hash of the whole state never does (Zhou and Hansen, "Structured Duplicate Detection", 2004,
// do it with an abstraction of the whole model).
#pragma once

#include <span>

#include "xmc/types.h"

namespace xmc {

class PartitionTree {
 public:
  static constexpr u32 kMostLeaves = 160;
  static constexpr u32 kMostNodes = 2 * kMostLeaves - 1;

  struct Test {
    u16 word = 0;
    u8 shift = 0;
    u8 width = 0;   // 0: of the hash, the bit `shift` from above
    u64 pivot = 0;  // values from here on are high

    u64 value(const Word* state) const {
      return state[word] >> shift & (~u64{0} >> ((64 - width) & 63));
    }
  };

  // One partition, number 0.
  void start(u32 state_words);

  u32 leaf_of(const Word* state) const;
  // The same for some of the states of an array, which take their steps down the tree in turns: one
  // after the other is a chain of loads and jumps that nothing predicts, and took three times as
  // long.
  void leaves_of(const Word* states, std::span<const u32> picks, u16* leaves) const;
  // What the test of a node that was split says.
  bool is_high(u32 node, const Word* state) const;
  // The numbers of new leaves are the result and the one after it.
  bool can_split() const { return nodes_ + 2 <= kMostNodes; }
  u32 split(u32 leaf, const Test& test);
  // A bit of the hash that no test above this leaf looks at.
  Test hash_test(u32 leaf) const;

  u32 nodes() const { return nodes_; }
  bool is_leaf(u32 node) const { return tree_[node].children == 0; }
  // Adds the bits that decide whether a state is in this leaf: while they stay, it does.
  void add_mask(u32 leaf, std::span<Word> mask) const;

  // Two words for each node, for checkpoints.
  static constexpr u32 kNodeWords = 2;
  void save(std::span<u64> words) const;
  bool restore(std::span<const u64> words);

 private:
  // The test of a leaf is never passed, and its next node is itself.
  static constexpr Test kNeverHigh{0, 0, 1, 2};

  struct Node {
    Test test = kNeverHigh;
    u16 children = 0;  // the low one; 0: a leaf
    u16 parent = 0;
    u16 next = 0;  // the low child, or this node
  };

  template <bool kHash>
  void descend(const Word* states, std::span<const u32> picks, u16* leaves) const;

  u32 words_ = 0;
  u32 nodes_ = 1;
  bool hash_tests_ = false;  // there are some
  Node tree_[kMostNodes];
};

}  // namespace xmc
