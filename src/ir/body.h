// Bodies: what rules do, where a language has statements and not just guarded assignments.
//
// A body is a list of actions over registers of 64 bits. The registers of a running body are a
// window of one array: a call moves the window on by what its caller uses. Undefined is one value
// of its own in a register, and code 0 in a state, whatever the type.
//
// Places have addresses: leaves of the state come first, the array of registers stands behind them.
// So an alias and a reference parameter are a number in a register, and the same action works on a
// global variable, on a local one, and on what a caller handed over.
//
// A body of a generator (RuleProgram::generates) makes any number of successors: `attempt` begins
// one, `begin` makes it a copy of the state, `yield` ends it. Between `begin` and the next `yield`
// or `attempt` the successor is read and written, elsewhere the state is read; where ways meet,
// both have to be the same. Behind an error, it goes on where the last `attempt` says; before the
// first one it is an error of the rule's first step, and the end of the body. Registers that a body
// reads it has set before, but for those of parameters.
//
// Every body ends: loops over types and intervals are finite, `repeat` bounds the others, and calls
// are bounded by the array.
#pragma once

#include <span>
#include <string_view>

#include "xmc/arith64.h"
#include "xmc/model_text.h"
#include "xmc/operators.h"
#include "xmc/types.h"

namespace xmc::ir {

using xmc::kUndefined;

enum class BodyOp : u8 {
  constant,      // r = the number in a (low half) and b
  move,          // r = a
  load,          // r = leaf a
  load_at,       // r = what is at address a + register b
  store,         // leaf a = r
  store_at,      // at address a + register b = r
  address,       // r = address of register a, the first of c
  offset,        // r = register a + number b: of addresses and loop variables
  copy,          // c leaves from address in a to address in r
  fill,          // c leaves from address in r on = register b
  index,         // r = (a - low b) * stride d; fails unless 0 <= a - b < c
  index_more,    // r = r + the same
  defined,       // fails if r is undefined
  in_range,      // fails unless r is undefined or in a..b
  widen,         // r = a + number b; undefined stays
  narrow,        // r = a - number b; undefined stays; fails unless it is in 0..c-1
  member,        // r = a is in b..c
  is_undefined,  // r = a is undefined
  cut,           // r = the lowest b bits of a, as a signed number if c is 1
  XMC_OPERATORS_ON_NUMBERS,
  jump,           // to action a
  jump_zero,      // to a if r is 0
  jump_not_zero,  // to a if r is not 0
  jump_above,     // to a if r > number b
  jump_greater,   // to a if r > register b
  jump_less,      // to a if r < register b
  jump_table,     // to RuleProgram::jump_targets[a + r]; 0 <= r < b, as the lowering has proved
  repeat,         // r = r + 1; fails when that is above a
  call,           // routine a, whose register 0 is our b
  leave,          // back to the caller
  begin,          // the guard holds: from here on the successor is read and written
  sort,           // the multiset at leaf a: b elements of c leaves
  remove,    // the queue at leaf a, b elements of c leaves: number r goes, those behind it move
             // up, and the last one becomes 0
  insert,    // those from number r on move down by one, the last one is lost
  attempt,   // of a generator: step a is tried; where it fails, it goes on at action b
  blame,     // of a generator: step a is erroneous (reason, note), and is taken all the same
  yield,     // of a generator: the successor by step a is complete. b: the rule that has control
             // and goes on from it alone (kNone: nobody), so that it is no state of its own
  cover,     // cover a has been reached
  disabled,  // the end: the guard is false, whatever the parameters from number a on are
  abandon,   // the end: as if this had not been tried
  end,       // the end of a step
  result,    // the end of a predicate: r is its value
  fail,      // the end: an error of the model
};

struct Action {
  BodyOp op = BodyOp::end;
  u8 reason = 0;  // of `fail`: a Failure
  u16 note = 0;   // Program::body_notes
  u32 r = 0;
  u32 a = 0;
  u32 b = 0;
  u32 c = 0;
  u32 d = 0;
};

// Why a `fail` is one.
enum class Failure : u8 {
  error,
  assertion,
  no_return,
  full,
  absent,
  no_channel,          // a number that no channel has
  wrong_message,       // a message with too many or too few values
  too_many_processes,  // more than there may be
  no_room,             // more than the layout has room for, by a bound that was assumed
  too_many_channels,
  blocked,          // a statement of an indivisible sequence cannot be executed
  endless,          // a sequence that keeps control does not end
  too_wide,         // it has more ends than limits::kChainEnds
  no_event,         // a trace is at a place that does not have this event
  forbidden_trace,  // this event completes a trace that must not be
  unclear_event,    // a trace has two ways to go on
};

// A simple value in the state. Its slot has the offset lo - 1, so that code 0 is undefined. A total
// one is never undefined: its slot has the offset lo.
struct Leaf {
  Slot slot = {};
  i32 lo = 0;
  i32 hi = 0;
  bool total = false;
};

// Digit d of an instance's number stands for low + d * step.
struct Parameter {
  u32 cell = 0;
  i32 low = 0;
  i32 step = 1;
  u32 count = 1;
};

// Instances are numbered in mixed radix; the last parameter counts fastest.
struct Rule {
  u32 code = 0;  // first action
  u32 first_parameter = 0;
  u32 parameter_count = 0;
  u32 first_step = 0;
  u32 step_count = 1;
  i32 priority = 0;
};

constexpr u32 instances_of(std::span<const Rule> rules) {
  u32 count = 0;
  for (const Rule& r : rules) count += r.step_count;
  return count;
}

struct Routine {
  u32 code = 0;
  u32 cells = 0;
};

// What the text says where an action can fail.
struct BodyNote {
  u32 line = 0;
  std::string_view text;
};

}  // namespace xmc::ir
