// DiagramSet: a set of keys as a diagram in memory and, when that is full, sorted runs on flash:
// the diagram is written out as a run and begins anew, empty. Nothing is lost and nothing is built
// twice.
//
// Keys come in sorted chunks; those that are in neither are new. Against the runs a row of
// ascending chunks is one pass, which reads each of them at most once.
#pragma once

#include <span>

#include "store/diagram.h"
#include "store/run_set.h"
#include "xmc/device.h"
#include "xmc/phase_clock.h"

namespace xmc {

class DiagramSet {
 public:
  static constexpr u32 kChunk = 4096;
  static constexpr u64 kScratchBytes = 64 << 10;
  // Beside the diagram: for sets that may spill.
  static constexpr u64 kLeastPool = kScratchBytes + RunSet::kLeastMemory;

  // An empty pool: the set does not spill. `pool` is aligned for devices.
  void init(std::span<u8> diagram, std::span<u8> pool, Folder* folder, PhaseClock* clock = nullptr);
  // Empties it for keys of another order. Runs go, too.
  Status restart(std::span<const Diagram::Digit> digits, u32 key_words, bool tails);

  // The same set for keys that have one digit taken apart, in the region of set_diagram_region().
  // False: it has to be built anew.
  Result<bool> take_apart(std::span<const Diagram::Digit> digits, u32 key_words,
                          const Diagram::Apart& apart);

  // Files are closed and removed; the queue has everything that was in them.
  Status close() { return runs_.clear(); }

  // Keys of a chunk.
  u32 chunk() const { return chunk_; }
  // The next chunks are in ascending order.
  void begin_pass() { runs_.begin_pass(); }
  // Adds sorted keys, at most chunk(). Bit i of `fresh`: key i was not there. `fits` is false when
  // a set that does not spill is full; it is as it was then.
  Status add(const Word* keys, u32 count, u64* fresh, bool& fits);
  // The same for keys that are known to be new, in any order of chunks.
  Status add_new(const Word* keys, u32 count, u64* fresh, bool& fits);
  // Bit i of `absent`: the runs do not have key i of a chunk.
  Status find_in_runs(const Word* keys, u32 count, u64* absent);
  // Of sorted keys, clears the bits of those that the diagram has: no flash is read.
  void drop_recent(const Word* keys, u32 count, u64* absent) {
    diagram_.drop_known(keys, count, absent);
  }

  // The diagram is nearly full even after a collection: soon every insertion would collect.
  bool tight();
  // Writes the diagram out. Begins a new pass.
  Status spill();
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
  u32 gather(const Word* keys, u32 count, const u64* chosen);

  std::span<u8> diagram_region_;
  std::span<u8> pool_;
  Folder* folder_ = nullptr;
  PhaseClock* clock_ = nullptr;
  Diagram diagram_;
  RunSet runs_;
  Word* scratch_ = nullptr;
  u32 chunk_ = kChunk;
  u32 words_ = 1;
  u64 spills_ = 0;
  u64 hits_ = 0;
  u64 collections_ = 0;
};

}  // namespace xmc
