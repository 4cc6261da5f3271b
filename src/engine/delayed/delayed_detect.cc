// How the delayed engines tell new candidates from old ones: full and partial detections.
#include <algorithm>

#include "engine/delayed/delayed_visited.h"
#include "xmc/check.h"

namespace xmc {

// States of a log on their way to the table, so many that its cache misses overlap.
struct DelayedVisited::Batch {
  u32 count = 0;
  Word states[StateTable::kBatchWords];
  u64 levels[kBatch];
};

// use(batch) for all that next(state) gives. The reader is done with afterwards, even if it heard a
// stop.
template <class Reader, class Next, class Use>
Status DelayedVisited::in_batches(Reader& reader, Next next, Use use) {
  const u32 words = search().model.state_words;
  const u32 most = StateTable::batch_of(words);
  Batch batch;
  for (bool more = true; more;) {
    batch.count = 0;
    while (batch.count < most) {
      const Result<bool> found = next(batch.states + u64{batch.count} * words);
      if (!found.ok()) {
        static_cast<void>(reader.finish());
        return found.status();
      }
      more = found.value();
      if (!more) break;
      batch.levels[batch.count++] = reader.level();
    }
    use(batch);
  }
  return reader.finish();
}

template <class F>
Status DelayedVisited::for_passes(bool with_expanded, F f) {
  LongWork* const work = &search().work;
  const LongWork::Scope scope(work, "comparing");
  for (Pass pass{0, 0}; pass.last < kPartitions;) {
    const u32 first = pass.last;
    pass = choose_pass(first, with_expanded, distinct_share_);
    while (pass.chosen < pass.classes) {
      const LongWork::Part partitions(work, first, pass.last, kPartitions);
      const LongWork::Part part(work, pass.chosen, pass.chosen + 1, pass.classes);
      overflowed_ = false;
      XMC_TRY(f(pass));
      if (overflowed_) {
        pass = choose_pass(first, with_expanded, 1);
      } else {
        ++pass.chosen;
      }
    }
  }
  return {};
}

Status DelayedVisited::detect_all() {
  const PhaseClock::Scope scope(search().clock, Phase::detection);
  const Verified before = verified_;
  if (!in_table_.all) {
    ++stats().detections;
    for (u64 b = 0; b < kLengths && b < at().enqueue_level; ++b) ++back_.lengths[b].looks;
  }
  sizes_.before_last = unverified() == 0 ? sizes_.last : 0;
  sizes_.since = 0;
  if (const Status status = detect_passes(); !status.ok()) {
    verified_ = before;  // the run goes on from an earlier point, and makes this detection again
    return status;
  }
  for (u32 p = 0; p < kPartitions; ++p) verified_.keys[p] = visited_.keys(p);
  verified_.stripe = visited_.stripes();
  verified_.states += sizes_.enqueued;
  if (sizes_.enqueued > 0) verified_.levels = std::max(verified_.levels, at().enqueue_level + 1);
  sizes_.since += sizes_.enqueued;
  detected(sizes_.before_last, sizes_.enqueued, sizes_.since);
  sizes_.last = sizes_.enqueued;
  keep_table();
  delayed_ = false;
  return {};
}

Status DelayedVisited::detect_passes() {
  if (spilled_.keys() == 0 &&
      (in_table_.whole || table_.size() + unverified() <= memory_.capacity)) {
    // Everything fits at once, with the candidates where they are.
    in_table_.front_end = table_.size();
    return detect(Pass());
  }
  XMC_TRY(spill_table());
  const auto one_pass = [&](const Pass& pass) -> Status {
    clear_table();
    XMC_TRY(insert_spilled(pass));
    if (overflowed_) return {};
    begin_run(pass);
    return detect(pass);
  };
  return end_passes(for_passes(true, one_pass));
}

// What passes have enqueued stays, even if one of them was stopped.
Status DelayedVisited::end_passes(const Status& passes) {
  if (!passes.ok() && passes.code() != Code::stopped) return passes;
  XMC_TRY(spread_runs());
  XMC_TRY(passes);
  XMC_TRY(spilled_.clear());
  clear_table();
  return {};
}

// Sets overflowed_ if they are more than the pass was chosen for.
Status DelayedVisited::insert_spilled(const Pass& pass) {
  const PhaseClock::Scope scope(search().clock, Phase::insertion);
  spilled_reader_.start(spilled_, buffers_.stripes, frontier_->go_on());
  spilled_reader_.seek(pass.first, pass.last);
  bool fits = true;
  const auto next = [&](Word* state) -> Result<bool> {
    for (;;) {
      if (!fits) return false;
      const Result<bool> more = spilled_reader_.next(state);
      if (!more.ok() || !more.value() || in_pass(state, pass)) return more;
    }
  };
  XMC_TRY(in_batches(spilled_reader_, next, [&](const Batch& batch) {
    fits = table_.insert(batch.states, batch.count, nullptr) == batch.count;
    XMC_CHECK(fits || pass.trial);
  }));
  in_table_.front_end = table_.size();
  note_distinct(pass, fits);
  return {};
}

Status DelayedVisited::detect(const Pass& pass) {
  if (!in_table_.whole) XMC_TRY(insert_expanded(pass));
  XMC_TRY(look_up_verified(pass));
  XMC_TRY(settle_expanded(pass));
  return enqueue_unmarked();
}

// use(batch) for the states of a part that were enqueued since the detection.
template <class Use>
Status DelayedVisited::for_expanded(const Pass& pass, Use use) {
  visited_reader_.start(visited_, buffers_.stripes, frontier_->go_on());
  visited_reader_.seek(pass.first, pass.last, verified_.stripe, ~u64{0});
  return in_batches(
      visited_reader_, [&](Word* state) { return next_expanded(pass, state); }, use);
}

Status DelayedVisited::insert_expanded(const Pass& pass) {
  for (StateIndex i = in_table_.known; i < in_table_.front_begin; ++i)
    table_.set_note(i, table_.note(i) & ~kExpanded);
  return for_expanded(pass, [&](const Batch& batch) {
    StateIndex found[kBatch];
    const bool fits = table_.insert(batch.states, batch.count, found) == batch.count;
    XMC_CHECK(fits);
    for (u32 i = 0; i < batch.count; ++i) {
      const u32 note = table_.note(found[i]);
      if ((note & kExpanded) != 0) {
        frontier_->take_back(batch.states + u64{i} * search().model.state_words);
        continue;
      }
      const bool latest = batch.levels[i] == last_enqueued_;
      table_.set_note(found[i], note | kExpanded | (latest ? kLatest : 0));
    }
  });
}

// The next state of the log that was enqueued since the detection.
Result<bool> DelayedVisited::next_expanded(const Pass& pass, Word* state) {
  for (;;) {
    const Result<bool> more = visited_reader_.next({}, state);
    if (!more.ok() || !more.value()) return more;
    if (visited_reader_.number() < verified_.keys[visited_reader_.partition()]) continue;
    if (in_pass(state, pass)) return true;
  }
}

// The states of the table, in a filter for each partition.
void DelayedVisited::make_filters(const Pass& pass, StateIndex begin, StateIndex end) {
  Word state[limits::kStateWords];
  const u32 count = pass.last - pass.first;
  // Half a word for a state: with a whole one there are fewer false matches, but more misses of the
  // cache. Partitions are not quite even.
  const u64 keys = u64{end - begin} / count * 9 / 16 + 16;
  const std::size_t share = memory_.filters.size() / count;
  for (u32 i = 0; i < count; ++i) {
    filters_[i].start(share == 0 ? memory_.filters : memory_.filters.subspan(i * share, share),
                      keys);
  }
  for (StateIndex i = begin; i < end; ++i) {
    table_.load(i, state);
    const u64 hash = hash_of(state);
    const u32 partition = StateHash::partition_of(hash);
    XMC_DASSERT(partition >= pass.first && partition < pass.last);
    filters_[partition - pass.first].add(static_cast<u32>(hash));
  }
}

Status DelayedVisited::look_up_verified(const Pass& pass) {
  if (in_table_.all || table_.size() == in_table_.known) return {};
  u64 keys = 0;
  for (u32 p = pass.first; p < pass.last; ++p) keys += verified_.keys[p];
  if (search().options.now_ns != nullptr && verified_.states >= 2 * timing_.timed_states) {
    timing_.timed_states = verified_.states;
    u64 all = 0;
    for (u32 p = pass.first; p < pass.last; ++p) all += visited_.keys(p);
    XMC_TRY(time_scan(pass, all));
  }
  const u64 began = cost_clock();
  // Of several passes each is a part.
  const bool alone = search().work.name() == nullptr;
  const LongWork::Scope scope(alone ? &search().work : nullptr, "comparing");
  make_filters(pass, in_table_.known, table_.size());
  visited_reader_.start(visited_, buffers_.stripes, frontier_->go_on());
  visited_reader_.seek(pass.first, pass.last, 0, verified_.stripe);
  const auto next = [&](Word* state) -> Result<bool> {
    for (;;) {
      const Result<bool> more = visited_reader_.next(filters_, state);
      if (!more.ok() || !more.value()) return more;
      if (visited_reader_.number() < verified_.keys[visited_reader_.partition()]) return true;
    }
  };
  u64 matches = 0;
  XMC_TRY(in_batches(visited_reader_, next, [&](const Batch& batch) {
    StateIndex found[kBatch];
    matches += batch.count;
    table_.find(batch.states, batch.count, found);
    for (u32 i = 0; i < batch.count; ++i) {
      if (found[i] == kNone || (table_.note(found[i]) & kOld) != 0) continue;
      table_.set_note(found[i], table_.note(found[i]) | kOld);
      const u64 length = at().enqueue_level - 1 - batch.levels[i];
      const bool candidate = found[i] >= in_table_.front_begin && found[i] < in_table_.front_end;
      if (candidate && length < kLengths) ++back_.lengths[length].hits;
    }
  }));
  timing_.scan.found(keys, matches, cost_clock() - began);
  return {};
}

// Everything in C was expanded and counted. Of each new state the first occurrence stands; the
// others were taken back when they were met, or did not come about while the table had all.
Status DelayedVisited::settle_expanded(const Pass& pass) {
  if (unverified() == 0) return {};
  Word state[limits::kStateWords];
  u64 fresh = 0;
  u64 latest = 0;
  for (StateIndex i = in_table_.whole ? in_table_.known : 0; i < table_.size(); ++i) {
    const u32 note = table_.note(i);
    if ((note & kExpanded) == 0) continue;
    if ((note & kOld) != 0) {
      table_.load(i, state);
      frontier_->take_back(state);
      continue;
    }
    ++fresh;
    if (in_table_.whole ? i >= in_table_.last_begin : (note & kLatest) != 0) ++latest;
  }
  verified_.states += fresh;
  sizes_.since += fresh;
  sizes_.before_last += latest;
  if (fresh == 0) return {};
  if (latest == 0) return find_levels(pass);
  verified_.levels = std::max(verified_.levels, last_enqueued_ + 1);
  return {};
}

// How far the new states of C go, when its last level has none: mostly at the end of the search.
Status DelayedVisited::find_levels(const Pass& pass) {
  return for_expanded(pass, [&](const Batch& batch) {
    StateIndex found[kBatch];
    table_.find(batch.states, batch.count, found);
    for (u32 i = 0; i < batch.count; ++i) {
      const u32 note = table_.note(found[i]);
      if ((note & (kOld | kMet)) != 0) continue;
      table_.set_note(found[i], note | kMet);
      verified_.levels = std::max(verified_.levels, batch.levels[i] + 1);
    }
  });
}

Status DelayedVisited::enqueue_unmarked() {
  const PhaseClock::Scope scope(search().clock, Phase::queueing);
  Word state[limits::kStateWords];
  for (StateIndex i = in_table_.front_begin; i < in_table_.front_end; ++i) {
    if (table_.note(i) != 0) continue;
    table_.load(i, state);
    const u64 before = queue().keys();
    XMC_TRY(frontier_->enqueue(state));
    if (queue().keys() == before) continue;  // beyond the depth limit
    if (delayed_) table_.set_note(i, kExpanded);
    if (runs_.count == 0) XMC_TRY(append_visited(state));
    ++sizes_.enqueued;
  }
  return {};
}

// --- Without a detection ----------------------------------------------------------------------

Status DelayedVisited::go_on_without() {
  last_enqueued_ = at().enqueue_level;
  if (spilled_.keys() == 0) {
    in_table_.front_end = table_.size();
    in_table_.last_begin = in_table_.front_begin;
    XMC_TRY(look_up_lengths(Pass()));
    XMC_TRY(enqueue_unmarked());
    in_table_.front_begin = in_table_.front_end;
  } else {
    XMC_TRY(spill_table());
    const auto one_pass = [&](const Pass& pass) -> Status {
      clear_table();
      XMC_TRY(insert_spilled(pass));
      if (overflowed_) return {};
      begin_run(pass);
      XMC_TRY(look_up_lengths(pass));
      return enqueue_unmarked();
    };
    return end_passes(for_passes(false, one_pass));
  }
  return {};
}

// Whether a look at the level that lies `length` back finds more than it costs, and more than
// `best` for what it reads.
bool DelayedVisited::level_pays(u64 length, double& best) const {
  const Length& l = back_.lengths[length];
  if (l.hits == 0) return false;
  const u64 level = at().enqueue_level - 1 - length;
  const u64 begin = back_.level_stripe[level % kLengths];
  const u64 end = length == 0 ? visited_.stripes() : back_.level_stripe[(level + 1) % kLengths];
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
Status DelayedVisited::look_up_lengths(const Pass& pass) {
  const PhaseClock::Scope scope(search().clock, Phase::detection);
  u64 hits = 0;
  u64 done[64];
  const u32 most = std::min<u32>(partial_lengths(), 64);
  for (u32 count = 0; count < most; ++count) {
    u64 chosen = kLengths;
    double best = 0;
    for (u64 b = 0; b < kLengths && b < at().enqueue_level; ++b) {
      if (std::find(done, done + count, b) != done + count) continue;
      if (level_pays(b, best)) chosen = b;
    }
    if (chosen == kLengths) break;
    done[count] = chosen;
    if (count == 0) make_filters(pass, in_table_.front_begin, in_table_.front_end);
    ++stats().partial_detections;
    u64 met = 0;
    XMC_TRY(look_up_level(pass, at().enqueue_level - 1 - chosen, met));
    back_.lengths[chosen].hits += static_cast<u32>(met);
    ++back_.lengths[chosen].looks;
    hits += met;
  }
  if (hits > 0) looked_up(hits);
  return {};
}

// All stripes that have states of this level; what is met of others is old as well.
Status DelayedVisited::look_up_level(const Pass& pass, u64 level, u64& hits) {
  visited_reader_.start(visited_, buffers_.stripes, frontier_->go_on());
  const u64 last =
      level + 1 < at().enqueue_level ? back_.level_stripe[(level + 1) % kLengths] : ~u64{0};
  visited_reader_.seek(pass.first, pass.last, back_.level_stripe[level % kLengths], last);
  Status status = in_batches(
      visited_reader_, [&](Word* state) { return visited_reader_.next(filters_, state); },
      [&](const Batch& batch) {
        StateIndex found[kBatch];
        table_.find(batch.states, batch.count, found);
        for (u32 i = 0; i < batch.count; ++i) {
          if (found[i] == kNone || found[i] < in_table_.front_begin || table_.note(found[i]) != 0)
            continue;
          table_.set_note(found[i], kOld);
          ++hits;
        }
      });
  static_cast<void>(status.take_stop());  // a level is short; who asks next is told again
  return status;
}

}  // namespace xmc
