#include <doctest/doctest.h>
#include <time.h>

#include "platform/clock.h"
#include "support.h"

namespace xmc::test {
namespace clock_test {
namespace {

void sleep_ms(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1'000'000};
  ::nanosleep(&time, nullptr);
}

void burn_ms(u64 ms) {
  const u64 until = cpu_ns() + ms * 1'000'000;
  volatile u64 sink = 0;
  while (cpu_ns() < until) sink = sink + 1;
}

}  // namespace

TEST_CASE("real time passes while sleeping, CPU time does not") {
  const Clock clock;
  const u64 wall = monotonic_ns();
  const u64 cpu = cpu_ns();
  sleep_ms(30);
  CHECK(monotonic_ns() - wall >= 30'000'000);
  CHECK(clock.now_ns() >= 30'000'000);
  CHECK(cpu_ns() - cpu < 25'000'000);
  CHECK(wall_seconds() > 1'600'000'000);
}

TEST_CASE("a real clock does not listen to the device") {
  Clock clock;
  clock.advance(u64{3600} * 1'000'000'000);
  CHECK(clock.now_ns() < u64{3600} * 1'000'000'000);
  CHECK(clock.device_ns() == 0);
}

TEST_CASE("a virtual clock adds CPU time and device time and leaves waiting out") {
  Clock clock(Clock::Kind::virtual_time);
  clock.advance(5'000'000'000);
  sleep_ms(30);
  burn_ms(20);
  CHECK(clock.now_ns() >= 5'020'000'000 - 1'000);
  CHECK(clock.now_ns() < 6'000'000'000);
  CHECK(clock.device_ns() == 5'000'000'000);
}

TEST_CASE("a virtual clock can stand for a slower machine") {
  const Clock slow(Clock::Kind::virtual_time, 10'000);
  burn_ms(20);
  CHECK(slow.now_ns() >= 199'000'000);
}

TEST_CASE("a manual clock moves only when told") {
  Clock clock(Clock::Kind::manual);
  burn_ms(5);
  CHECK(clock.now_ns() == 0);
  clock.advance(17);
  clock.advance(4);
  CHECK(clock.now_ns() == 21);
}

TEST_CASE("the process follows a clock that is not real, and sleeps in its time") {
  Clock clock(Clock::Kind::manual);
  const u64 wall = wall_seconds();
  follow_clock(&clock);
  CHECK(monotonic_ns() == 0);
  sleep_ns(u64{3600} * 1'000'000'000);
  CHECK(monotonic_ns() == u64{3600} * 1'000'000'000);
  CHECK(wall_seconds() >= wall + 3600);
  CHECK(wall_seconds() < wall + 3700);
  follow_clock(nullptr);
  CHECK(wall_seconds() < wall + 100);
}

}  // namespace clock_test
}  // namespace xmc::test
