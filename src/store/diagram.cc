#include "store/diagram.h"

#include <algorithm>
#include <bit>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// Slots per node word. A node has at least three words, mostly five or more.
u64 slots_for(u64 words) { return words / 3 + 16; }
u64 mark_words(u64 words) { return words / 64 + 2; }
u64 mark_sums(u64 words) { return mark_words(words); }

}  // namespace

u64 Diagram::bytes_for(u64 words, u64 digit_count) {
  return round_up(words * 4, 8) + round_up(slots_for(words) * 4, 8) + mark_words(words) * 8 +
         round_up(mark_sums(words) * 4, 8) + digit_count * round_up(sizeof(Frame), 8);
}

void Diagram::init(std::span<u8> region, std::span<const Digit> digit_list, u32 key_words) {
  XMC_CHECK(digit_list.size() >= 2);
  XMC_CHECK(digit_list.back().bits <= kLastBits);
  digits_ = digit_list;
  levels_ = static_cast<u32>(digit_list.size());
  key_words_ = key_words;
  lay_out(region);
  collections_ = live_ = 0;
  clear();
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
  mark_sums_ = reinterpret_cast<u32*>(at);
  at += round_up(mark_sums(capacity_) * 4, 8);
  slots_ = reinterpret_cast<u32*>(at);
  slot_count_ = static_cast<u32>(slots_for(capacity_));
  at += round_up(slots_for(capacity_) * 4, 8);
  heap_ = reinterpret_cast<u32*>(at);
}

bool Diagram::move_to(std::span<u8> region) {
  collect();
  if (bytes_for(top_ * 2, levels_) > region.size()) return false;
  const u32* const from = heap_;
  lay_out(region);
  // The nodes first: everything else is made anew around them.
  move(std::span<u32>(heap_, static_cast<std::size_t>(top_)),
       std::span<const u32>(from, static_cast<std::size_t>(top_)));
  rebuild_slots();
  return true;
}

void Diagram::clear() {
  fill_zero(std::span<u32>(slots_, slot_count_));
  slots_used_ = 0;
  top_ = 1;
  root_ = 0;
  size_ = 0;
}

u32 Diagram::size_of(const u32* node) const {
  if ((node[0] & kTail) != 0) return 1 + 2 * (key_words_ - digits_[node[0] >> 16].word);
  const u32 n = (node[0] & 0xFFFFu) + 1;
  return 1 + (n + 3) / 4 + n;
}

// Over the words of a node: padding bytes of the digits are zero, so equal nodes are equal words.
u32 Diagram::hash(const u32* node) const {
  const u32 words = size_of(node);
  u64 h = 0x9E37'79B9'7F4A'7C15u;
  for (u32 i = 0; i < words; ++i) {
    h = (h ^ node[i]) * 0xFF51'AFD7'ED55'8CCDu;
    h ^= h >> 32;
  }
  return static_cast<u32>(h);
}

void Diagram::file(u32 node) {
  u32 at = static_cast<u32>((u64{hash(heap_ + node)} * slot_count_) >> 32);
  while (slots_[at] != 0) at = at + 1 == slot_count_ ? 0 : at + 1;
  slots_[at] = node;
  ++slots_used_;
}

// The node that was written at the top: an equal one that is there, or this one, which stays. 0: no
// room.
u32 Diagram::unify(u32 words) {
  const u32* const node = heap_ + top_;
  u32 at = static_cast<u32>((u64{hash(node)} * slot_count_) >> 32);
  while (slots_[at] != 0) {
    const u32* const other = heap_ + slots_[at];
    if (other[0] == node[0] && std::equal(node + 1, node + words, other + 1)) return slots_[at];
    at = at + 1 == slot_count_ ? 0 : at + 1;
  }
  if (slots_used_ >= slot_count_ / 10 * 9) return 0;
  slots_[at] = static_cast<u32>(top_);
  ++slots_used_;
  top_ += words;
  return slots_[at];
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

// One key below an edge where there is nothing yet, or that very key. False: no room.
bool Diagram::single_run(Frame& f, u32 at, const Word* key, u32 digit_value, u32 extra, u64* fresh,
                         bool& done) {
  done = extra == 0 ? f.old_child == 0 : tail_equals(extra, key);
  if (!done) return true;
  const u32 node = extra == 0             ? cons_tail(at + 1, key, 0)
                   : extra == f.old_child ? extra
                                          : cons_single(at + 1, extra);
  if (node == 0) return false;
  if (extra == 0) fresh[f.next_key / 64] |= u64{1} << (f.next_key % 64);
  take_edge(f, digit_value, node);
  return true;
}

void Diagram::begin_frame(u32 node_level, u32 node, u32 first, u32 end) {
  Frame& f = frames_[node_level];
  f.old_node = node;
  f.old_edge = 0;
  f.next_key = first;
  f.end_key = end;
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
static inline void pass_old_edges(Diagram::Frame& f, const u8* digits, const u32* children,
                                  u32 count, u32 below) {
  while (f.old_edge < count && digits[f.old_edge] < below) {
    if (f.changed) {
      f.digits[f.count] = digits[f.old_edge];
      f.children[f.count++] = children[f.old_edge];
    }
    ++f.old_edge;
  }
}

void Diagram::leaf_run(Frame& f, const Word* keys, u32 end, u32 digit_value, u64* fresh) {
  const u32 old_count = f.old_node == 0 ? 0 : edges(f.old_node);
  const bool known = f.old_edge < old_count && digits(f.old_node)[f.old_edge] == digit_value;
  u32 bitmap = known ? children(f.old_node)[f.old_edge] : 0;
  if (f.extra != 0 && tail_digit(f.extra, levels_ - 2) == digit_value) {
    bitmap |= 1u << tail_digit(f.extra, levels_ - 1);
    f.extra = 0;
  }
  for (u32 k = f.next_key; k < end; ++k) {
    const u32 bit = 1u << digit(keys + u64{k} * key_words_, levels_ - 1);
    if ((bitmap & bit) == 0) fresh[k / 64] |= u64{1} << (k % 64);
    bitmap |= bit;
  }
  take_edge(f, digit_value, bitmap);
}

bool Diagram::try_insert(const Word* keys, u32 count, u64* fresh, u32& root) {
  u32 at = 0;  // level of the frame on top
  begin_frame(0, root_, 0, count);
  for (;;) {
    Frame& f = frames_[at];
    const u32 old_count = f.old_node == 0 ? 0 : edges(f.old_node);
    const u8* old_digits = f.old_node == 0 ? nullptr : digits(f.old_node);
    const u32* old_children = f.old_node == 0 ? nullptr : children(f.old_node);
    if (f.next_key < f.end_key) {
      const u32 d = digit(keys + u64{f.next_key} * key_words_, at);
      u32 end = f.next_key + 1;
      while (end < f.end_key && digit(keys + u64{end} * key_words_, at) == d) ++end;
      if (!pass_extra(f, at, d)) return false;
      pass_old_edges(f, old_digits, old_children, old_count, d);
      if (at + 2 == levels_) {
        leaf_run(f, keys, end, d, fresh);
        f.next_key = end;
        continue;
      }
      const bool known = f.old_edge < old_count && old_digits[f.old_edge] == d;
      f.waiting = d;
      f.old_child = known ? old_children[f.old_edge] : 0;
      u32 extra = known && is_tail(f.old_child) ? f.old_child : 0;
      if (f.extra != 0 && tail_digit(f.extra, at) == d) {
        extra = f.extra;
        f.extra = 0;
      }
      const u32 first = f.next_key;
      if (end == first + 1 && (extra != 0 || tail_fits(at + 1))) {
        bool done = false;
        if (!single_run(f, at, keys + u64{first} * key_words_, d, extra, fresh, done)) return false;
        f.next_key = end;
        if (done) continue;
      }
      f.next_key = end;
      ++at;
      begin_frame(at, extra != 0 ? 0 : f.old_child, first, end);
      if (extra != 0) {
        // Another key is there for sure, so a node is made.
        frames_[at].extra = extra;
        frames_[at].changed = true;
        frames_[at].count = 0;
      }
      continue;
    }
    if (!pass_extra(f, at, 256)) return false;
    u32 node = f.old_node;
    if (f.changed) {
      pass_old_edges(f, old_digits, old_children, old_count, 256);
      node = cons(f, at);
      if (node == 0) return false;
    }
    if (at == 0) {
      root = node;
      return true;
    }
    --at;
    take_edge(frames_[at], frames_[at].waiting, node);
  }
}

bool Diagram::insert(const Word* keys, u32 count, u64* fresh) {
  if (count == 0) return true;
  const std::span<u64> bits(fresh, static_cast<std::size_t>(divide_up(count, 64)));
  for (u32 round = 0; round < 2; ++round) {
    fill_zero(bits);
    u32 root = 0;
    if (try_insert(keys, count, fresh, root)) {
      root_ = root;
      for (const u64 word : bits) size_ += static_cast<u64>(std::popcount(word));
      return true;
    }
    if (round == 0) collect();
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

// Marks all words of every node that the root reaches. The stack is one edge counter per level.
void Diagram::mark() {
  fill_zero(std::span<u64>(marks_, static_cast<std::size_t>(mark_words(top_))));
  const auto set = [&](u32 node) {
    const u32 end = node + node_size(node);
    for (u32 at = node; at < end;) {
      const u32 count = std::min(64 - at % 64, end - at);
      marks_[at / 64] |= ~u64{0} >> (64 - count) << (at % 64);
      at += count;
    }
  };
  const auto is_set = [&](u32 node) { return (marks_[node / 64] >> (node % 64) & 1) != 0; };
  if (root_ == 0) return;
  set(root_);
  frames_[0].old_node = root_;
  frames_[0].old_edge = 0;
  for (u32 at = 0;;) {
    Frame& f = frames_[at];
    if (at + 2 == levels_ || f.old_edge == edges(f.old_node)) {
      if (at == 0) return;
      --at;
      continue;
    }
    const u32 child = children(f.old_node)[f.old_edge++];
    if (is_set(child)) continue;
    set(child);
    if (is_tail(child)) continue;
    ++at;
    frames_[at].old_node = child;
    frames_[at].old_edge = 0;
  }
}

u32 Diagram::forward(u32 node) const {
  const u64 below = marks_[node / 64] & ((u64{1} << (node % 64)) - 1);
  return 1 + mark_sums_[node / 64] + static_cast<u32>(std::popcount(below));  // word 0 stays empty
}

void Diagram::slide() {
  u32 sum = 0;
  for (u32 w = 0; w < mark_words(top_); ++w) {
    mark_sums_[w] = sum;
    sum += static_cast<u32>(std::popcount(marks_[w]));
  }
  u32 to = 1;
  for (u32 node = 1; node < top_;) {
    const u32 words = node_size(node);
    const bool live = (marks_[node / 64] >> (node % 64) & 1) != 0;
    if (live) {
      if (level(node) + 2 < levels_ && !is_tail(node)) {
        const u32 n = edges(node);
        u32* child = heap_ + node + 1 + (n + 3) / 4;
        for (u32 i = 0; i < n; ++i) child[i] = forward(child[i]);
      }
      std::copy(heap_ + node, heap_ + node + words, heap_ + to);
      to += words;
    }
    node += words;
  }
  if (root_ != 0) root_ = forward(root_);
  top_ = to;
}

void Diagram::rebuild_slots() {
  fill_zero(std::span<u32>(slots_, slot_count_));
  slots_used_ = 0;
  for (u32 node = 1; node < top_; node += node_size(node)) file(node);
}

void Diagram::collect() {
  ++collections_;
  mark();
  slide();
  rebuild_slots();
  live_ = top_ - 1;
}

u64 Diagram::live_words() {
  collect();
  return top_ - 1;
}

}  // namespace xmc
