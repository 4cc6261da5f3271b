// DiagramSet: a set of keys as a diagram in memory and, when that is full, sorted runs on flash:
// the diagram is written out as a run and begins anew, empty. Nothing is lost and nothing is built
// twice.
//
// Keys come sorted. What the runs have has to be left out before keys are inserted, for many of
// them at once: each run is read once for them.
#pragma once

#include <span>

#include "store/diagram/diagram.h"
#include "store/runs/run_set.h"
#include "xmc/device.h"
#include "xmc/phase_clock.h"

namespace xmc {

class DiagramSet {
 public:
  static constexpr u32 kChunk = 4096;
  static constexpr u64 kScratchBytes = 64 << 10;
  // Beside the diagram: for sets that may spill.
  static constexpr u64 kLeastPool = kScratchBytes + RunSet::kLeastMemory;

  // An empty pool: the set does not spill. `pool` is aligned for devices. After Code::stopped the
  // set is good for close() only.
  void init(std::span<u8> diagram, std::span<u8> pool, Folder* folder, PhaseClock* clock = nullptr,
            const GoOn& go_on = {});
  // Empties it for keys of another order. Runs go, too.
  Status restart(std::span<const Diagram::Digit> digits, u32 key_words, bool tails);

  // The same set for keys that have one digit taken apart, in the region of set_diagram_region().
  // False: it has to be built anew.
  Result<bool> take_apart(std::span<const Diagram::Digit> digits, u32 key_words,
                          const Diagram::Apart& apart);

  // Files are closed and removed; the queue has everything that was in them.
  Status close() { return runs_.clear(); }

  // Of sorted keys, these leave some, in place, and say how many.
  Status keep_new(Word* keys, u32& count);     // those that are nowhere in the set
  Status keep_old(Word* keys, u32& count);     // those that runs have
  Status drop_recent(Word* keys, u32& count);  // those that the diagram does not have

  // Keys of a chunk.
  u32 chunk() const { return chunk_; }
  // Into the diagram: sorted keys, at most chunk(), that no run has. Bit i of `fresh`: key i was
  // not there. False: it is full, and as it was.
  bool insert(const Word* keys, u32 count, u64* fresh) {
    return diagram_.insert(keys, count, fresh);
  }

  // The diagram is nearly full even after a collection: soon every insertion would collect.
  bool tight();
  // Writes the diagram out.
  Status spill();
  // What a full diagram had, before it was written out.
  u64 most_spilled() const { return most_spilled_; }
  // Sorted keys that are new, each part behind the one before, become a run without a detour
  // through the diagram, which must be empty.
  Status add_run(const Word* keys, u32 count);
  Status end_run();
  // Other memory for the diagram. False: too little.
  bool move_diagram(std::span<u8> region) {
    if (!diagram_.move_to(region)) return false;
    diagram_region_ = region;
    return true;
  }

  // The same before restart() and take_apart().
  void set_diagram_region(std::span<u8> region) { diagram_region_ = region; }

  // kScratchBytes between two calls.
  Word* scratch() { return scratch_; }
  Diagram& diagram() { return diagram_; }
  const RunSet& runs() const { return runs_; }
  bool spilled() const { return spills_ > 0; }
  u64 spills() const { return spills_; }
  u32 key_words() const { return words_; }
  u64 run_hits() const { return hits_; }

 private:
  Status set_key_words(u32 key_words);
  std::span<u8> spare();
  template <class Drop>
  Status keep(Word* keys, u32& count, bool dropped, Drop drop);

  std::span<u8> diagram_region_;
  std::span<u8> pool_;
  Folder* folder_ = nullptr;
  GoOn go_on_;
  PhaseClock* clock_ = nullptr;
  Diagram diagram_;
  RunSet runs_;
  Word* scratch_ = nullptr;
  u32 chunk_ = kChunk;
  u32 words_ = 1;
  bool adding_run_ = false;
  u64 spills_ = 0;
  u64 most_spilled_ = 0;
  u64 hits_ = 0;
  u64 collections_ = 0;
};

}  // namespace xmc
