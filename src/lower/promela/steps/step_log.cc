#include "lower/promela/steps/step_log.h"

namespace xmc::promela_lower {

void StepLog::store(ir::Interval values, const Change& change) {
  if (record_ == nullptr || code_->is_dead() || record_->stores.full()) return;
  record_->stores.push({code_->here(), values, change.is_one, change.by});
}

void StepLog::safe(bool is_safe) {
  if (!is_safe || record_ == nullptr || code_->is_dead() || record_->safe.full()) return;
  record_->safe.push(code_->here());
}

void StepLog::timeout() {
  if (record_ == nullptr) return;
  if (record_->timeouts.full()) {
    record_->is_full = true;
  } else {
    record_->timeouts.push(code_->here());
  }
}

void StepLog::region(const StepRegion& region) {
  if (record_ == nullptr) return;
  if (record_->regions.full()) {
    record_->is_full = true;
  } else {
    record_->regions.push(region);
  }
}

void StepLog::provided(u32 slot, CodeRange code) {
  if (record_ != nullptr) record_->provided[slot] = code;
}

}  // namespace xmc::promela_lower
