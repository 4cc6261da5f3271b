#include "report/progress.h"

#include <doctest/doctest.h>

using namespace xmc;

namespace {

constexpr u64 kSecond = 1'000'000'000;

Progress at(u64 level, u64 states, u64 transitions = 0) {
  Progress progress;
  progress.level = level;
  progress.states = states;
  progress.transitions = transitions;
  return progress;
}

}  // namespace

TEST_CASE("the line") {
  FixedText<200> text;
  ProgressLine line;
  line.level = 40;
  line.states = 412906;
  line.new_states = 96332;
  line.rate_per_s = 51234;
  line.ram_used = 4823450;
  line.seconds = 130;
  format_progress(text, line);
  CHECK(text.view() ==
        "level  40     412,906 states     96,332 new    51k/s  RAM 4.6 MiB  2 m 10 s");
  text.clear();
  line.disk = 12 << 20;
  line.written = 31 << 20;
  line.rate_per_s = 2.3e6;
  format_progress(text, line);
  CHECK(text.view() ==
        "level  40     412,906 states     96,332 new   2.3M/s  RAM 4.6 MiB  disk 12.0 MiB  written "
        "31.0 MiB  2 m 10 s");
}

TEST_CASE("a line is due after the interval, or at once when asked for") {
  ProgressMeter meter(0, 10 * kSecond);
  ProgressLine line;
  CHECK_FALSE(meter.update(at(0, 100), 9 * kSecond, false, line));
  CHECK(meter.update(at(1, 2000), 10 * kSecond, false, line));
  CHECK(line.states == 2000);
  CHECK(line.rate_per_s == doctest::Approx(200));
  CHECK(line.new_states == 1900);
  CHECK_FALSE(meter.update(at(1, 2500), 11 * kSecond, false, line));
  CHECK(meter.update(at(1, 3000), 12 * kSecond, true, line));
  CHECK(line.rate_per_s == doctest::Approx(500));
  CHECK(line.seconds == doctest::Approx(12));
}

TEST_CASE("an interval of 0 is silent, but answers") {
  ProgressMeter meter(0, 0);
  ProgressLine line;
  CHECK_FALSE(meter.update(at(0, 100), 3600 * kSecond, false, line));
  CHECK(meter.update(at(0, 100), 3600 * kSecond, true, line));
}

TEST_CASE("rows of levels") {
  LevelTable table;
  FixedText<200> row;
  Progress progress = at(0, 3, 2);
  CHECK_FALSE(table.update(progress, 0, row));
  progress.level_done = true;
  progress.level_states = 1;
  CHECK(table.update(progress, 0.5, row));
  progress = at(1, 9, 12);
  progress.level_done = true;
  progress.level_states = 2;
  CHECK(table.update(progress, 1.25, row));
  CHECK(row.view() == "0,1,2,3,2,0.500\n1,2,10,9,12,1.250\n");
}
