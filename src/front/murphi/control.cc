// Statements with others inside: if, switch, for, while, alias.
#include "front/murphi/nodes.h"
#include "front/murphi/types.h"
#include "xmc/check.h"

namespace xmc::murphi {

namespace {

StmtId add_statement(Context& context, const Stmt& statement) {
  return context.add(context.system.statements, statement, "statements", statement.place);
}

// Chains clauses in their order.
struct Clauses {
  StmtId first = kNone;
  StmtId last = kNone;

  void add(Context& context, const Stmt& clause) {
    const StmtId made = add_statement(context, clause);
    if (first == kNone) {
      first = made;
    } else {
      context.system.statements[last].next = made;
    }
    last = made;
  }
};

Stmt clause_at(const Token& word) {
  Stmt clause;
  clause.op = StmtOp::clause;
  clause.place = span(word);
  return clause;
}

bool parse_else(Context& context, Clauses& clauses) {
  if (!context.cursor.at(Tok::kw_else)) return true;
  Stmt clause = clause_at(context.cursor.take());
  context.cursor.accept(Tok::colon);
  if (!parse_statements(context, clause.b)) return false;
  clauses.add(context, clause);
  return true;
}

bool parse_if(Context& context, StmtId& out) {
  Cursor& cursor = context.cursor;
  const Token word = cursor.token();
  Clauses clauses;
  do {
    Stmt clause = clause_at(cursor.take());
    if (!parse_condition(context, "the condition of an if", clause.a) ||
        !cursor.expect(Tok::kw_then, "'then'") || !parse_statements(context, clause.b)) {
      return false;
    }
    clauses.add(context, clause);
  } while (cursor.at(Tok::kw_elsif));
  if (!parse_else(context, clauses) || !expect_end(context, Tok::kw_endif, word)) return false;
  Stmt statement;
  statement.op = StmtOp::if_chain;
  statement.b = clauses.first;
  statement.place = {word.begin, cursor.last_end()};
  out = add_statement(context, statement);
  return true;
}

// Reports a label that an earlier clause or the one being read has.
void check_label(Context& context, const Clauses& clauses, const Stmt& clause, ExprId label) {
  const System& system = context.system;
  i64 value = 0;
  i64 other = 0;
  if (!is_literal(context, label, value) || context.is_rumur()) return;
  const auto is_label_of = [&](const Stmt& one) {
    for (u32 i = one.a; i < one.a + one.c; ++i) {
      if (is_literal(context, system.labels[i], other) && other == value) return true;
    }
    return false;
  };
  bool found = is_label_of(clause);
  for (StmtId id = clauses.first; id != kNone && !found; id = system.statements[id].next) {
    found = is_label_of(system.statements[id]);
  }
  if (found)
    context.error(place_of(context, label), "the switch already has a case for this value");
}

// rumur takes any expression for a label and tries them in turn.
bool parse_label(Context& context, TypeId type, ExprId& out) {
  if (context.is_rumur() ? !parse_expression(context, out)
                         : !parse_constant(context, "the label of a case", out)) {
    return false;
  }
  out = convert(context, out, type, "this label");
  return true;
}

bool parse_case(Context& context, TypeId type, Clauses& clauses) {
  Cursor& cursor = context.cursor;
  Stmt clause = clause_at(cursor.take());
  clause.a = context.system.labels.size();
  do {
    ExprId label = kErrorExpr;
    if (!parse_label(context, type, label)) return false;
    check_label(context, clauses, clause, label);
    context.add(context.system.labels, label, "case labels", place_of(context, label));
    if (cursor.abandoned()) return false;
    ++clause.c;
  } while (cursor.accept(Tok::comma));
  if (!cursor.expect(Tok::colon, "',' or ':'") || !parse_statements(context, clause.b)) {
    return false;
  }
  clauses.add(context, clause);
  return true;
}

bool parse_switch(Context& context, StmtId& out) {
  Cursor& cursor = context.cursor;
  const Token word = cursor.take();
  Stmt statement;
  statement.op = StmtOp::switch_on;
  if (!parse_expression(context, statement.a)) return false;
  const TypeId type = type_of(context, statement.a);
  if (!is_simple(context.system, type)) {
    context.error(place_of(context, statement.a),
                  "a switch goes by a simple value; this is of type %s", describe(context, type));
  }
  Clauses clauses;
  while (cursor.at(Tok::kw_case)) {
    if (!parse_case(context, type, clauses)) return false;
  }
  if (!parse_else(context, clauses) || !expect_end(context, Tok::kw_endswitch, word)) return false;
  statement.b = clauses.first;
  statement.place = {word.begin, cursor.last_end()};
  out = add_statement(context, statement);
  return true;
}

// One variable of a loop and what is behind it: more variables, or the body.
bool parse_for_level(Context& context, Span word, StmtId& out) {
  Cursor& cursor = context.cursor;
  Stmt statement;
  statement.op = StmtOp::for_loop;
  statement.place = word;
  if (!parse_quantifier(context, Role::loop, statement.a)) return false;
  cursor.accept(Tok::semicolon);
  if (at_quantifier(context)) {
    const Nesting nesting = nested_block(context);
    if (!nesting.ok() || !parse_for_level(context, word, statement.b)) return false;
  } else if (!cursor.expect_do() || !parse_statements(context, statement.b)) {
    return false;
  }
  out = add_statement(context, statement);
  return true;
}

bool parse_for(Context& context, StmtId& out) {
  const Token word = context.cursor.take();
  const Scope scope(context);
  return parse_for_level(context, span(word), out) && expect_end(context, Tok::kw_endfor, word);
}

bool parse_while(Context& context, StmtId& out) {
  const Token word = context.cursor.take();
  Stmt statement;
  statement.op = StmtOp::while_loop;
  statement.place = span(word);
  if (!parse_condition(context, "the condition of a while", statement.a) ||
      !context.cursor.expect_do() || !parse_statements(context, statement.b) ||
      !expect_end(context, Tok::kw_endwhile, word)) {
    return false;
  }
  out = add_statement(context, statement);
  return true;
}

bool parse_alias_level(Context& context, Span word, StmtId& out) {
  Cursor& cursor = context.cursor;
  Stmt statement;
  statement.op = StmtOp::alias;
  statement.place = word;
  if (!parse_alias(context, statement.a)) return false;
  cursor.accept(Tok::semicolon);
  if (cursor.at_declaration()) {
    const Nesting nesting = nested_block(context);
    if (!nesting.ok() || !parse_alias_level(context, word, statement.b)) return false;
  } else if (!cursor.expect_do() || !parse_statements(context, statement.b)) {
    return false;
  }
  out = add_statement(context, statement);
  return true;
}

bool parse_alias_statement(Context& context, StmtId& out) {
  const Token word = context.cursor.take();
  const Scope scope(context);
  return parse_alias_level(context, span(word), out) && expect_end(context, Tok::kw_endalias, word);
}

}  // namespace

bool parse_control(Context& context, StmtId& out) {
  const Nesting nesting = nested_block(context);
  if (!nesting.ok()) return false;
  switch (context.cursor.token().kind) {
    case Tok::kw_if:
      return parse_if(context, out);
    case Tok::kw_switch:
      return parse_switch(context, out);
    case Tok::kw_for:
      return parse_for(context, out);
    case Tok::kw_while:
      return parse_while(context, out);
    case Tok::kw_alias:
      return parse_alias_statement(context, out);
    default:
      return context.cursor.fail_expected("a statement");
  }
}

}  // namespace xmc::murphi
