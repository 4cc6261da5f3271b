// What a language says of its steps, and all that step_tables.h is made of.
#pragma once

#include "ir/interval.h"
#include "ir/tables/fact_list.h"
#include "ir/tables/step_tables.h"
#include "xmc/arena.h"
#include "xmc/scratch.h"

namespace xmc::ir {

struct CellRange {
  u32 first = 0;
  u32 count = 1;
};

// A step may store into one of these cells. With count 1 it is that cell, and no other write of the
// step has it alone.
struct CellWrite {
  enum class Kind : u8 {
    constant,  // lo
    change,    // adds lo
    value,     // something from lo to hi
  };
  CellRange cells;
  Kind kind = Kind::value;
  i32 lo = 0;
  i32 hi = 0;
};

// What a cell can hold where a step is enabled.
struct CellBefore {
  u32 cell = 0;
  Interval values;
};

// What the value of a balance or an opaque condition depends on.
struct ConditionInput {
  CellRange cells;
  i8 sign = 0;        // left - right grows with it (1), shrinks with it (-1), or who knows (0)
  bool test = false;  // it is just whether the cell holds `value`
  i32 value = 0;
};

struct StepFact {
  u32 number = 0;  // in the program
  StepParts parts;
  Range writes;
  Range reads;   // of effects, indices and sent values; of the guard, too, where that may fail
  Range before;  // what the conjuncts say of single cells
  bool may_fail = false;
  Range error_reads;  // what that depends on
  // It is enabled only where no step that does not say so is.
  bool waits_for_timeout = false;
  // Where it is enabled it begins by putting a message behind those of this channel, or by taking
  // the first one, in states with room, or with a message; and has nothing more to do with it.
  u32 channel = kNone;
  bool is_sender = false;
  // Of a step without partners that moves one process, but to any of several places: those.
  Range moves;
  bool is_sticky = false;  // it moves processes, and it is not said where to
};

struct ProcessFact {
  u32 location_cell = 0;
  u32 location_count = 0;
  u32 first_location = 0;
  bool is_exact = true;  // only partners of steps move it
};

// Everything in scratch.
struct StepFacts {
  explicit StepFacts(Arena& a)
      : arena(a),
        steps(a, kName),
        writes(a, kName),
        reads(a, kName),
        error_reads(a, kName),
        before(a, kName),
        conditions(a, kName),
        parts(a, kName),
        inputs(a, kName),
        conjuncts(a, kName),
        conjunct_lists(a, kName),
        atoms(a, kName),
        goals(a, kName),
        moves(a, kName) {}
  static constexpr const char* kName = "step tables";

  Arena& arena;
  FactList<StepFact> steps;
  FactList<CellWrite> writes;
  FactList<CellRange> reads;
  FactList<CellRange> error_reads;
  FactList<CellBefore> before;
  FactList<Condition> conditions;
  FactList<u32> parts;
  FactList<ConditionInput> inputs;
  FactList<u32> conjuncts;
  FactList<u32> conjunct_lists;
  FactList<u32> atoms;  // conditions that the automaton reads
  FactList<u32> goals;
  FactList<StepPartner> moves;
  std::span<Interval> hull;  // by cell: all it ever holds
  std::span<Slot> slots;     // by cell
  // By cell: the channel whose messages it counts or keeps; kNone: none. Empty: there are none.
  std::span<u32> channel_of;
  std::span<ProcessFact> processes;
  std::span<u8> committed;  // by location
  bool any_committed = false;
  // Errors are due in each set (StubbornRules): who looks for deadlocks needs no sticky steps.
  bool exact_errors = false;
  bool reads_automaton = false;    // what a step does depends on where the automaton is
  bool forgets_committed = false;  // for tests of tests
  bool spares_memory = true;       // there are none where they would take much of it
  bool forgets_heads = false;      // for those, too: any message counts as the first or last one
  u32 program_steps = 0;
};

}  // namespace xmc::ir
