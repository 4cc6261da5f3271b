// PhaseClock: how the wall time of a search divides into phases.
//
// Two kinds of switches. Scope and switch_to() are exact: the clock is read, for work on thousands
// of states at a time. Inside Phase::expansion, where states are read, expanded and inserted in
// turns of a few microseconds, two calls of the clock for each turn would cost about 1%; there
// turn_to() reads it in one round of kRounds only, and the time of the phase is divided as these
// rounds were.
//
// Time inside calls of the folder's devices is taken out of whatever phase they are made in: it is
// waiting. Without a clock nothing is measured and every call returns at once.
#pragma once

#include "xmc/types.h"

namespace xmc {

class Folder;

enum class Phase : u8 {
  generation,    // expanding states, packing successors, judging
  insertion,     // into tables, caches and diagrams
  detection,     // comparison with what is on flash: runs, partitions, scans of the queue
  queueing,      // coding and decoding of the queue
  partitioning,  // sharing candidates out: sorting them, partitions, runs
  cycles,        // looking for accepting cycles in what a breadth-first search found
  rest,
  expansion,  // generation and what alternates with it: divided by samples
};

struct PhaseTimes {
  u64 in[7] = {};  // by phase, up to rest; ns
  u64 io_wait = 0;
  u64 total = 0;  // the sum of all of them

  u64 of(Phase phase) const { return in[static_cast<u32>(phase)]; }
};

class PhaseClock {
 public:
  static constexpr u32 kRounds = 16;

  // Begins in Phase::rest. No now_ns: nothing is measured. No folder: nothing is waited for.
  void start(u64 (*now_ns)(), const Folder* folder);
  bool on() const { return now_ns_ != nullptr; }

  // The phase until now is the answer.
  Phase switch_to(Phase phase);
  // The next round of the expansion begins: some 50 states, or more.
  void next_round() {
    if (sampling_ || --countdown_ == 0) turn_round();
  }
  // Within a round of the expansion.
  void turn_to(Phase phase) {
    if (sampling_) sample(phase);
  }
  // Up to now.
  PhaseTimes times();

  // A phase, and back to the one before. A null clock is no clock.
  class Scope {
   public:
    Scope(PhaseClock* clock, Phase phase) : clock_(clock) {
      if (clock_ != nullptr) before_ = clock_->switch_to(phase);
    }
    Scope(PhaseClock& clock, Phase phase) : Scope(&clock, phase) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() {
      if (clock_ != nullptr) clock_->switch_to(before_);
    }

   private:
    PhaseClock* clock_;
    Phase before_ = Phase::rest;
  };

 private:
  static constexpr u32 kPhases = 8;

  // Time and waiting since the last look.
  struct Passed {
    u64 busy_ns = 0;
    u64 wait_ns = 0;
  };
  struct Look {
    u64 at_ns = 0;
    u64 wait_ns = 0;
  };
  Look look() const;
  static Passed passed(const Look& from, const Look& to);
  void turn_round();
  void sample(Phase phase);
  void end_sample(const Look& now);

  u64 (*now_ns_)() = nullptr;
  const Folder* folder_ = nullptr;
  Phase phase_ = Phase::rest;
  Look last_;                   // of the last exact switch
  u64 spent_ns_[kPhases] = {};  // waiting apart
  u64 io_wait_ns_ = 0;

  bool sampling_ = false;
  u32 countdown_ = 1;
  Phase turn_ = Phase::generation;
  Look turn_from_;
  u64 sampled_ns_[kPhases] = {};
};

}  // namespace xmc
