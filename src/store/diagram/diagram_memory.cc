// The diagram's memory: how it is laid out, and when garbage is collected.
#include <algorithm>
#include <bit>

#include "store/diagram/diagram.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

u64 slots_for(u64 words, u64 tenths_per_slot) { return words * 10 / tenths_per_slot + 16; }

}  // namespace

u64 Diagram::bytes_for(u64 words, u64 digit_count, u64 tenths_per_slot) {
  return round_up(words * 4, 8) + round_up(slots_for(words, tenths_per_slot) * 4, 8) +
         NodeMarks::words_for(words) * 8 + round_up(NodeMarks::words_for(words) * 4, 8) +
         DiagramInsertion::tasks_for(words, digit_count) * sizeof(DiagramInsertion::Task) +
         DiagramInsertion::kStageWords * 4 + round_up(digit_count * (sizeof(Step) + 4) + 4, 8);
}

void Diagram::init(std::span<u8> region, std::span<const Digit> digit_list, u32 key_words,
                   bool tails) {
  XMC_CHECK(digit_list.size() >= 2);
  XMC_CHECK(digit_list.back().bits <= kLastBits);
  nodes_.set_digits(digit_list, key_words);
  nodes_.tails = tails;
  tenths_per_slot_ = kFirstTenths;
  lay_out(region);
  past_ = {};
  clear();
}

void Diagram::lay_out(std::span<u8> region) {
  u64 low = 64;
  u64 high = region.size() / 4;
  XMC_CHECK(bytes_for(low, nodes_.levels, tenths_per_slot_) <= region.size());
  while (low + 1 < high) {
    const u64 middle = (low + high) / 2;
    (bytes_for(middle, nodes_.levels, tenths_per_slot_) <= region.size() ? low : high) = middle;
  }
  region_ = region;
  nodes_.capacity = std::min<u64>(low, 0xFFFF'FFF0u);
  u8* at = region.data();
  marks_.bits = reinterpret_cast<u64*>(at);
  at += NodeMarks::words_for(nodes_.capacity) * 8;
  insertion_.tasks = reinterpret_cast<DiagramInsertion::Task*>(at);
  insertion_.task_room =
      static_cast<u32>(DiagramInsertion::tasks_for(nodes_.capacity, nodes_.levels));
  insertion_.at_once = 64;
  at += u64{insertion_.task_room} * sizeof(DiagramInsertion::Task);
  insertion_.stage = reinterpret_cast<u32*>(at);
  at += DiagramInsertion::kStageWords * 4;
  walk_.steps = reinterpret_cast<Step*>(at);
  insertion_.begins = reinterpret_cast<u32*>(walk_.steps + nodes_.levels);
  at += round_up(nodes_.levels * (sizeof(Step) + 4) + 4, 8);
  marks_.sums = reinterpret_cast<u32*>(at);
  at += round_up(NodeMarks::words_for(nodes_.capacity) * 4, 8);
  nodes_.slots = reinterpret_cast<u32*>(at);
  nodes_.slot_count = static_cast<u32>(slots_for(nodes_.capacity, tenths_per_slot_));
  nodes_.index_mask = static_cast<u32>((u64{1} << std::bit_width(nodes_.capacity)) - 1);
  at += round_up(u64{nodes_.slot_count} * 4, 8);
  nodes_.heap = reinterpret_cast<u32*>(at);
}

bool Diagram::move_to(std::span<u8> region) {
  collect();
  const u32 before = tenths_per_slot_;
  tenths_per_slot_ = fitting_tenths();
  if (bytes_for(nodes_.top / 8 * 9, nodes_.levels, tenths_per_slot_) > region.size()) {
    tenths_per_slot_ = before;
    return false;
  }
  move_nodes(region);
  return true;
}

// The nodes first: everything else is made anew around them.
void Diagram::move_nodes(std::span<u8> region) {
  const u32* const from = nodes_.heap;
  lay_out(region);
  move(std::span<u32>(nodes_.heap, static_cast<std::size_t>(nodes_.top)),
       std::span<const u32>(from, static_cast<std::size_t>(nodes_.top)));
  nodes_.rebuild_slots();
}

// Slots for nodes of the size that they have on average, after a collection: two thirds full when
// the memory is.
u32 Diagram::fitting_tenths() const {
  if (nodes_.slots_used == 0) return tenths_per_slot_;
  const u64 tenths = (nodes_.top - 1) * 20 / 3 / nodes_.slots_used;
  return static_cast<u32>(std::clamp<u64>(tenths, kLeastTenths, kMostTenths));
}

// Memory that is full may still have room at the wrong place.
bool Diagram::refit() {
  collect();
  const u32 before = tenths_per_slot_;
  tenths_per_slot_ = fitting_tenths();
  const bool other = tenths_per_slot_ > before / 8 * 9 || tenths_per_slot_ < before / 9 * 8;
  if (other && bytes_for(nodes_.top / 16 * 17, nodes_.levels, tenths_per_slot_) <= region_.size()) {
    move_nodes(region_);
    return true;
  }
  tenths_per_slot_ = before;
  return false;
}

// --- A set from a file --------------------------------------------------------------------------

std::span<const u32> Diagram::nodes() {
  collect();
  return {nodes_.heap, static_cast<std::size_t>(nodes_.top)};
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
  nodes_.heap = place;
  nodes_.top = from.size();
  root_ = root;
  const u32 count = nodes_.count();
  nodes_.slots_used = count;
  for (const u32 tenths : {kFirstTenths, fitting_tenths()}) {
    tenths_per_slot_ = tenths;
    lay_out(region_);
    if (nodes_.top > nodes_.capacity || count > nodes_.slot_count / 10 * 9) continue;
    nodes_.heap = place;
    move_nodes(region_);
    size_ = size;
    note_no_garbage();
    return true;
  }
  clear();
  return false;
}

void Diagram::clear() {
  nodes_.clear();
  past_.old_top = 1;
  past_.most_growth = 0;
  root_ = 0;
  size_ = 0;
}

// --- Collection --------------------------------------------------------------------------------

void Diagram::collect_from(u32 begin) {
  root_ = marks_.collect(nodes_, root_, begin);
  past_.old_top = static_cast<u32>(nodes_.top);
}

void Diagram::collect() {
  ++past_.collections;
  collect_from(1);
  past_.live = nodes_.top - 1;
}

void Diagram::note_no_garbage() {
  past_.old_top = static_cast<u32>(nodes_.top);
  past_.live = nodes_.top - 1;
}

// Young collections, until half of the room that the last whole one left is taken by what they
// took for live.
bool Diagram::young_pays() const {
  const u64 capacity = nodes_.capacity;
  return past_.old_top > 1 && (capacity - past_.old_top) * 2 > capacity - past_.live;
}

u64 Diagram::live_words() {
  collect();
  return nodes_.top - 1;
}

}  // namespace xmc
