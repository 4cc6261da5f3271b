// The canonical form of a state: of all its permutations (ir/symmetry.h) always the same one.
//
// Atoms are told apart by what the state says of them, as in McKay's canonical labelling: an
// ordered partition is refined by sums of hashes over the leaves that an atom has to do with, until
// nothing changes. Hashes that collide make it coarser, never wrong: they depend on nothing that a
// permutation changes. Where a cell still has several atoms that cannot just be exchanged, each of
// them comes first in turn, and the smallest state that results is taken. Atoms that can be
// exchanged (idle processes, empty slots) need no such search.
#pragma once

#include <span>

#include "ir/symmetry.h"
#include "xmc/arena.h"
#include "xmc/types.h"

namespace xmc {

class Canonical {
 public:
  Canonical(const ir::Symmetry& symmetry, u32 state_words, Arena& arena);

  // The state becomes its canonical form.
  void apply(Word* state);

  // Permutations that were compared since the beginning: one for each state at best.
  u64 tried() const { return tried_; }

 private:
  // Atoms by cells: `order` holds them cell by cell, cells of a set together and at its place.
  // `begin` is, for each place, where its cell begins.
  struct Partition {
    std::span<u16> order;
    std::span<u16> begin;
  };

  struct Place {
    u32 leaf;
    u32 code;
  };

  bool read(const Word* state);
  template <class Moved>
  Place moved_leaf(const ir::SymmetricLeaf& leaf, Moved moved) const;
  void refine(const Partition& p);
  void sign(const Partition& p);
  bool split(const Partition& p);
  u32 open_cell(const Partition& p) const;
  u32 cell_end(const Partition& p, u32 begin) const;
  void search(u32 depth);
  void take(const Partition& p);
  bool exchangeable(u32 a, u32 b) const;
  void image(const Partition& p);
  void sort(const ir::SymmetricMultiset& m);
  bool in_order(u32 a, u32 b, u32 leaves) const;

  const ir::Symmetry& s_;
  u32 words_;
  std::span<u32> codes_;  // of leaves, by their numbers
  std::span<u32> image_;  // the same, permuted
  std::span<u32> live_;   // positions in s_.leaves of those that are not undefined
  u32 live_count_ = 0;
  std::span<u64> marks_;    // of atoms: what refinement sees
  std::span<u16> colours_;  // of atoms: where their cells begin
  std::span<u16> to_;       // of atoms: what they become
  std::span<u16> pool_;     // partitions by depth
  std::span<Word> best_;
  std::span<Word> now_;
  const Word* state_ = nullptr;
  bool found_ = false;
  u64 tried_ = 0;
};

}  // namespace xmc
