// A process: variables, states, marks, assertions, transitions, in this order. The body is read as
// a loop over its sections, so that a section in the wrong place is one message and not the end of
// the process.
#include "front/dve/dve_context.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::dve {

namespace {

enum class Section : u8 { none, variables, states, marks, assertions, transitions };

Section section_of(Tok kind) {
  switch (kind) {
    case Tok::kw_const:
    case Tok::kw_byte:
    case Tok::kw_int:
      return Section::variables;
    case Tok::kw_state:
      return Section::states;
    case Tok::kw_init:
    case Tok::kw_commit:
    case Tok::kw_accept:
      return Section::marks;
    case Tok::kw_assert:
      return Section::assertions;
    case Tok::kw_trans:
      return Section::transitions;
    default:
      return Section::none;
  }
}

struct Progress {
  u32 syntax_errors = 0;  // before the process
  Section section = Section::none;
  bool marked_before_init = false;
  bool has_init = false;
  bool has_commit = false;
  bool has_accept = false;
};

bool parse_states(Context& context) {
  Cursor& cursor = context.cursor;
  Process& process = context.system.processes[context.process];
  cursor.take();
  do {
    Token name;
    if (!cursor.expect_name(name, "the name of a state")) return false;
    if (process.state_count == limits::kLocations) {
      context.report_full("states in one process", limits::kLocations, span(name));
      return false;
    }
    context.add(context.system.states, State{cursor.text(name), false, false}, "states",
                span(name));
    context.declare(name, Kind::state, process.state_count);
    ++process.state_count;
  } while (cursor.accept(Tok::comma));
  return cursor.expect(Tok::semicolon, "',' or ';'");
}

// The states of a 'commit' or 'accept' mark.
bool parse_marked_states(Context& context, bool committed) {
  Cursor& cursor = context.cursor;
  const Process& process = context.system.processes[context.process];
  do {
    Token name;
    if (!cursor.expect_name(name, "the name of a state")) return false;
    const u32 number = context.resolve_state(name);
    if (number >= process.state_count)
      continue;  // no states at all: reported at the end of the process
    State& state = context.system.states[process.first_state + number];
    (committed ? state.committed : state.accepting) = true;
  } while (cursor.accept(Tok::comma));
  return cursor.expect(Tok::semicolon, "',' or ';'");
}

void report_repeated(Context& context, const Token& word) {
  const std::string_view text = context.cursor.text(word);
  context.error(span(word), "a process has one '%.*s' at most", shown_bytes(text), text.data());
}

bool parse_init(Context& context, Progress& progress, const Token& word) {
  if (progress.has_init) report_repeated(context, word);
  progress.has_init = true;
  progress.marked_before_init = progress.has_commit || progress.has_accept;
  Token name;
  if (!context.cursor.expect_name(name, "the name of a state")) return false;
  context.system.processes[context.process].initial = context.resolve_state(name);
  if (context.cursor.at(Tok::comma)) {
    const Token& comma = context.cursor.token();
    if (!context.cursor.syntax_error()) return false;
    context.error(span(comma), "a process has one initial state only");
    return false;
  }
  return context.cursor.expect(Tok::semicolon, "';'");
}

bool reject_acceptance(Context& context) {
  const Token& token = context.cursor.token();
  switch (token.kind) {
    case Tok::kw_genbuchi:
    case Tok::kw_muller:
    case Tok::kw_rabin:
    case Tok::kw_streett:
      break;
    default:
      return true;
  }
  const std::string_view text = context.cursor.text(token);
  if (!context.cursor.syntax_error()) return false;
  context.error(
      span(token),
      "acceptance '%.*s' is not supported; only plain Buechi acceptance is: accept q1, q2;",
      shown_bytes(text), text.data());
  return false;
}

bool parse_mark(Context& context, Progress& progress) {
  const Token word = context.cursor.take();
  if (word.kind == Tok::kw_init) return parse_init(context, progress, word);
  if (progress.has_init && progress.marked_before_init) {
    context.error(span(word),
                  "'init' stands between the marks; it must be the first or the last of them");
    progress.marked_before_init = false;
  }
  const bool committed = word.kind == Tok::kw_commit;
  bool& seen = committed ? progress.has_commit : progress.has_accept;
  if (seen) report_repeated(context, word);
  seen = true;
  if (!committed) {
    if (!reject_acceptance(context)) return false;
    context.cursor.accept(Tok::kw_buchi);
  }
  return parse_marked_states(context, committed);
}

bool parse_assertions(Context& context) {
  Cursor& cursor = context.cursor;
  cursor.take();
  do {
    Token name;
    if (!cursor.expect_name(name, "the name of a state")) return false;
    Assertion assertion;
    assertion.process = context.process;
    assertion.state = context.resolve_state(name);
    assertion.line = name.line;
    Operand condition;
    if (!cursor.expect(Tok::colon, "':'") || !parse_operand(context, condition)) return false;
    assertion.condition = condition.expr;
    assertion.text_begin = condition.begin;
    assertion.text_end = condition.end;
    context.add(context.system.assertions, assertion, "assertions", span(name));
  } while (cursor.accept(Tok::comma));
  return cursor.expect(Tok::semicolon, "',' or ';'");
}

// Sections come in their order, and all but variables and marks once.
void check_order(Context& context, Section section, Progress& progress) {
  const Token& word = context.cursor.token();
  const std::string_view text = context.cursor.text(word);
  const bool may_repeat = section == Section::variables || section == Section::marks;
  if (section == progress.section && !may_repeat) {
    report_repeated(context, word);
  } else if (section < progress.section) {
    context.error(span(word),
                  "'%.*s' comes too late; the order in a process is variables, state, "
                  "init/commit/accept, assert, trans",
                  shown_bytes(text), text.data());
  } else {
    progress.section = section;
  }
}

bool parse_section(Context& context, Section section, Progress& progress) {
  switch (section) {
    case Section::variables:
      return parse_variables(context);
    case Section::states:
      return parse_states(context);
    case Section::marks:
      return parse_mark(context, progress);
    case Section::assertions:
      return parse_assertions(context);
    case Section::transitions:
      return parse_transitions(context);
    case Section::none:
      break;
  }
  return context.cursor.fail_expected(
      "a declaration, 'state', 'init', 'commit', 'accept', 'assert', 'trans' or '}'");
}

void parse_body(Context& context, Progress& progress) {
  Cursor& cursor = context.cursor;
  const u32 level = cursor.level();
  for (;;) {
    if (cursor.accept(Tok::right_brace)) return;
    if (cursor.at(Tok::end) || cursor.at(Tok::kw_process) || cursor.at(Tok::kw_system)) {
      cursor.fail_expected("'}'");
      return;
    }
    const Section section = section_of(cursor.token().kind);
    if (section != Section::none) check_order(context, section, progress);
    const u32 before = cursor.token().begin;
    if (parse_section(context, section, progress)) continue;
    cursor.skip_section(level);
    if (cursor.token().begin == before) cursor.take();
  }
}

void check_process(Context& context, const Token& name, const Progress& progress) {
  // What is missing after a mistake in the grammar may just have been skipped.
  if (context.cursor.syntax_errors() != progress.syntax_errors) return;
  const Process& process = context.system.processes[context.process];
  const int bytes = shown_bytes(process.name);
  if (process.state_count == 0) {
    context.error(span(name), "process '%.*s' has no states", bytes, process.name.data());
  } else if (!progress.has_init) {
    context.error(span(name), "process '%.*s' has no initial state; add: init %.*s;", bytes,
                  process.name.data(), shown_bytes(context.system.states[process.first_state].name),
                  context.system.states[process.first_state].name.data());
  }
}

}  // namespace

void parse_process(Context& context) {
  Cursor& cursor = context.cursor;
  System& system = context.system;
  cursor.take();
  Token name;
  if (!cursor.expect_name(name, "the name of a process") ||
      !cursor.expect(Tok::left_brace, "'{'")) {
    cursor.skip_to_top();
    return;
  }
  if (system.processes.size() == limits::kProcesses) {
    context.report_full("processes", limits::kProcesses, span(name));
    return;
  }
  Process process;
  process.name = cursor.text(name);
  process.line = name.line;
  process.first_state = system.states.size();
  process.first_variable = system.variables.size();
  process.first_transition = system.transitions.size();
  const u32 number = system.processes.push(process);
  context.remote_uses.push({});
  context.declare(name, Kind::process, number);
  context.process = number;
  Progress progress;
  progress.syntax_errors = cursor.syntax_errors();
  parse_body(context, progress);
  check_process(context, name, progress);
  context.process = kGlobal;
  Process& made = system.processes[number];
  made.variable_count = system.variables.size() - made.first_variable;
  made.transition_count = system.transitions.size() - made.first_transition;
}

}  // namespace xmc::dve
