#include "report/verdict.h"

#include <doctest/doctest.h>

using namespace xmc;

namespace verdict_test {

namespace {

constexpr StopReason kStops[] = {
    StopReason::none,         StopReason::signal,      StopReason::time_limit,
    StopReason::state_limit,  StopReason::depth_limit, StopReason::disk_limit,
    StopReason::disk_reserve, StopReason::wear_limit,  StopReason::ram};
constexpr Violation kViolations[] = {Violation::none, Violation::deadlock, Violation::predicate,
                                     Violation::model_error, Violation::accepting_cycle};

}  // namespace

TEST_CASE("the whole truth table of decide") {
  u32 holds = 0;
  for (const StopReason stop : kStops) {
    for (const Violation violation : kViolations) {
      for (u32 bits = 0; bits < 16; ++bits) {
        SearchOutcome outcome;
        outcome.complete = (bits & 1) != 0;
        outcome.stop = stop;
        outcome.violation = violation;
        VerdictInput input;
        input.outcome = &outcome;
        input.trace_confirmed = (bits & 2) != 0;
        input.exact = (bits & 4) != 0;
        input.resumable = (bits & 8) != 0;
        input.predicate_kind = "invariant";
        const Verdict v = decide(input);
        CAPTURE(static_cast<int>(stop));
        CAPTURE(static_cast<int>(violation));
        CAPTURE(bits);
        // The words and the exit status always agree.
        CHECK((v.answer == Answer::holds) == (v.exit == Exit::holds));
        if (v.exit == Exit::violated) CHECK(v.answer == Answer::violated);
        CHECK(v.answer_text == (v.answer == Answer::holds      ? "holds"
                                : v.answer == Answer::violated ? "violated"
                                                               : "undecided"));
        if (v.answer == Answer::undecided) CHECK_FALSE(v.reason.empty());
        if (v.answer == Answer::holds) CHECK(v.reason.empty());
        CHECK((v.answer == Answer::violated) == !v.kind.empty());
        if (v.answer == Answer::holds) {
          ++holds;
          CHECK(outcome.complete);
          CHECK(stop == StopReason::none);
          CHECK(violation == Violation::none);
          CHECK(input.exact);
          CHECK(v.complete);
        }
        if (violation != Violation::none) {
          // What was found stays found; a checkpoint goes on to the totals.
          const bool goes_on =
              stop != StopReason::none && stop != StopReason::ram && input.resumable;
          CHECK((v.answer == Answer::violated) == input.trace_confirmed);
          CHECK(v.exit == (!input.trace_confirmed ? Exit::internal
                           : goes_on              ? Exit::stopped
                                                  : Exit::violated));
          if (stop != StopReason::none) CHECK_FALSE(v.complete);
          if (v.answer == Answer::violated) CHECK(v.reason.empty() == (stop == StopReason::none));
        } else if (v.answer == Answer::undecided) {
          const bool stopped = !outcome.complete || stop != StopReason::none;
          const bool goes_on = stopped && input.resumable && stop != StopReason::ram;
          CHECK(v.exit == (goes_on ? Exit::stopped : Exit::undecided));
          CHECK_FALSE(v.complete);
        }
      }
    }
  }
  CHECK(holds == 4);  // complete, exact, no stop; confirmed and resumable do not matter
}

TEST_CASE("a step without room says nothing about the model") {
  SearchOutcome outcome;
  outcome.violation = Violation::model_error;
  VerdictInput input;
  input.outcome = &outcome;
  input.trace_confirmed = true;
  input.error = ErrorKind::no_room;
  for (const bool complete : {false, true}) {
    outcome.complete = complete;
    const Verdict v = decide(input);
    CHECK(v.answer == Answer::undecided);
    CHECK(v.reason == "process-limit");
    CHECK(v.exit == Exit::undecided);
    CHECK(v.kind.empty());
    CHECK_FALSE(v.complete);
  }
  input.error = ErrorKind::trace;
  CHECK(decide(input).kind == "trace");
  CHECK(decide(input).exit == Exit::violated);
}

TEST_CASE("kinds and reasons") {
  SearchOutcome outcome;
  VerdictInput input;
  input.outcome = &outcome;
  input.trace_confirmed = true;
  input.predicate_kind = "goal";
  const char* kinds[] = {"", "deadlock", "goal", "model-error", "accepting-cycle"};
  for (u32 i = 1; i < 5; ++i) {
    outcome.violation = kViolations[i];
    CHECK(decide(input).kind == kinds[i]);
  }
  outcome.violation = Violation::none;
  const char* reasons[] = {"incomplete",   "signal",      "time-limit",
                           "states-limit", "depth-limit", "disk-limit",
                           "disk-reserve", "wear-limit",  "ram"};
  for (u32 i = 0; i < std::size(kStops); ++i) {
    outcome.stop = kStops[i];
    CHECK(decide(input).reason == reasons[i]);
  }
  outcome.stop = StopReason::none;
  outcome.complete = true;
  input.exact = false;
  CHECK(decide(input).reason == "signature");
  CHECK(decide(input).exit == Exit::undecided);
}

TEST_CASE("a violation may come from a complete search") {
  SearchOutcome outcome;
  outcome.complete = true;
  outcome.violation = Violation::deadlock;
  VerdictInput input;
  input.outcome = &outcome;
  input.trace_confirmed = true;
  CHECK(decide(input).complete);
  outcome.complete = false;
  CHECK_FALSE(decide(input).complete);
}

TEST_CASE("a violation without its path is not decided, and can be gone on with") {
  for (const bool resumable : {false, true}) {
    SearchOutcome outcome;
    outcome.violation = Violation::accepting_cycle;
    outcome.path_missing = true;
    outcome.stop = StopReason::time_limit;
    VerdictInput input;
    input.outcome = &outcome;
    input.resumable = resumable;
    const Verdict v = decide(input);
    CHECK(v.answer == Answer::undecided);
    CHECK(v.reason == "time-limit");
    CHECK(v.kind.empty());
    CHECK(v.found == "accepting-cycle");
    CHECK(v.exit == (resumable ? Exit::stopped : Exit::undecided));
  }
}

TEST_CASE("failures") {
  const struct {
    Code code;
    Exit plain;
    Exit resumable;
    const char* reason;
  } rows[] = {
      {Code::usage, Exit::usage, Exit::usage, "usage"},
      {Code::unsupported, Exit::usage, Exit::usage, "unsupported"},
      {Code::model, Exit::model, Exit::model, "model"},
      {Code::budget, Exit::undecided, Exit::undecided, "ram"},
      {Code::io, Exit::io, Exit::io, "io"},
      {Code::corrupt, Exit::io, Exit::io, "corrupt"},
      {Code::disk_full, Exit::io, Exit::stopped, "disk-full"},
      {Code::stopped, Exit::undecided, Exit::stopped, "stopped"},
      {Code::internal, Exit::internal, Exit::internal, "internal"},
      {Code::ok, Exit::internal, Exit::internal, "internal"},
  };
  for (const auto& row : rows) {
    const Status status = Status::fail(row.code, "x");
    CHECK(decide_failure(status, false).exit == row.plain);
    CHECK(decide_failure(status, true).exit == row.resumable);
    CHECK(decide_failure(status, false).reason == row.reason);
    CHECK(decide_failure(status, true).answer == Answer::undecided);
  }
}

}  // namespace verdict_test
