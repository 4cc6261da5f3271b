#include "engine/levels/table_queue.h"

#include <algorithm>

#include "engine/levels/frontier.h"

namespace xmc {

Status TableQueue::start(Frontier& frontier, StateTable& table, StateIndex* indexes,
                         u64 most_states) {
  frontier_ = &frontier;
  table_ = &table;
  indexes_ = indexes;
  most_states_ = most_states;
  XMC_TRY(frontier.open_queue());
  table.init(frontier.memory.region, frontier.shape(false));
  frontier.steps_back = frontier.finder == nullptr;
  if (!table.push(0)) return Status::stop(StopReason::ram);
  const u32 count = frontier.initial_states();
  if (table.insert(frontier.search.buffer, count, nullptr) != count) {
    return Status::stop(StopReason::ram);
  }
  frontier.at.end = table.size();
  frontier.set_resume_point();
  return {};
}

bool TableQueue::take(u32 count, u32& done) {
  Search& search = frontier_->search;
  if (frontier_->at.last) {
    done = count;
    frontier_->at.left_out = !table_->has_all(search.buffer, count);
    return true;
  }
  // What comes from others may be more than there are indexes for.
  const u32 most = frontier_->steps_back ? count : search.buffer_states;
  StateIndex* const indexes = frontier_->steps_back ? nullptr : indexes_;
  for (bool room = true; room && done < count;) {
    const u32 part = std::min(most, count - done);
    const Word* const states = search.buffer_at(done);
    const u32 inserted = table_->insert(states, part, indexes);
    if (indexes != nullptr) note_steps_back(states, inserted);
    done += inserted;
    room = inserted == part;
  }
  return done == count && table_->size() < most_states_;
}

// A state that was there before the next level began, and could be on an accepting cycle.
void TableQueue::note_steps_back(const Word* states, u32 count) {
  const Model& model = frontier_->search.model;
  for (u32 i = 0; i < count && !frontier_->steps_back; ++i) {
    const Word* const state = states + u64{i} * model.state_words;
    frontier_->steps_back = indexes_[i] < frontier_->at.end && model.cycle_class_of(state) != 0;
  }
}

bool TableQueue::end_level() { return table_->push(static_cast<u32>(frontier_->at.end)); }

// The side stack has where levels begin: those up to the one that is expanded, or the one behind.
Status TableQueue::fill_queue() {
  const LevelPlace& at = frontier_->at;
  const PhaseClock::Scope scope(frontier_->search.clock, Phase::queueing);
  const auto begins = [&](u64 level) -> u64 {
    return level < table_->stack_size() ? table_->stack(level)
           : level == at.level + 1      ? at.end
                                        : ~u64{0};
  };
  KeyFile& queue = frontier_->queue;
  Word state[limits::kStateWords];
  u64 level = 0;
  for (u64 i = queue.keys(); i < table_->size(); ++i) {
    while (i >= begins(level + 1)) ++level;
    load(i, state);
    XMC_TRY(queue.append(state, level));
  }
  return {};
}

Status TableQueue::leave() {
  XMC_TRY(fill_queue());
  forget();
  frontier_->reader_moved = true;
  return {};
}

}  // namespace xmc
