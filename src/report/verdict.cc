#include "report/verdict.h"

namespace xmc {

namespace {

std::string_view reason_text(StopReason reason) {
  switch (reason) {
    case StopReason::none:
      return "incomplete";
    case StopReason::signal:
      return "signal";
    case StopReason::time_limit:
      return "time-limit";
    case StopReason::state_limit:
      return "states-limit";
    case StopReason::depth_limit:
      return "depth-limit";
    case StopReason::disk_limit:
      return "disk-limit";
    case StopReason::disk_reserve:
      return "disk-reserve";
    case StopReason::wear_limit:
      return "wear-limit";
    case StopReason::ram:
      return "ram";
    case StopReason::cycles:
      return "cycles-not-checked";
    case StopReason::collisions:
      return "collisions";
    case StopReason::step_limit:
      return "step-limit";
    case StopReason::peer:
      return "peer-lost";
  }
  return "incomplete";
}

// Without room a step is undecided, and no kind of violation.
std::string_view error_text(ErrorKind kind) {
  if (kind == ErrorKind::assertion) return "assertion";
  return kind == ErrorKind::trace ? "trace" : "model-error";
}

std::string_view kind_text(Violation violation, const VerdictInput& input) {
  switch (violation) {
    case Violation::none:
      return "";
    case Violation::deadlock:
      return "deadlock";
    case Violation::predicate:
      return input.predicate_kind;
    case Violation::model_error:
      return error_text(input.error);
    case Violation::accepting_cycle:
      return "accepting-cycle";
    case Violation::uncovered:
    case Violation::liveness:
      return input.predicate_kind;
  }
  return "";
}

Verdict undecided(std::string_view reason, Exit exit) {
  Verdict verdict;
  verdict.answer = Answer::undecided;
  verdict.answer_text = "undecided";
  verdict.reason = reason;
  verdict.exit = exit;
  return verdict;
}

// A limit may be lifted and a signal does not come again: with a checkpoint the run can go on as
// it is. A budget that was too small stays too small: a script that resumes until there is a
// verdict must not do so for ever.
bool can_go_on(StopReason reason) {
  switch (reason) {
    case StopReason::none:
    case StopReason::signal:
    case StopReason::time_limit:
    case StopReason::state_limit:
    case StopReason::depth_limit:
    case StopReason::disk_limit:
    case StopReason::disk_reserve:
    case StopReason::wear_limit:
    case StopReason::peer:
      return true;
    case StopReason::ram:
    case StopReason::cycles:
    case StopReason::collisions:
    case StopReason::step_limit:
      return false;
  }
  return false;
}

// What a lost process knew is gone, like what a damaged device had.
Exit stop_exit(StopReason reason, bool resumable) {
  if (resumable && can_go_on(reason)) return Exit::stopped;
  return reason == StopReason::peer ? Exit::io : Exit::undecided;
}

}  // namespace

Verdict decide(const VerdictInput& input) {
  const SearchOutcome& outcome = *input.outcome;
  if (outcome.violation != Violation::none) {
    if (outcome.path_missing) {
      Verdict verdict =
          undecided(reason_text(outcome.stop), stop_exit(outcome.stop, input.resumable));
      verdict.found = kind_text(outcome.violation, input);
      return verdict;
    }
    // That something is nowhere is shown by a search of everything, and by nothing else.
    const bool everything = outcome.complete && outcome.stop == StopReason::none && input.exact;
    if (outcome.violation == Violation::uncovered && !everything) {
      return undecided(input.exact ? reason_text(outcome.stop) : "signature", Exit::undecided);
    }
    if (!input.trace_confirmed) return undecided("trace-not-confirmed", Exit::internal);
    if (outcome.violation == Violation::model_error && input.error == ErrorKind::no_room)
      return undecided("process-limit", Exit::undecided);
    Verdict verdict;
    verdict.answer = Answer::violated;
    verdict.answer_text = "violated";
    verdict.kind = kind_text(outcome.violation, input);
    verdict.complete = outcome.complete && input.exact;
    verdict.exit = Exit::violated;
    // What was found stays found; but the totals are open, and with a checkpoint there is something
    // to go on to.
    if (outcome.stop != StopReason::none) {
      verdict.complete = false;
      verdict.reason = reason_text(outcome.stop);
      if (stop_exit(outcome.stop, input.resumable) == Exit::stopped) verdict.exit = Exit::stopped;
    }
    return verdict;
  }
  // A search that says it is complete and also why it is not contradicts itself: nothing is proved.
  if (!outcome.complete || outcome.stop != StopReason::none) {
    return undecided(reason_text(outcome.stop), stop_exit(outcome.stop, input.resumable));
  }
  if (!input.exact) return undecided("signature", Exit::undecided);
  Verdict verdict;
  verdict.answer = Answer::holds;
  verdict.answer_text = "holds";
  verdict.complete = true;
  verdict.exit = Exit::holds;
  return verdict;
}

Verdict decide_failure(const Status& status, bool resumable) {
  switch (status.code()) {
    case Code::usage:
      return undecided("usage", Exit::usage);
    case Code::unsupported:
      return undecided("unsupported", Exit::usage);
    case Code::model:
      return undecided("model", Exit::model);
    case Code::budget:
      return undecided("ram", Exit::undecided);
    case Code::io:
      return undecided("io", Exit::io);
    case Code::corrupt:
      return undecided("corrupt", Exit::io);
    case Code::disk_full:
      return undecided("disk-full", resumable ? Exit::stopped : Exit::io);
    case Code::stopped:
      return undecided("stopped", stop_exit(StopReason::none, resumable));
    case Code::ok:
    case Code::internal:
      break;
  }
  return undecided("internal", Exit::internal);
}

}  // namespace xmc
