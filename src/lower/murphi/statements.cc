#include "lower/murphi/statements.h"

#include "lower/murphi/expr/expr.h"
#include "lower/murphi/expr/loops.h"
#include "lower/murphi/expr/memory.h"
#include "lower/murphi/expr/place.h"
#include "lower/murphi/multisets.h"
#include "xmc/check.h"

namespace xmc::murphi_lower {

namespace {

// rumur has no limit; a body that does not end would hold up everything else.
constexpr u32 kLongLoopTurns = 1000 * limits::kLoopTurns;

void if_chain(Code& code, const Scope& scope, const murphi::Stmt& s) {
  Label end;
  for (StmtId id = s.b; id != kNone; id = scope.system().statements[id].next) {
    const murphi::Stmt& clause = scope.system().statements[id];
    Label next;
    if (clause.a != kNone) branch(code, scope, clause.a, next, false);
    statements(code, scope, clause.b);
    if (clause.next != kNone) code.jump(BodyOp::jump, 0, end);
    code.bind(next);
  }
  code.bind(end);
}

// To `body` where the selector is one of a clause's labels.
void jump_if_labelled(Code& code, const Scope& scope, const murphi::Stmt& clause, u32 selector,
                      bool symbolic, Label& body) {
  for (u32 i = 0; i < clause.c; ++i) {
    const u32 top = code.top();
    const u32 label = value(code, scope, scope.system().labels[clause.a + i], symbolic);
    const u32 same = code.temporary();
    code.emit({.op = BodyOp::equal, .r = same, .a = selector, .b = label});
    code.jump(BodyOp::jump_not_zero, same, body);
    code.give_back(top);
  }
}

void switch_on(Code& code, const Scope& scope, const murphi::Stmt& s) {
  const bool symbolic = scope.layout.is_symbolic(scope.type_of(s.a));
  u32 selector = value(code, scope, s.a, symbolic);
  if (!code.is_temporary(selector)) {
    const u32 kept = code.temporary();
    code.move(kept, selector);
    selector = kept;
  }
  Label end;
  for (StmtId id = s.b; id != kNone; id = scope.system().statements[id].next) {
    const murphi::Stmt& clause = scope.system().statements[id];
    Label body;
    Label next;
    jump_if_labelled(code, scope, clause, selector, symbolic, body);
    if (clause.c != 0) code.jump(BodyOp::jump, 0, next);
    code.bind(body);
    statements(code, scope, clause.b);
    if (clause.next != kNone) code.jump(BodyOp::jump, 0, end);
    code.bind(next);
  }
  code.bind(end);
}

void while_loop(Code& code, const Scope& scope, const murphi::Stmt& s) {
  const u32 turns = code.constant(0);
  const u32 head = code.here();
  Label end;
  branch(code, scope, s.a, end, false);
  code.emit({.op = BodyOp::repeat,
             .note = code.note(scope.expr(s.a).place),
             .r = turns,
             .a = scope.layout.rumur() ? kLongLoopTurns : limits::kLoopTurns});
  statements(code, scope, s.b);
  code.jump_back(head);
  code.bind(end);
}

void require(Code& code, const Scope& scope, const murphi::Stmt& s) {
  Label fine;
  branch(code, scope, s.a, fine, true);
  if (s.op == StmtOp::assume) {
    code.emit({.op = BodyOp::abandon});
  } else {
    code.fail(ir::Failure::assertion, scope.expr(s.a).place, s.text);
  }
  code.bind(fine);
}

void cover(Code& code, const Scope& scope, const murphi::Stmt& s) {
  Label not_here;
  branch(code, scope, s.a, not_here, false);
  code.emit({.op = BodyOp::cover, .a = code.add_cover(s.text, scope.expr(s.a).place, kNone)});
  code.bind(not_here);
}

void give_back(Code& code, const Scope& scope, const murphi::Stmt& s) {
  if (scope.routine == kNone) return code.jump(BodyOp::jump, 0, *scope.end);
  if (s.a != kNone) {
    const Place result{.local = true,
                       .base = scope.layout.frames[scope.routine].result,
                       .type = scope.system().routines[scope.routine].result};
    assign(code, scope, result, s.a, s.place);
  }
  code.emit({.op = BodyOp::leave});
}

void statement(Code& code, const Scope& scope, const murphi::Stmt& s) {
  switch (s.op) {
    case StmtOp::assign:
      return assign(code, scope, place(code, scope, s.a), s.b, s.place);
    case StmtOp::undefine:
      return undefine(code, scope, place(code, scope, s.a));
    case StmtOp::clear:
      return clear(code, scope, place(code, scope, s.a));
    case StmtOp::if_chain:
      return if_chain(code, scope, s);
    case StmtOp::switch_on:
      return switch_on(code, scope, s);
    case StmtOp::for_loop: {
      Loop loop = open_loop(code, scope, s.a);
      statements(code, scope, s.b);
      return close_loop(code, loop);
    }
    case StmtOp::while_loop:
      return while_loop(code, scope, s);
    case StmtOp::alias: {
      const Alias alias = bind_alias(code, scope, s.a);
      return statements(code, scope.inside(alias), s.b);
    }
    case StmtOp::call:
      static_cast<void>(call(code, scope, s.a));
      return;
    case StmtOp::fail:
      return code.fail(ir::Failure::error, s.place, s.text);
    case StmtOp::check:
    case StmtOp::assume:
      return require(code, scope, s);
    case StmtOp::cover:
      return cover(code, scope, s);
    case StmtOp::put:
      return;
    case StmtOp::give_back:
      return give_back(code, scope, s);
    case StmtOp::add:
      return add_element(code, scope, s);
    case StmtOp::remove:
      return remove_element(code, scope, s);
    case StmtOp::remove_if:
      return remove_matching(code, scope, s);
    case StmtOp::clause:
      break;
  }
  check_failed("a statement", __FILE__, __LINE__);
}

}  // namespace

void statements(Code& code, const Scope& scope, StmtId first) {
  for (StmtId id = first; id != kNone; id = scope.system().statements[id].next) {
    const u32 top = code.top();
    statement(code, scope, scope.system().statements[id]);
    code.give_back(top);
  }
}

}  // namespace xmc::murphi_lower
