// StepTables: what the steps of a system do to one another, for searches that leave some of them
// out. The tables know no language: a lowering says of each step what it reads and writes and what
// it waits for (step_facts.h), and everything here follows from that.
//
// A cell is one value of the state: a variable, an element of an array, the location of a process,
// the length or a place of a channel. A step is a partial function on states: a transition, or a
// sender with its receiver. Steps that can never be enabled are left out, and the others numbered
// in the order of the text.
//
//  - A step is enabled when all its conjuncts hold. One that may fail to evaluate is the whole
//    guard, and counts as true when it fails: the step is enabled, and erroneous.
//  - Two steps accord when they can never be enabled together, or when they share no process, no
//    cell that one of them writes, and neither can turn a conjunct of the other false. `discord`
//    has the others.
//  - `turning` has, for a condition, the steps that may make it true, or false: every path from a
//    state where it does not hold to one where it does contains one of the former.
//
// All rows are sets of steps, of `words` words each.
#pragma once

#include <span>

#include "ir/ir.h"
#include "xmc/limits.h"
#include "xmc/types.h"

namespace xmc::ir {

// A condition on states, with negations pushed to its leaves.
struct Condition {
  enum class Kind : u8 {
    constant,    // value != 0
    compare,     // cell op value
    balance,     // left op right, of expressions
    opaque,      // expression left is not 0, or with `negated` is 0
    unhindered,  // no process is at a committed location
    // Just inputs are known of it. As a conjunct it is false where all others hold and the step is
    // not enabled; as a part of a goal it is vague.
    rest,
    quiet,   // the same, of what any step may change
    all_of,  // of the parts first .. first + count
    any_of,
  };
  Kind kind = Kind::constant;
  bool negated = false;
  bool may_fail = false;  // counts as true when it does
  // A balance: an element is a certain number, or is not. Its inputs grow where it may become that.
  bool of_element = false;
  // A goal of which only inputs are known, or one that has such a part: it counts as false, and may
  // hold all the same.
  bool is_vague = false;
  Op op = Op::equal;
  u32 first = 0;  // parts; inputs of a balance and of an opaque one
  u32 count = 0;
  u32 cell = kNone;
  i32 value = 0;
  u32 left = kNone;
  u32 right = kNone;
  u32 watch = kNone;  // its rows in StepTables::turning
};

// Who takes part in a step, and where that leads.
struct StepPartner {
  u32 process = 0;
  u32 source = 0;
  u32 target = 0;
};

struct StepParts {
  StepPartner partners[2];
  u32 count = 0;
  u32 first_conjunct = 0;  // StepTables::conjunct_lists
  u32 conjunct_count = 0;
};

// A process as the tables see it.
struct StepProcess {
  Slot location;
  u32 first_location = 0;  // StepTables::leaving
  u32 location_count = 0;
  bool is_exact = true;  // only partners of steps move it
};

struct StepTables {
  u32 step_count = 0;
  u32 words = 0;
  std::span<const u32> number_of;  // by Program's number of a step; kNone: never enabled
  std::span<const StepParts> steps;
  std::span<const u64> discord;  // by step

  std::span<const Slot> cells;
  std::span<const Condition> conditions;
  // Whose expressions the conditions are; null: those of the program that is executed.
  const Program* text = nullptr;
  std::span<const u32> parts;
  std::span<const u32> conjuncts;  // conditions; the first ones are those of locations
  std::span<const u32> conjunct_lists;
  std::span<const u64> turning;  // by watch: to true, then to false

  std::span<const StepProcess> processes;
  // Rows by location: the steps that take its process from there to another one, and those behind
  // which it is there or can come there.
  std::span<const u64> leaving;
  std::span<const u64> towards;

  // Of a step that may be erroneous: the steps that write what its error depends on.
  std::span<const u32> failing_steps;
  std::span<const u64> failing_writers;  // by position in failing_steps
  std::span<const u8> committed;         // by location; empty: none

  std::span<const u32> goals;       // conditions: a state where one holds is looked for
  std::span<const u64> falsifying;  // one row: they may make a goal false
  std::span<const u64> visible;     // one row: they may change what the automaton reads
  std::span<const u64> sticky;      // one row: see sticky.h
  u32 visible_count = 0;
  u32 sticky_count = 0;

  u32 partners_process(u32 step, u32 i) const { return steps[step].partners[i].process; }
  const u64* discord_of(u32 step) const { return discord.data() + u64{step} * words; }
  const u64* leaving_of(u32 process, u32 location) const {
    return leaving.data() + u64{processes[process].first_location + location} * words;
  }
  const u64* towards_of(u32 process, u32 location) const {
    return towards.data() + u64{processes[process].first_location + location} * words;
  }
  const u64* turning_true(u32 watch) const { return turning.data() + u64{2} * watch * words; }
  const u64* turning_false(u32 watch) const { return turning_true(watch) + words; }
};

inline bool has_bit(const u64* row, u32 i) { return (row[i / 64] >> i % 64 & 1) != 0; }
inline void set_bit(u64* row, u32 i) { row[i / 64] |= u64{1} << i % 64; }
inline void clear_bit(u64* row, u32 i) { row[i / 64] &= ~(u64{1} << i % 64); }

}  // namespace xmc::ir
