// The order of fields of a diagram: chosen on the first states, and another one when that fails.
#include <algorithm>

#include "engine/diagram/diagram_visited.h"
#include "store/keys/sort_keys.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/parallel.h"

namespace xmc {

namespace {

// A few states tell which orders are far from the best: an eighth of the sample, and a fifth more
// words (of 25 BEEM models none has its best order among them; 3 of 8 orders are).
constexpr u32 kFirstPart = 8;
constexpr u64 kFar = 6;  // fifths

constexpr u64 kLeastSampleBytes = u64{256} << 10;

}  // namespace

// Sorted keys on their way into the set.
struct DiagramVisited::QueuedBatch : Parallel::Job {
  DiagramVisited* set;
  const Word* keys = nullptr;
  u32 count = 0;
  u32 done = 0;
  Status status;

  explicit QueuedBatch(DiagramVisited* owner) : set(owner) {
    run = [](Parallel::Job& self, u32) {
      QueuedBatch& b = static_cast<QueuedBatch&>(self);
      b.status = b.set->insert_sorted(b.keys, b.count, b.done, Insert::queued);
    };
  }
};

Status DiagramVisited::measure_orders() {
  const u64 most = std::min<u64>({u64{kSampleStates}, layout_.batch_states, queue().keys()});
  XMC_LET(const u64 levels, whole_levels(reader(), most));
  // In the middle of a level it is chance which of two orders has the smaller diagram (msmie.4: 7%
  // with 80 states more or less, and then 1.9 against 1.5 s).
  const u32 sample = static_cast<u32>(levels > most / 2 ? levels : most);
  u64* const end = orders_.words + KeyOrder::kCandidates;
  for (u32 i = 0; i < KeyOrder::kCandidates; ++i) {
    orders_.words[i] = order_.differs(i) ? 0 : kUseless;
  }
  XMC_TRY(measure_orders(sample / kFirstPart, 0));
  const u64 near = std::min(*std::min_element(orders_.words, end), kUseless / 2) / 5 * kFar + kFar;
  // With no other near it the best one need not be measured again.
  if (std::count_if(orders_.words, end, [&](u64 words) { return words <= near; }) == 1) return {};
  return measure_orders(sample, near);
}

// Builds the diagram of the first states in the orders that have at most so many words, and notes
// the sizes. A reversed order has to be smaller by a twentieth: the queue is in the order of the
// keys, and with the fields in front that change most often more states are generated anew in later
// batches (brp.6, whose sizes are within 1%, 17.1 against 14.5 s).
Status DiagramVisited::measure_orders(u32 sample, u64 most) {
  orders_.sampling = true;
  // Where the memory is large, most of the time would go to clearing it: these are diagrams of at
  // most ten words for each state (of sixteen BEEM models; in the best orders, two).
  const u64 enough = u64{sample} * order_.most_digits() * sizeof(u64) + kLeastSampleBytes;
  const std::size_t bytes = static_cast<std::size_t>(round_up(enough, kLineBytes));
  set_.set_diagram_region(layout_.diagram.last(std::min(layout_.diagram.size(), bytes)));
  QueuedBatch batch(this);
  u32 inserting = kNone;  // the order of the batch
  Word* taken = layout_.sorted;
  const auto note = [&]() -> Status {
    XMC_LET(const bool whole, finish_queued(batch));
    if (inserting == kNone) return {};
    const u64 words = whole ? set_.diagram().live_words() : kUseless - 1;
    orders_.words[inserting] = KeyOrder::reversed(inserting) && whole ? words / 19 * 20 : words;
    return {};
  };
  for (u32 candidate = 0; candidate < KeyOrder::kCandidates; ++candidate) {
    if (orders_.words[candidate] == kUseless) continue;
    if (orders_.words[candidate] > most) {
      // Its turn comes when all that were measured have failed.
      orders_.words[candidate] = kUseless / 2 + orders_.words[candidate] / 2;
      continue;
    }
    // The keys are made while those of the order before are inserted.
    order_.choose(candidate);
    const Status sought = reader().seek_slot(0);
    Word* const free = taken == layout_.keys ? layout_.sorted : layout_.keys;
    const Result<bool> made = sought.ok() ? read_keys(reader(), order_, sample, free) : sought;
    XMC_TRY(note());
    if (!made.ok()) return made.status();
    XMC_CHECK(made.value());  // nothing is joined
    XMC_TRY(set_.restart(order_.keep_digits(), order_.key_words(), order_.has_tails()));
    taken = begin_queued(batch, free, taken, sample);
    inserting = candidate;
  }
  XMC_TRY(note());
  set_.set_diagram_region(layout_.diagram);
  orders_.sampling = false;
  return {};
}

Status DiagramVisited::use_order(u32 candidate) {
  order_.choose(candidate);
  return begin_set();
}

// The next `count` states of the queue into the set. A batch is inserted by another thread, if
// there is one, while the next one is read.
Result<DiagramVisited::Filling> DiagramVisited::insert_from_queue(u64 count,
                                                                  const KeyBuffers& buffers) {
  QueuedBatch batch(this);
  Word* free = buffers.first;
  Word* taken = buffers.second;
  const LongWork::Scope scope(&search().work, "filling the set");
  for (u64 read = 0;;) {
    const u32 part = static_cast<u32>(std::min<u64>(buffers.keys, count - read));
    const Result<bool> made = read_keys(reader(), order_, part, free);
    XMC_LET(const bool fits, finish_queued(batch));
    if (!made.ok()) return made.status();
    if (!fits) return Filling::full;
    if (!made.value()) return Filling::uncoded;
    if (part == 0) return Filling::done;
    XMC_TRY(frontier_->go_on()(read, count));
    read += part;
    taken = begin_queued(batch, free, taken, part);
    free = taken == buffers.first ? buffers.second : buffers.first;
  }
}

// Sorts keys, in either buffer, and has them inserted; where they are then.
Word* DiagramVisited::begin_queued(QueuedBatch& batch, Word* keys, Word* other, u32 count) {
  Parallel* const parallel = search().options.parallel;
  Word* const sorted = sort_keys(keys, other, count, set_.key_words(), parallel);
  batch.keys = sorted;
  batch.count = drop_repeated(sorted, count, set_.key_words());
  batch.done = 0;
  if (parallel != nullptr) parallel->submit(batch);
  return sorted;
}

// Whether all of it is in the set: without that there is no room.
Result<bool> DiagramVisited::finish_queued(QueuedBatch& batch) {
  Parallel* const parallel = search().options.parallel;
  if (parallel != nullptr) {
    parallel->finish(batch);
  } else {
    batch.run(batch, 0);
  }
  XMC_TRY(batch.status);
  while (batch.done < batch.count) {
    if (orders_.sampling || !spills_) return false;
    XMC_TRY(set_.spill());
    XMC_TRY(insert_sorted(batch.keys, batch.count, batch.done, Insert::queued));
  }
  return true;
}

// The whole set anew, in the order with the smallest diagram so far that can hold it with some room
// to grow. The first states do not always tell which that is; nothing is lost by trying the next
// one, because the queue has all states.
Status DiagramVisited::rebuild(const KeyBuffers& buffers, bool& done) {
  done = false;
  ++orders_.rebuilds;
  for (;;) {
    const auto best = std::min_element(orders_.words, orders_.words + KeyOrder::kCandidates);
    if (*best == kUseless) return {};
    *best = kUseless;  // if it fails now, or later, it is not tried again
    XMC_TRY(use_order(static_cast<u32>(best - orders_.words)));
    XMC_TRY(reader().seek_slot(0));
    XMC_LET(const Filling filling, insert_from_queue(queue().keys(), buffers));
    XMC_CHECK(filling != Filling::uncoded);  // nothing is joined
    if (filling == Filling::full) continue;
    const u64 most = set_.diagram().capacity_words() / 10 * 8;
    if (set_.diagram().live_words() > most) continue;
    done = true;
    return {};
  }
}

// Builds the set in another order. The batch waits as states in the one buffer while the other one
// serves the building; what of it went to the queue already is known in the new diagram.
Status DiagramVisited::rebuild_around_batch(u32 count) {
  Word* const waiting = batch_keys_;
  Word* const other = waiting == layout_.keys ? layout_.sorted : layout_.keys;
  const u32 words = search().model.state_words;
  const u32 old_words = order_.key_words();
  Word state[limits::kStateWords];
  for (u32 i = 0; i < count; ++i) {
    const u32 at = words > old_words ? count - 1 - i : i;  // nothing is overwritten before it moved
    order_.to_state(waiting + u64{at} * old_words, state);
    std::copy_n(state, words, waiting + u64{at} * words);
  }
  const KeyReader::Position position = reader().position();
  const u32 half = std::max(layout_.batch_states / 2, 1u);
  bool rebuilt = false;
  XMC_TRY(rebuild({other, other + u64{half} * layout_.buffer_words(), half}, rebuilt));
  XMC_TRY(reader().seek(position));
  if (!rebuilt) return Status::stop(StopReason::ram);
  for (u32 i = 0; i < count; ++i) {
    std::copy_n(waiting + u64{i} * words, words, state);
    XMC_CHECK(order_.to_key(state, other + u64{i} * order_.key_words()));
  }
  batch_keys_ = sort_keys(other, waiting, count, order_.key_words());
  return {};
}

}  // namespace xmc
