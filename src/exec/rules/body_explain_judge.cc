// What the judge of bodies says where one has failed.
#include <iterator>

#include "exec/rules/body_judge.h"

namespace xmc {

using ir::Action;
using ir::BodyOp;
using ir::Failure;
using ir::kUndefined;

void BodyJudge::explain_fail(const ir::BodyNote& note, Text& out) const {
  const Failure why = static_cast<Failure>(failed_->reason);
  static constexpr const char* kWords[] = {
      nullptr,
      nullptr,
      " ends without a return",
      ": the multiset is full",
      ": the multiset has no such element",
      ": there is no such channel",
      ": the message does not fit the channel",
      ": there can be no more processes (--max-procs)",
      nullptr,
      ": there is room for no more channels",
      ": this cannot be executed, in the middle of what is indivisible",
      " does not end",
      " ends in too many ways",
      " is not what the trace has next",
      " completes what notrace forbids",
      ": the trace has two ways to go on with this; it has to be deterministic",
  };
  static_assert(std::size(kWords) == static_cast<std::size_t>(Failure::unclear_event) + 1);
  const char* const words = kWords[static_cast<std::size_t>(why)];
  if (why == Failure::no_room) {
    out.add('\'').add(note.text);
    out.format(
        "\': there is room for %u processes, by a bound that was assumed; --max-procs N gives "
        "another one",
        failed_->a);
    return;
  }
  if (words == nullptr) {
    out.add(why == Failure::error ? "error: " : "assertion failed: ").add(note.text);
    return;
  }
  const char* const quoted = note.text.empty() ? "" : "'";
  out.add(quoted).add(note.text).add(quoted).add(words);
}

ErrorKind BodyJudge::error_kind() const {
  if (failed_->op != BodyOp::blame && failed_->op != BodyOp::fail) return ErrorKind::error;
  switch (static_cast<Failure>(failed_->reason)) {
    case Failure::assertion:
      return ErrorKind::assertion;
    case Failure::no_event:
    case Failure::forbidden_trace:
      return ErrorKind::trace;
    case Failure::no_room:
      return ErrorKind::no_room;
    default:
      return ErrorKind::error;
  }
}

u32 BodyJudge::explain(Text& out) const {
  const Action& x = *failed_;
  const ir::BodyNote& note = p_.body_notes[x.note];
  const long long value = culprit_;
  const char* const quoted = note.text.empty() ? "" : "'";
  const auto text = [&]() -> Text& { return out.add(quoted).add(note.text).add(quoted); };
  if (misfit_) {
    text().format(": %lld does not fit", value);
    return note.line;
  }
  switch (x.op) {
    case BodyOp::defined:
      text().add(" is undefined");
      break;
    case BodyOp::in_range:
      text().format(": %lld is not in %d..%d", value, static_cast<i32>(x.a), static_cast<i32>(x.b));
      break;
    case BodyOp::index:
    case BodyOp::index_more:
      if (culprit_ == kUndefined) {
        text().add(" is undefined, and an index");
      } else {
        text().format(": index %lld is not in %d..%lld", value, static_cast<i32>(x.b),
                      static_cast<long long>(i64{static_cast<i32>(x.b)} + x.c - 1));
      }
      break;
    case BodyOp::narrow:
      text().add(": this value of the union is of another type");
      break;
    case BodyOp::divide:
    case BodyOp::modulo:
      text().add(": division by zero");
      break;
    case BodyOp::repeat:
      text().format(": the loop does not end in %u turns", x.a);
      break;
    case BodyOp::call:
      text().format(": calls are nested too deep (limit kCallDepth, %u)", limits::kCallDepth);
      break;
    case BodyOp::fail:
    case BodyOp::blame:
      explain_fail(note, out);
      break;
    default:
      text().add(": overflow of 64 bits");
      break;
  }
  return note.line;
}

}  // namespace xmc
