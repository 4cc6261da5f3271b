// DiagramVisited on flash: levels that are compared with the runs together.
//
// While levels wait, candidates that are not in the diagram go to the queue and to the diagram
// without a look at the runs, so that some of them may have been expanded long ago. All of them are
// compared later, in one pass: before the diagram is written out (the runs would have them
// themselves then), before digits are split, when the wait stops paying, and at the end. Repeats
// stay in the queue, where their first occurrence has the true level (level_search.h); their counts
// are taken back, for those that are still to be expanded in advance.
#include <algorithm>
#include <utility>

#include "engine/diagram/diagram_visited.h"
#include "engine/search/level_checkpoint.h"
#include "store/checkpoint/manifest.h"
#include "store/keys/key_compare.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

// Whether the candidates in the table may go on as they are. Cycles are looked for in a queue
// without repeats, and limits count what is in it; so does whoever divides the states anew.
bool DiagramVisited::may_wait(u32 candidates) {
  const Model& model = search().model;
  const u64 successors = u64{model.max_successors} * model.state_words * sizeof(Word);
  const u64 waiting = unchecked() ? queue().keys() - waiting_.unchecked : 0;
  if (candidates == 0 || !set_.spilled() || !held_back_.empty() || at().last || model.buchi ||
      frontier_->owners.on() || search().options.state_limit != ~u64{0} ||
      successors > DiagramSet::kScratchBytes || waiting + candidates > layout_.batch_states / 2) {
    return false;
  }
  return waiting_.levels < (levels_to_wait_ > 0 ? levels_to_wait_ : waiting_.policy.levels());
}

// Those that the diagram does not have. What does not fit waits on flash and is compared.
Status DiagramVisited::insert_unchecked(u32 count) {
  stats().delayed_detections =
      stats().delayed_detections == kNoFigure ? 1 : stats().delayed_detections + 1;
  ++waiting_.levels;
  if (waiting_.proper_levels == 0) waiting_.proper_levels = at().level + 1;
  if (!unchecked()) waiting_.unchecked = queue().keys();
  // A run that is stopped before the next resume point has them in its queue, and compares them.
  resume_.unchecked = std::min(resume_.unchecked, waiting_.unchecked);
  if (resume_.proper_levels == 0) resume_.proper_levels = waiting_.proper_levels;
  u32 done = 0;
  XMC_TRY(insert_sorted(batch_keys_, count, done, Insert::candidates));
  if (done == count) return {};
  return held_back_.add(batch_keys_ + u64{done} * order_.key_words(), count - done);
}

// Compares what waits with the runs. Uses the keys buffer.
Status DiagramVisited::check_waiting() {
  if (!unchecked()) return {};
  const PhaseClock::Scope scope(search().clock, Phase::detection);
  const KeyReader::Position position = reader().position();
  // After a resume with less memory there may be more than one part.
  u32 part = 0;
  for (u64 at = waiting_.unchecked; at < queue().keys(); at += part) {
    part = static_cast<u32>(std::min<u64>(layout_.batch_states / 2, queue().keys() - at));
    const u64 begun = frontier_->now();
    u32 hits = 0;
    XMC_TRY(find_waiting(at, part, hits));
    if (waiting_.levels > 0) waiting_.policy.waited(part, hits, frontier_->now() - begun);
    XMC_TRY(take_back_waiting(at, part, hits));
  }
  waiting_.unchecked = kAllChecked;
  waiting_.levels = 0;
  return reader().seek(position);
}

// Those that the runs have, as sorted keys at the front of the keys buffer.
Status DiagramVisited::find_waiting(u64 first, u32 count, u32& hits) {
  const u32 words = order_.key_words();
  const u32 half = layout_.batch_states / 2;
  XMC_TRY(reader().seek_key(first));
  XMC_LET(Word* const sorted,
          read_sorted_keys(reader(), order_, {layout_.keys, layout_.keys + u64{half} * words, half},
                           count));
  XMC_CHECK(sorted != nullptr);  // they were keys before
  hits = count;
  XMC_TRY(set_.keep_old(sorted, hits));
  std::copy_n(sorted, u64{hits} * words, layout_.keys);
  return {};
}

// Successors go to the set's scratch: the buffer may be in use.
Status DiagramVisited::take_back_waiting(u64 first, u32 count, u32 hits) {
  const u32 words = order_.key_words();
  XMC_TRY(reader().seek_key(first));
  Word* const buffer = std::exchange(search().buffer, set_.scratch());
  Word state[limits::kStateWords];
  Word key[limits::kKeyWords];
  Status status;
  for (u32 i = 0; i < count && status.ok(); ++i) {
    const Result<bool> more = reader().next(state);
    status = more.status();
    if (!more.ok()) break;
    XMC_CHECK(more.value() && order_.to_key(state, key));
    u32 low = 0;
    for (u32 high = hits; low < high;) {
      const u32 middle = low + (high - low) / 2;
      key_less(layout_.keys + u64{middle} * words, key, words) ? low = middle + 1 : high = middle;
    }
    if (low < hits && key_equal(key, layout_.keys + u64{low} * words, words)) {
      frontier_->take_back(state);
    } else {
      waiting_.proper_levels = std::max(waiting_.proper_levels, reader().level() + 1);
    }
  }
  search().buffer = buffer;
  return status;
}

// --- Ends -------------------------------------------------------------------------------------

u64 DiagramVisited::states() const {
  if (frontier_->in_table.on()) return frontier_->in_table.states();
  const u64 repeats = search().outcome->stats.repeats;
  return queue().keys() - (repeats == kNoFigure ? 0 : repeats);
}

Status DiagramVisited::conclude() {
  XMC_CHECK(!unchecked());
  if (waiting_.proper_levels != 0) stats().levels = waiting_.proper_levels;
  return {};
}

// Levels that wait, if any ever did.
void DiagramVisited::lines(Lines& io) {
  if (!io.there("unchecked", waiting_.proper_levels != 0)) return;
  io.number("proper-levels", resume_.proper_levels);
  io.number("unchecked", resume_.unchecked);
}

Status DiagramVisited::load_waiting(Lines& io) {
  waiting_ = {};
  resume_ = {};
  lines(io);
  XMC_TRY(io.status());
  waiting_.proper_levels = resume_.proper_levels;
  waiting_.unchecked = resume_.unchecked;
  if (unchecked() && waiting_.unchecked > queue().keys()) {
    return Status::fail(Code::corrupt, "the checkpoint has more states that wait than its queue");
  }
  return {};
}

// Sees to it that what waits has keys. False: a digit has to be split.
Status DiagramVisited::number_waiting(bool& coded) {
  XMC_TRY(reader().seek_key(waiting_.unchecked));
  u32 part = 0;
  for (u64 at = waiting_.unchecked; at < queue().keys() && coded; at += part) {
    part = static_cast<u32>(std::min<u64>(layout_.batch_states, queue().keys() - at));
    XMC_LET(Word* const sorted,
            read_sorted_keys(reader(), order_, {layout_.keys, layout_.sorted, layout_.batch_states},
                             part));
    coded = sorted != nullptr;
  }
  return {};
}

// The runs get all that was checked, and what waited is compared with them first of all.
Status DiagramVisited::restore_waiting() {
  if (!unchecked()) return {};
  const u64 first = waiting_.unchecked;
  XMC_TRY(set_.spill());
  XMC_TRY(check_waiting());
  XMC_TRY(reader().seek_key(first));
  const KeyBuffers buffers{layout_.keys, layout_.sorted, layout_.batch_states};
  XMC_LET(const Filling filling, insert_from_queue(queue().keys() - first, buffers));
  XMC_CHECK(filling == Filling::done);
  return {};
}

}  // namespace xmc
