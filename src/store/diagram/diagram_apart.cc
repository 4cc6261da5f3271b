// A digit of a diagram comes apart: a node of its level becomes nodes of several levels, and all
// others stay as they are but for the places of their children. That takes time for each node,
// where building the set again takes time for each key, of which there are far more (plc.4: 0.41 s
// for 1.4 million keys of 2.4 s in all).
#include <algorithm>
#include <bit>

#include "store/diagram/diagram.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

// Levels below the digit are further down than they were.
u32 moved(u32 level, const Diagram::Apart& apart) {
  return level > apart.level ? level + apart.parts - 1 : level;
}

}  // namespace

u32 Diagram::move_tail(const DiagramNodes& old, u32 node, const Apart& apart) {
  Word key[limits::kKeyWords] = {};
  const u32 from = old.level(node);
  for (u32 l = from; l < old.levels; ++l) {
    const u32 value = old.tail_digit(node, l);
    if (l != apart.level) {
      nodes_.put_digit(key, moved(l, apart), value);
      continue;
    }
    const Word* const parts = apart.keys + u64{value} * nodes_.key_words;
    for (u32 p = l; p < l + apart.parts; ++p) nodes_.put_digit(key, p, nodes_.digit(parts, p));
  }
  return insertion_.settle_one(nodes_, nodes_.put_tail(moved(from, apart), key, insertion_.stage));
}

u32 Diagram::move_node(const DiagramNodes& old, u32 node, const Apart& apart) {
  const u32 words = old.node_size(node);
  const u32 from = old.level(node);
  const u32 count = old.edges(node);
  std::copy_n(old.heap + node, words, insertion_.stage);
  insertion_.stage[0] = moved(from, apart) << 16 | (count - 1);
  if (old.has_children(node)) {
    for (u32 i = words - count; i < words; ++i) insertion_.stage[i] = old.heap[insertion_.stage[i]];
  }
  return insertion_.settle_one(nodes_, words);
}

// A value of the digit by its parts, and what it leads to.
struct Diagram::ApartEdge {
  const Word* parts;
  u32 child;
};

// The first of the new levels up to `end` in which the parts of two values differ.
u32 Diagram::differs_at(const ApartEdge& a, const ApartEdge& b, u32 end, const Apart& apart) const {
  u32 l = apart.level;
  while (l < end && nodes_.digit(a.parts, l) == nodes_.digit(b.parts, l)) ++l;
  return l;
}

void Diagram::sort_parts(std::span<ApartEdge> edges, const Apart& apart) const {
  const u32 end = apart.level + apart.parts;
  std::sort(edges.begin(), edges.end(), [&](const ApartEdge& a, const ApartEdge& b) {
    const u32 l = differs_at(a, b, end, apart);
    return l < end && nodes_.digit(a.parts, l) < nodes_.digit(b.parts, l);
  });
}

u32 Diagram::move_apart(const DiagramNodes& old, u32 node, const Apart& apart) {
  ApartEdge all[256];
  const u32 count = old.edges(node);
  const u8* const digit_at = old.edge_digits(node);
  const u32* const child = old.children(node);
  const bool bitmaps = apart.level + 2 == old.levels;
  for (u32 i = 0; i < count; ++i) {
    all[i] = {apart.keys + u64{digit_at[i]} * nodes_.key_words,
              bitmaps ? child[i] : old.heap[child[i]]};
  }
  sort_parts({all, count}, apart);
  return stack_up({all, count}, apart.level + apart.parts, apart);
}

// The last digit: a bitmap becomes one of the last part for each string of parts before it, and
// nodes above these.
u32 Diagram::move_bitmap(u32 bitmap, const Apart& apart) {
  ApartEdge all[1u << kLastBits];
  const u32 last = apart.level + apart.parts - 1;
  u32 values = 0;
  for (u32 left = bitmap; left != 0; left &= left - 1) {
    const u32 value = static_cast<u32>(std::countr_zero(left));
    all[values++].parts = apart.keys + u64{value} * nodes_.key_words;
  }
  sort_parts({all, values}, apart);
  u32 count = 0;
  for (u32 i = 0; i < values; ++i) {
    const bool same = count > 0 && differs_at(all[count - 1], all[i], last, apart) == last;
    if (!same) all[count++] = {all[i].parts, 0};
    all[count - 1].child |= 1u << nodes_.digit(all[i].parts, last);
  }
  return stack_up({all, count}, last, apart);
}

u32 Diagram::move_bitmaps(const DiagramNodes& old, u32 node, const Apart& apart) {
  DiagramInsertion::Task kids[256];
  const u32 count = old.edges(node);
  for (u32 i = 0; i < count; ++i) {
    kids[i] = {};
    kids[i].digit = old.edge_digits(node)[i];
    kids[i].result = move_bitmap(old.children(node)[i], apart);
    if (kids[i].result == 0) return 0;
  }
  const u32 words = DiagramInsertion::write_new(old.level(node), {kids, count}, insertion_.stage);
  return insertion_.settle_one(nodes_, words);
}

// From the lowest of the new levels before `end` up: edges that agree in all parts above become
// one node, and its edge of the level above. A key alone becomes a tail, as everywhere.
u32 Diagram::stack_up(std::span<ApartEdge> all, u32 end, const Apart& apart) {
  u32 count = static_cast<u32>(all.size());
  for (u32 l = end; l-- > apart.level;) {
    u32 nodes = 0;
    for (u32 first = 0, next = 0; first < count; first = next) {
      DiagramInsertion::Task kids[256];
      do {
        kids[next - first] = {};
        kids[next - first].result = all[next].child;
        kids[next - first].digit = static_cast<u8>(nodes_.digit(all[next].parts, l));
      } while (++next < count && differs_at(all[first], all[next], l, apart) == l);
      u32 words = 0;
      if (next == first + 1 && nodes_.tail_fits(l) && nodes_.is_tail(all[first].child)) {
        Word key[limits::kKeyWords] = {};
        nodes_.take_tail(all[first].child, key);
        nodes_.put_digit(key, l, kids[0].digit);
        words = nodes_.put_tail(l, key, insertion_.stage);
      } else {
        words = DiagramInsertion::write_new(l, {kids, next - first}, insertion_.stage);
      }
      const u32 made = insertion_.settle_one(nodes_, words);
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
  nodes_.digits = apart.before;  // the list that they were in has the new ones
  collect();
  const u64 words = nodes_.top;
  const u64 size = size_;
  const u32 root = root_;
  std::span<u8> rest = apart.spare.size() >= words * sizeof(u32) ? apart.spare : region;
  rest = rest.first(rest.size() / sizeof(u32) * sizeof(u32));
  tenths_per_slot_ = fitting_tenths();
  if (root == 0 || words * sizeof(u32) > rest.size()) return false;
  // The last digit is in bitmaps, which are parts of their nodes.
  const bool last = apart.level + 1 == apart.before.size();
  // The nodes as they were, children before their parents: when one has moved, its first word tells
  // where it is now. They are at the end, where in the same memory the new ones grow towards them.
  u32* const place = reinterpret_cast<u32*>(rest.data() + rest.size()) - words;
  move(std::span<u32>(place, static_cast<std::size_t>(words)),
       std::span<const u32>(nodes_.heap, static_cast<std::size_t>(words)));
  DiagramNodes old = nodes_;
  old.heap = place;
  nodes_.set_digits(digit_list, key_words);
  lay_out(region);
  const u64 capacity = nodes_.capacity;
  if (rest.data() == region.data()) {
    if (place <= nodes_.heap) return false;
    nodes_.capacity = std::min(nodes_.capacity, static_cast<u64>(place - nodes_.heap));
  }
  clear();
  for (u32 node = 1, next = 1; node < words; node = next) {
    next = node + old.node_size(node);
    const u32 level = old.level(node);
    const u32 to = old.is_tail(node)                  ? move_tail(old, node, apart)
                   : level == apart.level             ? move_apart(old, node, apart)
                   : last && level + 1 == apart.level ? move_bitmaps(old, node, apart)
                                                      : move_node(old, node, apart);
    if (to == 0) return false;
    old.heap[node] = to;
  }
  nodes_.capacity = capacity;
  root_ = old.heap[root];
  size_ = size;
  note_no_garbage();
  return true;
}

}  // namespace xmc
