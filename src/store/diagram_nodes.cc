// The nodes of a diagram: written to a stage, and put at the top only if no equal one is there.
#include <algorithm>
#include <bit>

#include "store/diagram.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

u32 Diagram::size_of(const u32* node) const {
  if ((node[0] & kTail) != 0) return 1 + 2 * (key_words_ - digits_[node[0] >> 16].word);
  const u32 n = (node[0] & 0xFFFFu) + 1;
  return 1 + (n + 3) / 4 + n;
}

// Gives each staged node to its task: an equal one that is there, or itself, at the top. False: no
// room. Slots and nodes were asked for beforehand, so that many are on their way at a time.
bool Diagram::settle(std::span<const Staged> staged) {
  for (const Staged& s : staged) {
    const u32 entry = slots_[s.slot];
    if (entry != 0 && (entry & ~index_mask_) == s.tag) {
      __builtin_prefetch(heap_ + (entry & index_mask_));
    }
  }
  for (const Staged& s : staged) {
    const u32* const node = stage_ + s.begin;
    u32& result = tasks_[s.task].result;
    u32 at = s.slot;
    for (result = 0; slots_[at] != 0; at = at + 1 == slot_count_ ? 0 : at + 1) {
      if ((slots_[at] & ~index_mask_) != s.tag) continue;
      const u32 found = slots_[at] & index_mask_;
      // Equal headers are equal sizes.
      if (std::equal(node, node + s.words, heap_ + found)) {
        result = found;
        break;
      }
    }
    if (result != 0) continue;
    if (slots_used_ >= slot_count_ / 10 * 9 || top_ + s.words > capacity_) return false;
    result = static_cast<u32>(top_);
    std::copy(node, node + s.words, heap_ + top_);
    slots_[at] = s.tag | result;
    ++slots_used_;
    top_ += s.words;
  }
  return true;
}

// Writes the node of a task whose kids are done, and returns its words; 0: it is the old one.
u32 Diagram::write_node(u32 node_level, Task& task, const Task* kids, const Word* keys,
                        u32* node) const {
  if (task.old != 0 && !is_tail(task.old)) {
    bool changed = false;
    u32 added = 0;
    for (u32 k = 0; k < task.kids; ++k) {
      changed |= kids[k].result != kids[k].old;
      added += kids[k].known ? 0 : 1;
    }
    if (changed) return write_grown(added, task, kids, keys, node);
    task.result = task.old;
    return 0;
  }
  const u32 count = task.kids;
  const u32 digit_words = (count + 3) / 4;
  node[0] = node_level << 16 | (count - 1);
  node[digit_words] = 0;
  for (u32 k = 0; k < count; ++k) {
    const u32 d = kids[k].keys != 0 ? digit(keys + u64{kids[k].first} * key_words_, node_level)
                                    : tail_digit(task.old, node_level);
    reinterpret_cast<u8*>(node + 1)[k] = static_cast<u8>(d);
    node[1 + digit_words + k] = kids[k].result;
  }
  return 1 + digit_words + count;
}

// The old node with the kids' results, and with edges for those that it does not have.
u32 Diagram::write_grown(u32 added, const Task& task, const Task* kids, const Word* keys,
                         u32* node) const {
  const u32* const old = heap_ + task.old;
  const u32 old_count = edges(task.old);
  const u32 old_words = 1 + (old_count + 3) / 4;  // before the children
  if (added == 0) {
    const u32 words = old_words + old_count;
    for (u32 i = 0; i < words; ++i) node[i] = old[i];
    for (u32 k = 0; k < task.kids; ++k) node[old_words + kids[k].edge] = kids[k].result;
    return words;
  }
  const u32 count = old_count + added;
  const u32 digit_words = (count + 3) / 4;
  node[0] = old[0] + added;
  node[digit_words] = 0;
  const u8* const old_digits = digits(task.old);
  u8* to_digit = reinterpret_cast<u8*>(node + 1);
  u32* to_child = node + 1 + digit_words;
  u32 from = 0;
  const auto copy_old = [&](u32 end) {
    for (; from < end; ++from) {
      *to_digit++ = old_digits[from];
      *to_child++ = old[old_words + from];
    }
  };
  for (u32 k = 0; k < task.kids; ++k) {
    copy_old(kids[k].edge);
    *to_digit++ = static_cast<u8>(digit(keys + u64{kids[k].first} * key_words_, level(task.old)));
    *to_child++ = kids[k].result;
    from += kids[k].known ? 1 : 0;
  }
  copy_old(old_count);
  return 1 + digit_words + count;
}

// --- Tails ------------------------------------------------------------------------------------

// The bits of a level's word that belong to it and to what follows.
Word Diagram::tail_mask(u32 tail_level) const {
  const Digit& d = digits_[tail_level];
  const u32 bits = u32{d.shift} + d.bits;
  return bits == 64 ? ~Word{0} : (Word{1} << bits) - 1;
}

Word Diagram::tail_word(u32 tail, u32 word) const {
  const u32* const at = heap_ + tail + 1 + 2 * (word - digits_[level(tail)].word);
  return Word{at[0]} | Word{at[1]} << 32;
}

u32 Diagram::tail_digit(u32 tail, u32 at) const {
  const Digit& d = digits_[at];
  return static_cast<u32>(tail_word(tail, d.word) >> d.shift) & ((1u << d.bits) - 1);
}

bool Diagram::tail_equals(u32 tail, const Word* key) const {
  const u32 first = digits_[level(tail)].word;
  if ((key[first] & tail_mask(level(tail))) != tail_word(tail, first)) return false;
  for (u32 w = first + 1; w < key_words_; ++w) {
    if (key[w] != tail_word(tail, w)) return false;
  }
  return true;
}

// The tail of the one key of a task, or of another tail; returns its words. 0: it is the old one.
u32 Diagram::write_tail(u32 tail_level, Task& task, const Word* keys, u32* node) const {
  if (task.old != 0 && level(task.old) == tail_level) {
    task.result = task.old;
    return 0;
  }
  const u32 first = digits_[tail_level].word;
  node[0] = tail_level << 16 | kTail;
  for (u32 w = first; w < key_words_; ++w) {
    Word word = task.old != 0 ? tail_word(task.old, w) : keys[u64{task.first} * key_words_ + w];
    if (w == first) word &= tail_mask(tail_level);
    node[1 + 2 * (w - first)] = static_cast<u32>(word);
    node[2 + 2 * (w - first)] = static_cast<u32>(word >> 32);
  }
  return 1 + 2 * (key_words_ - first);
}

}  // namespace xmc
