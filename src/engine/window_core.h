// WindowCore: whether a weak product has an accepting cycle, where not even one bit per state fits
// the memory. The trimming of cycle_core.h with the bits on flash: the states are cut into windows,
// and the bits of three windows are in memory, those of the sources, those of the targets, and
// which sources have been seen to lead on.
//
//   repeat: for source windows descending: for all other windows: sources with a live target there
//   lead on; then the window itself, descending and in place: drop u if it does not lead on
//   until nothing changes
//
// With w windows a pass reads the edge file w times, so this is for products that are a few times
// too large. Every state that is left has a successor that is left, and in a weak product every
// cycle is accepting: the walk that always takes the first live successor ends in one (found by
// Brent's method, with two states in memory).
//
// Bits are written as a new file in each pass, windows descending; the file before has those of the
// windows that are still to come. Their checksums stay in memory.
#pragma once

#include <span>

#include "engine/edge_pass.h"
#include "engine/shortest_lasso.h"
#include "xmc/device.h"

namespace xmc {

// The bits of some states: first, first + 1 and so on. Elsewhere nothing is marked.
class WindowBits {
 public:
  void start(std::span<u8> memory, u64 first, u64 states, bool value) {
    bits_.start(memory, states, value);
    first_ = first;
  }
  u64 first() const { return first_; }
  u64 size() const { return first_ + bits_.size(); }  // the end, as of bits that begin with 0
  bool has(u64 i) const { return i >= first_ && i < size(); }
  bool test(u64 i) const { return bits_.test(i - first_); }
  void set(u64 i) { bits_.set(i - first_); }
  bool any(u64 begin, u64 end) const {
    begin = std::max(begin, first_);
    end = std::min(end, size());
    return begin < end && bits_.any(begin - first_, end - first_);
  }
  bool any() const { return bits_.any(0, bits_.size()); }
  u64 next() const { return first_ + bits_.next(0, bits_.size()); }  // the first that is marked
  void clear_range(u64 begin, u64 end) { bits_.clear_range(begin - first_, end - first_); }

 private:
  StateBits bits_;
  u64 first_ = 0;
};

class WindowCore {
 public:
  static constexpr u64 kMostWindows = 64;
  // For so many states.
  static u64 least_bytes(u64 states);

  struct Setup {
    EdgeFile* edges = nullptr;
    EdgeReader* reader = nullptr;
    std::span<u8> read_buffer;  // of the reader
    std::span<u8> memory;       // for all the rest, aligned for devices
    Folder* folder = nullptr;
    u64 most_window = ~u64{0};  // states of a window at most, for tests
  };

  // Finds a cycle, or that there is none (result.none). The cycle's numbers lie in the memory.
  Status find(const Setup& setup, const WorkPoll& poll, LassoResult& result, StopReason& stop);

  u64 windows() const { return windows_; }
  const PassFigures& figures() const { return figures_; }

 private:
  Status run(LassoResult& result, StopReason& stop);
  u64 first_of(u64 window) const { return window * window_states_; }
  u64 states_in(u64 window) const {
    return std::min(window_states_, setup_.edges->states() - first_of(window));
  }
  Status open_next();
  Status close_files();
  // By the file of this pass, or of the one before.
  Status load(u64 window, WindowBits& bits, std::span<u8> memory, bool now);
  Status store(u64 window, std::span<u8> memory);
  Status pass(bool& changed, bool& any, StopReason& stop);
  Status find_leading(const WindowBits& targets, StopReason& stop);
  Status drop_rest(bool& changed, StopReason& stop);
  Status find_cycle(LassoResult& result, StopReason& stop);
  Status next_live(u64& state);
  Status is_live(u64 state, bool& live);
  Status damaged(u32 which) const;

  Setup setup_;
  WorkPoll poll_;
  u64 window_states_ = 0;
  u64 windows_ = 0;
  std::span<u8> part_[3];
  WindowBits sources_;
  WindowBits leading_;
  Device* file_[2] = {};  // of this pass and of the one before
  u64 sum_[2][kMostWindows] = {};
  u32 turn_ = 0;
  u64 passes_ = 0;
  u64 some_live_ = 0;
  PassFigures figures_;
  // Pages of bits that the walk has read, each in the place of its number.
  std::span<u8> pages_;
  std::span<u64> page_;  // its number, plus one
};

}  // namespace xmc
