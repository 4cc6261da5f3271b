// What bodies are made of, and what is written meanwhile. Whoever makes code gets a Writer, and the
// Scope of an expression or the Step of a statement: those are values, which nobody sets for others
// to restore.
#pragma once

#include "front/promela/system.h"
#include "ir/ir.h"
#include "lower/body_code.h"
#include "lower/promela/expr/dead_locals.h"
#include "lower/promela/facts.h"
#include "lower/promela/layout/layout.h"
#include "lower/promela/steps/step_log.h"
#include "lower/promela/words.h"
#include "xmc/arena.h"

namespace xmc::promela_lower {

using ir::BodyOp;
using ir::Interval;
using promela::Action;
using promela::ActionKind;
using promela::ExprId;
using promela::Leaf;
using promela::Op;
using promela::Option;
using promela::Pattern;
using promela::PatternKind;
using promela::PlaceId;
using promela::Reference;
using promela::RefId;
using promela::Span;

// Routines that say whether the process of a slot can move: by slot, asked for, and made.
struct Tests {
  std::span<u8> asked;
  std::span<u8> made;
};

// Of all bodies: the largest ones, and what steps do.
struct Totals {
  u32 body_cells = 0;
  u32 test_cells = 0;
  u32 successors = 0;          // of a state, at most
  bool keeps_control = false;  // some step does
};

struct DSteps;

struct Writer {
  // Constant; the first three are those of the layout.
  const promela::System& s;
  const promela::Facts& facts;
  const Slots& slots;
  const Layout& layout;
  std::span<const i32> claim_values;  // by leaf of the claim's frame
  // Written: nothing of this is taken back.
  BodyCode& code;
  std::span<u16> notes;  // by where their text begins; 0: none yet
  Words& words;
  Tests& tests;
  Totals& totals;
  StepLog log;
  // What is known of the code so far, for that which follows.
  DeadLocals& dead;
  DSteps& d_steps;
  Arena& arena;
};

// Whose expression is lowered, and when.
struct Scope {
  u32 slot = kNone;  // kNone: of no process; promela::kClaim
  u32 proctype = kNone;
  u32 type = kNone;       // Slots::type()
  PlaceId place = kNone;  // kNone: values are those of all its places
  u32 timeout = kNone;    // register; kNone: it is false
  bool begun = false;     // the successor is read and written

  // The same moment, of another process, or of none.
  Scope of(u32 index, const SlotType& process) const {
    return {process.slot, process.proctype, index, kNone, timeout, begun};
  }
  Scope of_nobody() const { return {.timeout = timeout, .begun = begun}; }
};

// What a body needs counts among those of all.
inline void end_body(Writer& w) {
  if (w.code.cells() > w.totals.body_cells) w.totals.body_cells = w.code.cells();
}

// Of this piece of the text, for actions that can fail.
u16 note(Writer& w, Span place);
void fail(Writer& w, ir::Failure failure, Span place);

}  // namespace xmc::promela_lower
