// Looking things up in a diagram, and walking through it.
#include <algorithm>
#include <bit>

#include "store/diagram/diagram.h"
#include "store/diagram/digit_search.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

bool Diagram::contains(const Word* key) const {
  u32 node = root_;
  for (u32 l = 0; node != 0; ++l) {
    if (nodes_.is_tail(node)) return nodes_.tail_equals(node, key);
    const u32 d = nodes_.digit(key, l);
    const u32 edge = first_not_below(nodes_.edge_digits(node), 0, nodes_.edges(node), d);
    if (edge == nodes_.edges(node) || nodes_.edge_digits(node)[edge] != d) return false;
    const u32 child = nodes_.children(node)[edge];
    if (l + 2 == nodes_.levels) return (child >> nodes_.digit(key, nodes_.levels - 1) & 1) != 0;
    node = child;
  }
  return false;
}

// Neighbours share most of their path, so each key goes on from where it leaves the one before.
void Diagram::drop_known(const Word* keys, u32 count, u64* absent) {
  if (root_ == 0) return;
  walk_.steps[0].node = root_;
  u32 known = 0;  // levels of the steps that belong to `last`
  const Word* last = nullptr;
  for (u32 i = 0; i < count; ++i) {
    if ((absent[i / 64] >> (i % 64) & 1) == 0) continue;
    const Word* const key = keys + u64{i} * nodes_.key_words;
    u32 at = 0;
    if (last != nullptr) {
      while (at < known && nodes_.digit(key, at) == nodes_.digit(last, at)) ++at;
    }
    last = key;
    for (known = at;; ++known) {
      const u32 node = walk_.steps[known].node;
      if (nodes_.is_tail(node)) {
        if (nodes_.tail_equals(node, key)) absent[i / 64] &= ~(u64{1} << (i % 64));
        break;
      }
      const u32 d = nodes_.digit(key, known);
      const u32 edge = first_not_below(nodes_.edge_digits(node), 0, nodes_.edges(node), d);
      if (edge == nodes_.edges(node) || nodes_.edge_digits(node)[edge] != d) break;
      const u32 child = nodes_.children(node)[edge];
      if (known + 2 == nodes_.levels) {
        if ((child >> nodes_.digit(key, nodes_.levels - 1) & 1) != 0)
          absent[i / 64] &= ~(u64{1} << (i % 64));
        break;
      }
      walk_.steps[known + 1].node = child;
    }
  }
}

void Diagram::begin_walk() {
  walk_.level = 0;
  walk_.bits = 0;
  std::fill_n(walk_.key, nodes_.key_words, Word{0});
  walk_.steps[0].node = root_;
  walk_.steps[0].edge = 0;
}

u32 Diagram::walk(Word* keys, u32 room) {
  u32 count = 0;
  while (root_ != 0 && count < room) {
    if (walk_.bits != 0) {
      nodes_.put_digit(walk_.key, nodes_.levels - 1,
                       static_cast<u32>(std::countr_zero(walk_.bits)));
      walk_.bits &= walk_.bits - 1;
      std::copy_n(walk_.key, nodes_.key_words, keys + u64{count++} * nodes_.key_words);
      continue;
    }
    Step& f = walk_.steps[walk_.level];
    if (f.edge == nodes_.edges(f.node)) {
      if (walk_.level == 0) return count;
      --walk_.level;
      continue;
    }
    const u32 child = nodes_.children(f.node)[f.edge];
    nodes_.put_digit(walk_.key, walk_.level, nodes_.edge_digits(f.node)[f.edge++]);
    if (walk_.level + 2 == nodes_.levels) {
      walk_.bits = child;
      continue;
    }
    if (nodes_.is_tail(child)) {
      const u32 first = nodes_.digits[walk_.level + 1].word;
      const Word mask = nodes_.tail_mask(walk_.level + 1);
      walk_.key[first] = (walk_.key[first] & ~mask) | nodes_.tail_word(child, first);
      for (u32 w = first + 1; w < nodes_.key_words; ++w) walk_.key[w] = nodes_.tail_word(child, w);
      std::copy_n(walk_.key, nodes_.key_words, keys + u64{count++} * nodes_.key_words);
      continue;
    }
    ++walk_.level;
    walk_.steps[walk_.level].node = child;
    walk_.steps[walk_.level].edge = 0;
  }
  return count;
}

}  // namespace xmc
