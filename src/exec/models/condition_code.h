// ConditionCode: whether conditions of step tables (ir/tables/step_tables.h) hold in a packed
// state. Most compare a variable, or an element at an index that is one, with another or with a
// constant, and are decided without a walk over their expressions.
#pragma once

#include <span>

#include "ir/ir.h"
#include "ir/tables/step_tables.h"
#include "xmc/arena.h"

namespace xmc {

inline constexpr const char* kStubbornSets = "stubborn sets";  // of memory

class ConditionCode {
 public:
  // Both stay where they are.
  ConditionCode(const ir::Program& program, const ir::StepTables& tables, Arena& arena);

  // Of a comparison of a cell, a balance or an opaque condition.
  bool holds(const ir::Condition& c, const Word* state) const {
    if (c.kind == ir::Condition::Kind::compare)
      return compare(c.op, slot_value(tables_.cells[c.cell], state), c.value);
    return decide(c, state);
  }

  // Of a comparison of a cell: whether its bits are in a range, or outside.
  bool is_test(u32 condition) const { return tests_[condition].is_test; }
  bool test(u32 condition, const Word* state) const {
    const Test& t = tests_[condition];
    const u32 bits = static_cast<u32>(state[t.word] >> t.shift) & t.mask;
    return (bits - t.low <= t.span) != t.outside;
  }

 private:
  struct Test {
    u32 word = 0;
    u32 mask = 0;
    u32 low = 0;
    u32 span = 0;
    u8 shift = 0;
    bool outside = false;
    bool is_test = false;
  };
  static Test test_of(const ir::Condition& c, const Slot& slot);
  enum class Kind : u8 { constant, cell, element, expression };
  struct Side {
    Kind kind = Kind::expression;
    Slot slot;         // of the cell, or of the index
    i32 add = 0;       // to it; a constant
    u32 variable = 0;  // with the element; the expression
  };
  static bool compare(ir::Op op, i32 a, i32 b);
  bool decide(const ir::Condition& c, const Word* state) const;
  bool value(const Side& side, const Word* state, i32& out) const;
  Side side_of(u32 expr) const;
  bool is_cell(u32 expr, Side& out) const;

  const ir::Program& program_;
  const ir::StepTables& tables_;
  std::span<u32> first_;  // by condition: of its sides
  std::span<Side> sides_;
  std::span<Test> tests_;  // by condition
};

}  // namespace xmc
