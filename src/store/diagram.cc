#include "store/diagram.h"

#include <algorithm>
#include <bit>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// Slots per node word. A node has at least three words, mostly five or more.
u64 slots_for(u64 words) { return words / 3 + 16; }

}  // namespace

u64 Diagram::bytes_for(u64 words, u64 digit_count) {
  return round_up(words * 4, 8) + round_up(slots_for(words) * 4, 8) + mark_words(words) * 8 +
         round_up(mark_words(words) * 4, 8) + digit_count * (round_up(sizeof(Frame), 8) + 128);
}

void Diagram::init(std::span<u8> region, std::span<const Digit> digit_list, u32 key_words) {
  XMC_CHECK(digit_list.size() >= 2);
  XMC_CHECK(digit_list.back().bits <= kLastBits);
  digits_ = digit_list;
  levels_ = static_cast<u32>(digit_list.size());
  key_words_ = key_words;
  lay_out(region);
  note_levels();
  collections_ = live_ = 0;
  clear();
}

void Diagram::note_levels() {
  for (u32 l = 0; l < levels_; ++l) {
    const Digit& d = digits_[l];
    std::fill_n(level_of_bit_ + u32{d.word} * 64 + d.shift, d.bits, static_cast<u16>(l));
  }
}

void Diagram::lay_out(std::span<u8> region) {
  u64 low = 64;
  u64 high = region.size() / 4;
  XMC_CHECK(bytes_for(low, levels_) <= region.size());
  while (low + 1 < high) {
    const u64 middle = (low + high) / 2;
    (bytes_for(middle, levels_) <= region.size() ? low : high) = middle;
  }
  capacity_ = std::min<u64>(low, 0xFFFF'FFF0u);
  u8* at = region.data();
  marks_ = reinterpret_cast<u64*>(at);
  at += mark_words(capacity_) * 8;
  frames_ = reinterpret_cast<Frame*>(at);
  at += levels_ * round_up(sizeof(Frame), 8);
  level_of_bit_ = reinterpret_cast<u16*>(at);
  at += levels_ * u64{128};  // a word of the key has a digit at least
  mark_sums_ = reinterpret_cast<u32*>(at);
  at += round_up(mark_words(capacity_) * 4, 8);
  slots_ = reinterpret_cast<u32*>(at);
  slot_count_ = static_cast<u32>(slots_for(capacity_));
  index_mask_ = static_cast<u32>((u64{1} << std::bit_width(capacity_)) - 1);
  at += round_up(slots_for(capacity_) * 4, 8);
  heap_ = reinterpret_cast<u32*>(at);
}

bool Diagram::move_to(std::span<u8> region) {
  collect();
  if (bytes_for(top_ / 8 * 9, levels_) > region.size()) return false;
  const u32* const from = heap_;
  lay_out(region);
  // The nodes first: everything else is made anew around them.
  move(std::span<u32>(heap_, static_cast<std::size_t>(top_)),
       std::span<const u32>(from, static_cast<std::size_t>(top_)));
  note_levels();
  rebuild_slots();
  return true;
}

void Diagram::clear() {
  fill_zero(std::span<u32>(slots_, slot_count_));
  slots_used_ = 0;
  top_ = old_top_ = 1;
  most_growth_ = 0;
  root_ = 0;
  size_ = 0;
}

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

// The edge of a frame's extra key, if its digit is below. False: no room.
bool Diagram::pass_extra(Frame& f, u32 at, u32 below) {
  if (f.extra == 0) return true;
  const u32 d = tail_digit(f.extra, at);
  if (d >= below) return true;
  const u32 child =
      at + 2 == levels_ ? 1u << tail_digit(f.extra, levels_ - 1) : cons_single(at + 1, f.extra);
  if (child == 0) return false;
  f.extra = 0;
  take_edge(f, d, child);
  return true;
}

// One key below an edge, where there may be the tail of another one. False: no room.
bool Diagram::single_run(Frame& f, u32 at, const Word* key, u32 digit_value, u32 extra,
                         u64* fresh) {
  u32 node = 0;
  bool added = false;
  if (extra != 0) {
    added = !tail_equals(extra, key);
    node = added                  ? cons_pair(at + 1, extra, key)
           : extra == f.old_child ? extra
                                  : cons_single(at + 1, extra);
  } else if (f.old_child == 0) {
    node = cons_path(at + 1, key);
    added = true;
  } else {
    node = add_one(at + 1, f.old_child, key, added);
  }
  if (node == 0) return false;
  if (added) *fresh |= 1;
  take_edge(f, digit_value, node);
  return true;
}

// The node of this level that has what `node` has and one more key: walks down, and back up with a
// changed copy of each node. The frames below hold the way. 0: no room.
u32 Diagram::add_one(u32 top_level, u32 node, const Word* key, bool& added) {
  u32 at = top_level;
  u32 child = 0;
  bool known = false;
  for (;; ++at) {
    if (is_tail(node)) {
      if (tail_equals(node, key)) return at == top_level ? node : frames_[top_level].old_node;
      child = cons_pair(at, node, key);
      known = true;
      if (child == 0 || at == top_level) {
        added = true;
        return child;
      }
      --at;
      break;
    }
    const u32 d = digit(key, at);
    const u8* const first = digits(node);
    const u32 count = edges(node);
    u32 edge = 0;
    while (edge < count && first[edge] < d) ++edge;
    known = edge < count && first[edge] == d;
    frames_[at].old_node = node;
    frames_[at].old_edge = edge;
    const u32 below = known ? children(node)[edge] : 0;
    if (at + 2 == levels_) {
      child = below | 1u << digit(key, levels_ - 1);
      if (child == below) return frames_[top_level].old_node;
      break;
    }
    if (!known) {
      child = cons_path(at + 1, key);
      if (child == 0) return 0;
      break;
    }
    node = below;
  }
  added = true;
  for (;; --at) {
    child = cons_changed(frames_[at].old_node, frames_[at].old_edge, known, digit(key, at), child);
    if (child == 0 || at == top_level) return child;
    known = true;
  }
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

void Diagram::begin_frame(u32 node_level, u32 node) {
  Frame& f = frames_[node_level];
  f.old_node = node;
  f.old_edge = 0;
  f.old_child = 0;
  f.extra = 0;
  f.changed = false;
}

// The next edge is (digit, child); until something differs from the old node nothing is copied.
void Diagram::take_edge(Frame& f, u32 digit_value, u32 child) {
  const u32 old_count = f.old_node == 0 ? 0 : edges(f.old_node);
  const bool known = f.old_edge < old_count && digits(f.old_node)[f.old_edge] == digit_value;
  if (!f.changed && known && children(f.old_node)[f.old_edge] == child) {
    ++f.old_edge;
    return;
  }
  if (!f.changed) {
    f.changed = true;
    f.count = f.old_edge;
    if (f.old_node != 0) {
      copy(std::span<u8>(f.digits), std::span<const u8>(digits(f.old_node), f.count));
      copy(std::span<u32>(f.children), std::span<const u32>(children(f.old_node), f.count));
    }
  }
  f.digits[f.count] = static_cast<u8>(digit_value);
  f.children[f.count++] = child;
  if (known) ++f.old_edge;
}

// Copies the old edges below a digit; all of them for 256.
void Diagram::pass_old_edges(Frame& f, u32 below) {
  if (f.old_node == 0) return;
  const u32 count = edges(f.old_node);
  const u8* const old_digits = digits(f.old_node);
  const u32* const old_children = children(f.old_node);
  while (f.old_edge < count && old_digits[f.old_edge] < below) {
    if (f.changed) {
      f.digits[f.count] = old_digits[f.old_edge];
      f.children[f.count++] = old_children[f.old_edge];
    }
    ++f.old_edge;
  }
}

// Child of the old node at this digit, when the edges below it are passed; 0: none.
u32 Diagram::old_child(const Frame& f, u32 digit_value) const {
  if (f.old_node == 0 || f.old_edge >= edges(f.old_node)) return 0;
  if (digits(f.old_node)[f.old_edge] != digit_value) return 0;
  return children(f.old_node)[f.old_edge];
}

// The first level at which two different keys differ.
u32 Diagram::first_difference(const Word* a, const Word* b) const {
  u32 w = 0;
  while (a[w] == b[w]) ++w;
  return level_of_bit_[w * 64 + 63 - static_cast<u32>(std::countl_zero(a[w] ^ b[w]))];
}

// A key at the last level but one; `more`: the next one has this edge, too.
void Diagram::leaf_key(Frame& f, const Word* key, u32 digit_value, bool more, u64* fresh) {
  const u32 at = levels_ - 2;
  u32 bitmap = f.old_child;  // of the keys of this edge so far
  if (bitmap == 0) {
    bitmap = old_child(f, digit_value);
    if (f.extra != 0 && tail_digit(f.extra, at) == digit_value) {
      bitmap |= 1u << tail_digit(f.extra, levels_ - 1);
      f.extra = 0;
    }
  }
  const u32 bit = 1u << digit(key, levels_ - 1);
  if ((bitmap & bit) == 0) *fresh |= 1;
  bitmap |= bit;
  f.old_child = more ? bitmap : 0;
  if (!more) take_edge(f, digit_value, bitmap);
}

// Takes a key in from frame `at` on, which is the first one that it does not share with the key
// before; from level `next` on it does not share with the next one. Opens frames down to there.
bool Diagram::descend(u32& at, const Word* key, u32 next, u64* fresh) {
  for (;; ++at) {
    Frame& f = frames_[at];
    const u32 d = digit(key, at);
    if (!pass_extra(f, at, d)) return false;
    pass_old_edges(f, d);
    if (at + 2 == levels_) {
      leaf_key(f, key, d, next > at, fresh);
      return true;
    }
    f.waiting = d;
    f.old_child = old_child(f, d);
    u32 extra = f.old_child != 0 && is_tail(f.old_child) ? f.old_child : 0;
    if (f.extra != 0 && tail_digit(f.extra, at) == d) {
      extra = f.extra;
      f.extra = 0;
    }
    if (next <= at) return single_run(f, at, key, d, extra, fresh);
    begin_frame(at + 1, extra != 0 ? 0 : f.old_child);
    if (extra != 0) {
      // Another key is there for sure, so a node is made.
      frames_[at + 1].extra = extra;
      frames_[at + 1].changed = true;
      frames_[at + 1].count = 0;
    }
  }
}

// The node of a frame that has all its keys. 0: no room.
u32 Diagram::close_frame(u32 at) {
  Frame& f = frames_[at];
  if (!pass_extra(f, at, 256)) return 0;
  if (!f.changed) return f.old_node;
  pass_old_edges(f, 256);
  return cons(f, at);
}

bool Diagram::try_insert(const Word* keys, u32 count, u64* fresh, u32& root) {
  u32 at = 0;  // level of the frame on top
  begin_frame(0, root_);
  for (u32 i = 0; i < count; ++i) {
    const Word* const key = keys + u64{i} * key_words_;
    const u32 next = i + 1 < count ? first_difference(key, key + key_words_) : 0;
    u64 added = 0;
    if (!descend(at, key, next, &added)) return false;
    fresh[i / 64] |= added << (i % 64);
    for (; at > next; --at) {
      const u32 node = close_frame(at);
      if (node == 0) return false;
      take_edge(frames_[at - 1], frames_[at - 1].waiting, node);
    }
  }
  root = close_frame(0);
  return root != 0;
}

// Collects before the insertion rather than in the middle of it, where the work so far is lost.
bool Diagram::insert(const Word* keys, u32 count, u64* fresh) {
  if (count == 0) return true;
  const std::span<u64> bits(fresh, static_cast<std::size_t>(divide_up(count, 64)));
  bool young = young_pays();
  bool whole = true;
  if (capacity_ - top_ < most_growth_ && capacity_ - old_top_ > 4 * most_growth_) {
    if (young) {
      collect_from(old_top_);
      young = false;
    } else {
      collect();
    }
  }
  for (;;) {
    fill_zero(bits);
    u32 root = 0;
    const u64 before = top_;
    if (try_insert(keys, count, fresh, root)) {
      root_ = root;
      for (const u64 word : bits) size_ += static_cast<u64>(std::popcount(word));
      most_growth_ = std::max(top_ - before, most_growth_ - most_growth_ / 16);
      return true;
    }
    if (young) {
      collect_from(old_top_);
      young = false;
    } else if (whole) {
      collect();
      whole = false;
    } else {
      break;
    }
  }
  fill_zero(bits);
  collect();  // the failed attempt left garbage
  return false;
}

bool Diagram::contains(const Word* key) const {
  u32 node = root_;
  for (u32 l = 0; node != 0; ++l) {
    if (is_tail(node)) return tail_equals(node, key);
    const u32 d = digit(key, l);
    const u8* first = digits(node);
    const u8* last = first + edges(node);
    const u8* found = std::find(first, last, static_cast<u8>(d));
    if (found == last) return false;
    const u32 child = children(node)[found - first];
    if (l + 2 == levels_) return (child >> digit(key, levels_ - 1) & 1) != 0;
    node = child;
  }
  return false;
}

// Neighbours share most of their path, so each key goes on from where it leaves the one before.
void Diagram::drop_known(const Word* keys, u32 count, u64* absent) {
  if (root_ == 0) return;
  frames_[0].old_node = root_;
  u32 known = 0;  // levels of the frames that belong to `last`
  const Word* last = nullptr;
  for (u32 i = 0; i < count; ++i) {
    if ((absent[i / 64] >> (i % 64) & 1) == 0) continue;
    const Word* const key = keys + u64{i} * key_words_;
    u32 at = 0;
    if (last != nullptr) {
      while (at < known && digit(key, at) == digit(last, at)) ++at;
    }
    last = key;
    for (known = at;; ++known) {
      const u32 node = frames_[known].old_node;
      if (is_tail(node)) {
        if (tail_equals(node, key)) absent[i / 64] &= ~(u64{1} << (i % 64));
        break;
      }
      const u8* const first = digits(node);
      const u8* const end = first + edges(node);
      const u8* const found = std::find(first, end, static_cast<u8>(digit(key, known)));
      if (found == end) break;
      const u32 child = children(node)[found - first];
      if (known + 2 == levels_) {
        if ((child >> digit(key, levels_ - 1) & 1) != 0) absent[i / 64] &= ~(u64{1} << (i % 64));
        break;
      }
      frames_[known + 1].old_node = child;
    }
  }
}

void Diagram::begin_walk() {
  walk_level_ = 0;
  walk_bits_ = 0;
  std::fill_n(walk_key_, key_words_, Word{0});
  frames_[0].old_node = root_;
  frames_[0].old_edge = 0;
}

u32 Diagram::walk(Word* keys, u32 room) {
  u32 count = 0;
  while (root_ != 0 && count < room) {
    if (walk_bits_ != 0) {
      put_digit(walk_key_, levels_ - 1, static_cast<u32>(std::countr_zero(walk_bits_)));
      walk_bits_ &= walk_bits_ - 1;
      std::copy_n(walk_key_, key_words_, keys + u64{count++} * key_words_);
      continue;
    }
    Frame& f = frames_[walk_level_];
    if (f.old_edge == edges(f.old_node)) {
      if (walk_level_ == 0) return count;
      --walk_level_;
      continue;
    }
    const u32 child = children(f.old_node)[f.old_edge];
    put_digit(walk_key_, walk_level_, digits(f.old_node)[f.old_edge++]);
    if (walk_level_ + 2 == levels_) {
      walk_bits_ = child;
      continue;
    }
    if (is_tail(child)) {
      const u32 first = digits_[walk_level_ + 1].word;
      const Word mask = tail_mask(walk_level_ + 1);
      walk_key_[first] = (walk_key_[first] & ~mask) | tail_word(child, first);
      for (u32 w = first + 1; w < key_words_; ++w) walk_key_[w] = tail_word(child, w);
      std::copy_n(walk_key_, key_words_, keys + u64{count++} * key_words_);
      continue;
    }
    ++walk_level_;
    frames_[walk_level_].old_node = child;
    frames_[walk_level_].old_edge = 0;
  }
  return count;
}

}  // namespace xmc
