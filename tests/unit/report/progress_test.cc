#include "report/progress.h"

#include <doctest/doctest.h>

#include "sample.h"

using namespace xmc;

namespace progress_test {

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
  line.left_low = 40;
  line.left_high = 161;
  format_progress(text, line, 120);
  CHECK(text.view() ==
        "level 40  412,906 states  96,332 new  2.3M/s  RAM 4.6 MiB  disk 12.0 MiB  written "
        "31.0 MiB  2 m 10 s  40 s to 3 m left");
}

TEST_CASE("long work inside a level, and before the search") {
  FixedText<200> text;
  ProgressLine line;
  line.level = 40;
  line.states = 412906;
  line.new_states = 96332;
  line.rate_per_s = 51234;
  line.seconds = 130;
  line.work = "comparing";
  line.work_percent = 43;
  format_progress(text, line, 80);
  CHECK(text.view() == "level 40  comparing 43%  412,906 states  96,332 new  51k/s  2 m 10 s");
  text.clear();
  line.left_low = 100;
  line.left_high = 400;
  format_progress(text, line, 64);
  CHECK(text.view() == "comparing 43%  412,906 states  51k/s  2 m 10 s  1 m to 7 m left");
  text.clear();
  line = {};
  line.work = "verifying";
  line.work_percent = 7;
  line.seconds = 75;
  format_progress(text, line, 80);
  CHECK(text.view() == "verifying 7%  1 m 15 s");
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

TEST_CASE("what is left is a range in one unit each") {
  const auto end_of = [](double low, double high) {
    FixedText<200> text;
    ProgressLine line;
    line.states = 1;
    line.left_low = low;
    line.left_high = high;
    format_progress(text, line, 200);
    const std::string_view shown = text.view();
    return std::string(shown.substr(shown.rfind("  ") + 2));
  };
  CHECK(end_of(7300, 17990) == "2 h to 5 h left");
  CHECK(end_of(0.4, 2.2) == "under 3 s left");
  CHECK(end_of(59, 89) == "59 s to 89 s left");
  CHECK(end_of(91, 129600) == "1 m to 2 d left");
  CHECK(end_of(0, 0.2) == "under 1 s left");
}

TEST_CASE("the range comes from the levels, at their rate and at that of all the time") {
  ProgressMeter meter(0, 0);
  ProgressLine line;
  u64 expanded = 0;
  u64 seconds = 0;
  EndForecast forecast;
  const auto done = [&](u64 level, u64 size, u64 took) {
    Progress progress = at(level, 100'000);
    progress.level_done = true;
    progress.level_states = size;
    progress.expanded = expanded += size;
    forecast.note_level(size, expanded);
    CHECK(meter.update(progress, (seconds += took) * kSecond, true, line));
  };
  u64 level = 0;
  for (const u64 size : {100u, 400u, 800u, 700u}) done(level++, size, size / 100);
  CHECK_FALSE(line.shrinking);
  CHECK(line.left_low < 0);
  for (const u64 size : {500u, 300u, 170u}) done(level++, size, size / 100);
  // Slower than before: 20 a second over two levels, where it were about 100.
  done(level++, 90, 12);
  CHECK(line.shrinking);
  const EndForecast::Range left = forecast.left(expanded);
  CHECK(left.known());
  CHECK(line.left_low == doctest::Approx(left.low / 100).epsilon(0.6));
  CHECK(line.left_high == doctest::Approx(left.high / 20).epsilon(0.1));
  done(level++, 90'000, 900);
  CHECK_FALSE(line.shrinking);
  CHECK(line.left_low < 0);
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
        R"("seconds_left_low":null,"seconds_left_high":null,)"
        R"("phase":null,"phase_percent":null})");
  line.left_low = 41.6;
  line.left_high = 99;
  JsonWriter second(out);
  write_progress(second, line);
  CHECK(out.take().ends_with(
      R"("seconds_left_low":42,"seconds_left_high":99,"phase":null,"phase_percent":null})"));
  line.work = "merging";
  line.work_percent = 43;
  JsonWriter third(out);
  write_progress(third, line);
  CHECK(out.take().ends_with(R"("phase":"merging","phase_percent":43})"));
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

}  // namespace progress_test
