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
#include "lower/promela/steps/step_record.h"

namespace xmc::promela_lower {

constexpr u32 kMostFacts = u32{1} << 20;  // of a kind

template <class List>
bool is_long(const List& list) {
  return list.size() >= kMostFacts;
}

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
  // A leaf's cells: its own, or all that an index may lead to.
  struct Extent {
    u32 first = 0;  // leaves
    u32 count = 1;
    bool is_column = false;
  };

  // step_facts: what there is, and a step of it all.
  void prepare();
  void list_places();
  void step(const StepRegion& r);
  void follow(u32 slot, promela::PlaceId place);
  void may_end(u32 slot, u32 code);
  void list_moves(const StepRegion& r);
  bool moves_another(const StepRegion& r, u32 slot, u32 partner) const;
  void scan_region(const StepRegion& r);
  void scan(CodeRange code);
  void scan_reads(CodeRange code);
  bool fails(u32 index) const;
  bool fails_in(CodeRange code) const;
  StepRegion without_pairs(u32 index) const;
  void scan_action(u32 index);
  bool keeps(const StepRegion& r, u32& slot, promela::PlaceId& place) const;
  u32 yields(const StepRegion& r) const;
  bool has(const Pool<u32, 6, 8192>& list, u32 first, u32 last) const;

  Extent extent(u32 leaf) const;
  void read(Extent cells);
  void write(Extent cells, const StoreNote* note);
  const StoreNote* note_of(u32 action) const;
  void put(u32 cell, ir::CellWrite::Kind kind, i32 lo, i32 hi);
  void note_channel(u32 leaf);
  void choose_channel(const StepRegion& r);
  void change_length(const StepRegion& r);
  void doubt_writes();
  void finish_writes(const StepRegion& r);
  void add_partner(u32 slot, promela::PlaceId from, u32 to);

  void wait_for(const StepRegion& r);
  void wait_here(const StepRegion& r, const promela::Action& a, promela::PlaceId place);
  void wait_for_condition(promela::ExprId id, u32 slot, promela::PlaceId place);
  void wait_for_rest(u32 first_read);
  void wait_at(u32 slot, promela::PlaceId place);
  void conjunct(u32 condition);
  u32 make(promela::ExprId id, bool truth, u32 slot, promela::PlaceId place);
  u32 compare(promela::ExprId id, bool truth, u32 slot, promela::PlaceId place);
  u32 compared(u32 leaf, ir::Op op, i32 value);
  u32 leaf_of(promela::ExprId id, u32 slot, promela::PlaceId place) const;
  u32 length_of(promela::ExprId channel, u32 slot, promela::PlaceId place) const;
  bool is_constant(promela::ExprId id, u32 slot, promela::PlaceId place, i32& value) const;
  bool asks_channels(promela::ExprId id) const;
  bool asks_channels(const promela::Reference& r) const;
  bool asks_channels(const promela::Action& a) const;
  bool asks_timeout(promela::ExprId id) const;
  bool has_escapes(promela::PlaceId place) const;

  const promela::System& s_;
  const promela::Facts& facts_;
  const Slots& slots_;
  const ir::RuleProgram& p_;
  const StepRecord& record_;
  std::span<const u32> cells_;
  ir::StepFacts& f_;
  std::span<u32> column_first_;  // by leaf: of the variable that it is in
  std::span<u32> column_size_;
  std::span<u32> slot_of_place_;  // by leaf: whose place it is
  std::span<u32> length_of_;      // by leaf: channel whose length it is
  std::span<u8> is_perhaps_;      // by leaf: of code that may jump over its stores
  std::span<u32> at_;             // by location: its conjunct
  std::span<CodeRange> regions_;  // by location: StepRecord::regions
  std::span<u8> color_;           // by location: 1 is on the way, 2 is done
  std::span<u32> colored_;
  u32 colored_count_ = 0;
  std::span<u32> reading_;  // by cell: the last step that reads it alone, or its column
  std::span<u32> reading_all_;
  std::span<u32> write_of_;  // by cell: its place in `writes`, where writing_ is the step
  std::span<u32> writing_;
  u32 turn_ = 0;
  ir::StepFact fact_;
  std::span<u32> channel_of_;  // by leaf: that keeps messages there or counts them
  std::span<u32> touched_;  // by channel: the last step that has to do with it beside its message
  u32 channel_ = kNone;     // of the step's first statement, if that is all it may be about
  bool is_first_ = false;   // its code is looked at
  bool just_reads_ = false;
  bool is_chain_ = false;
  bool is_sure_ = false;     // each store of the code is made, in its order
  bool is_complex_ = false;  // it moves others, or to several places
  bool moves_others_ = false;
  std::span<u32> ended_;  // by location: the last step that may end there
  bool can_fail_ = false;
  bool reads_timeout_ = false;
  bool unknown_ = false;  // code that nothing is known of
  Timeout timeout_ = Timeout::no;
  bool has_rest_ = false;
  bool is_full_ = false;  // a list is
  u64 effort_ = 0;
};

}  // namespace xmc::promela_lower
