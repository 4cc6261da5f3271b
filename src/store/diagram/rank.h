// Rank: a finished diagram with counts, which numbers its keys in their order and finds a key by
// its number: a minimal perfect hash in memory that tells members from others.
//
//   node = header, the edges' digits four to a word, then per edge (child, keys of this edge and
//          those before it)
//   tail = as in the diagram
//
// The counts go in by one pass over the diagram's nodes, in its own memory: the nodes move to the
// high end and are written anew from the low end on, children before parents as ever. What the new
// nodes leave free is the caller's.
#pragma once

#include <span>

#include "store/diagram/diagram.h"
#include "xmc/types.h"

namespace xmc {

class Rank {
 public:
  // Counts are 32 bits wide: twice the memory for sets whose visited bits take half a gigabyte is
  // not worth having.
  static constexpr u64 kMostKeys = 0xFFFF'FFFFu;
  static constexpr u64 kNotThere = ~u64{0};

  // Takes the diagram's nodes, which lie at the front of its region from then on; the diagram is
  // nothing any more. False: too many keys, or the region is too small; the diagram is as it was.
  bool take(Diagram& diagram);
  // Of nodes and counts.
  u64 bytes() const { return top_ * sizeof(u32); }
  // The nodes in other memory, 4-byte aligned, which may overlap.
  void move_to(u8* to);
  // Nodes and counts as words, for a file, and where the root is; and the same again.
  std::span<const u32> nodes() const { return {nodes_, static_cast<std::size_t>(top_)}; }
  u32 root() const { return root_; }
  void load(std::span<u32> nodes, u32 root, u64 size, std::span<const Diagram::Digit> digits,
            u32 key_words);

  u64 size() const { return size_; }
  // The number of a key, or kNotThere.
  u64 find(const Word* key) const {
    u64 rank = 0;
    find(key, 1, &rank);
    return rank;
  }
  // Of many keys: their descents are interleaved, so that they wait for memory together.
  void find(const Word* keys, u32 count, u64* ranks) const;
  // The key of a number below size().
  void key_of(u64 rank, Word* key) const;

 private:
  static constexpr u32 kLanes = 16;

  struct Lane {
    u32 node;
    u32 sum;
    const Word* key;
    u64* rank;
  };
  static u32 place_of(const Diagram& diagram, u32 node);
  static u64 keys_below(const u32* node);
  u32 write_node(const u32* from, u32* to, const Diagram& diagram) const;
  void find_group(const Word* keys, u32 count, u64* ranks) const;
  static u64 rank_in(u32 bitmap, u32 digit, u32 sum);
  bool tail_equals(const u32* tail, const Word* key) const;
  u32 digit(const Word* key, u32 level) const {
    const Diagram::Digit& d = digits_[level];
    return static_cast<u32>(key[d.word] >> d.shift) & ((1u << d.bits) - 1);
  }
  void put_digit(Word* key, u32 level, u32 value) const {
    const Diagram::Digit& d = digits_[level];
    key[d.word] |= Word{value} << d.shift;
  }

  std::span<const Diagram::Digit> digits_;
  u32 key_words_ = 0;
  u32* nodes_ = nullptr;
  u64 top_ = 1;
  u32 root_ = 0;  // 0: empty
  u64 size_ = 0;
};

}  // namespace xmc
