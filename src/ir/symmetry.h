// Which values of a program are interchangeable, and where they are in a state.
//
// A value of a scalarset is an atom; the atoms of one scalarset have consecutive numbers. A
// permutation of atoms that keeps each in its scalarset acts on a state in two ways: it renames
// values, and it moves the leaves of arrays that have atoms as indices. Steps and predicates of the
// program commute with that, so that one state stands for all of its permutations.
#pragma once

#include <span>

#include "xmc/model_text.h"
#include "xmc/types.h"

namespace xmc::ir {

// A number for each atom, and for what is none.
inline constexpr u16 kNoAtom = 0xffff;

struct AtomSet {
  u16 first = 0;
  u16 count = 0;
};

// An index of a leaf that is an atom. The one with the next atom in its place is `stride` leaves
// further.
struct AtomIndex {
  u32 stride = 0;
  u16 atom = 0;
};

// A leaf that a permutation can move or rename, or that is sorted with such ones.
struct SymmetricLeaf {
  Slot slot = {};
  u32 leaf = 0;
  u32 orbit = 0;        // the same for leaves that permutations, or sorting, bring to one another
  u32 first_index = 0;  // Symmetry::indices
  u16 index_count = 0;  //
  bool unordered = false;  // in a multiset
  u32 values = kNone;      // Symmetry::value_atoms, by codes; kNone: no atom is a value of it
};

// Elements of `leaves` leaves, the last of which is defined where there is one.
struct SymmetricMultiset {
  u32 first = 0;  // leaf
  u32 count = 0;
  u32 leaves = 0;
};

struct Symmetry {
  u32 atoms = 0;
  u32 leaf_count = 0;  // of the program
  std::span<const AtomSet> sets;
  std::span<const SymmetricLeaf> leaves;
  std::span<const AtomIndex> indices;
  std::span<const u16> value_atoms;
  std::span<const SymmetricMultiset> multisets;  // those that renaming can bring out of order
};

}  // namespace xmc::ir
