#include "platform/workers.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cerrno>
#include <vector>

#include "support.h"

namespace xmc::test {
namespace workers_test {
namespace {

struct Count : Parallel::Job {
  std::atomic<u32> runs{0};
  u32 thread = kNone;
  std::atomic<bool>* gate = nullptr;
};

void prepare(Count& job) {
  job.run = [](Parallel::Job& self, u32 thread) {
    Count& c = static_cast<Count&>(self);
    while (c.gate != nullptr && !*c.gate) ::usleep(100);
    c.thread = thread;
    ++c.runs;
  };
}

int refuse_thread(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) { return EAGAIN; }

Workers g_three;
Workers g_alone(&refuse_thread);

TEST_CASE("workers: every job runs once, on some thread") {
  REQUIRE(g_three.start(3).ok());
  CHECK(g_three.threads() == 3);
  for (u32 round = 0; round < 200; ++round) {
    std::vector<Count> jobs(1 + round % 20);
    for (Count& job : jobs) {
      prepare(job);
      g_three.submit(job);
    }
    for (Count& job : jobs) {
      g_three.finish(job);
      REQUIRE(job.runs == 1);
      REQUIRE(job.thread < 3);
      REQUIRE(g_three.done(job));
    }
  }
}

TEST_CASE("workers: others run while the owner is busy, and the owner helps") {
  if (g_three.threads() == 1) REQUIRE(g_three.start(3).ok());
  std::atomic<bool> gate{false};
  Count held[2];
  for (Count& job : held) {
    prepare(job);
    job.gate = &gate;
    g_three.submit(job);
  }
  // Both threads wait at the gate (or will): this one can only be run by the owner.
  ::usleep(20'000);
  Count last;
  prepare(last);
  g_three.submit(last);
  CHECK_FALSE(g_three.done(held[0]));
  CHECK_FALSE(g_three.done(held[1]));
  g_three.finish(last);
  CHECK(last.thread == 0);
  gate = true;
  for (Count& job : held) {
    g_three.finish(job);
    CHECK(job.thread > 0);
  }
}

TEST_CASE("workers: without threads everything still works") {
  const Status status = g_alone.start(4);
  CHECK_FALSE(status.ok());
  CHECK(status.os_error() == EAGAIN);
  CHECK(g_alone.threads() == 1);
  Count jobs[5];
  for (Count& job : jobs) {
    prepare(job);
    g_alone.submit(job);
  }
  g_alone.finish(jobs[4]);
  for (Count& job : jobs) CHECK(job.thread == 0);
}

TEST_CASE("workers: for_parts covers a range once") {
  if (g_three.threads() == 1) REQUIRE(g_three.start(3).ok());
  for (const u32 count : {0u, 1u, 5u, 100u, 100'003u}) {
    std::vector<u8> seen(count);
    const u32 parts = parts_of(&g_three, count, 10);
    CHECK(parts == (count < 20 ? 1u : 3u));
    for_parts(&g_three, parts, count, [&](u32 begin, u32 end, u32 part) {
      REQUIRE(part < parts);
      for (u32 i = begin; i < end; ++i) ++seen[i];
    });
    for (const u8 n : seen) REQUIRE(n == 1);
  }
  CHECK(parts_of(nullptr, 1000, 1) == 1);
}

}  // namespace

}  // namespace workers_test
}  // namespace xmc::test
