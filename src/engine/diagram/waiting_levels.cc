#include "engine/diagram/waiting_levels.h"

#include <algorithm>
#include <utility>

#include "store/keys/key_compare.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

void WaitingLevels::forget() {
  policy_ = RunWait();
  levels_ = 0;
  settled_ns_ = expansions_ = 0;
  now_ = resume_ = Place();
}

// Cycles are looked for in a queue without repeats, and limits count what is in it; so does whoever
// divides the states anew.
bool WaitingLevels::may_wait(u32 candidates, u32 room) const {
  const Search& search = frontier_->search;
  const Model& model = search.model;
  const u64 successors = u64{model.max_successors} * model.state_words * sizeof(Word);
  const u64 waiting = any() ? frontier_->queue.keys() - now_.unchecked : 0;
  if (candidates == 0 || !set_->spilled() || frontier_->at.last || model.buchi ||
      frontier_->owners.on() || search.options.state_limit != ~u64{0} ||
      successors > DiagramSet::kScratchBytes || waiting + candidates > room / 2) {
    return false;
  }
  return levels_ < (levels_to_wait_ > 0 ? levels_to_wait_ : policy_.levels());
}

// A run that is stopped before the next resume point has them in its queue, and compares them.
void WaitingLevels::add_level() {
  SearchStats& s = stats();
  s.delayed_detections = s.delayed_detections == kNoFigure ? 1 : s.delayed_detections + 1;
  ++levels_;
  if (now_.proper_levels == 0) now_.proper_levels = frontier_->at.level + 1;
  if (!any()) now_.unchecked = frontier_->queue.keys();
  resume_.unchecked = std::min(resume_.unchecked, now_.unchecked);
  if (resume_.proper_levels == 0) resume_.proper_levels = now_.proper_levels;
}

Status WaitingLevels::compare(Word* keys, u32 room) {
  if (!any()) return {};
  const PhaseClock::Scope scope(frontier_->search.clock, Phase::detection);
  const KeyFile& queue = frontier_->queue;
  const KeyReader::Position position = frontier_->reader.position();
  // After a resume with less memory there may be more than one part.
  u32 part = 0;
  for (u64 at = now_.unchecked; at < queue.keys(); at += part) {
    part = static_cast<u32>(std::min<u64>(room / 2, queue.keys() - at));
    const u64 begun = frontier_->now();
    u32 hits = 0;
    XMC_TRY(find(keys, room / 2, at, part, hits));
    if (levels_ > 0) policy_.waited(part, hits, frontier_->now() - begun);
    XMC_TRY(take_back(keys, at, part, hits));
  }
  now_.unchecked = kAllChecked;
  levels_ = 0;
  return frontier_->reader.seek(position);
}

// Those that the runs have, as sorted keys at the front of the buffer.
Status WaitingLevels::find(Word* keys, u32 half, u64 first, u32 count, u32& hits) {
  const u32 words = order_->key_words();
  KeyReader& reader = frontier_->reader;
  XMC_TRY(reader.seek_key(first));
  XMC_LET(Word* const sorted,
          read_sorted_keys(reader, *order_, {keys, keys + u64{half} * words, half}, count));
  XMC_CHECK(sorted != nullptr);  // they were keys before
  hits = count;
  XMC_TRY(set_->keep_old(sorted, hits));
  std::copy_n(sorted, u64{hits} * words, keys);
  return {};
}

// Successors go to the set's scratch: the buffer may be in use.
Status WaitingLevels::take_back(const Word* keys, u64 first, u32 count, u32 hits) {
  const u32 words = order_->key_words();
  Search& search = frontier_->search;
  KeyReader& reader = frontier_->reader;
  XMC_TRY(reader.seek_key(first));
  Word* const buffer = std::exchange(search.buffer, set_->scratch());
  Word state[limits::kStateWords];
  Word key[limits::kKeyWords];
  Status status;
  for (u32 i = 0; i < count && status.ok(); ++i) {
    const Result<bool> more = reader.next(state);
    status = more.status();
    if (!more.ok()) break;
    XMC_CHECK(more.value() && order_->to_key(state, key));
    u32 low = 0;
    for (u32 high = hits; low < high;) {
      const u32 middle = low + (high - low) / 2;
      key_less(keys + u64{middle} * words, key, words) ? low = middle + 1 : high = middle;
    }
    if (low < hits && key_equal(key, keys + u64{low} * words, words)) {
      frontier_->take_back(state);
    } else {
      now_.proper_levels = std::max(now_.proper_levels, reader.level() + 1);
    }
  }
  search.buffer = buffer;
  return status;
}

Status WaitingLevels::number(const KeyBuffers& buffers, bool& coded) {
  if (!any()) return {};
  KeyReader& reader = frontier_->reader;
  const KeyFile& queue = frontier_->queue;
  XMC_TRY(reader.seek_key(now_.unchecked));
  u32 part = 0;
  for (u64 at = now_.unchecked; at < queue.keys() && coded; at += part) {
    part = static_cast<u32>(std::min<u64>(buffers.keys, queue.keys() - at));
    XMC_LET(Word* const sorted, read_sorted_keys(reader, *order_, buffers, part));
    coded = sorted != nullptr;
  }
  return {};
}

// --- What costs, and what is known ------------------------------------------------------------

void WaitingLevels::expanded() {
  if (settled_ns_ == 0) return;
  policy_.expanded(stats().expansions - expansions_, frontier_->now() - settled_ns_);
}

void WaitingLevels::settled() {
  resume_ = now_;
  expansions_ = stats().expansions;
  settled_ns_ = frontier_->now();
}

void WaitingLevels::enqueued_since(u64 before) {
  if (now_.proper_levels == 0 || frontier_->queue.keys() <= before) return;
  now_.proper_levels = frontier_->at.enqueue_level + 1;
}

void WaitingLevels::conclude() {
  XMC_CHECK(!any());
  if (now_.proper_levels != 0) stats().levels = now_.proper_levels;
}

void WaitingLevels::lines(Lines& io) {
  if (!io.there("unchecked", now_.proper_levels != 0)) return;
  io.number("proper-levels", resume_.proper_levels);
  io.number("unchecked", resume_.unchecked);
}

Status WaitingLevels::restore(Lines& io) {
  forget();
  lines(io);
  XMC_TRY(io.status());
  now_ = resume_;
  if (any() && now_.unchecked > frontier_->queue.keys()) {
    return Status::fail(Code::corrupt, "the checkpoint has more states that wait than its queue");
  }
  return {};
}

}  // namespace xmc
