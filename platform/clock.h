// Time. The real clocks, and a Clock that can be virtual for the simulated card.
//
// Virtual time = CPU time used since the clock was made + device time that was added with
// advance(): the time that a run on the simulated device would have waited for it. Transfers that
// go on while the search computes are charged by the device only as far as they were waited for.
// What is left out on purpose is the real waiting for the backing file or for other processes, so
// that an overnight run takes minutes and a loaded host does not change the figure. The CPU time is
// that of this host: a slower target is a factor on it, given at construction (1000 = as fast as
// here). A manual clock leaves the CPU out as well: time is then exactly the device time, for tests
// of the arithmetic.
#pragma once

#include "xmc/types.h"

namespace xmc {

u64 monotonic_ns();   // CLOCK_MONOTONIC, unless follow_clock() was called
u64 cpu_ns();         // CPU time of this process, all threads, user and system
u64 thread_cpu_ns();  // of the calling thread
u64 wall_seconds();   // seconds since 1970, for time stamps in reports
// From now to this time of day by the local clock, in minutes since midnight, the next time it
// comes.
u64 seconds_until(u32 minutes_of_day);
// Waits; a signal ends it.
void sleep_ns(u64 ns);
// Lets others run who want this core.
void yield_processor();

class Clock {
 public:
  enum class Kind : u8 { real, virtual_time, manual };

  explicit Clock(Kind kind = Kind::real, u32 cpu_permille = 1000);

  // Since construction.
  u64 now_ns() const;
  // Adds device time; a real clock does not listen.
  void advance(u64 ns);
  // The part of now_ns() that was added with advance().
  u64 device_ns() const { return device_ns_; }
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
  u32 cpu_permille_;
  u64 start_ns_;
  u64 device_ns_ = 0;
};

// From now on the time of this process, and the seconds since 1970, go as this clock does, which is
// not a real one: a simulated night. Sleeping advances it. Null: the real one again.
void follow_clock(Clock* clock);

}  // namespace xmc
