// WindowWalk: a cycle among states that all have a successor among them, with their bits in a file.
//
// A function gives each state one successor, and two states in memory follow it until they meet
// (Brent's method). In a weak product the function is the first successor that is left. Otherwise
// the file has layers, as WindowCore::keep_leading() made them: each state but the accepting ones
// goes on to one that was there before it, so that every cycle passes an accepting state.
#pragma once

#include <span>

#include "engine/shortest_lasso.h"
#include "engine/window_file.h"
#include "engine/work_poll.h"
#include "store/edge_file.h"

namespace xmc {

class WindowWalk {
 public:
  // `memory` is aligned for devices.
  WindowWalk(EdgeReader& reader, const WindowFile& bits, bool weak, std::span<u8> memory);

  // From a state that is left. The cycle's numbers lie in the memory.
  Status find(u64 start, WorkPoll& poll, LassoResult& result, StopReason& stop);

 private:
  Status is_in(u64 layer, u64 state, bool& in);
  Status layer_of(u64 state, u64& layer);
  Status step(u64& state);

  EdgeReader& reader_;
  const WindowFile& bits_;
  bool weak_;
  u64 last_;  // layer
  // Pages of bits that were read, each in the place of its number.
  std::span<u8> pages_;
  std::span<u64> page_;  // its number, plus one
  std::span<u8> rest_;   // for the cycle
};

}  // namespace xmc
