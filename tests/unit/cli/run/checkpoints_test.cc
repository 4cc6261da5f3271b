#include "cli/run/checkpoints.h"

#include <doctest/doctest.h>

using namespace xmc;

namespace checkpoints_test {

namespace {

constexpr u64 kSecond = CheckpointRhythm::kSecond;
constexpr u64 kStart = 1000 * kSecond;

// Plays `seconds` of a run whose commits take `cost_ns`, and counts them. Levels take a minute.
u64 commits_in(CheckpointRhythm rhythm, u64 seconds, u64 cost_ns, u64* longest_gap_s = nullptr) {
  u64 count = 0;
  u64 now = kStart;
  u64 last = now;
  u64 gap = 0;
  u64 level = now / (60 * kSecond);
  while (now < kStart + seconds * kSecond) {
    now += kSecond / 10;
    const bool level_end = now / (60 * kSecond) != level;
    level = now / (60 * kSecond);
    if (!rhythm.due(level_end, now)) continue;
    rhythm.committed(now, now + cost_ns);
    now += cost_ns;
    gap = std::max(gap, now - last);
    last = now;
    ++count;
  }
  if (longest_gap_s != nullptr) *longest_gap_s = gap / kSecond;
  return count;
}

CheckpointRhythm rhythm_of(std::string_view word, u64 seconds = 0) {
  return CheckpointRhythm::of_option(word, seconds, kStart);
}

}  // namespace

TEST_CASE("automatic checkpoints take at most 1% of the time, and come within 30 minutes") {
  CHECK(commits_in(rhythm_of("auto"), 9, 0) == 0);
  CHECK(commits_in(rhythm_of("auto"), 11, 0) == 1);
  for (const u64 cost_ms : {1, 50, 100, 1000, 5000, 15000}) {
    const u64 cost = cost_ms * 1'000'000;
    const u64 hours = 12;
    u64 gap = 0;
    const u64 count = commits_in(rhythm_of("auto"), hours * 3600, cost, &gap);
    CAPTURE(cost_ms);
    CHECK((count - 1) * cost <= hours * 36 * kSecond);  // the first comes early
    CHECK(count >= hours * 3600 / (1801 + cost_ms / 1000) - 1);
    CHECK(count <= hours * 360);
    CHECK(gap <= 1801 + cost_ms / 1000);
  }
  // Commits that take minutes still come every 30.
  CHECK(commits_in(rhythm_of("auto"), 12 * 3600, 60 * kSecond) >= 22);
}

TEST_CASE("the other rhythms") {
  CHECK(commits_in(rhythm_of("off"), 3600, 0) == 0);
  CHECK(commits_in(rhythm_of("level"), 3600, 0) == 60);
  const u64 each_90_s = commits_in(rhythm_of("90s", 90), 3600, 0);
  CHECK(each_90_s >= 39);
  CHECK(each_90_s <= 40);
  CHECK_FALSE(rhythm_of("level").due(false, kStart + 1000 * kSecond));
  CHECK(rhythm_of("level").due(true, kStart));
}

TEST_CASE("totals that are missing are zero") {
  Manifest manifest;
  manifest.add("run.resumes", 3);
  manifest.add("run.bytes_written", u64{1} << 40);
  manifest.add("run.written.queue", u64{1} << 39);
  const RunTotals totals = read_totals(manifest);
  CHECK(totals.resumes == 3);
  CHECK(totals.bytes_written == u64{1} << 40);
  CHECK(totals.wall_ms == 0);
  CHECK(totals.written_for[static_cast<u32>(Purpose::queue)] == u64{1} << 39);
  CHECK(totals.written_for[static_cast<u32>(Purpose::states)] == 0);
  CHECK(totals.read_for[static_cast<u32>(Purpose::queue)] == 0);
}

}  // namespace checkpoints_test
