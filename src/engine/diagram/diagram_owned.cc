// DiagramVisited of one owner of several. It begins in a table that is its queue as well, and
// leaves that when it is full, whatever the others do: positions stay the same, in the table and in
// the queue file.
#include <algorithm>

#include "engine/diagram/diagram_visited.h"

namespace xmc {

Status DiagramVisited::start_owned() {
  XMC_TRY(frontier_->open_queue());
  table_.init(region(), frontier_->shape(false));
  stage_ = true;
  frontier_->steps_back = frontier_->finder == nullptr;
  if (!table_.push(0)) return Status::stop(StopReason::ram);
  const u32 count = frontier_->initial_states();
  if (table_.insert(search().buffer, count, nullptr) != count) return Status::stop(StopReason::ram);
  frontier_->at.end = table_.size();
  frontier_->set_resume_point();
  return {};
}

void DiagramVisited::load_queued(u64 number, Word* to) const {
  table_.load(static_cast<StateIndex>(number), to);
}

// `done`: how many of the states in the buffer are settled; fewer when the table was left.
Status DiagramVisited::take_in_table(u32 count, u32& done) {
  if (at().last) {
    done = count;
    frontier_->at.left_out = !table_.has_all(search().buffer, count);
    return {};
  }
  // What comes from others may be more than there are indexes for.
  const u32 most = frontier_->steps_back ? count : search().buffer_states;
  StateIndex* const indexes = frontier_->steps_back ? nullptr : in_table_.indexes();
  for (bool room = true; room && done < count;) {
    const u32 part = std::min(most, count - done);
    const Word* const states = search().buffer_at(done);
    const u32 inserted = table_.insert(states, part, indexes);
    if (indexes != nullptr) note_steps_back(states, inserted);
    done += inserted;
    room = inserted == part;
  }
  if (done == count && table_.size() < in_table_.most_states()) return {};
  return leave_table();
}

// A state that was there before the next level began, and could be on an accepting cycle.
void DiagramVisited::note_steps_back(const Word* states, u32 count) {
  const Model& model = search().model;
  const StateIndex* const indexes = in_table_.indexes();
  for (u32 i = 0; i < count && !frontier_->steps_back; ++i) {
    const Word* const state = states + u64{i} * model.state_words;
    frontier_->steps_back = indexes[i] < at().end && model.cycle_class_of(state) != 0;
  }
}

// The next level begins behind this one.
Status DiagramVisited::end_level_in_table() {
  return table_.push(static_cast<u32>(at().end)) ? Status() : leave_table();
}

// The side stack has where levels begin: those up to the one that is expanded, or the one behind.
Status DiagramVisited::fill_queue() {
  if (!stage_) return {};
  const PhaseClock::Scope scope(search().clock, Phase::queueing);
  const auto begins = [&](u64 level) -> u64 {
    return level < table_.stack_size() ? table_.stack(level)
           : level == at().level + 1   ? at().end
                                       : ~u64{0};
  };
  Word state[limits::kStateWords];
  u64 level = 0;
  for (u64 i = queue().keys(); i < table_.size(); ++i) {
    while (i >= begins(level + 1)) ++level;
    table_.load(static_cast<StateIndex>(i), state);
    XMC_TRY(queue().append(state, level));
  }
  return {};
}

Status DiagramVisited::leave_table() {
  XMC_TRY(fill_queue());
  stage_ = false;
  frontier_->reader_moved = true;
  return enter_diagram();
}

}  // namespace xmc
