// DiagramVisited on several threads. The diagram takes a large part of the time and cannot be
// shared, so another thread inserts a batch there, chunk by chunk, and makes states of new keys,
// while this one enqueues those of the chunk before and goes on with the search: the table is free
// as soon as the batch is sorted, and takes the next one.
//
// Everything is as on one thread: chunks go to the diagram in the same order and the same sizes,
// their new states to the queue as well, and what is expanded meanwhile is counted in its turn
// (engine/levels/look_ahead.h). Only the diagram is touched by the other thread: no file, no clock.
#include <algorithm>

#include "engine/diagram/diagram_visited.h"
#include "engine/levels/look_ahead.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/parallel.h"

namespace xmc {

namespace {

constexpr u32 kLookAhead = 64;                        // states between two looks at the job
constexpr u32 kLeastBeside = 2 * DiagramSet::kChunk;  // keys that are worth another thread

}  // namespace

// Not where a full diagram would mean to build it anew, which needs the batch once more, nor with
// runs, whose files are for one thread.
bool DiagramVisited::beside(u32 count) const {
  return spills_ && search().options.parallel != nullptr && count >= kLeastBeside &&
         !set_.spilled() && held_back_.empty();
}

struct DiagramVisited::Insertion : Parallel::Job {
  DiagramVisited* set;
  const Word* keys;
  u32 count;
  u64 fresh[DiagramSet::kChunk / 64];
  bool fits;
  // New keys as states, so many as there is room for; those from `next` on are not among them.
  Word* states;
  u32 decoded;
  u32 next;

  void insert();
};

void DiagramVisited::Insertion::insert() {
  decoded = next = 0;
  fits = set->set_.insert(keys, count, fresh);
  const KeyOrder& order = set->order_;
  const u64 room = DiagramSet::kScratchBytes / 2 / (order.state_words() * sizeof(Word));
  while (fits && next < count && decoded + order.block() <= room) {
    Word* const to = states + u64{decoded} * order.state_words();
    decoded += set->decode_fresh(keys, count, fresh, next, to);
  }
}

// The sorted batch into the diagram. False in `table_lives`: nothing was looked at beside, or it
// was forgotten again because the memory is laid out anew.
Status DiagramVisited::insert_beside(u32 count, bool& table_lives) {
  const u32 words = order_.key_words();
  if (batch_keys_ != layout_.keys) std::copy_n(batch_keys_, u64{count} * words, layout_.keys);
  batch_keys_ = layout_.keys;
  table_.init(layout_.batch, frontier_->shape(false), count);
  table_lives = true;
  Parallel& parallel = *search().options.parallel;
  Insertion job;
  job.set = this;
  job.run = [](Parallel::Job& self, u32) { static_cast<Insertion&>(self).insert(); };
  // The scratch is nobody else's before the set spills: half of it for each of two chunks.
  Word* const halves[2] = {set_.scratch(),
                           set_.scratch() + DiagramSet::kScratchBytes / 2 / sizeof(Word)};
  u32 turn = 0;
  // The chunk that is in the diagram, and not yet in the queue.
  u32 last = 0;
  u32 decoded = 0;
  u32 next = 0;
  bool full = false;
  for (u32 done = 0;;) {
    const bool more = done < count && !full;
    if (more) {
      job.keys = layout_.keys + u64{done} * words;
      job.count = std::min(set_.chunk(), count - done);
      job.states = halves[turn];
      parallel.submit(job);
    }
    Status status;
    {
      const PhaseClock::Scope scope(search().clock, Phase::queueing);
      status = enqueue_states(halves[turn ^ 1], decoded);
    }
    if (status.ok()) {
      status = enqueue_fresh(layout_.keys + u64{done - last} * words, last, next);
    }
    if (more) {
      if (status.ok()) status = look_ahead_beside(job);
      parallel.finish(job);
    }
    XMC_TRY(status);
    if (done == count) return {};
    if (full || !job.fits) {
      table_lives = false;
      XMC_TRY(frontier_->ahead->forget());
      return insert_batch(count, done);
    }
    last = job.count;
    decoded = job.decoded;
    next = job.next;
    turn ^= 1;
    std::copy_n(job.fresh, divide_up(last, 64), layout_.fresh);
    XMC_TRY(back_.take(job.keys, last, layout_.fresh));
    done += last;
    full = set_.tight();
  }
}

Status DiagramVisited::look_ahead_beside(const Insertion& job) {
  const LookAhead::Taker aside = {
      this, [](void* self) { return static_cast<DiagramVisited*>(self)->has_room_ahead(); },
      [](void* self, u32 count) {
        DiagramVisited& set = *static_cast<DiagramVisited*>(self);
        XMC_CHECK(set.table_.insert(set.search().buffer, count, nullptr) == count);
      }};
  Status status;
  for (bool went_on = true; went_on && status.ok() && !search().options.parallel->done(job);) {
    status = frontier_->ahead->look(aside, kLookAhead, went_on);
  }
  return status;
}

}  // namespace xmc
