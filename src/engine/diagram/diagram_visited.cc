#include "engine/diagram/diagram_visited.h"

#include <algorithm>
#include <cstdint>

#include "engine/levels/look_ahead.h"
#include "engine/search/file_names.h"
#include "store/keys/sort_keys.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/parallel.h"

namespace xmc {

u64 DiagramVisited::own_bytes(const Model& model, const SearchOptions&) const {
  return KeyOrder::bytes_for(model, spills_) + 2 * kLineBytes;
}

void DiagramVisited::plan(Arena& arena) {
  order_.plan(search().model, arena, spills_);
  layout_.plan(*frontier_, order_, spills_);
  waiting_.plan(*frontier_, order_, set_);
}

void DiagramVisited::forget() {
  waiting_.forget();
  taking_ = false;
}

// --- As a diagram -----------------------------------------------------------------------------

Status DiagramVisited::enter_diagram() {
  const PhaseClock::Scope scope(search().clock, Phase::insertion);
  if (!layout_.lay_out_first()) return Status::stop(StopReason::ram);
  std::span<u8> runs = region().first(static_cast<std::size_t>(layout_.pool_bytes));
  if (spills_) {
    const u64 most = round_down(runs.size() - DiagramSet::kLeastPool, kPageBytes);
    layout_.held = runs.last(static_cast<std::size_t>(std::min(
        most, std::max(round_down(runs.size() / 3, kPageBytes), CandidateRuns::kLeastMemory))));
    runs = runs.first(runs.size() - layout_.held.size());
  }
  back_.begin(*frontier_, order_);
  set_.init(layout_.diagram, runs, &frontier_->folder(), &search().clock, frontier_->go_on());
  XMC_TRY(measure_orders());
  bool fits = true;
  XMC_TRY(spills_ ? build_joined() : rebuild(layout_.buffers(), fits));
  // Not before: the second buffer is its memory.
  table_.init(layout_.batch, frontier_->shape(false));
  if (!fits) return Status::stop(StopReason::ram);
  if (!spills_) return share_out();
  XMC_LET(Device* const device, frontier_->files.open(kCandidatesFile, Folder::Open::create));
  held_back_.init(device, kCandidatesFile, layout_.held, order_.key_words());
  return share_out();
}

Status DiagramVisited::leave_table() {
  XMC_TRY(frontier_->in_table.leave());
  return enter_diagram();
}

Status DiagramVisited::restore(Lines& io) {
  XMC_TRY(waiting_.restore(io));
  Status status = enter_diagram();
  if (status.ok()) status = restore_waiting();
  if (status.stop_reason() != StopReason::ram) return status;
  return Status::fail(Code::budget,
                      "the states of the checkpoint do not fit a diagram in this "
                      "memory; resume with a larger --ram");
}

// --- Batches ----------------------------------------------------------------------------------

// Inserts sorted keys in chunks, until there is no room; new ones go to the queue.
Status DiagramVisited::insert_sorted(const Word* keys, u32 count, u32& done, Insert how) {
  const u32 words = set_.key_words();  // the order may be another one already
  u32 size = set_.chunk();
  while (done < count) {
    const u32 part = std::min(size, count - done);
    const Word* const chunk = keys + u64{done} * words;
    if (!set_.insert(chunk, part, layout_.fresh)) {
      // A smaller chunk makes less garbage; a diagram that can go elsewhere does not wait for that.
      if (part == 1 || (spills_ && set_.diagram().size() > 0)) return {};
      size = std::max(part / 4, 1u);
      continue;
    }
    if (how != Insert::queued) {
      XMC_TRY(back_.take(chunk, part, layout_.fresh));
      XMC_TRY(enqueue_fresh(chunk, part));
    }
    done += part;
    if (spills_ && set_.tight()) return {};
  }
  return {};
}

// Of the keys from `next` on, those whose bit is set, as states: one block at most.
u32 DiagramVisited::decode_fresh(const Word* keys, u32 count, const u64* fresh, u32& next,
                                 Word* states) const {
  Word chosen[KeyOrder::kBlockWords];
  const u32 words = order_.key_words();
  u32 part = 0;
  for (const u32 most = order_.block(); next < count && part < most; ++next) {
    if ((fresh[next / 64] >> (next % 64) & 1) == 0) continue;
    std::copy_n(keys + u64{next} * words, words, chosen + part++ * words);
  }
  order_.to_states(chosen, part, states);
  return part;
}

// Those of the keys from `next` on whose bit of the layout's `fresh` is set.
Status DiagramVisited::enqueue_fresh(const Word* keys, u32 count, u32 next) {
  const PhaseClock::Scope scope(search().clock, Phase::queueing);
  Word states[KeyOrder::kBlockWords];
  while (next < count) {
    const u32 decoded = decode_fresh(keys, count, layout_.fresh, next, states);
    XMC_TRY(enqueue_states(states, decoded));
  }
  return {};
}

Status DiagramVisited::enqueue_states(const Word* states, u32 count) {
  for (u32 k = 0; k < count; ++k) {
    XMC_TRY(frontier_->enqueue(states + u64{k} * order_.state_words()));
  }
  return {};
}

Status DiagramVisited::insert_batch(u32 count, u32 done) {
  for (bool compared = false;;) {
    XMC_TRY(compare_rest(batch_keys_, count, done, compared));
    XMC_TRY(insert_sorted(batch_keys_, count, done, Insert::candidates));
    if (done == count) return {};
    if (grow_around_batch(done, count)) continue;
    if (!spills_) {
      XMC_TRY(rebuild_around_batch(count));
      done = 0;
    } else if ((!set_.spilled() && frontier_->reclaim_aside()) ||
               layout_.diagram.size() < layout_.most_diagram(set_.spilled())) {
      back_.forget();
      // The rest waits on flash while the memory is shared out anew.
      XMC_TRY(held_back_.add(batch_keys_ + u64{done} * order_.key_words(), count - done));
      return resize_diagram(layout_.most_diagram(set_.spilled()));
    } else {
      XMC_TRY(set_.spill());
    }
  }
}

u64 DiagramVisited::states() const {
  if (frontier_->in_table.on()) return frontier_->in_table.states();
  const u64 repeats = search().outcome->stats.repeats;
  return queue().keys() - (repeats == kNoFigure ? 0 : repeats);
}

Status DiagramVisited::conclude() {
  waiting_.conclude();
  return {};
}

Status DiagramVisited::settle(bool level_end) {
  if (TableQueue& in_table = frontier_->in_table; in_table.on()) {
    return !level_end || in_table.end_level() ? Status() : leave_table();
  }
  waiting_.expanded();
  XMC_TRY(flush_batch(true));
  // Without a next level this is the last chance.
  if (level_end && queue().keys() == at().end) XMC_TRY(compare_waiting());
  if (level_end) back_.end_level();
  waiting_.settled();
  return {};
}

Status DiagramVisited::flush_batch(bool all) {
  const PhaseClock::Scope scope(search().clock, Phase::insertion);
  if (set_.spilled()) back_.give_up();  // what runs have is dropped before it is looked at
  // The candidates in the table may go on as they are.
  const bool waits =
      all && held_back_.empty() && waiting_.may_wait(table_.size(), layout_.batch_states);
  if (all && !waits) XMC_TRY(compare_waiting());
  u32 count = 0;
  XMC_TRY(sort_batch(count));
  if (count > 0) {
    bool table_lives = false;
    XMC_TRY(waits ? insert_unchecked(count) : insert_and_compare(count, all, table_lives));
    if (!table_lives) table_.init(layout_.batch, frontier_->shape(false), count);
  }
  const bool due = all || held_back_.full() || !set_.spilled();
  if (due && !held_back_.empty()) XMC_TRY(settle_held_back());
  if (!held_back_.empty()) return {};
  if (!layout_.squeezed) return share_out();
  layout_.squeezed = false;
  return resize_diagram(layout_.diagram.size());
}

// The sorted batch, now or with the others of its level.
Status DiagramVisited::insert_and_compare(u32 count, bool all, bool& table_lives) {
  if (set_.spilled() && (!all || !held_back_.empty())) return hold_back(count);
  if (beside(count)) return insert_beside(count, table_lives);
  const u64 begun = frontier_->now();
  const u64 before = queue().keys();
  XMC_TRY(insert_batch(count, 0));
  if (set_.spilled()) waiting_.compared(count, frontier_->now() - begun);
  waiting_.enqueued_since(before);
  return {};
}

Status DiagramVisited::take(u32 count) {
  u32 done = 0;
  if (TableQueue& in_table = frontier_->in_table; in_table.on()) {
    if (in_table.take(count, done)) return {};
    XMC_TRY(leave_table());
  }
  taking_ = true;
  while (done < count) {
    const u32 room = layout_.batch_states - table_.size();
    const u32 part = std::min(count - done, room);
    done += table_.insert(search().buffer_at(done), part, nullptr);
    if (done < count) XMC_TRY(flush_batch(false));
  }
  taking_ = false;
  // With the buffer empty: what is expanded beside the insertion may use it.
  while (batch_full() && !frontier_->over()) {
    XMC_TRY(flush_batch(false));
    frontier_->ahead->absorb();
  }
  return {};
}

bool DiagramVisited::has_room_ahead() const {
  return !taking_ && table_.size() + search().buffer_states <= layout_.batch_states &&
         table_.has_room(search().buffer_states);
}

// A table that is too small for that is filled until it refuses.
bool DiagramVisited::batch_full() const {
  return table_.size() >= search().buffer_states && !has_room_ahead();
}

}  // namespace xmc
