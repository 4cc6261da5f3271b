// CandidateSample: about how many of a level's candidates are old, and how many different new ones
// there are, from a sample of the fingerprints of all states.
#pragma once

#include <algorithm>
#include <span>

#include "store/tables/fingerprint_sample.h"
#include "xmc/arena.h"

namespace xmc {

class CandidateSample {
 public:
  static constexpr u32 kVisitedSlots = 8192;
  static constexpr u32 kFreshSlots = 2048;
  static constexpr u64 kBytes = (kVisitedSlots + kFreshSlots) * 3 / 2 * sizeof(u32);

  void plan(Arena& arena) {
    visited_memory_.plan(arena, kVisitedSlots);
    fresh_memory_.plan(arena, kFreshSlots);
  }
  void start() {
    visited_.start(visited_memory_.slots, visited_memory_.spare);
    start_candidates();
  }
  // Of the next level.
  void start_candidates() {
    fresh_.start(fresh_memory_.slots, fresh_memory_.spare);
    old_ = 0;
  }

  void add_visited(u32 fingerprint) { visited_.add(fingerprint); }
  void add_candidate(u32 fingerprint) {
    if (!visited_.covers(fingerprint)) return;
    if (visited_.has(fingerprint)) {
      old_ += visited_.factor();
    } else {
      fresh_.add(fingerprint);
    }
  }

  // Candidates that overflowed the table may be there several times: as old ones they count as
  // often, as new states once.
  struct Estimate {
    double old = 0;
    double fresh = 0;
    double factor = 1;  // candidates for one in the sample
  };
  // `different`: all candidates are in the table, so that the sample is needed for the old ones
  // only. The next level begins.
  Estimate estimate(u64 in_table, bool different) {
    const u32 factor = std::max(visited_.factor(), fresh_.factor());
    const Estimate estimate{old_,
                            different ? std::max(0.0, static_cast<double>(in_table) - old_)
                                      : static_cast<double>(u64{fresh_.size()} * factor),
                            static_cast<double>(visited_.factor())};
    start_candidates();
    return estimate;
  }

 private:
  struct Memory {
    std::span<u32> slots;
    std::span<u32> spare;
    void plan(Arena& arena, u32 count) {
      slots = arena.carve_array<u32>("sample", count, kLineBytes);
      spare = arena.carve_array<u32>("sample", count / 2, kLineBytes);
    }
  };

  Memory visited_memory_;
  Memory fresh_memory_;
  FingerprintSample visited_;
  FingerprintSample fresh_;  // of candidates that the other one covers and has not
  double old_ = 0;
};

}  // namespace xmc
