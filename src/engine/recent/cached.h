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
#include "store/keys/signature.h"
#include "store/tables/cache_table.h"

namespace xmc {

// What `cached` and the first part of `serial` share.
class CachePhase {
 public:
  // Gives up when more than `percent` of the insertions replaced another state.
  void begin(std::span<u8> region, const Model& model, const SearchOptions& options, u32 percent);
  // The states of a queue, all over again, by a reader at its beginning.
  Status restore(KeyReader& reader, const Manifest& manifest);
  void save(Manifest& manifest) const;

  // add(state), which is queueing, for every state that the cache does not know, until one sets
  // `stop`.
  template <class Add>
  Status take(const Word* states, u32 count, PhaseClock& clock, StopReason& stop, Add add) {
    for (u32 done = 0; done < count; done += CacheTable::kBatch) {
      const Word* const part = states + u64{done} * words_;
      u64 fresh = insert(part, std::min(count - done, CacheTable::kBatch));
      clock.turn_to(Phase::queueing);
      for (; fresh != 0; fresh &= fresh - 1) {
        XMC_TRY(add(part + static_cast<u64>(std::countr_zero(fresh)) * words_));
        if (stop != StopReason::none) return {};
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
  // States that may be repeats, for find_repeats(); null where signatures are all that is known.
  const CacheTable* repeats() const { return signature_.on() ? nullptr : &cache_; }
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

class CachedEngine final : public LevelSearch {
 public:
  constexpr CachedEngine() = default;
  const char* name() const override { return "cached"; }
  bool takes_signature() const override { return true; }
  FlashUse flash_use() const override { return {1, 0, "states that are enqueued again"}; }

 private:
  u64 least_region(const Model& model, const SearchOptions& options) const override;
  Status begin_store() override;
  Status restore_store(const Manifest& manifest) override;
  Status save_store(Manifest& manifest) override;
  Status take(u32 count, StopReason& stop) override;
  Status settle(bool, StopReason&) override { return {}; }
  Status conclude() override;
  bool counts_are_exact() const override { return !cache_.forgot(); }

  static constexpr u32 kPercent = 10;

  CachePhase cache_;
};

}  // namespace xmc
