// How the delayed engines tell new candidates from old ones: full and partial detections.
#include <algorithm>

#include "engine/delayed/delayed_search.h"
#include "xmc/check.h"

namespace xmc {

// States of a log on their way to the table, so many that its cache misses overlap.
struct DelayedSearch::Batch {
  u32 count = 0;
  Word states[kBatch * limits::kStateWords];
  u64 levels[kBatch];
};

// use(batch) for all that next(state) gives, unless the reader hears a stop between.
template <class Reader, class Next, class Use>
Status DelayedSearch::in_batches(const Reader& reader, StopReason& stop, Next next, Use use) {
  const u32 words = search_.model.state_words;
  Batch batch;
  for (bool more = true; more && stop == StopReason::none;) {
    batch.count = 0;
    while (batch.count < kBatch) {
      const Result<bool> found = next(batch.states + u64{batch.count} * words);
      if (!found.ok()) XMC_TRY(take_stop(found.status(), stop));
      more = found.ok() && found.value();
      if (!more) break;
      batch.levels[batch.count++] = reader.level();
    }
    use(batch);
  }
  return {};
}

template <class F>
Status DelayedSearch::for_parts(bool with_expanded, F f) {
  for (Part part{0, 0}; part.last < kPartitions;) {
    const u32 first = part.last;
    part = choose_part(first, with_expanded, distinct_share_);
    while (part.chosen < part.classes) {
      overflowed_ = false;
      XMC_TRY(f(part));
      if (overflowed_) {
        part = choose_part(first, with_expanded, 1);
      } else {
        ++part.chosen;
      }
    }
  }
  return {};
}

Status DelayedSearch::detect_all(StopReason& stop) {
  const PhaseClock::Scope scope(search_.clock, Phase::detection);
  const u64 states_before = verified_states_;
  const u64 levels_before = verified_levels_;
  if (!all_) {
    ++stats().detections;
    for (u64 b = 0; b < kLengths && b < enqueue_level_; ++b) ++lengths_[b].looks;
  }
  before_last_size_ = unverified() == 0 ? last_size_ : 0;
  since_size_ = 0;
  XMC_TRY(detect_parts(stop));
  if (stop != StopReason::none) {
    // The run goes on from an earlier point, where this detection is made again.
    verified_states_ = states_before;
    verified_levels_ = levels_before;
    return {};
  }
  for (u32 p = 0; p < kPartitions; ++p) verified_[p] = visited_.keys(p);
  verified_stripe_ = visited_.stripes();
  verified_states_ += enqueued_;
  if (enqueued_ > 0) verified_levels_ = std::max(verified_levels_, enqueue_level_ + 1);
  since_size_ += enqueued_;
  detected(before_last_size_, enqueued_, since_size_);
  last_size_ = enqueued_;
  keep_table();
  delayed_ = false;
  return {};
}

Status DelayedSearch::detect_parts(StopReason& stop) {
  if (spilled_.keys() == 0 && (whole_ || search_.table.size() + unverified() <= capacity_)) {
    // Everything fits at once, with the candidates where they are.
    front_end_ = search_.table.size();
    return detect(Part(), stop);
  }
  XMC_TRY(spill_table());
  const auto detect_part = [&](const Part& part) -> Status {
    clear_table();
    XMC_TRY(insert_spilled(part, stop));
    if (overflowed_) return {};
    begin_run(part);
    return stop == StopReason::none ? detect(part, stop) : Status();
  };
  XMC_TRY(for_parts(true, detect_part));
  XMC_TRY(spread_runs());
  if (stop == StopReason::none) XMC_TRY(spilled_.clear());
  clear_table();
  return {};
}

// Sets overflowed_ if they are more than the part was chosen for.
Status DelayedSearch::insert_spilled(const Part& part, StopReason& stop) {
  const PhaseClock::Scope scope(search_.clock, Phase::insertion);
  spilled_reader_.start(spilled_, scan_stripes_, go_on());
  spilled_reader_.seek(part.first, part.last);
  bool fits = true;
  const auto next = [&](Word* state) -> Result<bool> {
    for (;;) {
      if (!fits) return false;
      const Result<bool> more = spilled_reader_.next(state);
      if (!more.ok() || !more.value() || in_part(state, part)) return more;
    }
  };
  XMC_TRY(in_batches(spilled_reader_, stop, next, [&](const Batch& batch) {
    fits = search_.table.insert(batch.states, batch.count, nullptr) == batch.count;
    XMC_CHECK(fits || part.trial);
  }));
  XMC_TRY(spilled_reader_.finish());
  front_end_ = search_.table.size();
  if (stop == StopReason::none) note_distinct(part, fits);
  return {};
}

Status DelayedSearch::detect(const Part& part, StopReason& stop) {
  if (!whole_) XMC_TRY(insert_expanded(part, stop));
  if (stop == StopReason::none) XMC_TRY(look_up_verified(part, stop));
  if (stop == StopReason::none) XMC_TRY(settle_expanded(part, stop));
  return stop == StopReason::none ? enqueue_unmarked(stop) : Status();
}

// use(batch) for the states of a part that were enqueued since the detection.
template <class Use>
Status DelayedSearch::for_expanded(const Part& part, StopReason& stop, Use use) {
  visited_reader_.start(visited_, scan_stripes_, go_on());
  visited_reader_.seek(part.first, part.last, verified_stripe_, ~u64{0});
  XMC_TRY(in_batches(
      visited_reader_, stop, [&](Word* state) { return next_expanded(part, state); }, use));
  return visited_reader_.finish();
}

Status DelayedSearch::insert_expanded(const Part& part, StopReason& stop) {
  StateTable& table = search_.table;
  for (StateIndex i = known_; i < front_begin_; ++i) table.set_note(i, table.note(i) & ~kExpanded);
  return for_expanded(part, stop, [&](const Batch& batch) {
    StateIndex found[kBatch];
    const bool fits = table.insert(batch.states, batch.count, found) == batch.count;
    XMC_CHECK(fits);
    for (u32 i = 0; i < batch.count; ++i) {
      const u32 note = table.note(found[i]);
      if ((note & kExpanded) != 0) {
        take_back(batch.states + u64{i} * search_.model.state_words);
        continue;
      }
      const bool latest = batch.levels[i] == last_enqueued_;
      table.set_note(found[i], note | kExpanded | (latest ? kLatest : 0));
    }
  });
}

// The next state of the log that was enqueued since the detection.
Result<bool> DelayedSearch::next_expanded(const Part& part, Word* state) {
  for (;;) {
    const Result<bool> more = visited_reader_.next({}, state);
    if (!more.ok() || !more.value()) return more;
    if (visited_reader_.number() < verified_[visited_reader_.partition()]) continue;
    if (in_part(state, part)) return true;
  }
}

// The states of the table, in a filter for each partition.
void DelayedSearch::make_filters(const Part& part, StateIndex begin, StateIndex end) {
  Word state[limits::kStateWords];
  const u32 count = part.last - part.first;
  // Half a word for a state: with a whole one there are fewer false matches, but more misses of the
  // cache. Partitions are not quite even.
  const u64 keys = u64{end - begin} / count * 9 / 16 + 16;
  const std::size_t share = filter_memory_.size() / count;
  for (u32 i = 0; i < count; ++i) {
    filters_[i].start(share == 0 ? filter_memory_ : filter_memory_.subspan(i * share, share), keys);
  }
  for (StateIndex i = begin; i < end; ++i) {
    search_.table.load(i, state);
    const u64 hash = hash_of(state);
    const u32 partition = StateHash::partition_of(hash);
    XMC_DASSERT(partition >= part.first && partition < part.last);
    filters_[partition - part.first].add(static_cast<u32>(hash));
  }
}

Status DelayedSearch::look_up_verified(const Part& part, StopReason& stop) {
  StateTable& table = search_.table;
  if (all_ || table.size() == known_) return {};
  u64 keys = 0;
  for (u32 p = part.first; p < part.last; ++p) keys += verified_[p];
  if (search_.options.now_ns != nullptr && verified_states_ >= 2 * timed_states_) {
    timed_states_ = verified_states_;
    u64 all = 0;
    for (u32 p = part.first; p < part.last; ++p) all += visited_.keys(p);
    XMC_TRY(time_scan(part, all));
  }
  const u64 began = cost_clock();
  make_filters(part, known_, table.size());
  visited_reader_.start(visited_, scan_stripes_, go_on());
  visited_reader_.seek(part.first, part.last, 0, verified_stripe_);
  const auto next = [&](Word* state) -> Result<bool> {
    for (;;) {
      const Result<bool> more = visited_reader_.next(filters_, state);
      if (!more.ok() || !more.value()) return more;
      if (visited_reader_.number() < verified_[visited_reader_.partition()]) return true;
    }
  };
  u64 matches = 0;
  XMC_TRY(in_batches(visited_reader_, stop, next, [&](const Batch& batch) {
    StateIndex found[kBatch];
    matches += batch.count;
    table.find(batch.states, batch.count, found);
    for (u32 i = 0; i < batch.count; ++i) {
      if (found[i] == kNone || (table.note(found[i]) & kOld) != 0) continue;
      table.set_note(found[i], table.note(found[i]) | kOld);
      const u64 length = enqueue_level_ - 1 - batch.levels[i];
      const bool candidate = found[i] >= front_begin_ && found[i] < front_end_;
      if (candidate && length < kLengths) ++lengths_[length].hits;
    }
  }));
  scan_cost_.found(keys, matches, cost_clock() - began);
  return visited_reader_.finish();
}

// Everything in C was expanded and counted. Of each new state the first occurrence stands; the
// others were taken back when they were met, or did not come about while the table had all.
Status DelayedSearch::settle_expanded(const Part& part, StopReason& stop) {
  if (unverified() == 0) return {};
  StateTable& table = search_.table;
  Word state[limits::kStateWords];
  u64 fresh = 0;
  u64 latest = 0;
  for (StateIndex i = whole_ ? known_ : 0; i < table.size(); ++i) {
    const u32 note = table.note(i);
    if ((note & kExpanded) == 0) continue;
    if ((note & kOld) != 0) {
      table.load(i, state);
      take_back(state);
      continue;
    }
    ++fresh;
    if (whole_ ? i >= last_begin_ : (note & kLatest) != 0) ++latest;
  }
  verified_states_ += fresh;
  since_size_ += fresh;
  before_last_size_ += latest;
  if (fresh == 0) return {};
  if (latest == 0) return find_levels(part, stop);
  verified_levels_ = std::max(verified_levels_, last_enqueued_ + 1);
  return {};
}

// How far the new states of C go, when its last level has none: mostly at the end of the search.
Status DelayedSearch::find_levels(const Part& part, StopReason& stop) {
  StateTable& table = search_.table;
  return for_expanded(part, stop, [&](const Batch& batch) {
    StateIndex found[kBatch];
    table.find(batch.states, batch.count, found);
    for (u32 i = 0; i < batch.count; ++i) {
      const u32 note = table.note(found[i]);
      if ((note & (kOld | kMet)) != 0) continue;
      table.set_note(found[i], note | kMet);
      verified_levels_ = std::max(verified_levels_, batch.levels[i] + 1);
    }
  });
}

Status DelayedSearch::enqueue_unmarked(StopReason& stop) {
  const PhaseClock::Scope scope(search_.clock, Phase::queueing);
  StateTable& table = search_.table;
  Word state[limits::kStateWords];
  for (StateIndex i = front_begin_; i < front_end_; ++i) {
    if (table.note(i) != 0) continue;
    table.load(i, state);
    const u64 before = queue_.keys();
    XMC_TRY(enqueue(state, stop));
    if (stop != StopReason::none) return {};
    if (queue_.keys() == before) continue;  // beyond the depth limit
    if (delayed_) table.set_note(i, kExpanded);
    if (runs_ == 0) XMC_TRY(append_visited(state));
    ++enqueued_;
  }
  return {};
}

// --- Without a detection ----------------------------------------------------------------------

Status DelayedSearch::go_on_without(StopReason& stop) {
  last_enqueued_ = enqueue_level_;
  if (spilled_.keys() == 0) {
    front_end_ = search_.table.size();
    last_begin_ = front_begin_;
    XMC_TRY(look_up_lengths(Part()));
    XMC_TRY(enqueue_unmarked(stop));
    front_begin_ = front_end_;
  } else {
    XMC_TRY(spill_table());
    const auto pass = [&](const Part& part) -> Status {
      clear_table();
      XMC_TRY(insert_spilled(part, stop));
      if (overflowed_) return {};
      begin_run(part);
      if (stop == StopReason::none) XMC_TRY(look_up_lengths(part));
      return stop == StopReason::none ? enqueue_unmarked(stop) : Status();
    };
    XMC_TRY(for_parts(false, pass));
    XMC_TRY(spread_runs());
    if (stop == StopReason::none) XMC_TRY(spilled_.clear());
    clear_table();
  }
  return {};
}

// Whether a look at the level that lies `length` back finds more than it costs, and more than
// `best` for what it reads.
bool DelayedSearch::level_pays(u64 length, double& best) const {
  const Length& l = lengths_[length];
  if (l.hits == 0) return false;
  const u64 level = enqueue_level_ - 1 - length;
  const u64 begin = level_stripe_[level % kLengths];
  const u64 end = length == 0 ? visited_.stripes() : level_stripe_[(level + 1) % kLengths];
  const u64 stripes = end - std::min(begin, end) + 1;
  const double keys =
      static_cast<double>(visited_.keys()) / static_cast<double>(visited_.stripes() + 1);
  const DelayPolicy::Costs costs = this->costs();
  const double gain = static_cast<double>(l.hits) / static_cast<double>(l.looks) * costs.expand;
  const double ratio = gain / (static_cast<double>(stripes) * keys * costs.read);
  if (ratio <= std::max(best, 1.0)) return false;
  best = ratio;
  return true;
}

// The lengths by which most old states were found, so far as they are likely to pay now.
Status DelayedSearch::look_up_lengths(const Part& part) {
  const PhaseClock::Scope scope(search_.clock, Phase::detection);
  u64 hits = 0;
  u64 done[64];
  const u32 most = std::min<u32>(partial_lengths(), 64);
  for (u32 count = 0; count < most; ++count) {
    u64 chosen = kLengths;
    double best = 0;
    for (u64 b = 0; b < kLengths && b < enqueue_level_; ++b) {
      if (std::find(done, done + count, b) != done + count) continue;
      if (level_pays(b, best)) chosen = b;
    }
    if (chosen == kLengths) break;
    done[count] = chosen;
    if (count == 0) make_filters(part, front_begin_, front_end_);
    ++stats().partial_detections;
    u64 met = 0;
    XMC_TRY(look_up_level(part, enqueue_level_ - 1 - chosen, met));
    lengths_[chosen].hits += static_cast<u32>(met);
    ++lengths_[chosen].looks;
    hits += met;
  }
  if (hits > 0) looked_up(hits);
  return {};
}

// All stripes that have states of this level; what is met of others is old as well.
Status DelayedSearch::look_up_level(const Part& part, u64 level, u64& hits) {
  StateTable& table = search_.table;
  visited_reader_.start(visited_, scan_stripes_, go_on());
  const u64 last = level + 1 < enqueue_level_ ? level_stripe_[(level + 1) % kLengths] : ~u64{0};
  visited_reader_.seek(part.first, part.last, level_stripe_[level % kLengths], last);
  StopReason stop = StopReason::none;  // a level is short; who asks next is told again
  XMC_TRY(in_batches(
      visited_reader_, stop, [&](Word* state) { return visited_reader_.next(filters_, state); },
      [&](const Batch& batch) {
        StateIndex found[kBatch];
        table.find(batch.states, batch.count, found);
        for (u32 i = 0; i < batch.count; ++i) {
          if (found[i] == kNone || found[i] < front_begin_ || table.note(found[i]) != 0) continue;
          table.set_note(found[i], kOld);
          ++hits;
        }
      }));
  return visited_reader_.finish();
}

}  // namespace xmc
