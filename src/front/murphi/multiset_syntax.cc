// Statements that put elements into multisets and take them out.
#include "front/murphi/nodes.h"
#include "front/murphi/types.h"
#include "xmc/check.h"

namespace xmc::murphi {

namespace {

// The multiset that a statement changes; kErrorExpr after a mistake in meaning.
bool parse_multiset_place(Context& context, ExprId& out) {
  if (!parse_designator(context, out)) return false;
  const TypeId type = type_of(context, out);
  if (is_error(type)) return true;
  if (context.system.types[type].kind != TypeKind::multiset) {
    context.error(place_of(context, out), "this must be a multiset; it is of type %s",
                  describe(context, type));
    out = kErrorExpr;
    return true;
  }
  check_target(context, out, "changed");
  return true;
}

// multisetadd(element, multiset)
bool parse_add(Context& context, Stmt& statement) {
  statement.op = StmtOp::add;
  if (!parse_expression(context, statement.a) || !context.cursor.expect(Tok::comma, "','") ||
      !parse_multiset_place(context, statement.b)) {
    return false;
  }
  const TypeId type = type_of(context, statement.b);
  if (is_error(type)) return true;
  statement.a = convert(context, statement.a, context.system.types[type].element, "the multiset");
  return true;
}

// multisetremove(choice, multiset)
bool parse_remove(Context& context, Stmt& statement) {
  statement.op = StmtOp::remove;
  if (!parse_expression(context, statement.a) || !context.cursor.expect(Tok::comma, "','") ||
      !parse_multiset_place(context, statement.b)) {
    return false;
  }
  check_choice(context, statement.a, statement.b);
  return true;
}

// multisetremovepred(NAME: multiset, condition)
bool parse_remove_if(Context& context, Stmt& statement) {
  statement.op = StmtOp::remove_if;
  if (!parse_choice(context, statement.a) || !context.cursor.expect(Tok::comma, "','")) {
    return false;
  }
  check_target(context, context.system.variables[statement.a].value, "changed");
  return parse_condition(context, "the condition of multisetremovepred", statement.b);
}

}  // namespace

bool parse_multiset_statement(Context& context, StmtId& out) {
  Cursor& cursor = context.cursor;
  const Scope scope(context);
  const Token word = cursor.take();
  const std::string_view text = cursor.text(word);
  if (!cursor.expect(Tok::left_paren, "'('")) return false;
  Stmt statement;
  const bool parsed = same_word(text, "multisetadd")      ? parse_add(context, statement)
                      : same_word(text, "multisetremove") ? parse_remove(context, statement)
                                                          : parse_remove_if(context, statement);
  if (!parsed || !cursor.expect(Tok::right_paren, "')'")) return false;
  statement.place = {word.begin, cursor.last_end()};
  out = context.add(context.system.statements, statement, "statements", statement.place);
  return true;
}

}  // namespace xmc::murphi
