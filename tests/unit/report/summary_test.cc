#include "report/summary.h"

#include <doctest/doctest.h>

#include "sample.h"

using namespace xmc;

namespace summary_test {

namespace {

RunReport base() {
  RunReport report;
  report.property_kind = "deadlock";
  report.property_text = "no deadlock";
  report.engine = "ram";
  report.wall_s = 401;
  report.cpu_s = 12.3;
  report.ram_limit = u64{32} << 20;
  report.peak_rss = u64{30} << 20;
  SearchStats& stats = report.outcome.stats;
  stats.states = 1119560;
  stats.transitions = 3864896;
  stats.levels = 82;
  stats.deadlocks = 0;
  stats.ram_used = 20 << 20;
  return report;
}

constexpr u32 kWide = 1000;  // where lines are broken is another matter

std::string words(RunReport& report, bool confirmed = true, bool colour = false,
                  u32 columns = kWide) {
  VerdictInput input;
  input.outcome = &report.outcome;
  input.trace_confirmed = confirmed;
  input.predicate_kind = "invariant";
  input.resumable = report.resumable;
  report.verdict = decide(input);
  report.has_trace = report.replayed = confirmed && report.outcome.violation != Violation::none;
  sample::StringOutput out;
  write_verdict(out, report, colour, false, columns);
  return out.take();
}

constexpr const char* kTime =
    "time      6 m 41 s, cpu 12.30 s; RAM 30.0 MiB at the peak of 32.0 MiB, 20.0 MiB for the "
    "search (20971520 bytes)\n";

}  // namespace

TEST_CASE("holds") {
  RunReport report = base();
  report.outcome.complete = true;
  CHECK(words(report) == std::string("holds     no deadlock; search complete: 1,119,560 states, "
                                     "3,864,896 transitions, 82 levels\n") +
                             kTime);
  report.property_kind = "reachability";
  report.property_text = "x == 3";
  CHECK(words(report).starts_with("holds     not reachable: x == 3; search complete"));
  report.property_kind = "buchi";
  report.property_text = "LTL_property";
  CHECK(words(report).starts_with("holds     property LTL_property; search complete"));
  CHECK(words(report, true, true).starts_with("\x1b[1;32mholds\x1b[0m     property"));
}

TEST_CASE("numbers that no word holds") {
  RunReport report = base();
  report.outcome.complete = true;
  SearchStats& stats = report.outcome.stats;
  LargeFigures& large = report.outcome.large;
  stats.states = stats.transitions = stats.deadlocks = kNoFigure;
  large.states = ~u64{0};
  large.states.add(1);
  large.transitions.over = true;
  large.deadlocks = large.states;
  CHECK(words(report).starts_with(
      "holds     no deadlock; search complete: 18,446,744,073,709,551,616 states, at least 2^512 "
      "transitions, 82 levels, 18,446,744,073,709,551,616 deadlock states\n"));
  report.outcome.complete = false;
  report.outcome.stop = StopReason::signal;
  CHECK(words(report).find(" after 18,446,744,073,709,551,616 states") != std::string::npos);
}

TEST_CASE("violated") {
  RunReport report = base();
  report.outcome.violation = Violation::deadlock;
  report.outcome.prefix_steps = 1;
  report.outcome.minimal = true;
  report.outcome.stats.deadlocks = 1;
  CHECK(words(report) ==
        std::string("violated  deadlock; after 1 step; shortest possible; replayed and confirmed\n"
                    "search    ended at the first violation: 1,119,560 states, 3,864,896 "
                    "transitions, 82 levels, 1 deadlock state\n") +
            kTime);
  report.outcome.complete = true;
  CHECK(words(report).find("search    complete: ") != std::string::npos);
  report.outcome.violation = Violation::accepting_cycle;
  report.outcome.prefix_steps = 12;
  report.outcome.cycle_steps = 5;
  report.outcome.minimal = false;
  CHECK(words(report).starts_with(
      "violated  accepting cycle; 12 steps, then a loop of 5 steps; replayed and confirmed\n"));
  report.outcome = base().outcome;
  report.outcome.violation = Violation::predicate;
  report.predicate = &sample::kPredicates[0];
  CHECK(words(report).starts_with(
      "violated  assertion at line 13 fails: x < 3; after 0 steps; replayed"));
  report.predicate = &sample::kPredicates[1];
  CHECK(words(report).starts_with(
      "violated  goal reached: P.crit and Q.on; after 0 steps; replayed"));
}

TEST_CASE("not decided says why and what to do") {
  RunReport report = base();
  report.outcome.stop = StopReason::ram;
  report.ram_advice = (u64{44} << 20) + 1;
  report.engine = "diagram";
  CHECK(words(report) ==
        std::string(
            "not decided: the RAM budget of 32.0 MiB is full after 1,119,560 states, 3,864,896 "
            "transitions, 82 levels; no violation so far\n"
            "          to get further: --ram 45M or more (46137345 bytes; a lower bound, "
            "since the number of states is not known)\n") +
            kTime);
  report.engine = "ram";
  report.ram_likely = u64{61} << 20;
  CHECK(words(report).find(
            "          to decide it: --engine auto, which goes on in files with this RAM\n"
            "          to get further: --ram 61M or more, by the states that wait (46137345 bytes "
            "at least)\n") != std::string::npos);
  // What `auto` has chosen is not what it is told to choose.
  report.engine_is_choice = true;
  CHECK(words(report).find("--engine auto") == std::string::npos);
  CHECK(words(report).find("to decide it: --work DIR") != std::string::npos);
  report.ram_for_files = (u64{36} << 20) - 1;
  CHECK(words(report).ends_with(
      std::string("          to decide it: --ram 36M or more, to go on in files (37748735 bytes "
                  "at least)\n") +
      kTime));
  report.outcome.stop = StopReason::time_limit;
  report.time_limit_s = 90;
  CHECK(words(report).starts_with(
      "not decided: the time limit of 1 m 30 s was reached after 1,119,560 states"));
  CHECK(words(report).find("a larger --time") != std::string::npos);
  report.outcome.stop = StopReason::signal;
  report.signal = 15;
  CHECK(words(report).starts_with("not decided: stopped by signal 15 after"));
  report.outcome.stop = StopReason::state_limit;
  report.state_limit = 1000;
  CHECK(words(report).starts_with("not decided: the limit of 1,000 states was reached after"));
  report.outcome.stop = StopReason::depth_limit;
  report.depth_limit = 7;
  CHECK(words(report).starts_with("not decided: the depth limit of 7 was reached after"));
  report.disk_limit = report.disk_reserve = report.wear_limit = u64{3} << 30;
  report.outcome.stop = StopReason::disk_limit;
  CHECK(words(report).starts_with(
      "not decided: the work directory has grown to its limit of 3.0 GiB after 1,119,560 states"));
  CHECK(words(report).find("a larger --disk-limit, or none") != std::string::npos);
  report.outcome.stop = StopReason::wear_limit;
  CHECK(words(report).starts_with("not decided: the limit of 3.0 GiB written was reached after"));
  report.outcome.stop = StopReason::disk_reserve;
  CHECK(words(report).starts_with(
      "not decided: no more is free on the disk than the reserve of 3.0 GiB after"));
  CHECK(words(report).find("make room, or a smaller --disk-reserve;") != std::string::npos);
  report.resumable = true;
  report.work = "m.xmc";
  CHECK(words(report).find("to continue: make room, then: xmc-lite resume m.xmc\n") !=
        std::string::npos);
}

TEST_CASE("never holds without a complete search") {
  RunReport report = base();
  CHECK(words(report).starts_with("not decided: the search was not complete after"));
  report.outcome.complete = true;
  report.outcome.stop = StopReason::time_limit;
  report.time_limit_s = 1;
  CHECK(words(report).starts_with("not decided"));
}

TEST_CASE("lines fit the terminal") {
  RunReport report = base();
  report.outcome.violation = Violation::model_error;
  report.outcome.prefix_steps = 1233;
  report.message = "model.dve:7: index 7 of a[5]: a[i + 2] with i=5";
  CHECK(words(report, true, false, 80) ==
        "violated  run-time error; after 1,234 steps; replayed and confirmed\n"
        "          model.dve:7: index 7 of a[5]: a[i + 2] with i=5\n"
        "search    ended at the first violation: 1,119,560 states, 3,864,896 transitions,\n"
        "          82 levels\n"
        "time      6 m 41 s, cpu 12.30 s; RAM 30.0 MiB at the peak of 32.0 MiB, 20.0 MiB\n"
        "          for the search (20971520 bytes)\n");
}

TEST_CASE("model and plan") {
  sample::StringOutput out;
  sample::Graph graph;
  write_model_line(out, "DVE", sample::text(), graph.model(), kWide);
  sample::Memory memory;
  static_cast<void>(memory.arena.carve("model", 100));
  PlanReport plan;
  plan.engine = "ram";
  plan.ram_limit = u64{32} << 20;
  plan.fixed_bytes = u64{2} << 20;
  plan.arena = &memory.arena;
  plan.every_carve = true;
  write_plan(out, plan, kWide);
  CHECK(out.take() ==
        "model     sample.dve: DVE, 3 processes, 4 variables, 2 bytes per state (15 bits)\n"
        "plan      engine ram; RAM 32.0 MiB (33554432 bytes) = 2.0 code and stack + 0.1 small "
        "parts and spare\n"
        "                   100 bytes  model\n"
        "                 65436 bytes  not carved\n");
}

TEST_CASE("the figures of a run in words") {
  RunReport report = base();
  sample::StringOutput none;
  write_figures(none, report);
  CHECK(none.take().empty());
  SearchStats& stats = report.outcome.stats;
  stats.states = 1000;
  stats.payload_bytes = 8192;
  stats.search_us = 2'000'000;
  stats.generation_us = 1'000'000;
  stats.insertion_us = 500'000;
  stats.detection_us = stats.queueing_us = stats.partitioning_us = 100'000;
  stats.io_wait_us = 190'000;
  stats.rest_us = 10'000;
  report.bytes_read = 2 << 20;
  report.bytes_written = 16384;
  report.read_for[static_cast<u32>(Purpose::queue)] = 2 << 20;
  report.written_for[static_cast<u32>(Purpose::queue)] = 16384;
  report.disk_peak = 12000;
  report.disk_final = 9000;
  sample::StringOutput out;
  write_figures(out, report, kWide);
  CHECK(out.take() ==
        "split     search 2.00 s (ram) = generation 50.0% + insertion 25.0% + detection 5.0% + "
        "queueing 5.0% + partitioning 5.0% + I/O wait 9.5% + rest 0.5%\n"
        "flash     all 2.0 MiB read, 16.0 KiB written; queue 2.0 MiB read, 16.0 KiB written\n"
        "          bytes per state: 16.38 written, 2097.15 read, 12.00 there at the peak, 9.00 at "
        "the end; written 2.00 times what the states take once\n");
}

TEST_CASE("what a run cost, where watts and endurance are known") {
  RunReport report = base();
  report.outcome.complete = true;
  CHECK(words(report).find("energy") == std::string::npos);
  CHECK(words(report).find("wear") == std::string::npos);
  report.milliwatts = 2500;
  report.endurance = u64{1} << 40;
  report.bytes_written = u64{1} << 30;
  const std::string text = words(report);
  CHECK(text.find("about 1.0 kJ (0.28 Wh) at 2.5 W; 1,116 states per joule") != std::string::npos);
  CHECK(text.find("1.0 GiB written, 0.098% of the 1.0 TiB that") != std::string::npos);
  // The search of all processes of the run counts, if that is more than this one's time.
  report.outcome.stats.search_us = 4'010'000'000;
  CHECK(words(report).find("about 10.0 kJ") != std::string::npos);
}

}  // namespace summary_test
