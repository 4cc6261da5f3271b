// Model: the waist between languages and searches.
//
// A language gives a Model; an engine sees nothing else of it. Three rules keep the waist fast and
// narrow:
//  - expand() is the only call per state: it writes all successors into the caller's buffer and
//  reports in
//    the same call what is to be known of the state itself (deadlock, accepting, violated
//    predicates);
//  - states are opaque arrays of state_words words; equal arrays are equal states, unused bits are
//  zero;
//  - the order of successors is fixed by the model text, so two executions of one model (bytecode,
//  emitted
//    code, the replayer) agree step by step.
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
  beem,  // it leads to the error state, which is expanded like any other, as the BEEM figures were
         // made
  stop,  // it leads to the error state, which has no successors
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
  kErrorState =
      4,  // stands for a run-time error (--errors beem and stop); predicates are not evaluated here
  kStutters = 8,     // of a model with canonical(): no step changes the state at all
  kLong = 16,        // it took a while: time to ask whether to go on
  kUnfinished = 32,  // it ended before it was through: nothing in it is to be used
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

// Told the statements inside of a step, one by one: the label of each, and the state behind it,
// which nobody else sees. Null behind the last one: that is the successor, or the step failed
// there.
struct StatementVisitor {
  void* self = nullptr;
  void (*visit)(void* self, u32 label, const Word* behind) = nullptr;
};

// What is wrong with an erroneous step.
enum class ErrorKind : u8 {
  error,      // it fails
  assertion,  // an assertion is false in it
  trace,    // it is no event of a trace that is to be followed, or the last one of a forbidden one
  no_room,  // it needs room that was assumed not to be needed: nothing is said about the model
};

struct Model {
  u32 state_words = 0;     // 1..limits::kStateWords
  u32 state_bits = 0;      // bits in use; state_bytes() of the words carry information
  u32 max_successors = 0;  // static bound of Expansion::count
  u32 predicate_count =
      0;               // predicates of states that expand() evaluates (assertions, invariant, goal)
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

  // Why the step with this label is erroneous in a state, or a predicate cannot be evaluated there
  // (the other one is kNone): appends words and returns the line of the model's text, or 0. Appends
  // nothing when that does not fail. Null: this model cannot tell.
  u32 (*explain)(void* self, const Word* state, u32 label, u32 predicate, Text& out) = nullptr;

  // What the error of that step is. Null: each is a plain one.
  ErrorKind (*error_kind)(void* self, const Word* state, u32 label) = nullptr;

  // The statements of a step of a state: of the one that is number `repeat` of the successors with
  // that label, or for kNone of the first that is erroneous. False: there is none, or the model
  // does not move. Null: each step is one statement.
  bool (*unfold)(void* self, const Word* state, u32 label, u32 repeat,
                 const StatementVisitor& visitor) = nullptr;

  // Which propositions of ModelText hold in a state, by their bits; one that cannot be evaluated
  // does not. Null: there are none, or this model cannot tell.
  u32 (*valuation)(void* self, const Word* state) = nullptr;

  // Of a model whose states stand for others, too: the state becomes the one that stands for it.
  // Initial states and successors are such ones. Null: each state stands for itself.
  void (*canonical)(void* self, Word* state) = nullptr;

  // What has to be reached somewhere, by bits that expand() sets, that of a fork as well; null:
  // nothing. Their words follow those of the predicates in ModelText.
  u32* covered = nullptr;
  u32 cover_count = 0;

  // From every state one has to be reachable where bit i is set in the result, for each i below
  // live_count; null: there are none. Their words follow those of the covers.
  u32 (*live)(void* self, const Word* state) = nullptr;
  u32 live_count = 0;

  // Of a product: the component of the automaton that the state is in, from 1 on; a cycle does not
  // leave its component. 0: no accepting cycle can go through this state. Null: nothing is known,
  // all states are in one component.
  u32 (*cycle_class)(const void* self, const Word* state) = nullptr;

  // Its steps on states that are known in part; null: they are not to be had.
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
