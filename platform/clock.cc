#include "platform/clock.h"

#include <time.h>

#include "xmc/check.h"

namespace xmc {
namespace {

u64 read_clock(clockid_t which) {
  struct timespec at = {};
  XMC_CHECK(::clock_gettime(which, &at) == 0);
  return static_cast<u64>(at.tv_sec) * 1'000'000'000u + static_cast<u64>(at.tv_nsec);
}

}  // namespace

u64 monotonic_ns() { return read_clock(CLOCK_MONOTONIC); }

u64 cpu_ns() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

u64 wall_seconds() { return read_clock(CLOCK_REALTIME) / 1'000'000'000u; }

Clock::Clock(Kind kind, u32 cpu_permille)
    : kind_(kind),
      cpu_permille_(cpu_permille),
      start_ns_(kind == Kind::real ? monotonic_ns() : cpu_ns()) {}

u64 Clock::now_ns() const {
  switch (kind_) {
    case Kind::real:
      return monotonic_ns() - start_ns_;
    case Kind::virtual_time:
      return (cpu_ns() - start_ns_) / 1000 * cpu_permille_ + device_ns_;
    case Kind::manual:
      return device_ns_;
  }
  return 0;
}

void Clock::advance(u64 ns) {
  if (kind_ != Kind::real) device_ns_ += ns;
}

}  // namespace xmc
