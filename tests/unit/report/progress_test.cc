#include "report/progress.h"

#include <doctest/doctest.h>

#include "sample.h"

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
  format_progress(text, line, 80);
  CHECK(text.view() == "level 40  412,906 states  96,332 new  51k/s  RAM 4.6 MiB  2 m 10 s");
  text.clear();
  line.disk = 12 << 20;
  line.written = 31 << 20;
  line.rate_per_s = 2.3e6;
  line.left_seconds = 40;
  format_progress(text, line, 120);
  CHECK(text.view() ==
        "level 40  412,906 states  96,332 new  2.3M/s  RAM 4.6 MiB  disk 12.0 MiB  written "
        "31.0 MiB  2 m 10 s  ~40 s left");
}

TEST_CASE("in 80 columns states, rate, RAM, bytes written and time have room") {
  FixedText<200> text;
  ProgressLine line;
  line.level = 181;
  line.states = 160587600;
  line.new_states = 11096332;
  line.rate_per_s = 812345;
  line.ram_used = u64{1019} << 20;
  line.disk = u64{3} << 30;
  line.written = u64{1019} << 30;
  line.seconds = 37230;
  format_progress(text, line, 80);
  CHECK(text.view() == "160,587,600 states  812k/s  RAM 1019.0 MiB  written 1019.0 GiB  10 h 20 m");
  text.clear();
  line.ram_used = u64{31} << 20;
  line.written = u64{19} << 30;
  format_progress(text, line, 80);
  CHECK(text.view() ==
        "level 181  160,587,600 states  812k/s  RAM 31.0 MiB  written 19.0 GiB  10 h 20 m");
  text.clear();
  line.shrinking = true;
  format_progress(text, line, 80);
  CHECK(text.view() ==
        "160,587,600 states  812k/s  RAM 31.0 MiB  written 19.0 GiB  10 h 20 m  shrinking");
  CHECK(text.size() <= 80);
}

TEST_CASE("what can be said about the end") {
  ProgressMeter meter(0, 0);
  ProgressLine line;
  u64 expanded = 0;
  u64 seconds = 0;
  const auto done = [&](u64 level, u64 size) {
    Progress progress = at(level, 100'000);
    progress.level_done = true;
    progress.level_states = size;
    progress.expanded = expanded += 1000;
    CHECK(meter.update(progress, ++seconds * kSecond, true, line));
  };
  // Even levels are the larger ones; in pairs they grow.
  u64 level = 0;
  for (const u64 size : {1000u, 500u, 4000u, 2000u, 16000u, 8000u}) done(level++, size);
  CHECK_FALSE(line.shrinking);
  done(level++, 4000);
  CHECK(line.shrinking);
  CHECK(line.left_seconds < 0);
  done(level++, 2000);
  CHECK(line.left_seconds < 0);
  done(level++, 1000);
  // Each is half of the one before. 750 is the half of a level on the average, and 1500 are behind
  // it; 1000 are expanded in a second.
  CHECK(line.left_seconds == doctest::Approx(2.25));
  done(level++, 90'000);
  CHECK_FALSE(line.shrinking);
  CHECK(line.left_seconds < 0);
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

TEST_CASE("a line as JSON: one object, with null for an end that is not known") {
  ProgressLine line;
  line.level = 7;
  line.states = 123'456;
  line.rate_per_s = 51'000.4;
  line.seconds = 2.5;
  sample::StringOutput out;
  JsonWriter first(out);
  write_progress(first, line);
  CHECK(out.take() ==
        R"({"event":"progress","level":7,"states":123456,"new_states":0,"states_per_s":51000,)"
        R"("ram_used":0,"disk_bytes":0,"written_bytes":0,"seconds":2.50,"shrinking":false,)"
        R"("seconds_left":null})");
  line.left_seconds = 41.6;
  JsonWriter second(out);
  write_progress(second, line);
  CHECK(out.take().ends_with(R"("seconds_left":42})"));
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
