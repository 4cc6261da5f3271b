// StubbornSet: which of the enabled steps of a state a search may take, and leave out all others.
//
// A set T of steps is stubborn in a state if, with each of its enabled steps, it has all steps that
// do not accord with that one, and with each of its disabled steps, for one of its conjuncts that
// do not hold, all steps that may make it hold (ir/tables/step_tables.h; Valmari 1998). Then the
// first member of T on any path from the state can be moved to the path's front: the path ends in
// the same state and is as long. What T must contain besides depends on what is looked for:
//
//   deadlock  an enabled step, if there is one. Every deadlock is found, at its depth.
//   shortest  for each goal that does not hold, the steps that may make it hold. Each goal that can
//             be reached is reached, at its depth. T may be empty.
//   reach     an enabled step, and none that is sticky or may make a goal false; or as `shortest`.
//             Each goal that can be reached is reached.
//   ltl       an enabled step; and with a visible or sticky one all visible steps, and an invisible
//             enabled one if there is one. Every property that stuttering does not change.
//
// Every cycle of the state graph has a sticky step (or one that is visible, or makes a goal false),
// so that nothing is put off for ever. No mode has to know what was visited: T depends on the
// tables and the system's part of the state alone, so that every engine, thread and resumed run
// sees the same graph.
//
// Run-time errors are found in each mode. Call errors due in T if it has each step that may be
// erroneous and is disabled, and for each that is enabled and fine all steps that write what its
// error depends on. Where they are due in every T (exact_errors), the first error is found at its
// depth: a path to it has a member of T, the first of which can go first, and the rest is shorter.
// Elsewhere they are due only in a T with an enabled trigger (sticky, visible, or making a goal
// false); in `ltl`, too, where an erroneous step need not be visible. Why none gets lost:
//
//   Let s a1 .. an lead to the first state where a step e is erroneous, s being a state of the
//   reduced graph. If n = 0, e is found in s: all enabled steps that may be erroneous are tried.
//   If some ai is in T, the first of them is enabled in s (no other can enable it) and goes first:
//   n - 1 steps remain. Otherwise e is not in T either: disabled it would wait for a member of T,
//   enabled it accords with all ai, and would be erroneous in s. Nor are errors due in T, or one of
//   the ai were in it. So T has an enabled step b, and no trigger among those: b a1 .. an leads to
//   where e is erroneous still, since e accords with b, and n steps remain. That cannot go on for
//   ever, as without triggers there is no cycle.
//
//   In a product e has to be erroneous where the automaton is not stuck. What goes first is
//   invisible, or all before it are, because a T with a visible step has all of them: with the
//   letter of the last state the word is the same but for stuttering, for which the test of
//   ir/tables/stutter then asks in locations without accepting cycles as well.
//
// Of all seeds that T can be closed from, the one that leaves the fewest enabled steps is taken;
// ties go to the smallest number.
//
// Work for one choice is bounded by the number of enabled steps, as what the state costs anyway is:
// beyond that the best set so far is taken, or all steps are. The bound is one for the whole run
// (cli/run/input/step_price). What is counted does not depend on the memo, nor does the choice.
#pragma once

#include <span>

#include "exec/models/choice_memo.h"
#include "exec/models/condition_code.h"
#include "ir/tables/step_tables.h"
#include "xmc/arena.h"
#include "xmc/types.h"

namespace xmc {

enum class StubbornMode : u8 { deadlock, shortest, reach, ltl };

// For tests of tests: what a search is not allowed to forget, and forgets all the same.
enum StubbornFault : u32 {
  kForgetVisible = 1,      // ltl: the other visible steps
  kForgetInvisible = 2,    // ltl: an invisible step beside visible ones
  kForgetSticky = 4,       // ltl, reach: cycles
  kForgetErrors = 8,       // steps that may become erroneous
  kForgetDryRun = 16,      // errors of the state itself
  kForgetGoals = 32,       // shortest, reach: what may make a goal hold
  kForgetFalsifying = 64,  // reach: steps that make a goal false
  kForgetDisabled = 128,   // what may enable a disabled step
  kForgetDiscord = 256,    // what does not accord with an enabled step
};

// Bounds of the work for a choice: where steps that go save most of the states, and where they may
// save nothing. A step that is taken costs 700 (of a process) to 1500 (of a rule) anyway.
inline constexpr u32 kPatientWork = 12000;
inline constexpr u32 kImpatientWork = 1500;

struct StubbornRules {
  StubbornMode mode = StubbornMode::deadlock;
  bool deadlocks = true;  // are to be found, in any mode
  // The depth of run-time errors is kept, too, or just whether there is one: then a set without
  // triggers may put them off. Not in `ltl`.
  bool exact_errors = false;
  u32 faults = 0;
  // For one choice, by each enabled step, in units of StubbornSet::work().
  u32 most_work = kPatientWork;
};

class StubbornSet {
 public:
  StubbornSet(const ir::StepTables& tables, const ConditionCode& code, const StubbornRules& rules,
              Arena& arena);

  // Steps that are enabled; choose() wants all of them.
  void begin();
  void enable(u32 step) { ir::set_bit(enabled_.data(), step); }
  // The set, or null: all of them. Only enabled steps are told right.
  const u64* choose(const Word* state);
  // What was done for all choices that the memo did not know, in instructions: rows looked at,
  // questions asked, steps closed. The same on every machine.
  u64 work() const { return work_; }

 private:
  // What a choice depends on beside the enabled steps, each found out once.
  bool ask(u32 condition);
  u32 where(u32 process);
  u32 answer(u32 question) const {
    if ((question & 1) != 0) return location(question / 2);
    return holds(question / 2) ? 1 : 0;
  }
  void note(u32 question, u32 answer);
  void know_enabled();

  const u64* decide();
  bool holds(u32 condition) const {
    return code_.is_test(condition) ? code_.test(condition, state_) : holds_else(condition);
  }
  bool holds_else(u32 condition) const;
  bool holds_now(const ir::Condition& c) const;
  bool unhindered() const;
  u32 location(u32 process) const {
    return static_cast<u32>(slot_value(t_.processes[process].location, state_));
  }

  void clear();
  void take(u32 step);
  void take_row(const u64* row, const u64* too = nullptr);
  bool close(u32 below);
  bool close_enabled_steps(u32 below);
  void look_at_row() const { work_ += row_work_; }
  void close_enabled(u32 step);
  void close_disabled(u32 step);
  u64 row_cost(const u64* row, const u64* too) const;
  bool enough_invisible();

  void take_goals();
  void take_goal(u32 condition);
  u64 goal_cost(u32 condition);
  bool wants_every(const ir::Condition& c);
  void take_errors();
  void take_obligations();
  bool puts_off_errors() const {
    const StubbornMode m = rules_.mode;
    return !rules_.exact_errors && (m == StubbornMode::deadlock || m == StubbornMode::shortest);
  }
  bool forgets(StubbornFault fault) const { return (rules_.faults & fault) != 0; }
  bool all_seeds(bool triggers_too, u32 best);
  void keep_best();
  u32 enabled_in(const std::span<u64>& row) const;

  const ir::StepTables& t_;
  const ConditionCode& code_;
  StubbornRules rules_;
  const Word* state_ = nullptr;
  std::span<u64> enabled_;
  std::span<u64> taken_;
  std::span<u64> pending_;
  std::span<u64> base_;
  std::span<u64> best_;
  std::span<u64> triggers_;  // steps that want more
  u32 all_enabled_ = 0;
  u32 taken_enabled_ = 0;
  u32 base_enabled_ = 0;
  u32 closed_enabled_ = 0;  // of those that are taken
  u32 first_pending_ = 0;   // words before this one have nothing pending
  bool triggered_ = false;
  ChoiceMemo memo_;
  std::span<u32> known_;        // by condition: round_ * 2 + whether it holds
  std::span<u32> asked_where_;  // by process: round_
  u32 round_ = 0;
  u32 row_work_;          // of a row
  mutable u64 work_ = 0;  // of all choices
  u64 most_work_ = 0;     // that this one ends with
  std::span<ChoiceMemo::Asked> asked_;
  u32 asked_count_ = 0;  // more than there is room for: too many to remember
};

}  // namespace xmc
