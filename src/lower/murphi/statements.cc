#include "lower/murphi/lowering.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::murphi_lower {

namespace {

// rumur has no limit; a body that does not end would hold up everything else.
constexpr u32 kLongLoopTurns = 1000 * limits::kLoopTurns;

}  // namespace

void Lowering::statements(StmtId first) {
  for (StmtId id = first; id != kNone; id = s_.statements[id].next) {
    const u32 top = code_.top();
    statement(s_.statements[id]);
    code_.give_back(top);
  }
}

void Lowering::statement(const murphi::Stmt& s) {
  switch (s.op) {
    case StmtOp::assign:
      return assign(place(s.a), s.b, s.place);
    case StmtOp::undefine:
      return undefine(place(s.a));
    case StmtOp::clear:
      return clear(place(s.a));
    case StmtOp::if_chain:
      return if_chain(s);
    case StmtOp::switch_on:
      return switch_on(s);
    case StmtOp::for_loop: {
      Loop loop;
      open_loop(s.a, loop);
      statements(s.b);
      return close_loop(loop);
    }
    case StmtOp::while_loop:
      return while_loop(s);
    case StmtOp::alias:
      bind_alias(s.a);
      return statements(s.b);
    case StmtOp::call:
      static_cast<void>(call(s.a));
      return;
    case StmtOp::fail:
      code_.emit({.op = BodyOp::fail,
                  .reason = static_cast<u8>(ir::Failure::error),
                  .note = code_.note(s.place, s.text)});
      return;
    case StmtOp::check:
    case StmtOp::assume:
      return require(s);
    case StmtOp::cover: {
      Label not_here;
      branch(s.a, not_here, false);
      code_.emit({.op = BodyOp::cover, .a = add_cover(s.text, expr(s.a).place, kNone)});
      code_.bind(not_here);
      return;
    }
    case StmtOp::put:
      return;
    case StmtOp::give_back:
      return give_back(s);
    case StmtOp::add:
      return add_element(s);
    case StmtOp::remove:
      return remove_element(s);
    case StmtOp::remove_if:
      return remove_matching(s);
    case StmtOp::clause:
      break;
  }
  check_failed("a statement", __FILE__, __LINE__);
}

// A designator that is undefined makes its target undefined; any other expression fails, and so
// does a designator in rumur's dialect.
void Lowering::assign(const Place& to, ExprId from, Span where) {
  const murphi::Expr& e = expr(from);
  if (e.op == Op::undefined) return undefine(to);
  if (is_compound(type(to.type))) {
    const Place source = place(from);
    return copy(to, source, type(to.type).leaves, where);
  }
  const u32 r = value(from, !rumur());
  check_range(r, from, to.type, where);
  store(to, r, where);
}

void Lowering::if_chain(const murphi::Stmt& s) {
  Label end;
  for (StmtId id = s.b; id != kNone; id = s_.statements[id].next) {
    const murphi::Stmt& clause = s_.statements[id];
    Label next;
    if (clause.a != kNone) branch(clause.a, next, false);
    statements(clause.b);
    if (clause.next != kNone) code_.jump(BodyOp::jump, 0, end);
    code_.bind(next);
  }
  code_.bind(end);
}

void Lowering::switch_on(const murphi::Stmt& s) {
  u32 selector = value(s.a, is_symbolic(type_of(s.a)));
  if (!code_.is_temporary(selector)) {
    const u32 kept = code_.temporary();
    code_.emit({.op = BodyOp::move, .r = kept, .a = selector});
    selector = kept;
  }
  const bool symbolic = is_symbolic(type_of(s.a));
  Label end;
  for (StmtId id = s.b; id != kNone; id = s_.statements[id].next) {
    const murphi::Stmt& clause = s_.statements[id];
    Label body;
    Label next;
    for (u32 i = 0; i < clause.c; ++i) {
      const u32 top = code_.top();
      const u32 label = value(s_.labels[clause.a + i], symbolic);
      const u32 same = code_.temporary();
      code_.emit({.op = BodyOp::equal, .r = same, .a = selector, .b = label});
      code_.jump(BodyOp::jump_not_zero, same, body);
      code_.give_back(top);
    }
    if (clause.c != 0) code_.jump(BodyOp::jump, 0, next);
    code_.bind(body);
    statements(clause.b);
    if (clause.next != kNone) code_.jump(BodyOp::jump, 0, end);
    code_.bind(next);
  }
  code_.bind(end);
}

void Lowering::while_loop(const murphi::Stmt& s) {
  const u32 turns = constant(0);
  const u32 head = code_.here();
  Label end;
  branch(s.a, end, false);
  code_.emit({.op = BodyOp::repeat,
              .note = code_.note(expr(s.a).place),
              .r = turns,
              .a = rumur() ? kLongLoopTurns : limits::kLoopTurns});
  statements(s.b);
  code_.jump_back(head);
  code_.bind(end);
}

void Lowering::require(const murphi::Stmt& s) {
  Label fine;
  branch(s.a, fine, true);
  if (s.op == StmtOp::assume) {
    code_.emit({.op = BodyOp::abandon});
  } else {
    code_.emit({.op = BodyOp::fail,
                .reason = static_cast<u8>(ir::Failure::assertion),
                .note = code_.note(expr(s.a).place, s.text)});
  }
  code_.bind(fine);
}

void Lowering::give_back(const murphi::Stmt& s) {
  if (routine_ == kNone) {
    code_.jump(BodyOp::jump, 0, end_);
    return;
  }
  const murphi::Routine& r = s_.routines[routine_];
  if (s.a != kNone) {
    assign({.local = true, .base = frames_[routine_].result, .type = r.result}, s.a, s.place);
  }
  code_.emit({.op = BodyOp::leave});
}

// Indices of a place are evaluated here, once; a value is, too.
void Lowering::bind_alias(VariableId id) {
  const murphi::Variable& v = variable(id);
  if (is_place(v.value)) {
    aliases_[id] = place(v.value);
    return;
  }
  assign({.local = true, .base = cell_of(id), .type = v.type}, v.value, v.place);
}

// Into the first free slot. The body ends with sorting, so that it does not matter which.
void Lowering::add_element(const murphi::Stmt& s) {
  const Place multiset = place(s.b);
  const murphi::Type& t = type(multiset.type);
  const u32 stride = type(t.element).leaves + 1;
  const u32 at = code_.temporary();
  code_.emit({.op = BodyOp::move, .r = at, .a = address_of(multiset)});
  const u32 tried = constant(0);
  const Place slot{.reg = at, .type = t.element};
  Label found;
  const u32 head = code_.here();
  jump_if_free(slot, found);
  code_.emit({.op = BodyOp::offset, .r = at, .a = at, .b = stride});
  code_.emit({.op = BodyOp::offset, .r = tried, .a = tried, .b = 1});
  Label full;
  code_.jump(BodyOp::jump_above, tried, full, t.count - 1);
  code_.jump_back(head);
  code_.bind(full);
  code_.emit({.op = BodyOp::fail,
              .reason = static_cast<u8>(ir::Failure::full),
              .note = code_.note(expr(s.b).place)});
  code_.bind(found);
  assign(slot, s.a, s.place);
  code_.emit({.op = BodyOp::store_at,
              .note = code_.note(s.place),
              .r = constant(1),
              .a = stride - 1,
              .b = at});
}

void Lowering::remove_element(const murphi::Stmt& s) {
  const Place slot = slot_of(place(s.b), value(s.a), s.place);
  Label absent;
  Label end;
  jump_if_free(slot, absent);
  fill(slot, 0, type(slot.type).leaves + 1, constant(ir::kUndefined));
  code_.jump(BodyOp::jump, 0, end);
  code_.bind(absent);
  code_.emit({.op = BodyOp::fail,
              .reason = static_cast<u8>(ir::Failure::absent),
              .note = code_.note(s.place)});
  code_.bind(end);
}

void Lowering::remove_matching(const murphi::Stmt& s) {
  SlotLoop loop;
  open_slots(s.a, loop);
  branch(s.b, loop.next, false);
  const murphi::Variable& v = variable(s.a);
  const Place slot = slot_of(place(v.value), loop.cell, v.place);
  fill(slot, 0, type(slot.type).leaves + 1, constant(ir::kUndefined));
  close_slots(loop);
}

}  // namespace xmc::murphi_lower
