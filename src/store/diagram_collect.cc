// The diagram's memory: collection of garbage in place, in one pass down and one pass up.
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
#include <algorithm>
#include <bit>

#include "store/diagram.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

// Marks all words of the nodes from `begin` on that the root reaches. At first a mark is the first
// word of a node, set by its parents; the others follow when the node is visited.
void Diagram::mark(u32 begin) {
  const std::size_t first = begin / 64;
  fill_zero(std::span<u64>(marks_ + first, static_cast<std::size_t>(mark_words(top_)) - first));
  if (root_ < begin) return;
  marks_[root_ / 64] |= u64{1} << (root_ % 64);
  for (std::size_t w = root_ / 64 + 1; w-- > first;) {
    for (u64 below = ~u64{0}; (marks_[w] & below) != 0;) {
      const u32 bit = static_cast<u32>(std::bit_width(marks_[w] & below)) - 1;
      below = (u64{1} << bit) - 1;
      const u32 node = static_cast<u32>(w * 64) + bit;
      const u32 words = node_size(node);
      if (has_children(node)) {
        const u32* const end = heap_ + node + words;
        for (const u32* child = children(node); child != end; ++child) {
          if (*child >= begin) marks_[*child / 64] |= u64{1} << (*child % 64);
        }
      }
      for (u32 at = node + 1, end = node + words; at < end;) {
        const u32 count = std::min(64 - at % 64, end - at);
        marks_[at / 64] |= ~u64{0} >> (64 - count) << (at % 64);
        at += count;
      }
    }
  }
}

// Where a marked node goes, when the ones before `begin` stay.
u32 Diagram::forward(u32 node, u32 begin) const {
  if (node < begin) return node;
  const u64 below = marks_[node / 64] & ((u64{1} << (node % 64)) - 1);
  return mark_sums_[node / 64] + static_cast<u32>(std::popcount(below));
}

// Moves marked nodes down to `begin` and files them.
void Diagram::slide(u32 begin) {
  const u32 end = static_cast<u32>(mark_words(top_));
  u32 sum = begin;
  for (u32 w = begin / 64; w < end; ++w) {
    mark_sums_[w] = sum;
    sum += static_cast<u32>(std::popcount(marks_[w]));
  }
  u32 to = begin;
  for (u32 w = begin / 64; w < end; ++w) {
    // The marked nodes that begin in this word of marks.
    for (u64 left = marks_[w]; left != 0;) {
      const u32 bit = static_cast<u32>(std::countr_zero(left));
      const u32 node = w * 64 + bit;
      const u32 words = node_size(node);
      u32* const from = heap_ + node;
      if (has_children(node)) {
        for (u32 i = words - edges(node); i < words; ++i) from[i] = forward(from[i], begin);
      }
      std::copy(from, from + words, heap_ + to);
      file(to, words);
      to += words;
      if (bit + words < 64) {
        left = left >> (bit + words) << (bit + words);
      } else {
        // The next node may begin in the middle of a later word of marks.
        w = (node + words) / 64;
        left = w < end ? marks_[w] >> ((node + words) % 64) << ((node + words) % 64) : 0;
      }
    }
  }
  if (root_ != 0) root_ = forward(root_, begin);
  top_ = to;
  file_waiting();
}

// Filing waits for a few nodes, so that a slot is in the cache when it is looked at.
void Diagram::file(u32 node, u32 words) {
  const u32 h = hash(heap_ + node, words);
  __builtin_prefetch(slots_ + slot_of(h), 1);
  Waiting& w = waiting_[waiting_count_++ % kWaiting];
  if (w.entry != 0) put_slot(w);
  w = {tag_of(h) | node, slot_of(h)};
}

void Diagram::put_slot(const Waiting& w) {
  u32 at = w.slot;
  while (slots_[at] != 0) at = at + 1 == slot_count_ ? 0 : at + 1;
  slots_[at] = w.entry;
  ++slots_used_;
}

void Diagram::file_waiting() {
  for (u32 i = 0; i < kWaiting; ++i) {
    Waiting& w = waiting_[waiting_count_++ % kWaiting];
    if (w.entry != 0) put_slot(w);
    w.entry = 0;
  }
}

// Takes the nodes from `begin` on out of the slots.
void Diagram::clear_slots(u32 begin) {
  u32 used = 0;
  for (u32 i = 0; i < slot_count_; ++i) {
    slots_[i] = (slots_[i] & index_mask_) < begin ? slots_[i] : 0;
    used += slots_[i] != 0 ? 1 : 0;
  }
  slots_used_ = used;
}

void Diagram::rebuild_slots() {
  fill_zero(std::span<u32>(slots_, slot_count_));
  slots_used_ = 0;
  for (u32 node = 1, words = 0; node < top_; node += words) {
    words = node_size(node);
    file(node, words);
  }
  file_waiting();
}

void Diagram::collect_from(u32 begin) {
  mark(begin);
  clear_slots(begin);
  slide(begin);
  old_top_ = static_cast<u32>(top_);
}

void Diagram::collect() {
  ++collections_;
  collect_from(1);
  live_ = top_ - 1;
}

// Young collections, until half of the room that the last whole one left is taken by what they
// took for live.
bool Diagram::young_pays() const {
  return old_top_ > 1 && (capacity_ - old_top_) * 2 > capacity_ - live_;
}

u64 Diagram::live_words() {
  collect();
  return top_ - 1;
}

}  // namespace xmc
