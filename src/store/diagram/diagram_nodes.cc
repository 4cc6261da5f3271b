// The nodes of a diagram: written to a stage, and put at the top only if no equal one is there.
#include <algorithm>
#include <bit>

#include "store/diagram/diagram.h"
#include "store/diagram/digit_search.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

u32 Diagram::size_of(const u32* node) const {
  if ((node[0] & kTail) != 0) return 1 + 2 * (key_words_ - digits_[node[0] >> 16].word);
  const u32 n = (node[0] & 0xFFFFu) + 1;
  return 1 + (n + 3) / 4 + n;
}

// Gives each staged node to its task: an equal one that is there, or itself, at the top. False: no
// room. Slots and nodes are asked for beforehand, so that many are on their way at a time. Nodes
// are hashed when all are written: reading bytes as words right behind their stores would wait.
bool Diagram::settle(std::span<Staged> staged) {
  for (Staged& s : staged) {
    const u32 h = hash(stage_ + s.begin, s.words);
    s.slot = slot_of(h);
    s.tag = tag_of(h);
    __builtin_prefetch(slots_ + s.slot, 1);
  }
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
u32 Diagram::write_node(u32 node_level, Task& task, std::span<const Task> kids, u32* node) const {
  if (task.old == 0 || is_tail(task.old)) return write_new(node_level, kids, node);
  bool changed = false;
  u32 added = 0;
  for (const Task& kid : kids) {
    changed |= kid.result != kid.old;
    added += kid.old == 0 ? 1 : 0;
  }
  if (changed) return write_grown(heap_ + task.old, added, kids, node);
  task.result = task.old;
  return 0;
}

// The same above the last level, where the kids are bitmaps, straight from the keys. Bit i of
// `fresh` is for key i - `offset`.
u32 Diagram::write_last(Task& task, const Word* keys, u32 offset, u64* fresh, u32* node) const {
  const bool tail = task.old != 0 && is_tail(task.old);
  u32 as_node[3] = {(levels_ - 2) << 16, 0, 0};  // a tail is one edge with one bit
  if (tail) {
    *reinterpret_cast<u8*>(as_node + 1) = static_cast<u8>(tail_digit(task.old, levels_ - 2));
    as_node[2] = 1u << tail_digit(task.old, levels_ - 1);
  }
  const u32* const old = tail ? as_node : heap_ + task.old;
  const u32 old_count = task.old == 0 ? 0 : (old[0] & 0xFFFFu) + 1;
  const u8* const old_digits = reinterpret_cast<const u8*>(old + 1);
  const u32* const old_bitmaps = old + 1 + (old_count + 3) / 4;
  Task kids[256];
  u32 count = 0;
  u32 added = 0;
  bool changed = tail;
  const Word* key = keys + u64{task.first} * key_words_;
  for (u32 k = task.first, end = k + task.keys, edge = 0; k < end;) {
    const u32 d = digit(key, levels_ - 2);
    edge = first_not_below(old_digits, edge, old_count, d);
    const u32 before = edge < old_count && old_digits[edge] == d ? old_bitmaps[edge] : 0;
    u32 bitmap = before;
    do {
      const u32 last = digit(key, levels_ - 1);
      fresh[(offset + k) / 64] |= u64{~bitmap >> last & 1} << ((offset + k) % 64);
      bitmap |= 1u << last;
      key += key_words_;
    } while (++k < end && digit(key, levels_ - 2) == d);
    kids[count++] = {before, bitmap, 0, 0, 0, static_cast<u8>(d), static_cast<u8>(edge)};
    changed |= bitmap != before;
    added += before == 0 ? 1 : 0;
  }
  if (task.old == 0) return write_new(levels_ - 2, {kids, count}, node);
  if (changed) return write_grown(old, added, {kids, count}, node);
  task.result = task.old;
  return 0;
}

u32 Diagram::write_new(u32 node_level, std::span<const Task> kids, u32* node) {
  const u32 count = static_cast<u32>(kids.size());
  const u32 digit_words = (count + 3) / 4;
  node[0] = node_level << 16 | (count - 1);
  node[digit_words] = 0;
  u8* to_digit = reinterpret_cast<u8*>(node + 1);
  u32* to_child = node + 1 + digit_words;
  for (const Task& kid : kids) {
    *to_digit++ = kid.digit;
    *to_child++ = kid.result;
  }
  return 1 + digit_words + count;
}

// The old node with the kids' results, and with edges for those that it does not have.
u32 Diagram::write_grown(const u32* old, u32 added, std::span<const Task> kids, u32* node) {
  const u32 old_count = (old[0] & 0xFFFFu) + 1;
  const u32 old_words = 1 + (old_count + 3) / 4;  // before the children
  if (added == 0) {
    const u32 words = old_words + old_count;
    for (u32 i = 0; i < words; ++i) node[i] = old[i];
    for (const Task& kid : kids) node[old_words + kid.edge] = kid.result;
    return words;
  }
  const u32 count = old_count + added;
  const u32 digit_words = (count + 3) / 4;
  node[0] = old[0] + added;
  node[digit_words] = 0;
  const u8* const old_digits = reinterpret_cast<const u8*>(old + 1);
  u8* to_digit = reinterpret_cast<u8*>(node + 1);
  u32* to_child = node + 1 + digit_words;
  u32 from = 0;
  const auto copy_old = [&](u32 end) {
    for (; from < end; ++from) {
      *to_digit++ = old_digits[from];
      *to_child++ = old[old_words + from];
    }
  };
  for (const Task& kid : kids) {
    copy_old(kid.edge);
    *to_digit++ = kid.digit;
    *to_child++ = kid.result;
    from += kid.old != 0 ? 1 : 0;
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
u32 Diagram::write_tail(u32 tail_level, Task& task, const Word* keys, u32 offset, u64* fresh,
                        u32* node) const {
  if (task.old == 0) fresh[(offset + task.first) / 64] |= u64{1} << ((offset + task.first) % 64);
  if (task.old != 0 && level(task.old) == tail_level) {
    task.result = task.old;
    return 0;
  }
  if (task.old == 0) return put_tail(tail_level, keys + u64{task.first} * key_words_, node);
  Word key[kMostKeyWords];
  take_tail(task.old, key);
  return put_tail(tail_level, key, node);
}

// Writes the end of a key as a tail, and returns its words.
u32 Diagram::put_tail(u32 tail_level, const Word* key, u32* node) const {
  const u32 first = digits_[tail_level].word;
  node[0] = tail_level << 16 | kTail;
  for (u32 w = first; w < key_words_; ++w) {
    const Word word = w == first ? key[w] & tail_mask(tail_level) : key[w];
    node[1 + 2 * (w - first)] = static_cast<u32>(word);
    node[2 + 2 * (w - first)] = static_cast<u32>(word >> 32);
  }
  return 1 + 2 * (key_words_ - first);
}

// The end of the key that a tail stands for; the words before it are left alone.
void Diagram::take_tail(u32 tail, Word* key) const {
  for (u32 w = digits_[level(tail)].word; w < key_words_; ++w) key[w] = tail_word(tail, w);
}

}  // namespace xmc
