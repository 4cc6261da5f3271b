#include "exec/models/condition_code.h"

#include "exec/models/packed_value.h"
#include "ir/layout.h"
#include "xmc/arith.h"
#include "xmc/check.h"

namespace xmc {

namespace {

u32 sides(const ir::Condition& c) {
  if (c.kind == ir::Condition::Kind::balance) return 2;
  return c.kind == ir::Condition::Kind::opaque ? 1 : 0;
}

}  // namespace

ConditionCode::ConditionCode(const ir::Program& program, const ir::StepTables& tables, Arena& arena)
    : program_(tables.text != nullptr ? *tables.text : program), tables_(tables) {
  first_ = arena.carve_array<u32>(kStubbornSets, tables.conditions.size());
  u32 count = 0;
  for (u32 i = 0; i < first_.size(); ++i) {
    first_[i] = count;
    count += sides(tables.conditions[i]);
  }
  sides_ = arena.carve_array<Side>(kStubbornSets, count);
  for (u32 i = 0; i < first_.size(); ++i) {
    const ir::Condition& c = tables.conditions[i];
    if (sides(c) > 0) sides_[first_[i]] = side_of(c.left);
    if (sides(c) > 1) sides_[first_[i] + 1] = side_of(c.right);
  }
  tests_ = arena.carve_array<Test>(kStubbornSets, tables.conditions.size());
  for (u32 i = 0; i < tests_.size(); ++i) {
    const ir::Condition& c = tables.conditions[i];
    if (c.kind == ir::Condition::Kind::compare) tests_[i] = test_of(c, tables.cells[c.cell]);
  }
}

ConditionCode::Test ConditionCode::test_of(const ir::Condition& c, const Slot& slot) {
  const i64 most = slot.width == 0 ? 0 : (i64{1} << slot.width) - 1;
  i64 first = i64{c.value} - slot.offset;  // of the range
  i64 last = first;
  bool outside = false;
  switch (c.op) {
    case ir::Op::not_equal:
      outside = true;
      break;
    case ir::Op::greater:
    case ir::Op::less_equal:
      outside = c.op == ir::Op::greater;
      first = 0;
      break;
    case ir::Op::greater_equal:
    case ir::Op::less:
      outside = c.op == ir::Op::greater_equal;
      first = 0;
      --last;
      break;
    default:
      XMC_DASSERT(c.op == ir::Op::equal);
      break;
  }
  Test t{.mask = static_cast<u32>(most), .outside = outside, .is_test = true};
  if (slot.width != 0) {
    t.word = slot.word;
    t.shift = static_cast<u8>(slot.shift);
  }
  if (last > most) last = most;
  if (first < 0 || first > last) {  // nothing is in it: all are outside
    t.span = t.mask;
    t.outside = !outside;
  } else {
    t.low = static_cast<u32>(first);
    t.span = static_cast<u32>(last - first);
  }
  return t;
}

bool ConditionCode::compare(ir::Op op, i32 a, i32 b) {
  switch (op) {
    case ir::Op::less:
      return a < b;
    case ir::Op::less_equal:
      return a <= b;
    case ir::Op::greater:
      return a > b;
    case ir::Op::greater_equal:
      return a >= b;
    case ir::Op::equal:
      return a == b;
    default:
      XMC_DASSERT(op == ir::Op::not_equal);
      return a != b;
  }
}

// A variable, with a constant added or not.
bool ConditionCode::is_cell(u32 expr, Side& out) const {
  const ir::Expr& e = program_.exprs[expr];
  if (e.op == ir::Op::load) {
    out.slot = ir::element_slot(program_.variables[e.a], e.b);
    return true;
  }
  if (e.op != ir::Op::add && e.op != ir::Op::subtract) return false;
  const ir::Expr& by = program_.exprs[e.b];
  if (program_.exprs[e.a].op != ir::Op::load || by.op != ir::Op::constant) return false;
  out.add = static_cast<i32>(by.a);
  if (e.op == ir::Op::subtract) out.add = arith::negate(out.add);
  return is_cell(e.a, out);
}

ConditionCode::Side ConditionCode::side_of(u32 expr) const {
  const ir::Expr& e = program_.exprs[expr];
  Side side;
  if (e.op == ir::Op::constant) {
    side.kind = Kind::constant;
    side.add = static_cast<i32>(e.a);
  } else if (is_cell(expr, side)) {
    side.kind = Kind::cell;
  } else if (e.op == ir::Op::element && is_cell(e.b, side)) {
    side.kind = Kind::element;
    side.variable = e.a;
  } else {
    side = {};
    side.variable = expr;
  }
  return side;
}

bool ConditionCode::value(const Side& side, const Word* state, i32& out) const {
  switch (side.kind) {
    case Kind::constant:
      out = side.add;
      return true;
    case Kind::cell:
      out = arith::add(slot_value(side.slot, state), side.add);
      return true;
    case Kind::element: {
      const ir::Variable& v = program_.variables[side.variable];
      const u32 i = static_cast<u32>(arith::add(slot_value(side.slot, state), side.add));
      if (i >= v.size) return false;
      out = slot_value(ir::element_slot(v, i), state);
      return true;
    }
    case Kind::expression:
      break;
  }
  return packed_value(program_, side.variable, state, out);
}

bool ConditionCode::decide(const ir::Condition& c, const Word* state) const {
  const Side* const side = &sides_[first_[static_cast<u32>(&c - tables_.conditions.data())]];
  i32 left = 0;
  i32 right = 0;
  if (!value(side[0], state, left)) return c.may_fail;
  if (c.kind == ir::Condition::Kind::opaque) return (left != 0) != c.negated;
  if (!value(side[1], state, right)) return c.may_fail;
  return compare(c.op, left, right);
}

}  // namespace xmc
