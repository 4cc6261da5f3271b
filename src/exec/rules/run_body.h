// The machine for bodies (ir/body.h), on packed states.
#pragma once

#include "ir/ir.h"
#include "xmc/step_work.h"

namespace xmc {

// `yielded` is no end: the body goes on behind the action whose number is the value.
// `unfinished`: it was to end (StepWork); the value is the number of the action that it was at.
enum class BodyEnd : u8 { disabled, guarded, done, value, failed, abandoned, yielded, unfinished };

// What a generator says on the way to its next successor.
struct BodyEvents {
  u32 attempt = kNone;  // the action that was the last attempt
  u32 blame = kNone;    // the first action that blamed the step
  u32 blames = 0;       // how many of them
};

struct BodyRun {
  const ir::RuleProgram* program = nullptr;
  i64* cells = nullptr;  // Program::body_cells
  StepWork* work = nullptr;
  u32* covered = nullptr;        // Model::covered
  bool stop_at_begin = false;    // only the guard is asked for: ends as `guarded`
  BodyEvents* events = nullptr;  // of a generator
};

// The line of something that can fail in the loop that ends with an action, or is near it; 0: there
// is nothing.
u32 line_around(const ir::RuleProgram& program, u32 action);

// Threads do so side by side.
void note_covered(u32* covered, u32 cover);

// Runs from action `code` on. A guard reads `state`; the rest reads and writes `next`, which is
// made a copy of it first. `value` is that of a predicate; of a guard that is false, how many of
// the parameters it asked for.
BodyEnd run_body(const BodyRun& run, u32 code, const Word* state, Word* next, i64& value);

}  // namespace xmc
