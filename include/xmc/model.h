// Model: the waist between languages and searches.
//
// A language gives a Model; an engine sees nothing else of the language. Three rules keep the waist
// fast and narrow:
//  - expand() is the only call per state. It writes all successors into the caller's buffer, and
//    tells in the same call what is to be known of the state itself: a deadlock, an accepting
//    state, a violated predicate.
//  - States are opaque arrays of state_words words. Equal arrays are equal states, and unused bits
//    are zero.
//  - The text of the model fixes the order of successors, so that two executions of one model
//    (bytecode, emitted code, the judge) agree step by step.
//
// A Model is a plain record with function pointers, so that emitted code, the bytecode machine and
// hand-made graphs in tests can all fill one in without a heap.
#pragma once

#include <span>

#include "xmc/types.h"

namespace xmc {

class Arena;
class Text;
struct PartialSteps;

// What a run-time error of the model (an index, a division, an overflow) does.
enum class ErrorRule : u8 {
  report,  // the step is left out and reported: a violation
  beem,    // it leads to the error state, which has successors: the published BEEM figures do so
  stop,    // it leads to the error state, which has no successors
};

// Where expand() writes. `states` has room for capacity * state_words words; labels may be null.
struct SuccessorBuffer {
  Word* states = nullptr;
  u32* labels = nullptr;  // one step label per successor, for ModelText::step
  u32 capacity = 0;       // at least Model::max_successors
  // The expansion may end unfinished, if the run is to stop (xmc/step_work.h).
  bool may_stop = false;
};

enum ExpansionFlag : u8 {
  kDeadlock = 1,   // no step of the system: in a Büchi product, of the system part
  kAccepting = 2,  // accepting state of the Büchi product
  // Stands for a run-time error (--errors beem and stop). Predicates are not evaluated here.
  kErrorState = 4,
  kStutters = 8,     // of a model with canonical(): no step changes the state at all
  kLong = 16,        // the expansion took a while: time to ask whether to go on
  kUnfinished = 32,  // the expansion was stopped: nothing in it is to be used
};

struct Expansion {
  u32 count = 0;            // successors written
  u64 repeats = 0;          // ways on that lead to one of these once more and are not written
  u64 errors = 0;           // erroneous steps that were left out (--errors report)
  u32 error_label = kNone;  // label of the first of them
  u32 dropped = 0;          // steps to states that the model assumes not to be there
  u32 violated = kNone;     // index of the first violated predicate of this state, or kNone
  u8 flags = 0;
};

// One field of a packed state, for stores that arrange the bits of a state their own way: fields
// that belong together should stay together.
struct StateField {
  u16 word = 0;
  u8 shift = 0;
  u8 width = 0;
  bool location = false;  // where a process is
  u32 process = kNone;    // owner; kNone for a global
  u32 element = kNone;    // index in its array; kNone for a scalar
};

// From the states of a model to those of another one, which stand for them.
struct StateMap {
  void* self = nullptr;
  u32 from_words = 0;  // of the states that it maps
  // Null: both have the same states.
  void (*map)(void* self, const Word* from, Word* to) = nullptr;
};

// Is told the statements inside of a step, one by one: the label of each, and the state behind it,
// which nobody else sees. The state is null behind the last statement, where the successor is, or
// where the step failed.
struct StatementVisitor {
  void* self = nullptr;
  void (*visit)(void* self, u32 label, const Word* behind) = nullptr;
};

// What is wrong with an erroneous step.
enum class ErrorKind : u8 {
  error,      // the step fails
  assertion,  // an assertion in the step is false
  trace,      // the step is no event of a trace to follow, or completes a forbidden trace
  no_room,    // the step needs more room than was planned: nothing is said about the model
};

struct Model {
  u32 state_words = 0;     // 1..limits::kStateWords
  u32 state_bits = 0;      // bits in use; state_bytes() of the words carry information
  u32 max_successors = 0;  // static bound of Expansion::count
  // Predicates of states that expand() evaluates: assertions, the invariant, the goal.
  u32 predicate_count = 0;
  bool buchi = false;  // a product with a Büchi automaton: accepting cycles are the violations
  bool empty = false;  // there is no initial state, and no engine is asked
  bool weak = false;   // every cycle inside a cycle_class() is accepting

  void* self = nullptr;
  // Writes the initial states; returns their number (DVE: 1).
  u32 (*initial)(void* self, const SuccessorBuffer& out) = nullptr;
  Expansion (*expand)(void* self, const Word* state, const SuccessorBuffer& out) = nullptr;

  // Another `self` for expand(), with scratch of its own: two threads may expand at the same time,
  // each with one of them. Null: this model has one only.
  void* (*fork)(const void* self, Arena& arena) = nullptr;

  // Why the step with this label is erroneous in a state, or why this predicate cannot be evaluated
  // there; the other one of the two is kNone. Appends words and returns the line of the model's
  // text, or 0. Appends nothing when nothing fails. Null: this model cannot tell.
  u32 (*explain)(void* self, const Word* state, u32 label, u32 predicate, Text& out) = nullptr;

  // What the error of that step is. Null: each is a plain one.
  ErrorKind (*error_kind)(void* self, const Word* state, u32 label) = nullptr;

  // Tells the statements of the step to successor number `repeat` among those with that label; for
  // kNone, of the first erroneous step. False: there is no such step, or the model does not move.
  // Null: each step is one statement.
  bool (*unfold)(void* self, const Word* state, u32 label, u32 repeat,
                 const StatementVisitor& visitor) = nullptr;

  // Which propositions of ModelText hold in a state, by their bits; one that cannot be evaluated
  // does not. Null: there are none, or this model cannot tell.
  u32 (*valuation)(void* self, const Word* state) = nullptr;

  // Of a model whose states stand for whole classes: replaces the state by the one that stands for
  // its class. Initial states and successors are such states. Null: each state stands for itself.
  void (*canonical)(void* self, Word* state) = nullptr;

  // What has to be reached somewhere: a bit each, set by expand(), also by that of a fork. Null:
  // nothing has to. Their words follow those of the predicates in ModelText.
  u32* covered = nullptr;
  u32 cover_count = 0;

  // Liveness: for each i below live_count, every state must be able to reach a state for which the
  // result has bit i. Null: there is none. Their words follow those of the covers.
  u32 (*live)(void* self, const Word* state) = nullptr;
  u32 live_count = 0;

  // Of a product: the component of the automaton that the state is in, from 1 on. A cycle does not
  // leave its component. 0: no accepting cycle goes through this state. Null: nothing is known, so
  // that all states count as one component.
  u32 (*cycle_class)(const void* self, const Word* state) = nullptr;

  // The steps on states that are known in part (xmc/partial.h). Null: this model has none.
  const PartialSteps* partial = nullptr;

  u32 cycle_class_of(const Word* state) const {
    return cycle_class == nullptr ? 1 : cycle_class(self, state);
  }

  // Only the first bytes of the last word may be in use: layouts fill words from the low end.
  u32 state_bytes = 0;
  // Every bit in use, once; empty when a model does not tell.
  std::span<const StateField> fields = {};
};

}  // namespace xmc
