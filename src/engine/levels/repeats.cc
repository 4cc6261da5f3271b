#include "engine/levels/repeats.h"

#include <algorithm>

#include "store/keys/hash_class.h"
#include "store/tables/fingerprint_filter.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// Keys of a filter for each word of it, at most: 1% of the others look like them then.
constexpr u64 kWordShare = 4;

// States that may be repeats, so many at a time that the table's cache misses overlap.
struct Suspects {
  static constexpr u32 kMost = StateTable::kBatch;
  u32 count = 0;
  Word states[StateTable::kBatchWords];
  u64 levels[kMost];
};

class RepeatFinder {
 public:
  RepeatFinder(Frontier& frontier, std::span<u8> memory, const CacheTable* cache)
      : f_(frontier), memory_(memory), most_(frontier.queue.keys()) {
    if (cache == nullptr) return;
    filter_ = &cache->forgotten();
    most_ = cache->most_forgotten(frontier.queue.keys());
  }

  Status run() {
    const PhaseClock::Scope scope(f_.search.clock, Phase::detection);
    FingerprintFilter came_again;
    if (classes_needed() > 1) XMC_TRY(find_suspects(came_again));
    const u32 classes = classes_needed();
    stats().states = stats().levels = 0;
    for (u32 chosen = 0; chosen < classes; ++chosen) XMC_TRY(read_class(chosen, classes));
    return {};
  }

 private:
  SearchStats& stats() { return f_.search.stats(); }
  u32 words() const { return f_.search.model.state_words; }

  u32 classes_needed();
  Status find_suspects(FingerprintFilter& came_again);
  Status read_class(u32 chosen, u32 classes);
  void count_first(u64 level);
  void judge(Suspects& suspects);

  Frontier& f_;
  std::span<u8> memory_;  // of the table
  StateTable table_;
  const FingerprintFilter* filter_ = nullptr;  // of states that are repeated; null: may be any
  u64 most_ = 0;                               // different ones that it may have
};

u32 RepeatFinder::classes_needed() {
  table_.init(memory_, f_.shape(false));
  const u64 room = memory_.size() / 10 * 9;
  u32 classes = 1;
  while (table_.bytes_for(most_ / classes + 1) > room) ++classes;
  return classes;
}

// A pass that spares others: a filter of all states, in nearly all of the memory, says which come
// again, or look so. They are few, and one table has room for them. Nothing changes where the
// memory is too small to tell.
Status RepeatFinder::find_suspects(FingerprintFilter& came_again) {
  const std::span<u64> pool(reinterpret_cast<u64*>(memory_.data()), memory_.size() / sizeof(u64));
  const std::span<u64> end = pool.last(pool.size() / 8);
  const std::span<u8> begin = memory_.first((pool.size() - end.size()) / 8 * 64);
  if (pool.size() < f_.queue.keys() / kWordShare ||
      begin.size() < StateTable::minimum_bytes(f_.shape(false))) {
    return {};
  }
  came_again.start(end, f_.queue.keys());
  FingerprintFilter met;
  met.start(pool.first(begin.size() / sizeof(u64)), f_.queue.keys());
  u64 suspects = 0;
  const LongWork::Scope scope(&f_.search.work, "looking for repeats");
  KeyReader reader;
  reader.start(f_.queue, f_.memory.scan_buffer, f_.go_on());
  u32 fingerprints[StateTable::kBatch];
  for (bool more = true; more;) {
    u32 count = 0;
    while (more && count < StateTable::kBatch) {
      XMC_LET(const bool next, reader.next(f_.search.state));
      more = next;
      if (!more) break;
      fingerprints[count] = FingerprintFilter::of(f_.search.state, words());
      met.prefetch(fingerprints[count++]);
    }
    for (const u32 fingerprint : std::span(fingerprints).first(count)) {
      if (met.may_have(fingerprint)) {
        came_again.add(fingerprint);
        ++suspects;
      } else {
        met.add(fingerprint);
      }
    }
  }
  if (suspects > end.size() * kWordShare) return {};
  memory_ = begin;
  filter_ = &came_again;
  most_ = std::min(most_, suspects + f_.queue.keys() / 16);
  return {};
}

Status RepeatFinder::read_class(u32 chosen, u32 classes) {
  table_.init(memory_, f_.shape(false));
  const u32 words = this->words();
  const LongWork::Scope scope(&f_.search.work, "looking for repeats");
  const LongWork::Part part(&f_.search.work, chosen, chosen + 1, classes);
  KeyReader reader;
  reader.start(f_.queue, f_.memory.scan_buffer, f_.go_on());
  const u32 most = StateTable::batch_of(words);
  Suspects suspects;
  for (;;) {
    Word* const state = suspects.states + u64{suspects.count} * words;
    XMC_LET(const bool more, reader.next(state));
    if (!more) break;
    if (filter_ != nullptr && !filter_->may_have(FingerprintFilter::of(state, words))) {
      if (chosen == 0) count_first(reader.level());
    } else if (hash_class(state, words, classes) == chosen) {
      suspects.levels[suspects.count++] = reader.level();
      if (suspects.count == most) judge(suspects);
    }
  }
  judge(suspects);
  return {};
}

void RepeatFinder::count_first(u64 level) {
  ++stats().states;
  stats().levels = std::max(stats().levels, level + 1);
}

void RepeatFinder::judge(Suspects& suspects) {
  StateIndex found[Suspects::kMost];
  StateIndex fresh = table_.size();
  // Classes of a hash are even to a few per cent, and there is room for ten.
  const bool fits = table_.insert(suspects.states, suspects.count, found) == suspects.count;
  XMC_CHECK(fits);
  for (u32 i = 0; i < suspects.count; ++i) {
    if (found[i] == fresh) {
      ++fresh;
      count_first(suspects.levels[i]);
    } else {
      f_.take_back(suspects.states + u64{i} * words());
    }
  }
  suspects.count = 0;
}

}  // namespace

Status find_repeats(Frontier& frontier, std::span<u8> memory, const CacheTable* cache) {
  return RepeatFinder(frontier, memory, cache).run();
}

}  // namespace xmc
