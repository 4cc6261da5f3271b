// The diagram's memory: how it is laid out, and collection of garbage in place, in one pass down
// and one pass up.
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

#include "store/diagram/diagram.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kLeastTasks = 2048;
constexpr u64 kMostTasks = 16384;

u64 slots_for(u64 words, u64 tenths_per_slot) { return words * 10 / tenths_per_slot + 16; }

}  // namespace

u64 Diagram::bytes_for(u64 words, u64 digit_count, u64 tenths_per_slot) {
  return round_up(words * 4, 8) + round_up(slots_for(words, tenths_per_slot) * 4, 8) +
         mark_words(words) * 8 + round_up(mark_words(words) * 4, 8) +
         tasks_for(words, digit_count) * sizeof(Task) + kStageWords * 4 +
         round_up(digit_count * (sizeof(Step) + 4) + 4, 8);
}

// More tasks at once are fewer copies of the nodes at the top; a single key takes at most two for
// each digit.
u64 Diagram::tasks_for(u64 words, u64 digit_count) {
  return std::clamp<u64>(words / 64, kLeastTasks, kMostTasks) + 2 * digit_count;
}

void Diagram::init(std::span<u8> region, std::span<const Digit> digit_list, u32 key_words,
                   bool tails) {
  XMC_CHECK(digit_list.size() >= 2);
  XMC_CHECK(digit_list.back().bits <= kLastBits);
  digits_ = digit_list;
  levels_ = static_cast<u32>(digit_list.size());
  key_words_ = key_words;
  tails_ = tails;
  tenths_per_slot_ = kFirstTenths;
  lay_out(region);
  collections_ = live_ = 0;
  clear();
}

void Diagram::lay_out(std::span<u8> region) {
  u64 low = 64;
  u64 high = region.size() / 4;
  XMC_CHECK(bytes_for(low, levels_, tenths_per_slot_) <= region.size());
  while (low + 1 < high) {
    const u64 middle = (low + high) / 2;
    (bytes_for(middle, levels_, tenths_per_slot_) <= region.size() ? low : high) = middle;
  }
  region_ = region;
  capacity_ = std::min<u64>(low, 0xFFFF'FFF0u);
  u8* at = region.data();
  marks_ = reinterpret_cast<u64*>(at);
  at += mark_words(capacity_) * 8;
  tasks_ = reinterpret_cast<Task*>(at);
  task_room_ = static_cast<u32>(tasks_for(capacity_, levels_));
  at_once_ = 64;
  at += u64{task_room_} * sizeof(Task);
  stage_ = reinterpret_cast<u32*>(at);
  at += kStageWords * 4;
  steps_ = reinterpret_cast<Step*>(at);
  begins_ = reinterpret_cast<u32*>(steps_ + levels_);
  at += round_up(levels_ * (sizeof(Step) + 4) + 4, 8);
  mark_sums_ = reinterpret_cast<u32*>(at);
  at += round_up(mark_words(capacity_) * 4, 8);
  slots_ = reinterpret_cast<u32*>(at);
  slot_count_ = static_cast<u32>(slots_for(capacity_, tenths_per_slot_));
  index_mask_ = static_cast<u32>((u64{1} << std::bit_width(capacity_)) - 1);
  at += round_up(u64{slot_count_} * 4, 8);
  heap_ = reinterpret_cast<u32*>(at);
}

bool Diagram::move_to(std::span<u8> region) {
  collect();
  const u32 before = tenths_per_slot_;
  tenths_per_slot_ = fitting_tenths();
  if (bytes_for(top_ / 8 * 9, levels_, tenths_per_slot_) > region.size()) {
    tenths_per_slot_ = before;
    return false;
  }
  move_nodes(region);
  return true;
}

// The nodes first: everything else is made anew around them.
void Diagram::move_nodes(std::span<u8> region) {
  const u32* const from = heap_;
  lay_out(region);
  move(std::span<u32>(heap_, static_cast<std::size_t>(top_)),
       std::span<const u32>(from, static_cast<std::size_t>(top_)));
  rebuild_slots();
}

// Slots for nodes of the size that they have on average, after a collection: two thirds full when
// the memory is.
u32 Diagram::fitting_tenths() const {
  if (slots_used_ == 0) return tenths_per_slot_;
  const u64 tenths = (top_ - 1) * 20 / 3 / slots_used_;
  return static_cast<u32>(std::clamp<u64>(tenths, kLeastTenths, kMostTenths));
}

// Memory that is full may still have room at the wrong place.
bool Diagram::refit() {
  collect();
  const u32 before = tenths_per_slot_;
  tenths_per_slot_ = fitting_tenths();
  const bool other = tenths_per_slot_ > before / 8 * 9 || tenths_per_slot_ < before / 9 * 8;
  if (other && bytes_for(top_ / 16 * 17, levels_, tenths_per_slot_) <= region_.size()) {
    move_nodes(region_);
    return true;
  }
  tenths_per_slot_ = before;
  return false;
}

// --- A set from a file --------------------------------------------------------------------------

std::span<const u32> Diagram::nodes() {
  collect();
  return {heap_, static_cast<std::size_t>(top_)};
}

// At the end, whatever the layout is going to be.
std::span<u32> Diagram::room_for(u64 words) {
  const u64 all = region_.size() / sizeof(u32);
  if (words > all) return {};
  return {reinterpret_cast<u32*>(region_.data()) + (all - words), static_cast<std::size_t>(words)};
}

bool Diagram::load(std::span<const u32> from, u32 root, u64 size) {
  u32* const place = room_for(from.size()).data();
  XMC_CHECK(from.data() == place && root < from.size());
  heap_ = place;
  top_ = from.size();
  root_ = root;
  const u32 count = count_nodes();
  slots_used_ = count;
  for (const u32 tenths : {kFirstTenths, fitting_tenths()}) {
    tenths_per_slot_ = tenths;
    lay_out(region_);
    if (top_ > capacity_ || count > slot_count_ / 10 * 9) continue;
    heap_ = place;
    move_nodes(region_);
    size_ = size;
    old_top_ = static_cast<u32>(top_);
    live_ = top_ - 1;
    return true;
  }
  clear();
  return false;
}

u32 Diagram::count_nodes() const {
  u32 count = 0;
  for (u32 node = 1; node < top_; node += node_size(node)) {
    XMC_CHECK(level(node) < levels_);
    ++count;
  }
  return count;
}

void Diagram::clear() {
  fill_zero(std::span<u32>(slots_, slot_count_));
  slots_used_ = 0;
  top_ = old_top_ = 1;
  most_growth_ = 0;
  root_ = 0;
  size_ = 0;
}

// --- Collection --------------------------------------------------------------------------------

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
