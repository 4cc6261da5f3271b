// SeedSearch: the second search of a double search (double_dfs.h). It takes accepting states in
// post-order, each as a seed, and looks for a way back to it among states that no seed before has
// reached: a wave around each of them (seed_wave.h).
//
// Successors of many seeds are looked up at once; the seeds still take their turns.
#pragma once

#include <span>

#include "engine/cycles/bits/accepting_states.h"
#include "engine/cycles/bits/double_dfs.h"
#include "engine/cycles/bits/indexed_search.h"
#include "engine/cycles/bits/seed_wave.h"

namespace xmc {

class SeedSearch {
 public:
  struct Memory {
    std::span<u8> buffers;        // two slots or more, aligned for devices
    std::span<u8> path;           // for the cycle: all but the buffers
    IndexedSearch::Batch seeds;   // successors of seeds
    IndexedSearch::Batch expand;  // successors of a wave
  };

  SeedSearch(IndexedSearch& search, const Product& product, StateBits& visited,
             AcceptingStates& accepting, CycleResult& result)
      : search_(search),
        product_(product),
        visited_(visited),
        accepting_(accepting),
        result_(result),
        wave_(search, product) {}

  void lay_out(const Memory& memory) { memory_ = memory; }
  // The first search is done: the bits are cleared.
  Status open();
  // Where the checkpoint was; run() goes on from there.
  Status restore_checkpoint();
  // To the first cycle, or to the end, or to a stop, which the checkpoint then says.
  Status run();

 private:
  std::span<u8> wave_buffer() const;
  std::span<u8> turns_buffer() const;
  Status search_from_seeds();
  Status finish_wave(KeyReader& turns, Word* seed);
  Status search_around(const Word* seed, u32 begin, u32 end);
  Status go_around(const Word* seed);
  Status found(const Word* seed);
  Status save_checkpoint();
  Status checkpoint();

  IndexedSearch& search_;
  const Product& product_;
  StateBits& visited_;
  AcceptingStates& accepting_;
  CycleResult& result_;
  Memory memory_;
  SeedWave wave_;
  u64 turn_ = 0;          // seeds that it is done with
  bool in_wave_ = false;  // the wave of the next one is under way
  u32 saves_ = 0;         // checkpoints of this search
};

}  // namespace xmc
