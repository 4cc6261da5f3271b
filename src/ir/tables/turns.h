// Whether a step can make a condition true, or false: by what it may write, and what its guard says
// of the cells before. "Yes" where that is not known.
#pragma once

#include "ir/tables/step_facts.h"

namespace xmc::ir {

class Turns {
 public:
  explicit Turns(StepFacts& facts);

  // The step that is asked about from here on.
  void load(const StepFact& step);
  bool turns(u32 condition, bool to) const;
  // Whether the difference of a balance may grow, or shrink.
  void moves(const Condition& c, bool& grows, bool& shrinks) const;
  Interval before(u32 cell) const { return known_[cell] == round_ ? before_[cell] : f_.hull[cell]; }
  // What the condition is wherever the step is enabled, or behind it, as far as that is known.
  enum class When : u8 { before, after };
  bool is_surely(u32 condition, bool truth, When when) const;

 private:
  Interval after(u32 cell) const;
  bool compare_turns(u32 cell, Op op, i32 value) const;
  bool write_turns(const CellWrite& w, u32 cell, Op op, i32 value) const;
  void input_moves(const ConditionInput& input, bool& grows, bool& shrinks) const;
  void write_moves(const CellWrite& w, const ConditionInput& input, bool& up, bool& down) const;

  StepFacts& f_;
  const StepFact* step_ = nullptr;
  std::span<Interval> before_;  // by cell, where known_ is round_
  std::span<u32> known_;
  u32 round_ = 0;
};

}  // namespace xmc::ir
