// The nodes of a diagram: made at the top of the memory, and kept only if no equal one is there.
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

// Over the words of a node: padding bytes of the digits are zero, so equal nodes are equal words.
u32 Diagram::hash(const u32* node, u32 words) {
  u64 h = 0x9E37'79B9'7F4A'7C15u;
  for (u32 i = 0; i < words; ++i) {
    h = (h ^ node[i]) * 0xFF51'AFD7'ED55'8CCDu;
    h ^= h >> 32;
  }
  return static_cast<u32>(h);
}

// The node that was written at the top: an equal one that is there, or this one, which stays. 0: no
// room.
u32 Diagram::unify(u32 words) {
  const u32* const node = heap_ + top_;
  const u32 h = hash(node, words);
  const u32 tag = tag_of(h);
  u32 at = slot_of(h);
  while (slots_[at] != 0) {
    if ((slots_[at] & ~index_mask_) == tag) {
      const u32 found = slots_[at] & index_mask_;
      const u32* const other = heap_ + found;
      u32 same = 0;  // equal headers are equal sizes
      while (same < words && other[same] == node[same]) ++same;
      if (same == words) return found;
    }
    at = at + 1 == slot_count_ ? 0 : at + 1;
  }
  if (slots_used_ >= slot_count_ / 10 * 9) return 0;
  const u32 made = static_cast<u32>(top_);
  slots_[at] = tag | made;
  ++slots_used_;
  top_ += words;
  return made;
}

// The node with these edges: an existing one, or a new one at the top. 0: no room.
u32 Diagram::cons(const Frame& f, u32 node_level) {
  const u32 n = f.count;
  const u32 digit_words = (n + 3) / 4;
  const u32 words = 1 + digit_words + n;
  if (top_ + words > capacity_) return 0;
  u32* node = heap_ + top_;
  node[0] = node_level << 16 | (n - 1);
  node[digit_words] = 0;
  copy(std::span<u8>(reinterpret_cast<u8*>(node + 1), n), std::span<const u8>(f.digits, n));
  copy(std::span<u32>(node + 1 + digit_words, n), std::span<const u32>(f.children, n));
  return unify(words);
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

u32 Diagram::cons_tail(u32 tail_level, const Word* key, u32 from) {
  const u32 first = digits_[tail_level].word;
  const u32 words = 1 + 2 * (key_words_ - first);
  if (top_ + words > capacity_) return 0;
  u32* const node = heap_ + top_;
  node[0] = tail_level << 16 | kTail;
  for (u32 w = first; w < key_words_; ++w) {
    Word word = key != nullptr ? key[w] : tail_word(from, w);
    if (w == first) word &= tail_mask(tail_level);
    node[1 + 2 * (w - first)] = static_cast<u32>(word);
    node[2 + 2 * (w - first)] = static_cast<u32>(word >> 32);
  }
  return unify(words);
}

// The subtree at a level that has nothing but this key.
u32 Diagram::cons_path(u32 top_level, const Word* key) {
  if (tail_fits(top_level)) return cons_tail(top_level, key, 0);
  u32 child = 1u << digit(key, levels_ - 1);
  for (u32 l = levels_ - 1; l-- > top_level && child != 0;) {
    child = cons_edge(l, digit(key, l), child);
  }
  return child;
}

u32 Diagram::cons_single(u32 node_level, u32 from) {
  if (tail_fits(node_level)) return cons_tail(node_level, nullptr, from);
  Frame& f = frames_[levels_ - 1];  // no node has this level
  f.count = 1;
  f.digits[0] = static_cast<u8>(tail_digit(from, node_level));
  f.children[0] = 1u << tail_digit(from, levels_ - 1);
  return cons(f, node_level);
}

// The subtree at a level that has the key of a tail and another one. 0: no room.
u32 Diagram::cons_pair(u32 top_level, u32 tail, const Word* key) {
  u32 at = top_level;
  while (tail_digit(tail, at) == digit(key, at)) ++at;
  Frame& f = frames_[levels_ - 1];  // no node has this level
  u32 child = 0;
  if (at + 1 == levels_) {
    child = 1u << tail_digit(tail, at) | 1u << digit(key, at);
  } else {
    const u32 old_digit = tail_digit(tail, at);
    const u32 new_digit = digit(key, at);
    u32 old_below = 1u << tail_digit(tail, levels_ - 1);
    u32 new_below = 1u << digit(key, levels_ - 1);
    if (at + 2 < levels_) {
      old_below = cons_single(at + 1, tail);
      new_below = old_below == 0 ? 0 : cons_path(at + 1, key);
      if (new_below == 0) return 0;
    }
    const u32 first = old_digit < new_digit ? 0 : 1;
    f.count = 2;
    f.digits[first] = static_cast<u8>(old_digit);
    f.children[first] = old_below;
    f.digits[1 - first] = static_cast<u8>(new_digit);
    f.children[1 - first] = new_below;
    child = cons(f, at);
  }
  for (; at > top_level && child != 0; --at) child = cons_edge(at - 1, digit(key, at - 1), child);
  return child;
}

// A node with one edge. 0: no room.
u32 Diagram::cons_edge(u32 node_level, u32 digit_value, u32 child) {
  if (top_ + 3 > capacity_) return 0;
  u32* const node = heap_ + top_;
  node[0] = node_level << 16;
  node[1] = 0;
  *reinterpret_cast<u8*>(node + 1) = static_cast<u8>(digit_value);
  node[2] = child;
  return unify(3);
}

// A copy of a node with another child at an edge, or with one more edge.
u32 Diagram::cons_changed(u32 from, u32 edge, bool known, u32 digit_value, u32 child) {
  const u32 count = edges(from);
  const u32 size = node_size(from);
  if (top_ + size + 2 > capacity_) return 0;
  u32* const node = heap_ + top_;
  if (known) {
    for (u32 i = 0; i < size; ++i) node[i] = heap_[from + i];
    node[size - count + edge] = child;
    return unify(size);
  }
  const u32 digit_words = (count + 4) / 4;
  node[0] = heap_[from] + 1;
  node[digit_words] = 0;
  u8* const to = reinterpret_cast<u8*>(node + 1);
  const u8* const old_digits = digits(from);
  u32* const to_children = node + 1 + digit_words;
  const u32* const old_children = children(from);
  std::copy(old_digits, old_digits + edge, to);
  to[edge] = static_cast<u8>(digit_value);
  std::copy(old_digits + edge, old_digits + count, to + edge + 1);
  std::copy(old_children, old_children + edge, to_children);
  to_children[edge] = child;
  std::copy(old_children + edge, old_children + count, to_children + edge + 1);
  return unify(1 + digit_words + count + 1);
}

}  // namespace xmc
