// The `cached` engine: Della Penna and others' CBF: a cache of states in memory, the queue in a
// file. A state that was forgotten and is met again is enqueued and expanded again.
//
// Why it ends: it gives up when more than --collisions per cent of the insertions replaced another
// state (StopReason::collisions, "not decided"). An insertion that replaces nothing takes an empty
// slot, so a run has at most slots / (1 - rate) insertions. A run that reaches an empty level has
// expanded everything that it ever met: it is complete. Its counts are then made exact by passes
// over the queue that find the repeats.
//
// I/O: each state is written and read once per visit. Memory: one byte more than a state has, or
// its signature; the queue has whole states.
#pragma once

#include <algorithm>
#include <bit>

#include "engine/levels/level_search.h"
#include "engine/search/file_names.h"
#include "store/keys/signature.h"
#include "store/tables/cache_table.h"

namespace xmc {

// What `cached` and the first part of `serial` share.
class CachePhase {
 public:
  // Gives up when more than `percent` of the insertions replaced another state.
  void begin(std::span<u8> region, const Model& model, const SearchOptions& options, u32 percent);
  void lines(Lines& io);
  // The states of the queue, all over again.
  Status restore(Frontier& frontier, Lines& io);

  // Enqueues the successors in the search's buffer that the cache does not know.
  Status take(Frontier& frontier, u32 count) {
    PhaseClock& clock = frontier.search.clock;
    for (u32 done = 0; done < count; done += CacheTable::kBatch) {
      const Word* const batch = frontier.search.buffer_at(done);
      u64 fresh = insert(batch, std::min(count - done, CacheTable::kBatch));
      clock.turn_to(Phase::queueing);
      for (; fresh != 0; fresh &= fresh - 1) {
        XMC_TRY(frontier.enqueue(batch + static_cast<u64>(std::countr_zero(fresh)) * words_));
      }
      clock.turn_to(Phase::insertion);
    }
    return {};
  }
  // Too many states were forgotten.
  bool failing() const;
  bool forgot() const { return cache_.collisions() > 0; }
  // Whether it may have been taken again; false is certain.
  bool may_repeat(const Word* state) const;
  u64 slots() const { return cache_.slots(); }
  // States that were taken again, and for the first time, about.
  u64 repeated() const { return cache_.repeats(); }
  u64 taken_first() const { return cache_.first_ones(); }
  // Entries of the queue that are repeats, if anything was forgotten.
  Status find_repeats(Frontier& frontier) const;
  // What of the region is free when the cache itself is not needed any more.
  static std::span<u8> free_part(std::span<u8> region) {
    return region.first((region.size() - region.size() / 32) / 64 * 64);
  }

 private:
  u64 insert(const Word* states, u32 count);

  CacheTable cache_;
  Signature signature_;
  u32 words_ = 0;
  u32 percent_ = 0;
};

class CachedVisited final : public VisitedSet {
 public:
  static constexpr EngineFile kFiles[] = {
      {kQueueFile}, {kPathFile, true}, {kEdgeFile}, {kFarEdgeFile}};
  static constexpr EngineTraits kTraits = {
      .name = "cached",
      .summary = "a cache of states in memory, the queue in a file",
      .takes_signature = true,
      .checks_liveness = true,
      .flash = {1, 0, "states that are enqueued again"},
      .files = kFiles};
  constexpr CachedVisited() = default;

  u64 least_region(const Model& model, const SearchOptions& options) const override;
  Status begin() override;
  Status take(u32 count) override;
  Status settle(bool) override { return {}; }
  Status conclude() override;
  bool concludes() const override { return true; }
  bool counts_are_exact() const override { return !cache_.forgot(); }
  void lines(Lines& io) override { cache_.lines(io); }
  Status restore(Lines& io) override;

 private:
  static constexpr u32 kPercent = 10;

  CachePhase cache_;
};

using CachedEngine = LevelEngine<CachedVisited>;

}  // namespace xmc
