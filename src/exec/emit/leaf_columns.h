// Leaves as elements of columns: the variable that a leaf belongs to, and which element it is. An
// address with digits is one element of one column, if that is a sum of the same digits.
#pragma once

#include <span>

#include "exec/emit/body_places.h"
#include "ir/ir.h"
#include "xmc/arena.h"

namespace xmc {

struct ColumnPlace {
  u32 variable = kNone;  // kNone: no single column has them all
  u32 element = 0;
  u32 strides[BodyPlace::kTerms] = {};  // in elements, by digit
};

class LeafColumns {
 public:
  LeafColumns(const ir::RuleProgram& program, Arena& arena);

  // Of a place among leaves.
  ColumnPlace find(const BodyPlace& place) const;

 private:
  struct Leaf {
    u32 variable = kNone;
    u32 element = 0;
  };
  bool fits(const BodyPlace& place, const ColumnPlace& found) const;

  std::span<Leaf> leaves_;
};

}  // namespace xmc
