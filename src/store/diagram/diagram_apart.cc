// A digit of a diagram comes apart: a node of its level becomes nodes of several levels, and all
// others stay as they are but for the places of their children. That takes time for each node,
// where building the set again takes time for each key, of which there are far more (plc.4: 0.41 s
// for 1.4 million keys of 2.4 s in all).
#include <algorithm>

#include "store/diagram/diagram.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// Levels below the digit are further down than they were.
u32 moved(u32 level, const Diagram::Apart& apart) {
  return level > apart.level ? level + apart.parts - 1 : level;
}

}  // namespace

u32 Diagram::settle_one(u32 words) {
  Staged one = {0, 0, words, 0, 0};
  return settle({&one, 1}) ? tasks_[0].result : 0;
}

u32 Diagram::move_tail(const Diagram& old, u32 node, const Apart& apart) {
  Word key[kMostKeyWords] = {};
  const u32 from = old.level(node);
  for (u32 l = from; l < old.levels_; ++l) {
    const u32 value = old.tail_digit(node, l);
    if (l != apart.level) {
      put_digit(key, moved(l, apart), value);
      continue;
    }
    const Word* const parts = apart.keys + u64{value} * key_words_;
    for (u32 p = l; p < l + apart.parts; ++p) put_digit(key, p, digit(parts, p));
  }
  return settle_one(put_tail(moved(from, apart), key, stage_));
}

u32 Diagram::move_node(const Diagram& old, u32 node, const Apart& apart) {
  const u32 words = old.node_size(node);
  const u32 from = old.level(node);
  const u32 count = old.edges(node);
  std::copy_n(old.heap_ + node, words, stage_);
  stage_[0] = moved(from, apart) << 16 | (count - 1);
  if (old.has_children(node)) {
    for (u32 i = words - count; i < words; ++i) stage_[i] = old.heap_[stage_[i]];
  }
  return settle_one(words);
}

// From the lowest of the new levels up: edges that agree in all parts above become one node, and
// its edge of the level above. A key alone becomes a tail, as everywhere.
u32 Diagram::move_apart(const Diagram& old, u32 node, const Apart& apart) {
  struct Edge {
    const Word* parts;
    u32 child;
  };
  Edge all[256];
  u32 count = old.edges(node);
  const u8* const digit_at = old.digits(node);
  const u32* const child = old.children(node);
  const bool bitmaps = apart.level + 2 == old.levels_;
  for (u32 i = 0; i < count; ++i) {
    all[i] = {apart.keys + u64{digit_at[i]} * key_words_, bitmaps ? child[i] : old.heap_[child[i]]};
  }
  const u32 end = apart.level + apart.parts;
  const auto same_until = [&](const Edge& a, const Edge& b, u32 until) {
    u32 l = apart.level;
    while (l < until && digit(a.parts, l) == digit(b.parts, l)) ++l;
    return l;
  };
  std::sort(all, all + count, [&](const Edge& a, const Edge& b) {
    const u32 l = same_until(a, b, end);
    return l < end && digit(a.parts, l) < digit(b.parts, l);
  });
  for (u32 l = end; l-- > apart.level;) {
    u32 nodes = 0;
    for (u32 first = 0, next = 0; first < count; first = next) {
      Task kids[256];
      do {
        kids[next - first] = {};
        kids[next - first].result = all[next].child;
        kids[next - first].digit = static_cast<u8>(digit(all[next].parts, l));
      } while (++next < count && same_until(all[first], all[next], l) == l);
      u32 words = 0;
      if (next == first + 1 && tail_fits(l) && is_tail(all[first].child)) {
        Word key[kMostKeyWords] = {};
        take_tail(all[first].child, key);
        put_digit(key, l, kids[0].digit);
        words = put_tail(l, key, stage_);
      } else {
        words = write_new(l, {kids, next - first}, stage_);
      }
      const u32 made = settle_one(words);
      if (made == 0) return 0;
      all[nodes++] = {all[first].parts, made};
    }
    count = nodes;
  }
  XMC_CHECK(count == 1);
  return all[0].child;
}

bool Diagram::take_apart(std::span<u8> region, std::span<const Digit> digit_list, u32 key_words,
                         const Apart& apart) {
  XMC_CHECK(apart.parts > 0);
  XMC_CHECK(digit_list.size() == apart.before.size() + apart.parts - 1);
  XMC_CHECK(region.data() + region.size() == region_.data() + region_.size());
  digits_ = apart.before;  // the list that they were in has the new ones
  collect();
  const u64 words = top_;
  const u64 size = size_;
  const u32 root = root_;
  std::span<u8> rest = apart.spare.size() >= words * sizeof(u32) ? apart.spare : region;
  rest = rest.first(rest.size() / sizeof(u32) * sizeof(u32));
  tenths_per_slot_ = fitting_tenths();
  // The last digit is in bitmaps, which are parts of their nodes.
  const bool last = apart.level + 1 == apart.before.size();
  if (root == 0 || last || words * sizeof(u32) > rest.size()) return false;
  // The nodes as they were, children before their parents: when one has moved, its first word tells
  // where it is now. They are at the end, where in the same memory the new ones grow towards them.
  u32* const place = reinterpret_cast<u32*>(rest.data() + rest.size()) - words;
  move(std::span<u32>(place, static_cast<std::size_t>(words)),
       std::span<const u32>(heap_, static_cast<std::size_t>(words)));
  Diagram old = *this;
  old.heap_ = place;
  digits_ = digit_list;
  levels_ = static_cast<u32>(digit_list.size());
  key_words_ = key_words;
  lay_out(region);
  const u64 capacity = capacity_;
  if (rest.data() == region.data()) {
    if (place <= heap_) return false;
    capacity_ = std::min(capacity_, static_cast<u64>(place - heap_));
  }
  clear();
  for (u32 node = 1, next = 1; node < words; node = next) {
    next = node + old.node_size(node);
    const u32 to = old.is_tail(node)                ? move_tail(old, node, apart)
                   : old.level(node) == apart.level ? move_apart(old, node, apart)
                                                    : move_node(old, node, apart);
    if (to == 0) return false;
    old.heap_[node] = to;
  }
  capacity_ = capacity;
  root_ = old.heap_[root];
  size_ = size;
  old_top_ = static_cast<u32>(top_);
  live_ = top_ - 1;
  return true;
}

}  // namespace xmc
