// WindowCore: whether a product has an accepting cycle, where not even one bit per state fits the
// memory. The trimming of cycle_core.h with the bits on flash: the states are cut into windows, and
// the bits of three windows are in memory, those of the sources, those of the targets, and which
// sources have been seen to lead on.
//
//   repeat: for source windows descending: for all other windows: sources with a live target there
//   lead on; then the window itself, descending and in place: drop u if it does not lead on
//   until nothing changes
//
// Every state that is left has a successor that is left. In a weak product every cycle is
// accepting, so that is all. Otherwise passes of the same kind add layer after layer of states that
// lead to an accepting one, each with those of the layers before; states that are in none of them
// are dropped, and it all begins again, until nothing is dropped. window_walk finds the cycle then.
//
// With w windows a pass reads the edge file w times, so this is for products that are a few times
// too large. Live bits are written as a new file in each pass, windows descending; the file before
// has those of the windows that are still to come.
//
// A checkpoint may come behind each window of a pass (window_checkpoint.h), and inside the walk to
// the cycle: it goes on from there.
#pragma once

#include <span>

#include "engine/cycles/edges/edge_pass.h"
#include "engine/cycles/edges/shortest_lasso.h"
#include "engine/cycles/windows/window_file.h"
#include "xmc/device.h"

namespace xmc {

class WindowWalk;

class WindowCore {
 public:
  // For so many states.
  static u64 least_bytes(u64 states);

  struct Setup {
    EdgeFile* edges = nullptr;
    EdgeReader* reader = nullptr;
    std::span<u8> read_buffer;  // of the reader
    std::span<u8> memory;       // for all the rest, aligned for devices
    Folder* folder = nullptr;
    bool weak = false;
    const Product* product = nullptr;        // for checkpoints; null: there are none
    WindowCheckpoint* checkpoint = nullptr;  // what they say, and what to go on from
    u64 most_window = ~u64{0};               // states of a window at most, for tests
  };

  // Finds a cycle, or that there is none (result.none). The cycle's numbers lie in the memory.
  Status find(const Setup& setup, const WorkPoll& poll, LassoResult& result);

  u64 windows() const { return windows_.count; }
  const PassFigures& figures() const { return figures_; }
  u64 walk_steps() const { return walk_steps_; }

 private:
  void lay_out();
  Status run(LassoResult& result);
  Status find_core();
  Status close_files();
  Status walk(LassoResult& result);
  // window_core_checkpoint.cc
  bool fits_checkpoint() const;
  Status restore_checkpoint();
  Status save_checkpoint();
  Status remove_old(const char* file, u64& oldest, u64 from);
  Status window_done();
  Status save_walk(const WindowWalk& walk);
  Status checkpoint_walk(const WindowWalk& walk);
  const WindowFile& live() const { return live_[turn_]; }
  Status load_live(u64 window, WindowBits& bits, std::span<u8> memory, bool now);
  Status begin_live();
  Status trim();
  Status trim_windows();
  Status drop_rest(bool& changed);
  Status keep_leading(bool& dropped);
  Status begin_lead();
  Status add_windows();
  Status find_leading(const WindowBits& targets);
  Status enter_window(bool& changed);

  Setup setup_;
  WorkPoll poll_;
  Windows windows_;
  std::span<u8> part_[3];
  WindowBits sources_;
  WindowBits leading_;
  WindowFile live_[2];  // of this pass and of the one before
  u32 turn_ = 0;
  u64 live_number_[2] = {};
  WindowFile lead_;
  u64 lead_number_ = 0;
  u64 next_live_ = 0;  // numbers of new files
  u64 next_lead_ = 0;
  WindowCheckpoint::Stage stage_ = WindowCheckpoint::Stage::trim;
  bool resumed_ = false;  // the pass that a checkpoint was in has not gone on yet
  bool in_pass_ = false;  // windows of this pass are not done
  bool changed_ = false;  // by this pass
  bool any_ = false;      // live states that it has left
  bool open_ = false;     // live states that are in no layer
  u64 some_live_ = 0;
  u64 walk_steps_ = 0;
  PassFigures figures_;
};

}  // namespace xmc
