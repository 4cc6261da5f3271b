// WindowWalk: a cycle among states that all have a successor among them, with their bits in a file.
//
// A function gives each state one successor, and two states in memory follow it until they meet
// (Brent's method). In a weak product the function is the first successor that is left. Otherwise
// the file has layers, as WindowCore::keep_leading() made them: each state but the accepting ones
// goes on to one that was there before it, so that every cycle passes an accepting state.
//
// The states that the second one has passed since the first one jumped are kept: when they meet,
// these are the cycle. A checkpoint has both states, and the others as a file.
#pragma once

#include <span>

#include "engine/cycles/edges/shortest_lasso.h"
#include "engine/cycles/windows/window_checkpoint.h"
#include "engine/cycles/windows/window_file.h"
#include "engine/search/work_poll.h"
#include "store/files/edge_file.h"

namespace xmc {

class WindowWalk {
 public:
  // `memory` is aligned for devices.
  WindowWalk(EdgeReader& reader, const WindowFile& bits, bool weak, std::span<u8> memory);

  // From a state that is left, or from where a checkpoint was.
  void start(u64 state) { at_.first = at_.second = state; }
  Status restore_checkpoint(const WindowCheckpoint::Walk& checkpoint, Folder& folder,
                            std::span<u8> buffer);
  // Some steps, until the cycle is there or the poll has asked the outside.
  Status go(WorkPoll& poll);
  bool done() const { return met() && listed_ && at_.length <= list_.size(); }
  // Its numbers, which lie in the memory. Whatever the bits said, it is an accepting cycle.
  Status take(LassoResult& result);
  // For a checkpoint, which has the one before. `buffer` holds a block of words.
  Status save_checkpoint(WindowCheckpoint::Walk& checkpoint, Folder& folder,
                         std::span<u8> buffer) const;
  u64 steps() const { return steps_; }

 private:
  static constexpr u64 kPollSteps = 256;  // each may read a block or two

  bool met() const { return at_.length > 0 && at_.first == at_.second; }
  Status is_in(u64 layer, u64 state, bool& in);
  Status layer_of(u64 state, u64& layer);
  Status step(u64& state);
  Status check_accepting(std::span<const u64> cycle);

  EdgeReader& reader_;
  const WindowFile& bits_;
  bool weak_;
  u64 last_;  // layer
  // Pages of bits that were read, each in the place of its number.
  std::span<u8> pages_;
  std::span<u64> page_;  // its number, plus one
  // Brent's two states; the second one is `length` steps behind the first one, which jumps after
  // `power` of them.
  struct {
    u64 first = 0;
    u64 second = 0;
    u64 power = 1;
    u64 length = 0;
  } at_;
  std::span<u64> list_;  // the states behind `first`
  bool listed_ = true;   // as many of them as there is room for
  u64 steps_ = 0;
};

}  // namespace xmc
