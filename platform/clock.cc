#include "platform/clock.h"

#include <sched.h>
#include <time.h>

#include "platform/local_time.h"
#include "xmc/check.h"

namespace xmc {
namespace {

u64 read_clock(clockid_t which) {
  struct timespec at = {};
  XMC_CHECK(::clock_gettime(which, &at) == 0);
  return static_cast<u64>(at.tv_sec) * 1'000'000'000u + static_cast<u64>(at.tv_nsec);
}

constexpr u64 kSecond = 1'000'000'000;

Clock* g_followed = nullptr;
u64 g_wall_seconds = 0;  // when that began

}  // namespace

void follow_clock(Clock* clock) {
  XMC_CHECK(clock == nullptr || clock->kind() != Clock::Kind::real);
  g_followed = nullptr;
  g_wall_seconds = wall_seconds();
  g_followed = clock;
}

u64 monotonic_ns() {
  return g_followed != nullptr ? g_followed->now_ns() : read_clock(CLOCK_MONOTONIC);
}

u64 cpu_ns() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

u64 thread_cpu_ns() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

u64 wall_seconds() {
  if (g_followed != nullptr) return g_wall_seconds + g_followed->now_ns() / kSecond;
  return read_clock(CLOCK_REALTIME) / kSecond;
}

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

u64 seconds_until(u32 minutes_of_day) {
  constexpr i64 kDay = 86400;
  const i64 now = static_cast<i64>(wall_seconds());
  const i64 wanted = i64{minutes_of_day} * 60;
  const i64 wall = now + utc_offset(now);
  i64 left = (wanted - wall % kDay + kDay) % kDay;
  if (left == 0) left = kDay;
  // Where the clock is changed meanwhile, that much sooner or later.
  left += utc_offset(now) - utc_offset(now + left);
  return left > 0 ? static_cast<u64>(left) : 0;
}

void yield_processor() { ::sched_yield(); }

void sleep_ns(u64 ns) {
  if (g_followed != nullptr) return g_followed->advance(ns);
  timespec wanted = {};
  wanted.tv_sec = static_cast<time_t>(ns / kSecond);
  wanted.tv_nsec = static_cast<long>(ns % kSecond);
  static_cast<void>(::nanosleep(&wanted, nullptr));
}

void Clock::advance(u64 ns) {
  if (kind_ != Kind::real) device_ns_ += ns;
}

}  // namespace xmc
