// FileLasso: a lasso space that does not fit the memory, as an edge file of its own ("core"). Four
// bits per state are in memory, five unless all cycles are accepting: the core, the seeds, and
// which nodes a search has visited. Its queue is a file, too ("layers"); the states of a layer are
// sorted in batches, so that their records are read in order, and the way back is found layer by
// layer.
#pragma once

#include "engine/cycles/edges/cycle_core.h"
#include "engine/cycles/edges/lasso_space.h"
#include "store/files/key_file.h"
#include "xmc/engine.h"

namespace xmc {

class FileLasso final : public LassoSpace {
 public:
  struct Buffers {
    std::span<u8> read;    // one or two blocks of an edge file, the reader's before
    std::span<u8> layers;  // one slot of a queue
    std::span<u8> memory;  // aligned for devices
  };
  static u64 bytes_for(u64 states, bool weak);

  // Writes the states of `set` before `end` to the file. Buffers::memory has bytes_for() of them.
  Status load(EdgeReader& reader, const StateBits& set, const MarkedNumbers& numbers, u64 end,
              bool weak, const Buffers& buffers, Folder& folder, PassFigures& figures,
              WorkPoll& poll);
  // Closes and removes the files.
  Status close();
  bool is_open() const { return folder_ != nullptr; }

  u64 states() const override { return core_file_.states(); }
  Status level_begin(u64 level, u64& state) override { return reader_.level_begin(level, state); }
  Status level_of(u64 state, u64& level) override { return reader_.level_of(state, level); }
  Status narrow(u64 level, bool& any) override;
  Status first_return(u64 begin, u64 end, u64 floor, u64 most, u64& steps) override;
  Status trace(u64 seed, u64 floor, std::span<u64> cycle) override;
  std::span<u8> rest() const override { return rest_; }
  u64 edges() const { return core_file_.edges(); }
  const PassFigures& figures() const { return core_.figures(); }

 private:
  static constexpr u32 kSeekPoints = 1024;
  static constexpr u32 kBatch = 2048;

  struct Range {
    u64 begin = 0;
    u64 end = 0;
    u64 floor = 0;
  };
  struct Reach {
    u64 steps = 0;  // 0: no return
    u64 last = 0;   // node from which the returning step is made
  };
  Status open_files(const Buffers& buffers, Folder& folder, u64 states);
  Status copy_core(EdgeReader& reader, const StateBits& set, const MarkedNumbers& numbers, u64 end,
                   PassFigures& figures);
  Status keep_reached(bool& changed);
  Status find_seeds();
  Status search(const Range& range, u64 most, Reach& reach);
  Status expand(u64 node, const Range& range, u64 steps, Reach& reach);
  Status visit(u64 node, u64 layer);
  // Up to kBatch nodes from the reader of layers, sorted; those of layer `layer` only.
  Status next_batch(u64 layer, u32& count);
  Status find_before(u64 layer, u64 node, u64& before);

  Folder* folder_ = nullptr;
  Device* core_device_ = nullptr;
  Device* layers_device_ = nullptr;
  EdgeFile core_file_;
  EdgeReader reader_;
  CycleCore core_;
  WorkPoll poll_;
  bool weak_ = false;
  std::span<u8> core_memory_;
  StateBits visited_;  // nodes: twice a state, plus one if an accepting state was passed before it
  KeyFile layers_;
  KeyReader layer_reader_;
  std::span<u64> batch_;
  std::span<u8> rest_;
};

}  // namespace xmc
