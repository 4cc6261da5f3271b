#include "store/diagram.h"

#include <algorithm>
#include <bit>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

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
  bool fitted = false;
  const auto collect_some = [&] {
    young ? collect_from(old_top_) : collect();
    young = false;
  };
  if (capacity_ - top_ < most_growth_ && capacity_ - old_top_ > 4 * most_growth_) collect_some();
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
    if (young || whole) {
      whole = young;  // a whole collection comes once
      collect_some();
    } else if (fitted || !refit()) {
      break;
    } else {
      fitted = true;
    }
  }
  fill_zero(bits);
  collect();  // the failed attempt left garbage
  return false;
}

}  // namespace xmc
