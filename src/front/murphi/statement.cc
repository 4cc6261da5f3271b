// Lists of statements, bodies, and the statements without others inside. control.cc has those with.
#include "front/murphi/nodes.h"
#include "front/murphi/types.h"
#include "xmc/check.h"

namespace xmc::murphi {

namespace {

StmtId add_statement(Context& context, Stmt statement, u32 begin) {
  statement.place = {begin, context.cursor.last_end()};
  return context.add(context.system.statements, statement, "statements", statement.place);
}

bool parse_source(Context& context, TypeId type, ExprId& out) {
  if (context.at_free_word("undefined")) {
    Expr node;
    node.op = Op::undefined;
    node.type = type;
    node.place = span(context.cursor.take());
    out = make_node(context, node, kNone, kNone);
    return true;
  }
  if (!parse_expression(context, out)) return false;
  out = convert(context, out, type, "this assignment");
  return true;
}

bool parse_assignment(Context& context, StmtId& out) {
  Cursor& cursor = context.cursor;
  const u32 begin = cursor.token().begin;
  Stmt statement;
  statement.op = StmtOp::assign;
  if (!parse_designator(context, statement.a)) return false;
  if (cursor.at(Tok::equal) && cursor.syntax_error()) {
    context.error(
        span(cursor.token()),
        "'=' only compares; an assignment is written ':=', and '==>' stands behind a guard");
    return false;
  }
  if (!cursor.expect(Tok::assign, "':='")) return false;
  check_target(context, statement.a, "assigned");
  if (!parse_source(context, type_of(context, statement.a), statement.b)) return false;
  out = add_statement(context, statement, begin);
  return true;
}

bool parse_call_statement(Context& context, StmtId& out) {
  const u32 begin = context.cursor.token().begin;
  Stmt statement;
  statement.op = StmtOp::call;
  if (!parse_call(context, true, statement.a)) return false;
  out = add_statement(context, statement, begin);
  return true;
}

// clear and undefine
bool parse_reset(Context& context, StmtId& out) {
  const Token word = context.cursor.take();
  Stmt statement;
  statement.op = word.kind == Tok::kw_clear ? StmtOp::clear : StmtOp::undefine;
  if (!parse_designator(context, statement.a)) return false;
  const bool clear = statement.op == StmtOp::clear;
  check_target(context, statement.a, clear ? "cleared" : "undefined");
  const Type& type = context.system.types[type_of(context, statement.a)];
  if (clear && type.has_scalarset && !context.is_rumur()) {
    context.error(place_of(context, statement.a),
                  "this holds values of a scalarset, which has no lowest one to clear it to");
    context.note(span(word), "'undefine' resets it without choosing a value");
  }
  out = add_statement(context, statement, word.begin);
  return true;
}

void take_text(Context& context, std::string_view& text) {
  Cursor& cursor = context.cursor;
  if (!cursor.at(Tok::string)) return;
  const Token string = cursor.take();
  if (text.empty()) text = cursor.string_of(string);
}

// assert, assume, cover: a text before or behind the condition.
bool parse_check(Context& context, StmtOp op, StmtId& out) {
  const Token word = context.cursor.take();
  Stmt statement;
  statement.op = op;
  take_text(context, statement.text);
  if (!parse_condition(context, "what is asserted, assumed or covered", statement.a)) return false;
  take_text(context, statement.text);
  out = add_statement(context, statement, word.begin);
  return true;
}

bool parse_error(Context& context, StmtId& out) {
  const Token word = context.cursor.take();
  Stmt statement;
  statement.op = StmtOp::fail;
  if (!context.cursor.at(Tok::string)) return context.cursor.fail_expected("a text in quotes");
  take_text(context, statement.text);
  out = add_statement(context, statement, word.begin);
  return true;
}

bool parse_put(Context& context, StmtId& out) {
  const Token word = context.cursor.take();
  Stmt statement;
  statement.op = StmtOp::put;
  if (context.cursor.at(Tok::string)) {
    take_text(context, statement.text);
  } else if (!parse_expression(context, statement.a)) {
    return false;
  }
  out = add_statement(context, statement, word.begin);
  return true;
}

bool at_expression(const Context& context) {
  return !context.cursor.at(Tok::semicolon) && !context.cursor.at_list_end();
}

bool parse_return(Context& context, StmtId& out) {
  const Token word = context.cursor.take();
  Stmt statement;
  statement.op = StmtOp::give_back;
  if (at_expression(context) && !parse_expression(context, statement.a)) return false;
  out = add_statement(context, statement, word.begin);
  const u32 id = context.routine;
  const bool function = id != kNone && context.system.routines[id].is_function;
  if (function) context.system.routines[id].has_return = true;
  if (function && statement.a == kNone) {
    context.error(span(word), "a function returns a value");
  } else if (!function && statement.a != kNone) {
    context.error(place_of(context, statement.a), "only a function returns a value");
  } else if (function) {
    Stmt& made = context.system.statements[out];
    made.a = convert(context, made.a, context.system.routines[id].result, "the function's result");
  }
  return true;
}

// A word that is a keyword in one dialect only, unless it is the name of something here.
bool parse_word(Context& context, StmtId& out, bool& found) {
  found = true;
  const Tok next = context.cursor.peek().kind;
  const bool name = next == Tok::assign || next == Tok::dot || next == Tok::left_bracket;
  if (!name) {
    if (context.at_free_word("assume")) return parse_check(context, StmtOp::assume, out);
    if (context.at_free_word("cover")) return parse_check(context, StmtOp::cover, out);
    if (context.at_free_word("liveness")) {
      if (!context.cursor.syntax_error()) return false;
      context.error(span(context.cursor.token()),
                    "liveness is a property of all behaviour; it stands beside the rules");
      return false;
    }
  }
  if (context.at_free_word("multisetadd") || context.at_free_word("multisetremove") ||
      context.at_free_word("multisetremovepred")) {
    return parse_multiset_statement(context, out);
  }
  found = false;
  return true;
}

bool parse_named_statement(Context& context, StmtId& out) {
  bool found = false;
  if (!parse_word(context, out, found)) return false;
  if (found) return true;
  const bool call = context.cursor.peek().kind == Tok::left_paren;
  return call ? parse_call_statement(context, out) : parse_assignment(context, out);
}

}  // namespace

bool parse_statement(Context& context, StmtId& out) {
  switch (context.cursor.token().kind) {
    case Tok::name:
      return parse_named_statement(context, out);
    case Tok::kw_clear:
    case Tok::kw_undefine:
      return parse_reset(context, out);
    case Tok::kw_assert:
      return parse_check(context, StmtOp::check, out);
    case Tok::kw_error:
      return parse_error(context, out);
    case Tok::kw_put:
      return parse_put(context, out);
    case Tok::kw_return:
      return parse_return(context, out);
    default:
      return parse_control(context, out);
  }
}

// Statements are chained; `out` is the first one, or kNone.
bool parse_statements(Context& context, StmtId& out) {
  Cursor& cursor = context.cursor;
  StmtId last = kNone;
  out = kNone;
  while (cursor.accept(Tok::semicolon)) continue;
  while (!cursor.at_list_end()) {
    const u32 begin = cursor.token().begin;
    StmtId made = kNone;
    if (!parse_statement(context, made)) {
      if (context.cursor.abandoned()) return false;
      if (cursor.token().begin == begin) cursor.take();
      cursor.skip_statement();
      cursor.accept(Tok::kw_begin);
    } else {
      if (last == kNone) {
        out = made;
      } else {
        context.system.statements[last].next = made;
      }
      last = made;
      // Behind an `end` nobody misses it.
      const bool ended = is_end_word(cursor.last_kind());
      if (!cursor.at(Tok::semicolon) && !cursor.at_list_end() && !ended) {
        cursor.fail_expected("';'");
      }
    }
    while (cursor.accept(Tok::semicolon)) continue;
  }
  return true;
}

bool parse_body(Context& context, StmtId& out) {
  while (at_section(context)) {
    if (!parse_section(context)) return false;
  }
  context.cursor.accept(Tok::kw_begin);
  return parse_statements(context, out);
}

bool expect_end(Context& context, Tok relative, const Token& begin) {
  Cursor& cursor = context.cursor;
  if (cursor.accept(Tok::kw_end) || cursor.accept(relative)) return true;
  const std::string_view word = cursor.text(begin);
  FixedText<320> what;
  what.format("the 'end' of '%.*s'", shown_bytes(word), word.data());
  // After a mistake inside, the `end` may have been skipped with it.
  if (cursor.is_broken_since(begin.begin)) {
    cursor.syntax_error();
    return false;
  }
  const u32 errors = context.diagnostics.error_count();
  cursor.fail_expected(what.c_str());
  if (context.diagnostics.error_count() == errors) return false;
  context.note(span(begin), "'%.*s' begins here", shown_bytes(word), word.data());
  return false;
}

}  // namespace xmc::murphi
