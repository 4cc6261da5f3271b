// DiagramEngine on flash: levels that are compared with the runs together.
//
// While levels wait, candidates that are not in the diagram go to the queue and to the diagram
// without a look at the runs, so that some of them may have been expanded long ago. All of them are
// compared later, in one pass: before the diagram is written out (the runs would have them
// themselves then), before digits are split, when the wait stops paying, and at the end. Repeats
// stay in the queue, where their first occurrence has the true level (level_search.h); their counts
// are taken back, for those that are still to be expanded in advance.
#include <algorithm>
#include <utility>

#include "engine/diagram/diagram_engine.h"
#include "engine/search/level_checkpoint.h"
#include "store/checkpoint/manifest.h"
#include "store/keys/key_compare.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

// As a run begins.
void DiagramEngine::forget_waiting() {
  wait_ = {};
  unchecked_ = kAllChecked;
  proper_levels_ = 0;
  marked_ = {};
  levels_waited_ = 0;
  settled_ns_ = 0;
}

// Whether the candidates in the table may go on as they are. Cycles are looked for in a queue
// without repeats, and limits count what is in it.
bool DiagramEngine::may_wait(u32 candidates) {
  const Model& model = search_.model;
  const u64 successors = u64{model.max_successors} * model.state_words * sizeof(Word);
  const u64 waiting = unchecked() ? queue_.keys() - unchecked_ : 0;
  if (candidates == 0 || !set_.spilled() || !held_back_.empty() || at_last_level() || model.buchi ||
      search_.options.state_limit != ~u64{0} || successors > DiagramSet::kScratchBytes ||
      waiting + candidates > batch_states_ / 2) {
    return false;
  }
  return levels_waited_ < (levels_to_wait_ > 0 ? levels_to_wait_ : wait_.levels());
}

// Those that the diagram does not have. What does not fit waits on flash and is compared.
Status DiagramEngine::insert_unchecked(u32 count, StopReason& stop) {
  stats().delayed_detections =
      stats().delayed_detections == kNoFigure ? 1 : stats().delayed_detections + 1;
  ++levels_waited_;
  if (proper_levels_ == 0) proper_levels_ = level_ + 1;
  if (!unchecked()) unchecked_ = queue_.keys();
  u32 done = 0;
  XMC_TRY(insert_sorted(batch_keys_, count, done, Insert::candidates, stop));
  if (done == count || stop != StopReason::none) return {};
  return held_back_.add(batch_keys_ + u64{done} * order_.key_words(), count - done);
}

// Compares what waits with the runs. Uses the keys buffer.
Status DiagramEngine::check_waiting() {
  if (!unchecked()) return {};
  const PhaseClock::Scope scope(search_.clock, Phase::detection);
  const KeyReader::Position position = reader_.position();
  // After a resume with less memory there may be more than one part.
  u32 part = 0;
  for (u64 at = unchecked_; at < queue_.keys(); at += part) {
    part = static_cast<u32>(std::min<u64>(batch_states_ / 2, queue_.keys() - at));
    const u64 begun = now();
    u32 hits = 0;
    XMC_TRY(find_waiting(at, part, hits));
    if (levels_waited_ > 0) wait_.waited(part, hits, now() - begun);
    XMC_TRY(take_back_waiting(at, part, hits));
  }
  unchecked_ = kAllChecked;
  levels_waited_ = 0;
  return reader_.seek(position);
}

// Those that the runs have, as sorted keys at the front of the keys buffer.
Status DiagramEngine::find_waiting(u64 first, u32 count, u32& hits) {
  const u32 words = order_.key_words();
  const u32 half = batch_states_ / 2;
  XMC_TRY(reader_.seek_key(first));
  XMC_LET(Word* const sorted,
          read_sorted_keys(reader_, order_, {keys_, keys_ + u64{half} * words, half}, count));
  XMC_CHECK(sorted != nullptr);  // they were keys before
  hits = count;
  XMC_TRY(set_.keep_old(sorted, hits));
  std::copy_n(sorted, u64{hits} * words, keys_);
  return {};
}

// Successors go to the set's scratch: the buffer may be in use.
Status DiagramEngine::take_back_waiting(u64 first, u32 count, u32 hits) {
  const u32 words = order_.key_words();
  XMC_TRY(reader_.seek_key(first));
  Word* const buffer = std::exchange(search_.buffer, set_.scratch());
  Word state[limits::kStateWords];
  Word key[kMostKeyWords];
  Status status;
  for (u32 i = 0; i < count && status.ok(); ++i) {
    const Result<bool> more = reader_.next(state);
    status = more.status();
    if (!more.ok()) break;
    XMC_CHECK(more.value() && order_.to_key(state, key));
    u32 low = 0;
    for (u32 high = hits; low < high;) {
      const u32 middle = low + (high - low) / 2;
      key_less(keys_ + u64{middle} * words, key, words) ? low = middle + 1 : high = middle;
    }
    if (low < hits && key_equal(key, keys_ + u64{low} * words, words)) {
      take_back(state);
    } else {
      proper_levels_ = std::max(proper_levels_, reader_.level() + 1);
    }
  }
  search_.buffer = buffer;
  return status;
}

// --- Ends -------------------------------------------------------------------------------------

u64 DiagramEngine::states() const {
  const u64 repeats = search_.outcome->stats.repeats;
  return queue_.keys() - (repeats == kNoFigure ? 0 : repeats);
}

Status DiagramEngine::conclude() {
  XMC_CHECK(!unchecked());
  if (proper_levels_ != 0) stats().levels = proper_levels_;
  return {};
}

Status DiagramEngine::save_store(Manifest& manifest) {
  if (proper_levels_ == 0) return {};
  manifest.add("proper-levels", marked_.proper_levels);
  manifest.add("unchecked", marked_.unchecked);
  return {};
}

Status DiagramEngine::load_waiting(const Manifest& manifest) {
  forget_waiting();
  if (!manifest.has("unchecked")) return {};
  XMC_TRY(restore_number(manifest, "proper-levels", proper_levels_));
  XMC_TRY(restore_number(manifest, "unchecked", unchecked_));
  if (unchecked() && unchecked_ > queue_.keys()) {
    return Status::fail(Code::corrupt, "the checkpoint has more states that wait than its queue");
  }
  marked_ = {unchecked_, proper_levels_};
  return {};
}

// Sees to it that what waits has keys. False: a digit has to be split.
Status DiagramEngine::number_waiting(bool& coded) {
  XMC_TRY(reader_.seek_key(unchecked_));
  u32 part = 0;
  for (u64 at = unchecked_; at < queue_.keys() && coded; at += part) {
    part = static_cast<u32>(std::min<u64>(batch_states_, queue_.keys() - at));
    XMC_LET(Word* const sorted,
            read_sorted_keys(reader_, order_, {keys_, sorted_, batch_states_}, part));
    coded = sorted != nullptr;
  }
  return {};
}

// The runs get all that was checked, and what waited is compared with them first of all.
Status DiagramEngine::restore_waiting(StopReason& stop) {
  if (!unchecked()) return {};
  const u64 first = unchecked_;
  XMC_TRY(set_.spill());
  XMC_TRY(check_waiting());
  XMC_TRY(reader_.seek_key(first));
  bool coded = false;
  XMC_TRY(insert_from_queue(queue_.keys() - first, {keys_, sorted_, batch_states_}, coded, stop));
  XMC_CHECK(coded || stop != StopReason::none);
  return {};
}

}  // namespace xmc
