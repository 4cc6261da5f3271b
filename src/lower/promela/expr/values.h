// Expressions: 32-bit values in registers of 64 bits. What is known is not computed, and what
// cannot wrap is not cut.
#pragma once

#include "lower/promela/expr/writer.h"

namespace xmc::promela_lower {

// What an expression is: a number that is known, or a register and what it can hold.
struct Value {
  u32 reg = kNone;
  Interval range;

  bool known() const { return range.single(); }
  bool is(i32 v) const { return known() && range.lo == v; }
};

Value known(i64 value);
u32 in_register(Writer& w, const Value& v);
u32 constant(Writer& w, i64 value);
void set(Writer& w, u32 r, i64 value);

Value value(Writer& w, const Scope& scope, ExprId id);
// As it is stored.
Value cut(Writer& w, const Leaf& leaf, const Value& v);
// Goes to `to` if the condition is `when`.
void branch(Writer& w, const Scope& scope, ExprId id, Label& to, bool when);
// To `no` unless it is that number; a register that is free then.
u32 jump_unless_is(Writer& w, const Value& v, i64 wanted, Label& no);
// To `no` unless both are equal.
void jump_unless_equal(Writer& w, const Value& a, const Value& b, Label& no);
// Whether it starts a process: the successor has to be there before it is evaluated.
bool creates(const promela::System& s, ExprId id);

}  // namespace xmc::promela_lower
