// The verdict: one function turns what a search found into the words, the JSON and the exit status.
// Nothing else in the tool may say "holds", and it says so only for a complete, exact search
// without a violation.
#pragma once

#include <string_view>

#include "xmc/engine.h"
#include "xmc/model.h"

namespace xmc {

enum class Answer : u8 { holds, violated, undecided };

// Exit statuses of the tool (contract: 64 and above from sysexits.h).
enum class Exit : u8 {
  holds = 0,
  violated = 1,
  undecided = 2,
  usage = 64,
  model = 65,
  internal = 70,
  io = 74,
  stopped = 75,
};

struct Verdict {
  Answer answer = Answer::undecided;
  std::string_view answer_text;  // "holds", "violated", "undecided"
  // "deadlock", "invariant", "assertion", "goal", "bad-prefix", "claim-end", "model-error",
  // "trace", "accepting-cycle", "cover", "liveness" or ""
  std::string_view kind;
  // Why it is undecided, or why a search that has found a violation did not get to its end; or "".
  std::string_view reason;
  std::string_view found;  // undecided: the kind of a violation whose path is not there yet, or ""
  bool complete = false;
  Exit exit = Exit::undecided;
};

struct VerdictInput {
  const SearchOutcome* outcome = nullptr;
  bool trace_confirmed =
      false;  // a violation needs a replayed trace; without it the result is an internal error
  bool exact = true;                   // false under --signature
  bool resumable = false;              // a valid checkpoint exists
  std::string_view predicate_kind;     // of a Violation::predicate: "invariant" and such
  ErrorKind error = ErrorKind::error;  // of a Violation::model_error
};

Verdict decide(const VerdictInput& input);

// The verdict of a run that ended with an error instead of an outcome.
Verdict decide_failure(const Status& status, bool resumable);

}  // namespace xmc
