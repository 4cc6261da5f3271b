// StepWork, and what of it belongs to the process: who is asked, the limit, and the first step that
// reached it. Threads meet in one atomic reason.
#include "xmc/step_work.h"

#include <atomic>

#include "xmc/limits.h"
#include "xmc/model.h"

namespace xmc {

namespace {

StepWatch watch_of_run;
u64 limit_of_run = limits::kStepWork;
std::atomic<StopReason> first_stop{StopReason::none};
LongStep step_at_limit;

}  // namespace

void watch_steps(const StepWatch& watch) { watch_of_run = watch; }

void limit_steps(u64 units) { limit_of_run = units; }

u64 step_limit() { return limit_of_run; }

Status stop_of_steps() { return Status::stop(first_stop.load(std::memory_order_relaxed)); }

void forget_step_end() {
  first_stop.store(StopReason::none, std::memory_order_relaxed);
  step_at_limit = {};
}

const LongStep& long_step() { return step_at_limit; }

void LongStep::add(u32 label) {
  for (u32 i = 0; i < label_count; ++i) {
    if (labels[i] == label) return;
  }
  if (label_count < kLabels) labels[label_count++] = label;
}

u8 StepWork::flags() const {
  if (pieces_ == 0) return 0;
  return ended_ ? u8{kLong | kUnfinished} : u8{kLong};
}

void StepWork::end(StopReason why) {
  StopReason before = StopReason::none;
  const bool first = first_stop.compare_exchange_strong(before, why, std::memory_order_relaxed);
  place_ = first && why == StopReason::step_limit ? &step_at_limit : nullptr;
  ended_ = true;
}

// Behind the end each unit is asked for, and refused.
bool StepWork::next_piece() {
  left_ = kPiece;
  ++pieces_;
  if (!may_stop_ || pieces_ < kHeard) return true;
  if (!ended_ && pieces_ > limit_of_run / kPiece) end(StopReason::step_limit);
  if (!ended_) {
    StopReason why = first_stop.load(std::memory_order_relaxed);
    if (why == StopReason::none && watch_of_run.reason != nullptr)
      why = watch_of_run.reason(watch_of_run.self);
    if (why != StopReason::none) end(why);
  }
  if (ended_) left_ = 1;
  return !ended_;
}

}  // namespace xmc
