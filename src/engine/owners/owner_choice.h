// OwnerChoice: by which fields of a state its owner is told. A hash of all fields sends nearly
// every successor away, and an owner's states have nothing in common, so that a diagram of them is
// hardly smaller than one of all states. A hash of fields that few steps change keeps successors at
// home, and states together that are alike; but it has to divide the states evenly. Which fields
// those are is measured on the first states.
#pragma once

#include <span>

#include "engine/search/search.h"
#include "xmc/status.h"

namespace xmc {

class OwnerChoice {
 public:
  // Words with the bits of the chosen fields, for so many owners. `memory` is for the sample, and
  // zero again afterwards. Overwrites the successor buffer; counts nothing.
  static void choose(Search& search, u32 owners, std::span<u8> memory, Word* mask);

 private:
  static constexpr u32 kSample = 20'000;  // states
  static constexpr u32 kMostFields = 256;

  OwnerChoice(Search& search, u32 owners) : search_(search), owners_(owners) {}
  bool take_sample(std::span<u8> memory);
  void count_changes();
  bool try_fields(const u32* fields, u32 count, Word* mask);

  Search& search_;
  u32 owners_;
  StateTable table_;
  u32 expanded_ = 0;
  u32 changes_[kMostFields] = {};  // steps that change a field
  u32 steps_ = 0;
};

}  // namespace xmc
