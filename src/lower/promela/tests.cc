// Whether a process can move: the moves of its slot once more, as a routine that ends where the
// first of them begins a successor. For enabled(), priorities, and `timeout` in a claim.
#include <algorithm>

#include "lower/promela/lowering.h"

namespace xmc::promela_lower {

// A register with the result. It is asked with `timeout` as it is here.
u32 Lowering::test(u32 q) {
  is_tested_[q] = 1;
  const u32 out = code_.temporary(2);
  if (timeout_ == kNone) {
    set(out + 1, 0);
  } else {
    code_.emit({.op = BodyOp::move, .r = out + 1, .a = timeout_});
  }
  code_.emit({.op = BodyOp::call, .a = q, .b = out});
  return out;
}

// Of itself a process cannot ask.
Value Lowering::enabled(ExprId id) {
  const promela::Expr& e = expr(id);
  const Value number = value(e.a);
  const u32 out = constant(0);
  Label end;
  for (u32 q = 0; q < slots_.count(); ++q) {
    if (!number.range.contains(static_cast<i32>(q))) continue;
    Label next;
    const u32 top = code_.top();
    const u32 is = constant(q);
    code_.emit({.op = BodyOp::equal, .r = is, .a = in_register(number), .b = is});
    code_.jump(BodyOp::jump_zero, is, next);
    if (q == frame_.slot) {
      fail(ir::Failure::error, e.place);
    } else {
      const u32 kept = timeout_;
      timeout_ = kNone;
      code_.emit({.op = BodyOp::move, .r = out, .a = test(q)});
      timeout_ = kept;
    }
    code_.jump(BodyOp::jump, 0, end);
    code_.bind(next);
    code_.give_back(top);
  }
  code_.bind(end);
  return {out, ir::kTruth};
}

// To `no` if a process of a higher priority can move.
void Lowering::yield_to_higher(u32 q, Label& no) {
  const u32 top = code_.top();
  const u32 own = in_register(load_leaf(slots_.slot(q).priority));
  for (u32 other = 0; other < slots_.count(); ++other) {
    if (other == q) continue;
    Label next;
    Label higher;
    const u32 inner = code_.top();
    const u32 there = in_register(load_leaf(slots_.slot(other).place));
    code_.jump(BodyOp::jump_zero, there, next);
    const u32 priority = in_register(load_leaf(slots_.slot(other).priority));
    code_.jump(BodyOp::jump_greater, priority, higher, own);
    code_.jump(BodyOp::jump, 0, next);
    code_.bind(higher);
    code_.jump(BodyOp::jump_not_zero, test(other), no);
    code_.bind(next);
    code_.give_back(inner);
  }
  code_.give_back(top);
}

// In a claim: no process can move as long as `timeout` is false.
u32 Lowering::claim_timeout() {
  if (!uses_timeout_) return kNone;
  timeout_ = kNone;
  const u32 out = constant(0);
  Label end;
  for (u32 q = 0; q < slots_.count(); ++q) {
    const u32 top = code_.top();
    code_.jump(BodyOp::jump_not_zero, test(q), end);
    code_.give_back(top);
  }
  set(out, 1);
  code_.bind(end);
  return out;
}

// In a claim, as SPIN has it: where no process can move, np_ is false, so that what stands still
// makes no cycle without progress.
Value Lowering::claim_no_progress() {
  const Value out = no_progress();
  Label end;
  code_.jump(BodyOp::jump_zero, out.reg, end);
  const u32 kept = timeout_;
  const u32 top = code_.top();
  const u32 late = uses_timeout_ ? constant(1) : kNone;
  for (u32 q = 0; q < slots_.count(); ++q) {
    for (const u32 timeout : {kNone, late}) {
      const u32 inner = code_.top();
      timeout_ = timeout;
      code_.jump(BodyOp::jump_not_zero, test(q), end);
      code_.give_back(inner);
      if (late == kNone) break;
    }
  }
  timeout_ = kept;
  code_.give_back(top);
  set(out.reg, 0);
  code_.bind(end);
  return out;
}

// Those that are asked, until none of them asks for another one.
void Lowering::lower_tests() {
  for (bool again = true; again;) {
    again = false;
    for (u32 q = 0; q < slots_.count(); ++q) {
      if (is_tested_[q] == has_test_[q]) continue;
      has_test_[q] = 1;
      again = true;
      p_.routines[q].code = code_.here();
      lower_test(q);
      p_.routines[q].cells = code_.cells();
      test_cells_ = std::max(test_cells_, code_.cells());
    }
  }
}

void Lowering::lower_test(u32 q) {
  code_.begin_body(kTestCells);
  asks_ = true;
  timeout_ = kTestTimeoutCell;
  done_ = kTestDoneCell;
  escape_ = kTestEscapeCell;
  set(kTestResultCell, 0);
  Label end;
  Label yes;
  yes_ = &yes;
  lower_options(q, end);
  code_.bind(yes);
  set(kTestResultCell, 1);
  code_.bind(end);
  code_.emit({.op = BodyOp::leave});
  asks_ = false;
}

}  // namespace xmc::promela_lower
