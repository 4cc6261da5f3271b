#include "store/diagram/node_marks.h"

#include <algorithm>
#include <span>

#include "xmc/bytes.h"

namespace xmc {

u32 NodeMarks::collect(DiagramNodes& nodes, u32 root, u32 begin) {
  mark(nodes, root, begin);
  nodes.clear_slots(begin);
  slide(nodes, begin);
  return root == 0 ? 0 : forward(root, begin);
}

// Marks all words of the nodes from `begin` on that the root reaches. At first a mark is the first
// word of a node, set by its parents; the others follow when the node is visited.
void NodeMarks::mark(const DiagramNodes& nodes, u32 root, u32 begin) {
  const std::size_t first = begin / 64;
  fill_zero(std::span<u64>(bits + first, static_cast<std::size_t>(words_for(nodes.top)) - first));
  if (root < begin) return;
  bits[root / 64] |= u64{1} << (root % 64);
  for (std::size_t w = root / 64 + 1; w-- > first;) {
    for (u64 below = ~u64{0}; (bits[w] & below) != 0;) {
      const u32 bit = static_cast<u32>(std::bit_width(bits[w] & below)) - 1;
      below = (u64{1} << bit) - 1;
      const u32 node = static_cast<u32>(w * 64) + bit;
      const u32 words = nodes.node_size(node);
      if (nodes.has_children(node)) {
        const u32* const end = nodes.heap + node + words;
        for (const u32* child = nodes.children(node); child != end; ++child) {
          if (*child >= begin) bits[*child / 64] |= u64{1} << (*child % 64);
        }
      }
      for (u32 at = node + 1, end = node + words; at < end;) {
        const u32 count = std::min(64 - at % 64, end - at);
        bits[at / 64] |= ~u64{0} >> (64 - count) << (at % 64);
        at += count;
      }
    }
  }
}

// Moves marked nodes down to `begin` and files them.
void NodeMarks::slide(DiagramNodes& nodes, u32 begin) {
  const u32 end = static_cast<u32>(words_for(nodes.top));
  u32 sum = begin;
  for (u32 w = begin / 64; w < end; ++w) {
    sums[w] = sum;
    sum += static_cast<u32>(std::popcount(bits[w]));
  }
  u32 to = begin;
  for (u32 w = begin / 64; w < end; ++w) {
    // The marked nodes that begin in this word of marks.
    for (u64 left = bits[w]; left != 0;) {
      const u32 bit = static_cast<u32>(std::countr_zero(left));
      const u32 node = w * 64 + bit;
      const u32 words = nodes.node_size(node);
      u32* const from = nodes.heap + node;
      if (nodes.has_children(node)) {
        for (u32 i = words - nodes.edges(node); i < words; ++i) from[i] = forward(from[i], begin);
      }
      std::copy(from, from + words, nodes.heap + to);
      nodes.file(to, words);
      to += words;
      if (bit + words < 64) {
        left = left >> (bit + words) << (bit + words);
      } else {
        // The next node may begin in the middle of a later word of marks.
        w = (node + words) / 64;
        left = w < end ? bits[w] >> ((node + words) % 64) << ((node + words) % 64) : 0;
      }
    }
  }
  nodes.top = to;
  nodes.file_waiting();
}

}  // namespace xmc
