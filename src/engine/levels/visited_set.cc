#include "engine/levels/visited_set.h"

namespace xmc {

Status VisitedSet::start() {
  XMC_TRY(frontier_->open_queue());
  XMC_TRY(begin());
  const u32 count = frontier_->initial_states();
  frontier_->at.enqueue_level = 0;
  Status status = take(count);
  if (status.ok()) status = settle(true);
  frontier_->at.end = queue().keys();
  frontier_->set_resume_point();
  return status;
}

}  // namespace xmc
