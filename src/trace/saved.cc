#include "trace/saved.h"

#include <charconv>

#include "xmc/text.h"

namespace xmc {

namespace {

constexpr std::string_view kFirstLine = "xmc-lite trace 1";

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = piece_of(rest, 0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

template <class T>
bool parse_number(std::string_view text, T& out, int base = 10) {
  const auto end = std::from_chars(text.data(), text.data() + text.size(), out, base);
  return end.ec == std::errc() && end.ptr == text.data() + text.size() && !text.empty();
}

bool parse_violation(std::string_view value, TraceClaim& claim) {
  const std::size_t blank = value.find(' ');
  const std::string_view word = piece_of(value, 0, blank);
  const std::string_view number =
      blank == std::string_view::npos ? std::string_view() : piece_of(value, blank + 1);
  if (word == "predicate" || word == "liveness" || word == "cover") {
    claim.violation = word == "predicate"  ? Violation::predicate
                      : word == "liveness" ? Violation::liveness
                                           : Violation::uncovered;
    return parse_number(number, claim.predicate);
  }
  if (word == "model-error") {
    claim.violation = Violation::model_error;
    return parse_number(number, claim.error_label);
  }
  if (!number.empty()) return false;
  if (word == "none") {
    claim.violation = Violation::none;
  } else if (word == "deadlock") {
    claim.violation = Violation::deadlock;
  } else if (word == "accepting-cycle") {
    claim.violation = Violation::accepting_cycle;
  } else {
    return false;
  }
  return true;
}

// A member that is a number of lines: they follow.
bool take_lines(std::string_view value, std::string_view& rest, std::string_view& out) {
  u32 count = 0;
  if (!parse_number(value, count)) return false;
  const std::string_view from = rest;
  for (; count > 0; --count) {
    if (rest.empty()) return false;
    static_cast<void>(take_line(rest));
  }
  out = piece_of(from, 0, from.size() - rest.size());
  return true;
}

bool parse_member(std::string_view key, std::string_view value, std::string_view& rest,
                  SavedTrace& out) {
  if (key == "model") {
    out.model_file = value;
  } else if (key == "hash") {
    return parse_number(value, out.model_hash, 16);
  } else if (key == "errors") {
    out.errors = value;
    return value == "report" || value == "beem" || value == "stop";
  } else if (key == "deadlock") {
    out.deadlock = value;
    out.claim.deadlock = value == "stuck"        ? DeadlockRule::stuck
                         : value == "stuttering" ? DeadlockRule::stuttering
                                                 : DeadlockRule::ignore;
    return value == "stuck" || value == "stuttering" || value == "off";
  } else if (key == "property") {
    out.property = value;
  } else if (key == "invariant") {
    out.invariant = value;
  } else if (key == "reach") {
    out.reach = value;
  } else if (key == "cycles") {
    out.as_cycles = true;
    return value == "on";
  } else if (key == "fairness") {
    out.fair = true;
    return value == "weak";
  } else if (key == "dialect") {
    out.rumur = true;
    return value == "rumur";
  } else if (key == "ltl") {
    out.ltl = value;
  } else if (key == "hoa") {
    return take_lines(value, rest, out.hoa);
  } else if (key == "never") {
    return take_lines(value, rest, out.never);
  } else if (key == "violation") {
    return parse_violation(value, out.claim);
  } else if (key == "loop") {
    return value == "-" || parse_number(value, out.claim.loop_start);
  } else if (key == "initial") {
    return parse_number(value, out.initial);
  } else if (key == "steps") {
    return parse_number(value, out.claim.steps);
  } else {
    return false;
  }
  return true;
}

// Expressions come from a command line and may hold line breaks, which mean no more than blanks
// there.
void add_member(Output& out, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  out.add(key).add(' ');
  for (const char c : value) out.add(c == '\n' || c == '\r' ? ' ' : c);
  out.add('\n');
}

void add_lines(Output& out, std::string_view key, std::string_view text) {
  if (text.empty()) return;
  u64 lines = text.ends_with('\n') ? 0 : 1;
  for (const char c : text) lines += c == '\n' ? 1 : 0;
  out.add(key).add(' ').number(lines).add('\n').add(text);
  if (!text.ends_with('\n')) out.add('\n');
}

void add_violation(Output& out, const TraceClaim& claim) {
  out.add("violation ");
  switch (claim.violation) {
    case Violation::none:
      out.add("none");
      break;
    case Violation::deadlock:
      out.add("deadlock");
      break;
    case Violation::predicate:
      out.add("predicate ").number(claim.predicate);
      break;
    case Violation::liveness:
      out.add("liveness ").number(claim.predicate);
      break;
    case Violation::uncovered:
      out.add("cover ").number(claim.predicate);
      break;
    case Violation::model_error:
      out.add("model-error ").number(claim.error_label);
      break;
    case Violation::accepting_cycle:
      out.add("accepting-cycle");
      break;
  }
  out.add('\n');
}

}  // namespace

bool looks_like_saved_trace(std::string_view text) { return text.starts_with("xmc-lite trace "); }

Status parse_saved_trace(std::string_view text, SavedTrace& out) {
  out = {};
  std::string_view rest = text;
  if (take_line(rest) != kFirstLine) {
    return Status::fail(Code::corrupt,
                        "not a saved trace of this version: its first line is not '%s'",
                        kFirstLine.data());
  }
  bool head_done = false;
  for (u32 number = 2; !head_done; ++number) {
    if (rest.empty()) return Status::fail(Code::corrupt, "the saved trace ends before its steps");
    const std::string_view line = take_line(rest);
    const std::size_t blank = line.find(' ');
    const std::string_view key = piece_of(line, 0, blank);
    const std::string_view value =
        blank == std::string_view::npos ? std::string_view() : piece_of(line, blank + 1);
    if (!parse_member(key, value, rest, out)) {
      return Status::fail(Code::corrupt, "line %u of the saved trace is not understood: %.*s",
                          number, static_cast<int>(line.size() < 80 ? line.size() : 80),
                          line.data());
    }
    head_done = key == "steps";
  }
  if (out.claim.loop_start != kNoLoop && out.claim.loop_start >= out.claim.steps) {
    return Status::fail(Code::corrupt, "the loop of the saved trace starts after its last step");
  }
  out.steps = rest;
  return {};
}

Status write_saved_trace(const SavedTrace& head, const TraceView& view, Output& out) {
  XMC_TRY(view.replay->start(view.chooser));
  out.add(kFirstLine).add('\n');
  add_member(out, "model", head.model_file);
  out.format("hash %016llx\n", wide(head.model_hash));
  add_member(out, "errors", head.errors);
  add_member(out, "deadlock", head.deadlock);
  add_member(out, "property", head.property);
  add_member(out, "invariant", head.invariant);
  add_member(out, "reach", head.reach);
  if (head.as_cycles) add_member(out, "cycles", "on");
  if (head.fair) add_member(out, "fairness", "weak");
  if (head.rumur) add_member(out, "dialect", "rumur");
  add_member(out, "ltl", head.ltl);
  add_lines(out, "hoa", head.hoa);
  add_lines(out, "never", head.never);
  add_violation(out, view.claim);
  out.add("loop ");
  if (view.claim.loop_start == kNoLoop) {
    out.add('-');
  } else {
    out.number(view.claim.loop_start);
  }
  out.add("\ninitial ").number(view.replay->label_repeat());
  out.add("\nsteps ").number(view.claim.steps).add('\n');
  while (view.replay->index() < view.claim.steps) {
    XMC_TRY(view.replay->advance());
    out.number(view.replay->label());
    if (view.replay->label_repeat() != 0) out.add(' ').number(view.replay->label_repeat());
    out.add('\n');
  }
  return out.status();
}

u32 SavedPath::choose(void* self, u64 index, u32 count, const SuccessorBuffer& from) {
  auto* const path = static_cast<SavedPath*>(self);
  if (index == 0) {
    path->rest_ = path->trace_->steps;
    return path->trace_->initial < count ? path->trace_->initial : kNone;
  }
  const std::string_view line = take_line(path->rest_);
  const std::size_t blank = line.find(' ');
  u32 label = 0;
  u32 repeat = 0;
  if (!parse_number(piece_of(line, 0, blank), label)) return kNone;
  if (blank != std::string_view::npos && !parse_number(piece_of(line, blank + 1), repeat))
    return kNone;
  for (u32 i = 0; i < count; ++i) {
    if (from.labels[i] != label) continue;
    if (repeat-- == 0) return i;
  }
  return kNone;
}

}  // namespace xmc
