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
    if (is_tail(node)) return tail_equals(node, key);
    const u32 d = digit(key, l);
    const u32 edge = first_not_below(digits(node), 0, edges(node), d);
    if (edge == edges(node) || digits(node)[edge] != d) return false;
    const u32 child = children(node)[edge];
    if (l + 2 == levels_) return (child >> digit(key, levels_ - 1) & 1) != 0;
    node = child;
  }
  return false;
}

// Neighbours share most of their path, so each key goes on from where it leaves the one before.
void Diagram::drop_known(const Word* keys, u32 count, u64* absent) {
  if (root_ == 0) return;
  steps_[0].node = root_;
  u32 known = 0;  // levels of the steps that belong to `last`
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
      const u32 node = steps_[known].node;
      if (is_tail(node)) {
        if (tail_equals(node, key)) absent[i / 64] &= ~(u64{1} << (i % 64));
        break;
      }
      const u32 d = digit(key, known);
      const u32 edge = first_not_below(digits(node), 0, edges(node), d);
      if (edge == edges(node) || digits(node)[edge] != d) break;
      const u32 child = children(node)[edge];
      if (known + 2 == levels_) {
        if ((child >> digit(key, levels_ - 1) & 1) != 0) absent[i / 64] &= ~(u64{1} << (i % 64));
        break;
      }
      steps_[known + 1].node = child;
    }
  }
}

void Diagram::begin_walk() {
  walk_level_ = 0;
  walk_bits_ = 0;
  std::fill_n(walk_key_, key_words_, Word{0});
  steps_[0].node = root_;
  steps_[0].edge = 0;
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
    Step& f = steps_[walk_level_];
    if (f.edge == edges(f.node)) {
      if (walk_level_ == 0) return count;
      --walk_level_;
      continue;
    }
    const u32 child = children(f.node)[f.edge];
    put_digit(walk_key_, walk_level_, digits(f.node)[f.edge++]);
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
    steps_[walk_level_].node = child;
    steps_[walk_level_].edge = 0;
  }
  return count;
}

}  // namespace xmc
