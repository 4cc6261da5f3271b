#include "xmc/phase_clock.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "xmc/device.h"

using namespace xmc;

namespace phase_clock_test {

namespace {

u64 g_now_ns = 0;
u64 now_ns() { return g_now_ns; }
void pass(u64 ns) { g_now_ns += ns; }

// Only its waiting is asked for.
class Waiting final : public Folder {
 public:
  Result<Device*> open(const char*, Open) override { return Status::fail(Code::io, "none"); }
  void close(Device*) override {}
  Status remove(const char*) override { return {}; }
  Status replace(const char*, std::span<const u8>) override { return {}; }
  Result<u64> load(const char*, std::span<u8>) override { return u64{0}; }
  Result<u64> free_bytes() override { return u64{0}; }
  u64 wait_ns() const override { return waited_ns; }
  Status sync() override { return {}; }

  void wait(u64 ns) {
    waited_ns += ns;
    pass(ns);
  }
  u64 waited_ns = 0;
};

u64 sum(const PhaseTimes& times) {
  u64 all = times.io_wait;
  for (const u64 ns : times.in) all += ns;
  return all;
}

}  // namespace

TEST_CASE("exact switches give each phase its time, and waiting its own") {
  Waiting folder;
  PhaseClock clock;
  g_now_ns = 1000;
  clock.start(&now_ns, &folder);
  pass(5);
  {
    const PhaseClock::Scope outer(clock, Phase::insertion);
    pass(100);
    {
      const PhaseClock::Scope inner(clock, Phase::detection);
      pass(40);
      folder.wait(30);
    }
    folder.wait(7);
    pass(1);
  }
  pass(2);
  const PhaseTimes times = clock.times();
  CHECK(times.of(Phase::rest) == 7);
  CHECK(times.of(Phase::insertion) == 101);
  CHECK(times.of(Phase::detection) == 40);
  CHECK(times.io_wait == 37);
  CHECK(times.total == 185);
  CHECK(sum(times) == times.total);
  pass(3);
  CHECK(clock.times().of(Phase::rest) == 10);
}

TEST_CASE("the expansion is divided as its sampled rounds were") {
  Waiting folder;
  PhaseClock clock;
  g_now_ns = 0;
  clock.start(&now_ns, &folder);
  clock.switch_to(Phase::expansion);
  for (u32 round = 0; round < 100 * PhaseClock::kRounds; ++round) {
    clock.next_round();
    clock.turn_to(Phase::queueing);
    pass(10);
    if (round % 40 == 0) folder.wait(500);
    clock.turn_to(Phase::generation);
    pass(70);
    clock.turn_to(Phase::insertion);
    pass(20);
    if (round % 10 == 0) {
      const PhaseClock::Scope scope(clock, Phase::detection);
      pass(1000);
      folder.wait(10);
    }
  }
  clock.switch_to(Phase::rest);
  const u64 rounds = 100 * PhaseClock::kRounds;
  const PhaseTimes times = clock.times();
  CHECK(times.total == g_now_ns);
  CHECK(sum(times) == times.total);
  CHECK(times.of(Phase::detection) == rounds / 10 * 1000);
  CHECK(times.io_wait == rounds / 10 * 10 + rounds / 40 * 500);
  CHECK(times.of(Phase::queueing) == doctest::Approx(rounds * 10).epsilon(0.01));
  CHECK(times.of(Phase::generation) == doctest::Approx(rounds * 70).epsilon(0.01));
  CHECK(times.of(Phase::insertion) == doctest::Approx(rounds * 20).epsilon(0.01));
  CHECK(times.of(Phase::partitioning) == 0);
}

TEST_CASE("without a clock nothing is measured; a folder with another clock cannot wait too long") {
  PhaseClock off;
  off.start(nullptr, nullptr);
  const PhaseClock::Scope scope(off, Phase::detection);
  for (u32 i = 0; i < 100; ++i) {
    off.next_round();
    off.turn_to(Phase::insertion);
  }
  CHECK(off.times().total == 0);

  Waiting folder;
  PhaseClock clock;
  g_now_ns = 0;
  clock.start(&now_ns, &folder);
  folder.waited_ns = 1'000'000;
  pass(50);
  const PhaseTimes times = clock.times();
  CHECK(times.total == 50);
  CHECK(times.io_wait == 50);
}

}  // namespace phase_clock_test
