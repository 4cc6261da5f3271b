// Transitions: source -> target { guard ...; sync ...; effect ...; }
#include "front/dve/dve_context.h"
#include "xmc/check.h"

namespace xmc::dve {

namespace {

bool parse_guard(Context& context, Transition& transition) {
  Operand guard;
  if (!parse_operand(context, guard)) return false;
  transition.guard = guard.expr;
  transition.guard_begin = guard.begin;
  transition.guard_end = guard.end;
  return context.cursor.expect(Tok::semicolon, "';'");
}

bool reject_step_operator(Context& context, const Token& name) {
  const Token& mark = context.cursor.token();
  if (mark.kind != Tok::plus_plus && mark.kind != Tok::minus_minus) return true;
  const std::string_view text = context.cursor.text(name);
  const int bytes = shown_bytes(text);
  const bool plus = mark.kind == Tok::plus_plus;
  if (!context.cursor.syntax_error()) return false;
  context.error(span(mark), "'%s' is not an operator of DVE; write %.*s = %.*s %c 1",
                plus ? "++" : "--", bytes, text.data(), bytes, text.data(), plus ? '+' : '-');
  return false;
}

bool parse_effect(Context& context, Transition& transition) {
  Cursor& cursor = context.cursor;
  do {
    const Token name = cursor.token();
    Assignment assignment;
    if (!parse_lvalue(context, assignment.target) || !reject_step_operator(context, name))
      return false;
    Operand value;
    if (!cursor.expect(Tok::assign, "'='") || !parse_operand(context, value)) return false;
    assignment.value = value.expr;
    assignment.text_end = value.end;
    if (assignment.target.variable == kNone) continue;
    context.add(context.system.assignments, assignment, "assignments", span(name));
    ++transition.assignment_count;
  } while (cursor.accept(Tok::comma));
  return cursor.expect(Tok::semicolon, "',' or ';'");
}

// Place of a part in the fixed order; 0 for what is none.
u32 part_order(Tok kind) {
  switch (kind) {
    case Tok::kw_guard:
      return 1;
    case Tok::kw_sync:
      return 2;
    case Tok::kw_effect:
      return 3;
    default:
      return 0;
  }
}

void parse_parts(Context& context, Transition& transition) {
  Cursor& cursor = context.cursor;
  const u32 level = cursor.level();
  u32 last = 0;
  while (!cursor.at(Tok::right_brace)) {
    const u32 order = part_order(cursor.token().kind);
    if (order == 0) {
      const u32 before = cursor.token().begin;
      cursor.fail_expected("'guard', 'sync', 'effect' or '}'");
      cursor.skip_part(level);
      if (cursor.token().begin == before) return;  // something that belongs outside
      continue;
    }
    const Token word = cursor.take();
    if (order <= last) {
      context.error(span(word),
                    "a transition has guard, sync and effect at most once and in this order");
    }
    last = order > last ? order : last;
    const bool parsed = order == 1   ? parse_guard(context, transition)
                        : order == 2 ? parse_sync(context, transition)
                                     : parse_effect(context, transition);
    if (!parsed) cursor.skip_part(level);
  }
}

bool parse_arrow(Context& context) {
  const Token& token = context.cursor.token();
  if (token.kind != Tok::fat_arrow) return context.cursor.expect(Tok::arrow, "'->'");
  if (!context.cursor.syntax_error()) return false;
  context.error(span(token),
                "'=>' starts a probabilistic transition, which is not supported; write '->'");
  return false;
}

// `source` is the source of the transition before, or kNone.
bool parse_transition(Context& context, u32& source) {
  Cursor& cursor = context.cursor;
  const Token first = cursor.token();
  Transition transition;
  transition.process = context.process;
  transition.line = first.line;
  transition.text_begin = first.begin;
  if (cursor.at(Tok::name)) {
    source = context.resolve_state(cursor.take());
  } else if (!cursor.at(Tok::arrow)) {
    return cursor.fail_expected("a transition");
  } else if (source == kNone) {
    context.error(span(first), "the first transition of a process must name its source state");
    source = 0;
  }
  transition.source = source;
  Token target;
  if (!parse_arrow(context) || !cursor.expect_name(target, "the name of a state")) return false;
  transition.target = context.resolve_state(target);
  if (!cursor.expect(Tok::left_brace, "'{'")) return false;
  transition.first_assignment = context.system.assignments.size();
  parse_parts(context, transition);
  transition.text_end = cursor.token().end;
  context.add(context.system.transitions, transition, "transitions", span(first));
  return cursor.expect(Tok::right_brace, "'}'");
}

}  // namespace

bool parse_transitions(Context& context) {
  Cursor& cursor = context.cursor;
  const Token word = cursor.take();
  XMC_CHECK(word.kind == Tok::kw_trans);
  const u32 level = cursor.level();
  u32 source = kNone;
  for (;;) {
    if (!parse_transition(context, source)) {
      cursor.skip_transition(level);
      if (source == kNone) source = 0;  // said once
    }
    if (cursor.accept(Tok::comma)) continue;
    if (cursor.accept(Tok::semicolon)) return true;
    const bool another = cursor.at(Tok::name) || cursor.at(Tok::arrow);
    cursor.fail_expected(another ? "',' between transitions" : "',' or ';' after a transition");
    if (!another) return cursor.at(Tok::right_brace);
  }
}

}  // namespace xmc::dve
