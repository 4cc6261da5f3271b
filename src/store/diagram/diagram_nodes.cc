#include "store/diagram/diagram_nodes.h"

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

void DiagramNodes::clear() {
  fill_zero(std::span<u32>(slots, slot_count));
  slots_used = 0;
  top = 1;
}

u32 DiagramNodes::count() const {
  u32 found = 0;
  for (u32 node = 1; node < top; node += node_size(node)) {
    XMC_CHECK(level(node) < levels);
    ++found;
  }
  return found;
}

// --- Tails ------------------------------------------------------------------------------------

// The bits of a level's word that belong to it and to what follows.
Word DiagramNodes::tail_mask(u32 tail_level) const {
  const DiagramDigit& d = digits[tail_level];
  const u32 bits = u32{d.shift} + d.bits;
  return bits == 64 ? ~Word{0} : (Word{1} << bits) - 1;
}

Word DiagramNodes::tail_word(u32 tail, u32 word) const {
  const u32* const at = heap + tail + 1 + 2 * (word - digits[level(tail)].word);
  return Word{at[0]} | Word{at[1]} << 32;
}

u32 DiagramNodes::tail_digit(u32 tail, u32 at) const {
  const DiagramDigit& d = digits[at];
  return static_cast<u32>(tail_word(tail, d.word) >> d.shift) & ((1u << d.bits) - 1);
}

bool DiagramNodes::tail_equals(u32 tail, const Word* key) const {
  const u32 first = digits[level(tail)].word;
  if ((key[first] & tail_mask(level(tail))) != tail_word(tail, first)) return false;
  for (u32 w = first + 1; w < key_words; ++w) {
    if (key[w] != tail_word(tail, w)) return false;
  }
  return true;
}

u32 DiagramNodes::put_tail(u32 tail_level, const Word* key, u32* node) const {
  const u32 first = digits[tail_level].word;
  node[0] = tail_level << 16 | kTail;
  for (u32 w = first; w < key_words; ++w) {
    const Word word = w == first ? key[w] & tail_mask(tail_level) : key[w];
    node[1 + 2 * (w - first)] = static_cast<u32>(word);
    node[2 + 2 * (w - first)] = static_cast<u32>(word >> 32);
  }
  return 1 + 2 * (key_words - first);
}

void DiagramNodes::take_tail(u32 tail, Word* key) const {
  for (u32 w = digits[level(tail)].word; w < key_words; ++w) key[w] = tail_word(tail, w);
}

// --- Slots ------------------------------------------------------------------------------------

void DiagramNodes::file_waiting() {
  for (u32 i = 0; i < kWaiting; ++i) {
    Waiting& w = waiting_[waiting_count_++ % kWaiting];
    if (w.entry != 0) put_slot(w);
    w.entry = 0;
  }
}

void DiagramNodes::clear_slots(u32 begin) {
  u32 used = 0;
  for (u32 i = 0; i < slot_count; ++i) {
    slots[i] = (slots[i] & index_mask) < begin ? slots[i] : 0;
    used += slots[i] != 0 ? 1 : 0;
  }
  slots_used = used;
}

void DiagramNodes::rebuild_slots() {
  fill_zero(std::span<u32>(slots, slot_count));
  slots_used = 0;
  for (u32 node = 1, words = 0; node < top; node += words) {
    words = node_size(node);
    file(node, words);
  }
  file_waiting();
}

}  // namespace xmc
