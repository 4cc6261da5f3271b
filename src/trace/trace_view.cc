#include "trace/trace_view.h"

#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

const TraceFormatName* format_by_suffix(std::string_view path) {
  for (const TraceFormatName& known : kTraceFormats) {
    if (path.size() > known.suffix.size() && path.ends_with(known.suffix)) return &known;
  }
  return nullptr;
}

const TraceFormatName* format_by_name(std::string_view name) {
  for (const TraceFormatName& known : kTraceFormats) {
    if (known.name == name) return &known;
  }
  return nullptr;
}

namespace {

// A name means itself, its elements and what a process owns; "P.j" is taken for "P->j".
bool names(std::string_view name, std::string_view variable) {
  if (name.empty()) return false;
  while (!name.empty()) {
    if (variable.empty()) return false;
    if (name[0] == '.' && variable.starts_with("->")) {
      variable.remove_prefix(2);
    } else if (name[0] == variable[0]) {
      variable.remove_prefix(1);
    } else {
      return false;
    }
    name.remove_prefix(1);
  }
  return variable.empty() || variable[0] == '[' || variable[0] == '.' || variable.starts_with("->");
}

}  // namespace

Status select_variables(const ModelText& text, std::string_view list, std::span<u8> shown) {
  XMC_CHECK(shown.size() == text.variables.size());
  for (u8& flag : shown) flag = 0;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view name = piece_of(list, 0, comma);
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    bool found = false;
    for (std::size_t i = 0; i < text.variables.size(); ++i) {
      if (!names(name, text.variables[i].name)) continue;
      shown[i] = 1;
      found = true;
    }
    if (!found) {
      return Status::fail(Code::usage, "--vars: the model has no variable '%.*s'",
                          static_cast<int>(name.size()), name.data());
    }
  }
  return {};
}

bool has_name(const VariableText& variable, i32 value) {
  return variable.kind == VariableKind::location || variable.kind == VariableKind::symbol ||
         (variable.may_be_undefined && value == variable.slot.offset);
}

std::string_view value_name(const VariableText& variable, i32 value) {
  if (variable.may_be_undefined && value == variable.slot.offset) return "undefined";
  // The error state of --errors beem has a location that no process text names.
  if (value < 0 || static_cast<std::size_t>(value) >= variable.value_names.size()) return "(error)";
  return variable.value_names[static_cast<std::size_t>(value)];
}

void add_value(Output& out, const VariableText& variable, i32 value) {
  if (has_name(variable, value)) {
    out.add(value_name(variable, value));
  } else {
    out.signed_number(value);
  }
}

void add_value(Text& out, const VariableText& variable, i32 value) {
  if (has_name(variable, value)) {
    out.add(value_name(variable, value));
  } else {
    out.format("%d", static_cast<int>(value));
  }
}

u32 explain_end(const TraceView& view, Text& out) {
  const TraceClaim& claim = view.claim;
  const Replay& replay = *view.replay;
  if (claim.violation == Violation::model_error)
    return replay.explain(replay.state(), claim.error_label, kNone, out);
  if (claim.violation == Violation::predicate)
    return replay.explain(replay.state(), kNone, claim.predicate, out);
  return 0;
}

ErrorKind end_error_kind(const TraceView& view) {
  if (view.claim.violation != Violation::model_error) return ErrorKind::error;
  return view.replay->error_kind(view.replay->state(), view.claim.error_label);
}

const char* error_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::assertion:
      return "assertion";
    case ErrorKind::trace:
      return "trace";
    case ErrorKind::no_room:
      return "limit";
    case ErrorKind::error:
      break;
  }
  return "error";
}

void describe_end(const TraceView& view, Text& out) {
  FixedText<kFailureBytes> why;
  const u32 line = explain_end(view, why);
  if (line != 0) out.add(view.text->file).format(":%u: ", static_cast<unsigned>(line));
  out.add(why.view());
}

namespace {

std::string_view said_of(PredicateText::Kind kind, bool has_reason) {
  if (kind == PredicateText::Kind::goal) return " holds here";
  if (kind == PredicateText::Kind::liveness) return " cannot become true from here on";
  if (kind == PredicateText::Kind::cover) return " is never true from here on";
  if (kind == PredicateText::Kind::claim_end) return " comes to its end here";
  if (kind == PredicateText::Kind::bad_prefix)
    return has_reason ? ": a proposition has no value: " : ": bad whatever follows";
  return has_reason ? " has no value here: " : " is false here";
}

}  // namespace

void add_end(const TraceView& view, Text& out) {
  const TraceClaim& claim = view.claim;
  FixedText<kFailureBytes> why;
  static_cast<void>(explain_end(view, why));
  if (claim.violation == Violation::deadlock) {
    out.add("deadlock: no step leads out of this state");
  } else if (claim.violation == Violation::model_error) {
    if (end_error_kind(view) != ErrorKind::assertion)
      out.add(error_name(end_error_kind(view))).add(": ");
    out.add(why.size() != 0 ? why.view() : "run-time error in this step");
  } else if (claim.predicate < view.text->predicates.size()) {
    const PredicateText& failed = view.text->predicates[claim.predicate];
    out.add(failed.text).add(said_of(failed.kind, why.size() != 0)).add(why.view());
  }
}

const TransitionText* transition_of(const ModelText& text, u32 transition) {
  return transition < text.transitions.size() ? &text.transitions[transition] : nullptr;
}

std::string_view process_name(const ModelText& text, u32 process) {
  return process < text.processes.size() ? text.processes[process] : std::string_view();
}

}  // namespace xmc
