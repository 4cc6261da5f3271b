// What the steps of a Promela model do to one another, for step tables (ir/tables): from the code
// of each step, what it may read and write; from the text, what it waits for.
//
// A step is an option of a place in a slot, or a sender's with a receiver's; with it goes all that
// may follow while control is kept, so that a step has any number of outcomes. It is enabled by its
// first statement alone:
//  - a process is at its place;
//  - comparisons of one value with a constant, the lengths of channels among them;
//  - the rest, of which it is only known what it reads: it is false where all else holds and the
//    step is not enabled. `else` and what an escape stands in front of wait for what is read there.
// Whoever waits for `timeout` waits for all steps; where nothing else is waited for in the same
// breath, no other step is ever enabled beside it.
#pragma once

#include "ir/ir.h"
#include "ir/tables/step_facts.h"
#include "lower/promela/facts.h"
#include "lower/promela/layout/slots.h"
#include "lower/promela/steps/step_conditions.h"
#include "lower/promela/steps/step_record.h"
#include "lower/promela/steps/step_scan.h"

namespace xmc::promela_lower {

class StepFinder {
 public:
  // `cells`: of leaves, in the numbers of Program::initial_values.
  StepFinder(const promela::System& system, const promela::Facts& facts, const Slots& slots,
             const ir::RuleProgram& program, const StepRecord& record, std::span<const u32> cells,
             ir::StepFacts& out);

  // Says why there are none; null: they are found.
  const char* run();
  // Behind that: what a body with a result reads, as inputs of conditions, and whether it may fail.
  // False: that is not known.
  bool list_inputs(u32 body, ir::Range& inputs, bool& may_fail);

 private:
  enum class Timeout : u8 { no, strict, some };

  // step_facts: what there is, and a step of it all.
  void prepare();
  void list_places();
  void step(const StepRegion& r);
  void list_moves(const StepRegion& r);
  bool moves_another(const StepRegion& r, u32 slot, u32 partner) const;
  StepRegion without_pairs(u32 index) const;
  void choose_channel(const StepRegion& r);
  void change_length(const StepRegion& r);
  void doubt_writes();
  void finish_writes(const StepRegion& r);
  void add_partner(u32 slot, promela::PlaceId from, u32 to);
  bool is_full() const { return is_full_ || scan_.is_full(); }

  // step_chains: what follows while control is kept.
  Seen scan_region(const StepRegion& r, const StepScan::How& how);
  void follow(u32 slot, promela::PlaceId place);
  void may_end(u32 slot, u32 code);
  bool keeps(const StepRegion& r, u32& slot, promela::PlaceId& place) const;
  u32 yields(const StepRegion& r) const;

  // step_waits: what a step waits for.
  void wait_for(const StepRegion& r);
  void wait_here(const StepRegion& r, const promela::Action& a, promela::PlaceId place);
  void wait_for_condition(promela::ExprId id, u32 slot, promela::PlaceId place);
  void wait_for_rest(u32 first_read);
  void wait_at(u32 slot, promela::PlaceId place);
  void conjunct(u32 condition);

  const promela::System& s_;
  const Slots& slots_;
  const ir::RuleProgram& p_;
  const StepRecord& record_;
  std::span<const u32> cells_;
  ir::StepFacts& f_;
  StepScan scan_;
  StepConditions conditions_;
  std::span<u32> slot_of_place_;  // by leaf: whose place it is
  std::span<u32> length_of_;      // by leaf: channel whose length it is
  std::span<u32> at_;             // by location: its conjunct
  std::span<CodeRange> regions_;  // by location: StepRecord::regions
  std::span<u8> color_;           // by location: 1 is on the way, 2 is done
  std::span<u32> colored_;
  u32 colored_count_ = 0;
  std::span<u32> ended_;  // by location: the last step that may end there
  // Of the step at hand.
  ir::StepFact fact_;
  Seen seen_;
  u32 channel_ = kNone;  // of its first statement, if that is all it may be about
  bool is_chain_ = false;
  bool is_sure_ = false;     // each store of the code is made, in its order
  bool is_complex_ = false;  // it moves others, or to several places
  bool moves_others_ = false;
  bool has_rest_ = false;
  Timeout timeout_ = Timeout::no;
  bool is_full_ = false;  // a list is
};

}  // namespace xmc::promela_lower
