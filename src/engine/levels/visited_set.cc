#include "engine/levels/visited_set.h"

#include "xmc/check.h"

namespace xmc {

Status VisitedSet::start() {
  XMC_TRY(frontier_->open_queue());
  XMC_TRY(begin());
  SuccessorBuffer out;
  out.states = search().buffer;
  out.capacity = search().buffer_states;
  const u32 count = search().model.initial(search().model.self, out);
  XMC_CHECK(count >= 1 && count <= search().buffer_states);
  frontier_->at.enqueue_level = 0;
  Status status = take(count);
  if (status.ok()) status = settle(true);
  frontier_->at.end = queue().keys();
  frontier_->set_resume_point();
  return status;
}

}  // namespace xmc
