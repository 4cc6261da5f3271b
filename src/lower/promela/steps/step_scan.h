// What the code of a step may read and write, and whether it may fail.
#pragma once

#include "ir/ir.h"
#include "ir/tables/step_facts.h"
#include "lower/promela/layout/slots.h"
#include "lower/promela/steps/step_record.h"

namespace xmc::promela_lower {

constexpr u32 kMostFacts = u32{1} << 20;  // of a kind

template <class List>
bool is_long(const List& list) {
  return list.size() >= kMostFacts;
}

// What there is in a piece of code.
struct Seen {
  bool can_fail = false;
  bool reads_timeout = false;
  bool unknown = false;  // code that nothing is known of

  void add(const Seen& more) {
    can_fail = can_fail || more.can_fail;
    reads_timeout = reads_timeout || more.reads_timeout;
    unknown = unknown || more.unknown;
  }
};

// Appends to StepFacts::reads and writes, once for each cell and step.
class StepScan {
 public:
  struct How {
    bool is_sure = false;     // each store of the code is made, in its order
    bool is_first = false;    // it is that of the step's first statement
    bool just_reads = false;  // what it writes is not the step's
  };

  // `cells`: of leaves, in the numbers of Program::initial_values.
  StepScan(const Slots& slots, const ir::RuleProgram& program, const StepRecord& record,
           std::span<const u32> cells, ir::StepFacts& out);
  void prepare();

  // Another step.
  void begin() { ++turn_; }
  u32 turn() const { return turn_; }
  Seen scan(CodeRange code, const How& how);
  Seen scan_reads(CodeRange code);
  // A write in place of what was found.
  void put(u32 cell, ir::CellWrite::Kind kind, i32 lo, i32 hi);
  // Of this step.
  bool is_written(u32 cell) const { return writing_[cell] == turn_; }
  bool has_touched(u32 channel) const { return touched_[channel] == turn_; }

  bool fails_in(CodeRange code) const;
  bool is_full() const { return is_full_; }

 private:
  // A leaf's cells: its own, or all that an index may lead to.
  struct Extent {
    u32 first = 0;  // leaves
    u32 count = 1;
    bool is_column = false;
  };

  bool fails(u32 index) const;
  bool has(const Pool<u32, 6, 8192>& list, u32 first, u32 last) const;
  const StoreNote* note_of(u32 action) const;
  Extent extent(u32 leaf) const;
  void note_channel(u32 leaf, const How& how);
  void read(Extent cells, const How& how);
  void write(Extent cells, const StoreNote* note, const How& how);
  void scan_action(u32 index, const How& how, Seen& seen);

  const Slots& slots_;
  const ir::RuleProgram& p_;
  const StepRecord& record_;
  std::span<const u32> cells_;
  ir::StepFacts& f_;
  std::span<u32> column_first_;  // by leaf: of the variable that it is in
  std::span<u32> column_size_;
  std::span<u8> is_perhaps_;   // by leaf: of code that may jump over its stores
  std::span<u32> channel_of_;  // by leaf: that keeps messages there or counts them
  std::span<u32> touched_;     // by channel: the last step that has to do with it elsewhere
  std::span<u32> reading_;     // by cell: the last step that reads it alone, or its column
  std::span<u32> reading_all_;
  std::span<u32> write_of_;  // by cell: its place in `writes`, where writing_ is the step
  std::span<u32> writing_;
  u32 turn_ = 0;
  u64 effort_ = 0;
  bool is_full_ = false;  // a list is, or too much was looked at
};

}  // namespace xmc::promela_lower
