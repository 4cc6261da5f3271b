// NodeMarks: collection of a diagram's garbage in place, in one pass down and one pass up.
//
// Nodes are made bottom-up and never change, so a child lies below its parents. That makes both
// passes sequential: marks go from high addresses to low ones, every parent before its children;
// live nodes then slide down from low to high, every child before its parents, so that new places
// are known when they are needed (a prefix sum over the mark bits).
//
// It also means that old nodes never point to young ones: what was made since the last collection
// can be collected alone, with everything older taken as live. Most garbage is young, since a batch
// replaces what the one before it made. And the slots need no deletions: nodes were filed in order
// of address, so without all entries from some address on the table is the one it was then.
#pragma once

#include <bit>

#include "store/diagram/diagram_nodes.h"

namespace xmc {

struct NodeMarks {
  u64* bits = nullptr;
  u32* sums = nullptr;  // live words before each word of marks

  // Words of marks for so many words of nodes.
  static u64 words_for(u64 words) { return words / 64 + 2; }
  // Drops the nodes from `begin` on that the root does not reach, and returns where that is now.
  u32 collect(DiagramNodes& nodes, u32 root, u32 begin);
  // Where a marked node goes, when the ones before `begin` stay.
  u32 forward(u32 node, u32 begin) const {
    if (node < begin) return node;
    const u64 below = bits[node / 64] & ((u64{1} << (node % 64)) - 1);
    return sums[node / 64] + static_cast<u32>(std::popcount(below));
  }

 private:
  void mark(const DiagramNodes& nodes, u32 root, u32 begin);
  void slide(DiagramNodes& nodes, u32 begin);
};

}  // namespace xmc
