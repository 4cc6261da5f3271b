// Expressions: each leaves its value in a register. What may be undefined is checked where the
// language says that undefined is an error, and nowhere else.
#include "lower/murphi/lowering.h"
#include "xmc/check.h"

namespace xmc::murphi_lower {

namespace {

BodyOp body_op(Op op) {
  switch (op) {
    case Op::negate:
      return BodyOp::negate;
    case Op::bit_not:
      return BodyOp::bit_not;
    case Op::logical_not:
      return BodyOp::logical_not;
    default:
      XMC_CHECK(op >= Op::multiply && op <= Op::bit_or);
      // Both lists have the same order here.
      return static_cast<BodyOp>(static_cast<u32>(BodyOp::multiply) + static_cast<u32>(op) -
                                 static_cast<u32>(Op::multiply));
  }
}

static_assert(static_cast<u32>(Op::bit_or) - static_cast<u32>(Op::multiply) ==
              static_cast<u32>(BodyOp::bit_or) - static_cast<u32>(BodyOp::multiply));
static_assert(static_cast<u32>(Op::equal) - static_cast<u32>(Op::multiply) ==
              static_cast<u32>(BodyOp::equal) - static_cast<u32>(BodyOp::multiply));

}  // namespace

// Whether evaluating it can change what a register of the body holds.
bool Lowering::calls(ExprId id) const {
  const murphi::Expr& e = expr(id);
  switch (e.op) {
    case Op::literal:
    case Op::undefined:
    case Op::variable:
      return false;
    case Op::call:
      return true;
    case Op::forall:
    case Op::exists:
    case Op::count:
      return calls(e.b);
    case Op::field:
    case Op::to_union:
    case Op::from_union:
    case Op::negate:
    case Op::bit_not:
    case Op::logical_not:
    case Op::is_undefined:
    case Op::is_member:
      return calls(e.a);
    case Op::conditional:
      return calls(e.a) || calls(e.b) || calls(e.c);
    default:
      return calls(e.a) || calls(e.b);
  }
}

// Of a simple designator.
bool Lowering::may_be_undefined(ExprId id) const {
  const murphi::Expr& e = expr(id);
  if (e.op != Op::variable) return true;
  const Role role = variable(e.a).role;
  return role != Role::loop && role != Role::parameter && role != Role::choice;
}

u32 Lowering::designated(ExprId id, bool maybe_undefined) {
  const u32 r = load(place(id));
  if (!maybe_undefined && may_be_undefined(id)) {
    code_.emit({.op = BodyOp::defined, .note = code_.note(expr(id).place), .r = r});
  }
  return r;
}

u32 Lowering::value(ExprId id, bool maybe_undefined) {
  const murphi::Expr& e = expr(id);
  switch (e.op) {
    case Op::literal:
      return constant(e.value);
    case Op::undefined:
      return constant(ir::kUndefined);
    case Op::variable:
    case Op::field:
    case Op::element:
      return designated(id, maybe_undefined);
    case Op::call: {
      const u32 r = call(id);
      if (!maybe_undefined || !is_symbolic(type_of(id))) {
        code_.emit({.op = BodyOp::defined, .note = code_.note(e.place), .r = r});
      }
      return r;
    }
    case Op::to_union:
    case Op::from_union:
      return converted(id, maybe_undefined);
    case Op::negate:
    case Op::bit_not: {
      const u32 a = value(e.a);
      const u32 r = code_.temporary();
      code_.emit({.op = body_op(e.op), .note = code_.note(e.place), .r = r, .a = a});
      return r;
    }
    case Op::logical_not:
    case Op::logical_and:
    case Op::logical_or:
    case Op::imply:
      return truth(id);
    case Op::conditional:
      return chosen(id);
    case Op::forall:
    case Op::exists:
      return quantified(id);
    case Op::is_undefined: {
      const u32 a = value(e.a, true);
      const u32 r = code_.temporary();
      code_.emit({.op = BodyOp::is_undefined, .r = r, .a = a});
      return r;
    }
    case Op::is_member:
      return member(id);
    case Op::count:
      return count(id);
    default:
      return binary(id);
  }
}

u32 Lowering::binary(ExprId id) {
  const murphi::Expr& e = expr(id);
  const bool comparison = e.op == Op::equal || e.op == Op::not_equal;
  if (is_compound(type_of(e.a))) return compare_compounds(id);
  const bool symbolic = comparison && is_symbolic(type_of(e.a));
  u32 a = value(e.a, symbolic);
  if (!code_.is_temporary(a) && calls(e.b)) {
    const u32 kept = code_.temporary();
    code_.emit({.op = BodyOp::move, .r = kept, .a = a});
    a = kept;
  }
  const u32 b = value(e.b, symbolic);
  const u32 r = code_.temporary();
  const bool can_fail = e.op < Op::less || e.op > Op::not_equal;
  const u16 note = can_fail ? code_.note(e.place) : u16{0};
  code_.emit({.op = body_op(e.op), .note = note, .r = r, .a = a, .b = b});
  return r;
}

// Leaf by leaf, until two differ. An undefined one is an error, as it is between simple values.
u32 Lowering::compare_compounds(ExprId id) {
  const murphi::Expr& e = expr(id);
  const u32 r = code_.temporary();
  const u32 a = code_.temporary();
  const u32 b = code_.temporary();
  code_.emit({.op = BodyOp::move, .r = a, .a = address_of(place(e.a))});
  code_.emit({.op = BodyOp::move, .r = b, .a = address_of(place(e.b))});
  const u32 done = constant(0);
  Label same;
  Label end;
  set(r, e.op == Op::equal ? 0 : 1);
  const u32 head = code_.here();
  code_.jump(BodyOp::jump_above, done, same, type_of(e.a).leaves - 1);
  const u32 left = code_.temporary();
  const u32 right = code_.temporary();
  code_.emit({.op = BodyOp::load_at, .r = left, .b = a});
  code_.emit({.op = BodyOp::load_at, .r = right, .b = b});
  code_.emit({.op = BodyOp::defined, .note = code_.note(expr(e.a).place), .r = left});
  code_.emit({.op = BodyOp::defined, .note = code_.note(expr(e.b).place), .r = right});
  code_.emit({.op = BodyOp::equal, .r = left, .a = left, .b = right});
  code_.jump(BodyOp::jump_zero, left, end);
  for (const u32 moved : {a, b, done}) {
    code_.emit({.op = BodyOp::offset, .r = moved, .a = moved, .b = 1});
  }
  code_.jump_back(head);
  code_.bind(same);
  set(r, e.op == Op::equal ? 1 : 0);
  code_.bind(end);
  return r;
}

u32 Lowering::first_value(TypeId of_union, TypeId part) const {
  const murphi::Type& t = type(of_union);
  for (u32 i = 0; i < t.count; ++i) {
    if (s_.parts[t.first + i].type == part) return s_.parts[t.first + i].first_value;
  }
  return 0;
}

u32 Lowering::converted(ExprId id, bool maybe_undefined) {
  const murphi::Expr& e = expr(id);
  const u32 a = value(e.a, maybe_undefined);
  const u32 r = code_.temporary();
  if (e.op == Op::to_union) {
    const u32 first = first_value(e.type, expr(e.a).type);
    code_.emit({.op = BodyOp::widen, .r = r, .a = a, .b = first});
  } else {
    const murphi::Type& part = type(e.type);
    code_.emit({.op = BodyOp::narrow,
                .note = code_.note(e.place),
                .r = r,
                .a = a,
                .b = first_value(expr(e.a).type, e.type),
                .c = static_cast<u32>(part.high - part.low + 1)});
  }
  return r;
}

u32 Lowering::member(ExprId id) {
  const murphi::Expr& e = expr(id);
  const murphi::Type& part = type(e.b);
  const u32 first = type_of(e.a).kind == TypeKind::union_of ? first_value(expr(e.a).type, e.b) : 0;
  const u32 a = value(e.a, true);
  const u32 r = code_.temporary();
  code_.emit({.op = BodyOp::member,
              .r = r,
              .a = a,
              .b = first,
              .c = first + static_cast<u32>(part.high - part.low)});
  return r;
}

u32 Lowering::truth(ExprId id) {
  const u32 r = constant(0);
  Label no;
  branch(id, no, false);
  set(r, 1);
  code_.bind(no);
  return r;
}

u32 Lowering::chosen(ExprId id) {
  const murphi::Expr& e = expr(id);
  if (is_compound(type(e.type))) {
    refuse(e.place, "a conditional between records or arrays");
    return constant(0);
  }
  const u32 r = code_.temporary();
  Label other;
  Label end;
  branch(e.a, other, false);
  code_.emit({.op = BodyOp::move, .r = r, .a = value(e.b)});
  code_.jump(BodyOp::jump, 0, end);
  code_.bind(other);
  code_.emit({.op = BodyOp::move, .r = r, .a = value(e.c)});
  code_.bind(end);
  return r;
}

u32 Lowering::quantified(ExprId id) {
  const murphi::Expr& e = expr(id);
  const bool all = e.op == Op::forall;
  const u32 r = constant(all ? 0 : 1);
  Label decided;
  Loop loop;
  open_loop(e.a, loop);
  branch(e.b, decided, !all);
  close_loop(loop);
  set(r, all ? 1 : 0);
  code_.bind(decided);
  return r;
}

u32 Lowering::count(ExprId id) {
  const murphi::Expr& e = expr(id);
  const u32 r = constant(0);
  SlotLoop loop;
  open_slots(e.a, loop);
  branch(e.b, loop.next, false);
  code_.emit({.op = BodyOp::offset, .r = r, .a = r, .b = 1});
  close_slots(loop);
  return r;
}

// Goes to `to` if the condition is `when`.
void Lowering::branch(ExprId id, Label& to, bool when) {
  const murphi::Expr& e = expr(id);
  switch (e.op) {
    case Op::literal:
      if ((e.value != 0) == when) code_.jump(BodyOp::jump, 0, to);
      return;
    case Op::logical_not:
      return branch(e.a, to, !when);
    case Op::logical_and:
    case Op::logical_or:
    case Op::imply: {
      // a | b and a -> b are decided by a alone where it is true or false; so is a & b.
      const bool decides = e.op == Op::logical_or;
      const bool result = e.op != Op::logical_and;
      if (when == result) {
        branch(e.a, to, decides);
        return branch(e.b, to, when);
      }
      Label past;
      branch(e.a, past, decides);
      branch(e.b, to, when);
      code_.bind(past);
      return;
    }
    default: {
      const u32 top = code_.top();
      const u32 r = value(id);
      code_.jump(when ? BodyOp::jump_not_zero : BodyOp::jump_zero, r, to);
      code_.give_back(top);
    }
  }
}

// Of what is about to be stored as a value of type `to`; undefined is no matter here.
void Lowering::check_range(u32 r, ExprId from, TypeId to, Span where) {
  const murphi::Type& t = type(to);
  const murphi::Expr& e = expr(from);
  const murphi::Type& has = type(e.type);
  if (t.kind != TypeKind::range) return;
  if (e.op == Op::literal && e.value >= t.low && e.value <= t.high) return;
  if (has.kind == TypeKind::range && has.low >= t.low && has.high <= t.high) return;
  code_.emit({.op = BodyOp::in_range,
              .note = code_.note(where),
              .r = r,
              .a = static_cast<u32>(static_cast<i32>(t.low)),
              .b = static_cast<u32>(static_cast<i32>(t.high))});
}

}  // namespace xmc::murphi_lower
