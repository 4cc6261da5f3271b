// DiagramEngine on several threads. The diagram takes a third of the time and cannot be shared, so
// one thread inserts a batch there while the search goes on with the states behind it: the table is
// free as soon as its keys are sorted, and takes the next batch.
//
// Everything is the same as on one thread: chunks go to the diagram in the same order and the same
// sizes, their new states to the queue as well, and what is expanded meanwhile is counted in its
// turn (LevelSearch::look_ahead). With more threads than two the others have nothing to do at the
// end of a level.
#include <algorithm>

#include "engine/diagram_engine.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/parallel.h"

namespace xmc {

namespace {

constexpr u32 kLookAhead = 64;  // states between two looks at the other thread

}  // namespace

// Not where a full diagram would mean to build it anew, which needs the batch once more, nor with
// runs, whose files are for one thread.
bool DiagramEngine::beside() const {
  return spills_ && search_.options.parallel != nullptr && !set_.spilled() && held_back_.empty();
}

bool DiagramEngine::room_ahead() const {
  return search_.table.size() + search_.buffer_states <= batch_states_ &&
         search_.table.has_room(search_.buffer_states);
}

// `done` of the `count` successors in the buffer are in the full batch.
Status DiagramEngine::flush_beside(u32 done, u32 count, StopReason& stop) {
  const u32 keys = sort_batch();
  search_.table.init(batch_region_, shape_of(search_.model, false));
  const u32 rest = search_.table.insert(search_.buffer_at(done), count - done, nullptr);
  XMC_CHECK(rest == count - done);
  if (keys > 0) XMC_TRY(insert_beside(keys, stop));
  if (stop == StopReason::none && count > 0) absorb();
  return {};
}

struct DiagramEngine::Insertion : Parallel::Job {
  DiagramSet* set;
  const Word* keys;
  u32 count;
  u64 fresh[DiagramSet::kChunk / 64];
  bool fits;
};

Status DiagramEngine::insert_beside(u32 count, StopReason& stop) {
  const u32 words = order_.key_words();
  Parallel& parallel = *search_.options.parallel;
  Insertion job;
  job.set = &set_;
  job.run = [](Parallel::Job& self, u32) {
    Insertion& i = static_cast<Insertion&>(self);
    i.fits = i.set->add_in_memory(i.keys, i.count, i.fresh);
  };
  const Word* last_keys = nullptr;  // the chunk that is in the diagram, and not yet in the queue
  u32 last_count = 0;
  set_.begin_pass();
  for (u32 done = 0;;) {
    const bool more = done < count && !set_.spilled();
    if (more) {
      job.keys = batch_keys_ + u64{done} * words;
      job.count = std::min(set_.chunk(), count - done);
      parallel.submit(job);
    }
    Status status = enqueue_fresh(last_keys, last_count, fresh_, stop);
    if (more) {
      if (status.ok() && stop == StopReason::none) status = look_ahead_beside(job);
      parallel.finish(job);
    }
    XMC_TRY(status);
    if (stop != StopReason::none || done == count) return {};
    if (!more || !job.fits) {
      return insert_sorted(batch_keys_ + u64{done} * words, count - done, true, stop);
    }
    XMC_TRY(set_.after_add());
    last_keys = job.keys;
    last_count = job.count;
    std::copy_n(job.fresh, divide_up(job.count, 64), fresh_);
    done += job.count;
  }
}

Status DiagramEngine::look_ahead_beside(const Insertion& job) {
  for (bool went_on = true; went_on && !search_.options.parallel->done(job);) {
    XMC_TRY(look_ahead(kLookAhead, went_on));
  }
  return {};
}

}  // namespace xmc
