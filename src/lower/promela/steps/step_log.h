// Where the lowering says what reductions want to know of the code that it makes. A log of nothing
// keeps nothing: nobody asks for steps, or the code is that of a test.
#pragma once

#include "lower/body_code.h"
#include "lower/promela/steps/step_record.h"

namespace xmc::promela_lower {

// What an assignment adds to what was there before.
struct Change {
  bool is_one = false;
  i32 by = 0;
};

class StepLog {
 public:
  StepLog() = default;
  StepLog(StepRecord* record, const BodyCode& code) : record_(record), code_(&code) {}

  // Of the next action: it stores one of these; it can fail by its kind, and does not.
  void store(ir::Interval values, const Change& change);
  void safe(bool is_safe);
  // Code begins here that asks for it.
  void timeout();
  // A step is complete, or what says whether a slot may move at all.
  void region(const StepRegion& region);
  void provided(u32 slot, CodeRange code);

 private:
  StepRecord* record_ = nullptr;
  const BodyCode* code_ = nullptr;
};

}  // namespace xmc::promela_lower
