// DiagramNodes: the nodes of a diagram in memory, and the slots by which equal ones are one.
//
//   node  = header (level << 16 | edges - 1), the edges' digits four to a word, then one word per
//           edge: the child, or, one level above the last, a bitmap over the last digit
//   tail  = header with kTail, the rest of the one key below, as words: a chain of nodes with one
//           edge each would take a node per digit, which wide states have many of
//   slots = open-addressing table of nodes by content, so that equal nodes are one
#pragma once

#include <span>

#include "xmc/types.h"

namespace xmc {

// One digit of a key: at most 8 bits, the last one at most 5. Digits do not straddle key words, and
// come from the high end, so that keys compare like their digit strings.
struct DiagramDigit {
  u16 word = 0;
  u8 shift = 0;
  u8 bits = 0;
};

struct DiagramNodes {
  static constexpr u32 kMostNodeWords = 1 + 256 / 4 + 256;

  // What keys are made of.
  std::span<const DiagramDigit> digits;
  u32 levels = 0;  // digits
  u32 key_words = 0;
  bool tails = false;

  u32* heap = nullptr;
  u64 capacity = 0;
  u64 top = 1;  // word 0 is no node
  u32* slots = nullptr;
  u32 slot_count = 0;
  u32 slots_used = 0;
  u32 index_mask = 0;  // of a slot: a node; the other bits are from its hash

  // No node.
  void clear();
  u32 count() const;

  // --- Keys -----------------------------------------------------------------------------------

  void set_digits(std::span<const DiagramDigit> list, u32 words) {
    digits = list;
    levels = static_cast<u32>(list.size());
    key_words = words;
  }
  u32 digit(const Word* key, u32 level) const {
    const DiagramDigit& d = digits[level];
    return static_cast<u32>(key[d.word] >> d.shift) & ((1u << d.bits) - 1);
  }
  void put_digit(Word* key, u32 level, u32 value) const {
    const DiagramDigit& d = digits[level];
    const Word mask = ((Word{1} << d.bits) - 1) << d.shift;
    key[d.word] = (key[d.word] & ~mask) | Word{value} << d.shift;
  }

  // --- One node -------------------------------------------------------------------------------

  u32 size_of(const u32* node) const {
    if ((node[0] & kTail) != 0) return 1 + 2 * (key_words - digits[node[0] >> 16].word);
    const u32 n = (node[0] & 0xFFFFu) + 1;
    return 1 + (n + 3) / 4 + n;
  }
  u32 node_size(u32 node) const { return size_of(heap + node); }
  u32 edges(u32 node) const { return (heap[node] & 0xFFFFu) + 1; }
  u32 level(u32 node) const { return heap[node] >> 16; }
  const u8* edge_digits(u32 node) const { return reinterpret_cast<const u8*>(heap + node + 1); }
  const u32* children(u32 node) const { return heap + node + 1 + (edges(node) + 3) / 4; }
  // Nodes of the last level but one have bitmaps.
  bool has_children(u32 node) const { return level(node) + 2 < levels && !is_tail(node); }

  // Tails stand for single keys below levels 1 to levels - 3, in sets of wide states: there they
  // halved the time (leader_election.4, plc.4), but lifts.7, with states of three words, shares the
  // ends of its chains and grew.
  static constexpr u32 kTail = 0x8000;
  bool is_tail(u32 node) const { return (heap[node] & kTail) != 0; }
  bool tail_fits(u32 level) const { return tails && level > 0 && level + 2 < levels; }
  Word tail_mask(u32 level) const;
  Word tail_word(u32 tail, u32 word) const;
  u32 tail_digit(u32 tail, u32 level) const;
  bool tail_equals(u32 tail, const Word* key) const;
  // Writes the end of a key as a tail, and returns its words.
  u32 put_tail(u32 level, const Word* key, u32* node) const;
  // The end of the key that a tail stands for; the words before it are left alone.
  void take_tail(u32 tail, Word* key) const;

  // --- Slots ----------------------------------------------------------------------------------

  // Over the words of a node: padding bytes of the digits are zero, so equal nodes are equal words.
  static u32 hash(const u32* node, u32 words) {
    u64 h = words;
    const auto mix = [&h](u64 bits) {
      h = (h ^ bits) * 0xFF51'AFD7'ED55'8CCDu;
      h ^= h >> 32;
    };
    for (; words >= 2; words -= 2, node += 2) mix(u64{node[0]} | u64{node[1]} << 32);
    if (words != 0) mix(node[0]);
    return static_cast<u32>(h * 0xC4CE'B9FE'1A85'EC53u >> 32);
  }
  u32 slot_of(u32 hash) const { return static_cast<u32>((u64{hash} * slot_count) >> 32); }
  u32 tag_of(u32 hash) const { return hash * (index_mask + 1); }
  // Files a node that no equal one is there for. Filing waits for a few nodes, so that a slot is in
  // the cache when it is looked at; file_waiting() has to follow the last one.
  void file(u32 node, u32 words) {
    const u32 h = hash(heap + node, words);
    __builtin_prefetch(slots + slot_of(h), 1);
    Waiting& w = waiting_[waiting_count_++ % kWaiting];
    if (w.entry != 0) put_slot(w);
    w = {tag_of(h) | node, slot_of(h)};
  }
  void file_waiting();
  // Takes the nodes from `begin` on out of the slots.
  void clear_slots(u32 begin);
  void rebuild_slots();

 private:
  // A node that is going to be filed.
  struct Waiting {
    u32 entry = 0;  // 0: none
    u32 slot = 0;
  };
  static constexpr u32 kWaiting = 16;
  void put_slot(const Waiting& w) {
    u32 at = w.slot;
    while (slots[at] != 0) at = at + 1 == slot_count ? 0 : at + 1;
    slots[at] = w.entry;
    ++slots_used;
  }

  Waiting waiting_[kWaiting];
  u32 waiting_count_ = 0;
};

}  // namespace xmc
