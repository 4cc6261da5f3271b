// Leaves of frames as cells, which is what the analysis keeps one interval for: a leaf each, but a
// variable with many leaves has one cell for all elements of an array.
#pragma once

#include <new>
#include <span>

#include "front/promela/system.h"
#include "ir/interval.h"
#include "xmc/arena.h"

namespace xmc::promela {

struct Frame {
  std::span<u32> cell_of;         // by leaf
  std::span<ir::Interval> range;  // by cell: of its type
  std::span<u32> leaves;          // by cell: how many it stands for
  u32 count() const { return static_cast<u32>(range.size()); }
};

// What can be stored to a leaf of that type.
ir::Interval range_of(const Leaf& leaf);
// What a value becomes there.
ir::Interval cut(const Leaf& leaf, ir::Interval v);

template <class T>
std::span<T> scratch_table(Arena& arena, u64 count) {
  std::span<T> out(static_cast<T*>(arena.scratch("facts", count * sizeof(T), alignof(T))),
                   static_cast<std::size_t>(count));
  for (T& one : out) one = T();
  return out;
}

template <class T, class... Arguments>
T* scratch_new(Arena& arena, Arguments&&... arguments) {
  return ::new (arena.scratch("facts", sizeof(T), alignof(T))) T(arguments...);
}

class Cells {
 public:
  // Leaves of a variable that each have a cell of their own.
  static constexpr u32 kSpread = 64;

  Cells(const System& system, Arena& arena);

  const Frame& globals() const { return globals_; }
  const Frame& locals(u32 type) const { return locals_[type]; }
  // All elements of its arrays share cells.
  bool is_collapsed(const Reference& reference) const {
    return reference.scope == Scope::global ? collapsed_globals_[reference.variable] != 0
                                            : collapsed_locals_[reference.variable] != 0;
  }

 private:
  using Leaves = Pool<Leaf, 9, 1024>;
  Frame make(Arena& arena, u32 leaf_count) const;
  // The cells of a variable, behind `cells` others.
  void add(const Variable& variable, const Leaves& leaves, u32 first, u8& collapsed, Frame& frame,
           u32& cells) const;
  u32 element_zero(const Variable& variable, u32 leaf) const;

  const System& s_;
  Frame globals_;
  std::span<Frame> locals_;          // by type
  std::span<u8> collapsed_globals_;  // by variable
  std::span<u8> collapsed_locals_;
};

}  // namespace xmc::promela
