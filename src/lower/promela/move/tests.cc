#include "lower/promela/move/tests.h"

#include <algorithm>

#include "lower/promela/expr/processes.h"
#include "lower/promela/expr/references.h"
#include "lower/promela/move/moves.h"

namespace xmc::promela_lower {

namespace {

// Registers of a test.
constexpr u32 kTestResultCell = 0;
constexpr u32 kTestTimeoutCell = 1;
constexpr u32 kTestDoneCell = 2;
constexpr u32 kTestEscapeCell = 3;
constexpr u32 kTestCells = 4;

void lower_test(Writer& w, u32 q) {
  w.code.begin_body(kTestCells);
  set(w, kTestResultCell, 0);
  Label end;
  Label yes;
  const Step step{.scope = {.timeout = kTestTimeoutCell},
                  .done = kTestDoneCell,
                  .escape = kTestEscapeCell,
                  .yes = &yes};
  lower_options(w, step, q, end);
  w.code.bind(yes);
  set(w, kTestResultCell, 1);
  w.code.bind(end);
  w.code.emit({.op = BodyOp::leave});
}

}  // namespace

void yield_to_higher(Writer& w, u32 q, u32 timeout, Label& no) {
  const u32 top = w.code.top();
  const u32 own = in_register(w, load_leaf(w, w.slots.slot(q).priority));
  for (u32 other = 0; other < w.slots.count(); ++other) {
    if (other == q) continue;
    Label next;
    Label higher;
    const u32 inner = w.code.top();
    const u32 there = in_register(w, load_leaf(w, w.slots.slot(other).place));
    w.code.jump(BodyOp::jump_zero, there, next);
    const u32 priority = in_register(w, load_leaf(w, w.slots.slot(other).priority));
    w.code.jump(BodyOp::jump_greater, priority, higher, own);
    w.code.jump(BodyOp::jump, 0, next);
    w.code.bind(higher);
    w.code.jump(BodyOp::jump_not_zero, test(w, other, timeout), no);
    w.code.bind(next);
    w.code.give_back(inner);
  }
  w.code.give_back(top);
}

void lower_tests(Writer& w, std::span<ir::Routine> routines) {
  Writer of_tests = w;
  of_tests.log = {};  // their code is of no step
  for (bool again = true; again;) {
    again = false;
    for (u32 q = 0; q < w.slots.count(); ++q) {
      if (w.tests.asked[q] == w.tests.made[q]) continue;
      w.tests.made[q] = 1;
      again = true;
      routines[q].code = w.code.here();
      lower_test(of_tests, q);
      routines[q].cells = w.code.cells();
      w.totals.test_cells = std::max(w.totals.test_cells, w.code.cells());
    }
  }
}

}  // namespace xmc::promela_lower
