// RunWait: how many levels wait until their candidates are compared with the runs on flash, all of
// them at once.
//
// A comparison of many keys costs less for each than one of a few: it reads a block for several of
// them. But states that turn out to be repeats were expanded meanwhile, and once more to take their
// counts back. (To delay detection for that reason is from Evangelista, "Dynamic Delayed Duplicate
// Detection for External Memory Model Checking", 2008.) What both take is measured, in this run and
// on this device: a wait that paid is followed by one of twice as many levels, one that did not by
// one of half as many, down to none; then another one is tried after a while.
#pragma once

#include "xmc/types.h"

namespace xmc {

class RunWait {
 public:
  // The candidates of one level were compared.
  void compared(u64 keys, u64 ns);
  // What had waited was compared: some keys were repeats.
  void waited(u64 keys, u64 hits, u64 ns);
  // So many states were expanded and their successors collected.
  void expanded(u64 states, u64 ns);

  // Levels that may wait now.
  u32 levels() const { return key_ns_ == 0 || expand_ns_ == 0 ? 0 : levels_; }

 private:
  static constexpr u32 kFirst = 2;
  static constexpr u32 kMost = 1 << 20;
  static constexpr u32 kRest = 64;        // comparisons until the next try
  static constexpr double kNewer = 0.25;  // weight of the newest figure

  static void blend(double& figure, u64 ns, u64 count);

  double key_ns_ = 0;     // of comparing a candidate with its level
  double expand_ns_ = 0;  // of expanding a state
  u32 levels_ = kFirst;
  u32 rest_ = 0;
};

}  // namespace xmc
