// ListNodes: the nodes of sets of short words, shared and found again by their contents.
//
// A list decision diagram (Blom and van de Pol, LTSmin) has a list of (value, rest) for each level,
// ascending by value. A node is one element of such a list:
//
//     value: 12 bits | right: 26 | down: 26        right: the next element; down: what follows
//
// Node 0 is the empty list, node 1 the end of a word. A node does not say its level: whoever walks
// down knows it. Nodes are in lines of eight, and the place of a node is its number, so that there
// is no index beside them: 8 bytes for each at a load of 15/16. A line whose bit in `spilled` is
// set had no room for all of its nodes: the search for one goes on in the next line.
//
// Invariants:
//   1. Of equal nodes there is one: equal sets have equal numbers.
//   2. A node never moves, so that recursive code holds plain numbers across a collection.
//   3. The word of a free place is 0; no node has down = 0.
#pragma once

#include <span>

#include "xmc/check.h"
#include "xmc/types.h"

namespace xmc {

using Node = u32;

class ListNodes {
 public:
  static constexpr Node kEmpty = 0;
  static constexpr Node kEnd = 1;
  static constexpr u32 kValueBits = 12;
  static constexpr u32 kNodeBits = 26;
  static constexpr u32 kMostValues = 1u << kValueBits;
  static constexpr u32 kLine = 8;

  // Bytes for this many nodes, and the most nodes that fit so many bytes: a multiple of kLine.
  static u64 bytes_for(u64 nodes);
  static u64 nodes_in(u64 bytes);
  // The memory is zeroed and aligned to a line of the cache.
  void init(std::span<u8> memory);

  u32 value(Node n) const { return value_of(word(n)); }
  Node right(Node n) const { return right_of(word(n)); }
  Node down(Node n) const { return down_of(word(n)); }

  // The node with these contents; kEmpty when there is none and no place is left for it.
  Node find_or_add(u32 value, Node down, Node right);
  bool is_crowded() const { return used_ >= crowded_; }

  // A collection: every node that is to stay is marked from its list on; sweep() frees the others.
  void mark(Node list);
  bool is_marked(Node n) const { return n <= kEnd || (marks_[n / 64] >> n % 64 & 1) != 0; }
  void sweep();
  // Nodes of a list and of all below it.
  u64 count_below(Node list);
  // Numbers without gaps for the nodes that are marked, in the order of their places, while nothing
  // is made or collected: a file has them. How many there are; unmark() ends it.
  u64 number_marked();
  Node number_of(Node n) const;  // kEmpty and kEnd stay what they are
  void unmark();
  // A node as a word, and what that says.
  static u64 word_of(u32 value, Node down, Node right) {
    return u64{value} << (2 * kNodeBits) | u64{right} << kNodeBits | down;
  }
  static u32 value_of(u64 word) { return static_cast<u32>(word >> (2 * kNodeBits)); }
  static Node right_of(u64 word) { return static_cast<Node>(word >> kNodeBits) & kNodeMask; }
  static Node down_of(u64 word) { return static_cast<Node>(word) & kNodeMask; }

  u64 used() const { return used_; }
  u64 capacity() const { return words_.size(); }

 private:
  static constexpr u32 kNodeMask = (1u << kNodeBits) - 1;
  static constexpr u32 kRankNodes = kLine * 64;

  u64 word(Node n) const {
    XMC_DASSERT(n > kEnd);
    return words_[n];
  }
  u32 home_of(u64 word) const;
  u32 next_line(u32 line) const { return line + 1 == lines_ ? 0 : line + 1; }
  bool spilled(u32 line) const { return (spilled_[line / 64] >> line % 64 & 1) != 0; }
  void set_spilled(u32 line) { spilled_[line / 64] |= u64{1} << line % 64; }

  std::span<u64> words_;
  std::span<u64> spilled_;  // a bit for each line
  std::span<u64> marks_;    // a bit for each node
  std::span<u64> ranks_;    // marked nodes before each kRankNodes of them
  u32 lines_ = 0;
  u64 used_ = 0;
  u64 crowded_ = 0;
};

}  // namespace xmc
