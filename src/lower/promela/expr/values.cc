#include "lower/promela/expr/values.h"

#include "lower/promela/expr/channels.h"
#include "lower/promela/expr/creation.h"
#include "lower/promela/expr/processes.h"
#include "lower/promela/expr/references.h"
#include "lower/promela/facts/cells.h"

namespace xmc::promela_lower {

namespace {

// The three lists of operators have the same order from the first unary one on.
template <class To>
To mapped(Op op, To first) {
  return static_cast<To>(static_cast<u32>(first) + static_cast<u32>(op) -
                         static_cast<u32>(Op::negate));
}
static_assert(static_cast<u32>(Op::bit_or) - static_cast<u32>(Op::negate) ==
              static_cast<u32>(BodyOp::bit_or) - static_cast<u32>(BodyOp::negate));
static_assert(static_cast<u32>(Op::bit_or) - static_cast<u32>(Op::negate) ==
              static_cast<u32>(ir::Op::bit_or) - static_cast<u32>(ir::Op::negate));
static_assert(static_cast<u32>(Op::shift_right) - static_cast<u32>(Op::negate) ==
              static_cast<u32>(BodyOp::shift_right) - static_cast<u32>(BodyOp::negate));
static_assert(static_cast<u32>(Op::shift_right) - static_cast<u32>(Op::negate) ==
              static_cast<u32>(ir::Op::shift_right) - static_cast<u32>(ir::Op::negate));

bool wraps(Op op) {
  return op == Op::negate || op == Op::multiply || op == Op::divide || op == Op::add ||
         op == Op::subtract || op == Op::shift_left;
}

i32 cut_number(const Leaf& leaf, i32 v) {
  if (leaf.kind == promela::LeafKind::short_int) return static_cast<i16>(v);
  if (leaf.kind == promela::LeafKind::integer || leaf.width >= 32) return v;
  return static_cast<i32>(static_cast<u32>(v) & ((u32{1} << leaf.width) - 1));
}

}  // namespace

Value known(i64 value) {
  const i32 v = static_cast<i32>(value);
  return {kNone, {v, v}};
}

void set(Writer& w, u32 r, i64 value) {
  const u64 bits = static_cast<u64>(value);
  w.code.emit({.op = BodyOp::constant,
               .r = r,
               .a = static_cast<u32>(bits),
               .b = static_cast<u32>(bits >> 32)});
}

u32 constant(Writer& w, i64 value) {
  const u32 r = w.code.temporary();
  set(w, r, value);
  return r;
}

u32 in_register(Writer& w, const Value& v) {
  return v.reg != kNone ? v.reg : constant(w, v.range.lo);
}

u32 jump_unless_is(Writer& w, const Value& v, i64 wanted, Label& no) {
  const u32 is = constant(w, wanted);
  w.code.emit({.op = BodyOp::equal, .r = is, .a = in_register(w, v), .b = is});
  w.code.jump(BodyOp::jump_zero, is, no);
  return is;
}

bool creates(const promela::System& s, ExprId id) {
  if (id == kNone) return false;
  const promela::Expr& e = s.expressions[id];
  switch (e.op) {
    case Op::run:
      return true;
    case Op::negate:
    case Op::bit_not:
    case Op::logical_not:
      return creates(s, e.a);
    case Op::conditional:
      return creates(s, e.a) || creates(s, e.b) || creates(s, e.c);
    default:
      if (e.op < Op::multiply || e.op > Op::logical_or) return false;
      return creates(s, e.a) || creates(s, e.b);
  }
}

Value cut(Writer& w, const Leaf& leaf, const Value& v) {
  if (v.known()) return known(cut_number(leaf, v.range.lo));
  const Interval range = promela::range_of(leaf);
  if (v.range.inside(range.lo, range.hi)) return v;
  const u32 r = w.code.temporary();
  const bool is_short = leaf.kind == promela::LeafKind::short_int;
  w.code.emit({.op = BodyOp::cut,
               .r = r,
               .a = v.reg,
               .b = is_short ? 16u : leaf.width,
               .c = is_short ? 1u : 0u});
  return {r, range};
}

namespace {

// A result that may have left 32 bits.
Value cut_to_int(Writer& w, u32 reg, Interval range) {
  if (range == ir::kEverything)
    w.code.emit({.op = BodyOp::cut, .r = reg, .a = reg, .b = 32, .c = 1});
  return {reg, range};
}

Value unary(Writer& w, const Scope& scope, const promela::Expr& e) {
  const Value a = value(w, scope, e.a);
  const Interval range = ir::apply_unary(mapped(e.op, ir::Op::negate), a.range);
  if (range.single()) return {kNone, range};
  const u32 r = w.code.temporary();
  w.code.emit({.op = mapped(e.op, BodyOp::negate), .note = note(w, e.place), .r = r, .a = a.reg});
  return wraps(e.op) ? cut_to_int(w, r, range) : Value{r, range};
}

Value binary(Writer& w, const Scope& scope, const promela::Expr& e) {
  const Value a = value(w, scope, e.a);
  Value b = value(w, scope, e.b);
  const bool divides = e.op == Op::divide || e.op == Op::modulo;
  const bool fails = divides && b.range.contains(0);
  const bool shifts = e.op == Op::shift_left || e.op == Op::shift_right;
  if (shifts && b.known()) b = known(b.range.lo & 31);
  const bool never = divides && b.is(0);
  const Interval range =
      never ? Interval{0, 0} : ir::apply_binary(mapped(e.op, ir::Op::negate), a.range, b.range);
  if (range.single() && !fails) return {kNone, range};
  const u32 left = in_register(w, a);
  u32 right = in_register(w, b);
  if (shifts && !b.range.inside(0, 31)) {
    const u32 count = w.code.temporary();
    const u32 mask = constant(w, 31);
    w.code.emit({.op = BodyOp::bit_and, .r = count, .a = right, .b = mask});
    right = count;
  }
  const u32 r = w.code.temporary();
  w.log.safe(divides && !fails);
  w.code.emit({.op = mapped(e.op, BodyOp::negate),
               .note = fails ? note(w, e.place) : u16{0},
               .r = r,
               .a = left,
               .b = right});
  return wraps(e.op) ? cut_to_int(w, r, range) : Value{r, range};
}

Value truth(Writer& w, const Scope& scope, ExprId id) {
  const u32 r = constant(w, 0);
  Label no;
  branch(w, scope, id, no, false);
  set(w, r, 1);
  w.code.bind(no);
  return {r, ir::kTruth};
}

Value conditional(Writer& w, const Scope& scope, const promela::Expr& e) {
  const u32 r = w.code.temporary();
  const u32 top = w.code.top();
  Label other;
  Label end;
  branch(w, scope, e.a, other, false);
  const Value yes = value(w, scope, e.b);
  w.code.emit({.op = BodyOp::move, .r = r, .a = in_register(w, yes)});
  w.code.jump(BodyOp::jump, 0, end);
  w.code.bind(other);
  const Value no = value(w, scope, e.c);
  w.code.emit({.op = BodyOp::move, .r = r, .a = in_register(w, no)});
  w.code.bind(end);
  w.code.give_back(top);
  return {r, ir::join(yes.range, no.range)};
}

void branch_on(Writer& w, const Value& v, Label& to, bool when) {
  if (v.range.single() || !v.range.contains(0)) {
    if ((v.range.single() && v.range.lo == 0) != when) w.code.jump(BodyOp::jump, 0, to);
    return;
  }
  w.code.jump(when ? BodyOp::jump_not_zero : BodyOp::jump_zero, v.reg, to);
}

}  // namespace

Value value(Writer& w, const Scope& scope, ExprId id) {
  const promela::Expr& e = w.s.expressions[id];
  switch (e.op) {
    case Op::literal:
      return known(e.value);
    case Op::load:
      return read(w, scope, e.a);
    case Op::negate:
    case Op::bit_not:
    case Op::logical_not:
      return unary(w, scope, e);
    case Op::logical_and:
    case Op::logical_or:
      return truth(w, scope, id);
    case Op::conditional:
      return conditional(w, scope, e);
    case Op::run:
      return run_process(w, scope, e);
    case Op::length:
    case Op::is_empty:
    case Op::is_not_empty:
    case Op::is_full:
    case Op::is_not_full:
      return queue_value(w, scope, e);
    case Op::poll:
      return poll(w, scope, e);
    case Op::timeout:
      if (scope.timeout != kNone) w.log.timeout();
      return scope.timeout == kNone ? known(0) : Value{scope.timeout, ir::kTruth};
    case Op::own_pid:
      return known(scope.slot == kNone ? 0 : scope.slot);
    case Op::process_count:
      return process_count(w, scope);
    case Op::last_pid:
      return load_leaf(w, w.slots.last_pid());
    case Op::own_priority:
      return load_leaf(w, w.slots.slot(scope.slot).priority);
    case Op::no_progress:
      return scope.slot == promela::kClaim ? claim_no_progress(w) : no_progress(w);
    case Op::enabled:
      return enabled(w, scope, e);
    case Op::priority_of:
      return priority_of(w, scope, e);
    case Op::at_label:
      return at_label(w, scope, e);
    default:
      return binary(w, scope, e);
  }
}

void branch(Writer& w, const Scope& scope, ExprId id, Label& to, bool when) {
  const promela::Expr& e = w.s.expressions[id];
  if (e.op == Op::logical_not) return branch(w, scope, e.a, to, !when);
  if (e.op == Op::logical_and || e.op == Op::logical_or) {
    // a || b is decided by a alone where that is true, a && b where it is false.
    const bool decides = e.op == Op::logical_or;
    if (when == decides) {
      branch(w, scope, e.a, to, decides);
      return branch(w, scope, e.b, to, when);
    }
    Label past;
    branch(w, scope, e.a, past, decides);
    branch(w, scope, e.b, to, when);
    w.code.bind(past);
    return;
  }
  const u32 top = w.code.top();
  branch_on(w, value(w, scope, id), to, when);
  w.code.give_back(top);
}

}  // namespace xmc::promela_lower
