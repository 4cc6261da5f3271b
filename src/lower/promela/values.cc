// Expressions: 32-bit values in registers of 64 bits. What is known is not computed, and what
// cannot wrap is not cut.
#include "lower/promela/facts/cells.h"
#include "lower/promela/lowering.h"
#include "xmc/arith.h"
#include "xmc/check.h"

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

Value Lowering::known(i64 value) const {
  const i32 v = static_cast<i32>(value);
  return {kNone, {v, v}};
}

void Lowering::set(u32 r, i64 value) {
  const u64 bits = static_cast<u64>(value);
  code_.emit({.op = BodyOp::constant,
              .r = r,
              .a = static_cast<u32>(bits),
              .b = static_cast<u32>(bits >> 32)});
}

u32 Lowering::constant(i64 value) {
  const u32 r = code_.temporary();
  set(r, value);
  return r;
}

u32 Lowering::in_register(const Value& v) { return v.reg != kNone ? v.reg : constant(v.range.lo); }

// Whether it starts a process: the successor has to be there before it is evaluated.
bool Lowering::creates(ExprId id) const {
  if (id == kNone) return false;
  const promela::Expr& e = expr(id);
  switch (e.op) {
    case Op::run:
      return true;
    case Op::negate:
    case Op::bit_not:
    case Op::logical_not:
      return creates(e.a);
    case Op::conditional:
      return creates(e.a) || creates(e.b) || creates(e.c);
    default:
      if (e.op < Op::multiply || e.op > Op::logical_or) return false;
      return creates(e.a) || creates(e.b);
  }
}

// A result that may have left 32 bits.
Value Lowering::cut_to_int(u32 reg, Interval range) {
  if (range == ir::kEverything)
    code_.emit({.op = BodyOp::cut, .r = reg, .a = reg, .b = 32, .c = 1});
  return {reg, range};
}

// As it is stored.
Value Lowering::cut(const Leaf& leaf, const Value& v) {
  if (v.known()) return known(cut_number(leaf, v.range.lo));
  const Interval range = promela::range_of(leaf);
  if (v.range.inside(range.lo, range.hi)) return v;
  const u32 r = code_.temporary();
  const bool is_short = leaf.kind == promela::LeafKind::short_int;
  code_.emit({.op = BodyOp::cut,
              .r = r,
              .a = v.reg,
              .b = is_short ? 16u : leaf.width,
              .c = is_short ? 1u : 0u});
  return {r, range};
}

Value Lowering::unary(ExprId id) {
  const promela::Expr& e = expr(id);
  const Value a = value(e.a);
  const Interval range = ir::apply_unary(mapped(e.op, ir::Op::negate), a.range);
  if (range.single()) return {kNone, range};
  const u32 r = code_.temporary();
  code_.emit({.op = mapped(e.op, BodyOp::negate), .note = note(e.place), .r = r, .a = a.reg});
  return wraps(e.op) ? cut_to_int(r, range) : Value{r, range};
}

Value Lowering::binary(ExprId id) {
  const promela::Expr& e = expr(id);
  const Value a = value(e.a);
  Value b = value(e.b);
  const bool divides = e.op == Op::divide || e.op == Op::modulo;
  const bool fails = divides && b.range.contains(0);
  const bool shifts = e.op == Op::shift_left || e.op == Op::shift_right;
  if (shifts && b.known()) b = known(b.range.lo & 31);
  const bool never = divides && b.is(0);
  const Interval range =
      never ? Interval{0, 0} : ir::apply_binary(mapped(e.op, ir::Op::negate), a.range, b.range);
  if (range.single() && !fails) return {kNone, range};
  const u32 left = in_register(a);
  u32 right = in_register(b);
  if (shifts && !b.range.inside(0, 31)) {
    const u32 count = code_.temporary();
    const u32 mask = constant(31);
    code_.emit({.op = BodyOp::bit_and, .r = count, .a = right, .b = mask});
    right = count;
  }
  const u32 r = code_.temporary();
  note_safe(divides && !fails);
  code_.emit({.op = mapped(e.op, BodyOp::negate),
              .note = fails ? note(e.place) : u16{0},
              .r = r,
              .a = left,
              .b = right});
  return wraps(e.op) ? cut_to_int(r, range) : Value{r, range};
}

Value Lowering::truth(ExprId id) {
  const u32 r = constant(0);
  Label no;
  branch(id, no, false);
  set(r, 1);
  code_.bind(no);
  return {r, ir::kTruth};
}

Value Lowering::conditional(ExprId id) {
  const promela::Expr& e = expr(id);
  const u32 r = code_.temporary();
  const u32 top = code_.top();
  Label other;
  Label end;
  branch(e.a, other, false);
  const Value yes = value(e.b);
  code_.emit({.op = BodyOp::move, .r = r, .a = in_register(yes)});
  code_.jump(BodyOp::jump, 0, end);
  code_.bind(other);
  const Value no = value(e.c);
  code_.emit({.op = BodyOp::move, .r = r, .a = in_register(no)});
  code_.bind(end);
  code_.give_back(top);
  return {r, ir::join(yes.range, no.range)};
}

Value Lowering::value(ExprId id) {
  const promela::Expr& e = expr(id);
  switch (e.op) {
    case Op::literal:
      return known(e.value);
    case Op::load:
      return read(e.a);
    case Op::negate:
    case Op::bit_not:
    case Op::logical_not:
      return unary(id);
    case Op::logical_and:
    case Op::logical_or:
      return truth(id);
    case Op::conditional:
      return conditional(id);
    case Op::run:
      return run_process(id);
    case Op::length:
    case Op::is_empty:
    case Op::is_not_empty:
    case Op::is_full:
    case Op::is_not_full:
      return queue_value(id);
    case Op::poll:
      return poll(id);
    case Op::timeout:
      note_timeout();
      return timeout_ == kNone ? known(0) : Value{timeout_, ir::kTruth};
    case Op::own_pid:
      return known(frame_.slot == kNone ? 0 : frame_.slot);
    case Op::process_count:
      return process_count();
    case Op::last_pid:
      return load_leaf(slots_.last_pid());
    case Op::own_priority:
      return load_leaf(slots_.slot(frame_.slot).priority);
    case Op::no_progress:
      return frame_.slot == promela::kClaim ? claim_no_progress() : no_progress();
    case Op::enabled:
      return enabled(id);
    case Op::priority_of:
      return priority_of(id);
    case Op::at_label:
      return at_label(id);
    default:
      return binary(id);
  }
}

void Lowering::branch_on(const Value& v, Label& to, bool when) {
  if (v.range.single() || !v.range.contains(0)) {
    if ((v.range.single() && v.range.lo == 0) != when) code_.jump(BodyOp::jump, 0, to);
    return;
  }
  code_.jump(when ? BodyOp::jump_not_zero : BodyOp::jump_zero, v.reg, to);
}

// Goes to `to` if the condition is `when`.
void Lowering::branch(ExprId id, Label& to, bool when) {
  const promela::Expr& e = expr(id);
  if (e.op == Op::logical_not) return branch(e.a, to, !when);
  if (e.op == Op::logical_and || e.op == Op::logical_or) {
    // a || b is decided by a alone where that is true, a && b where it is false.
    const bool decides = e.op == Op::logical_or;
    if (when == decides) {
      branch(e.a, to, decides);
      return branch(e.b, to, when);
    }
    Label past;
    branch(e.a, past, decides);
    branch(e.b, to, when);
    code_.bind(past);
    return;
  }
  const u32 top = code_.top();
  branch_on(value(id), to, when);
  code_.give_back(top);
}

}  // namespace xmc::promela_lower
