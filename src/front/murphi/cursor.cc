#include "front/murphi/cursor.h"

namespace xmc::murphi {

namespace {

// Words that start a statement or a section, and are in no expression.
bool starts_statement(Tok kind) {
  switch (kind) {
    case Tok::kw_alias:
    case Tok::kw_assert:
    case Tok::kw_begin:
    case Tok::kw_clear:
    case Tok::kw_const:
    case Tok::kw_error:
    case Tok::kw_for:
    case Tok::kw_if:
    case Tok::kw_put:
    case Tok::kw_return:
    case Tok::kw_switch:
    case Tok::kw_type:
    case Tok::kw_undefine:
    case Tok::kw_var:
    case Tok::kw_while:
      return true;
    default:
      return false;
  }
}

bool starts_item(Tok kind) {
  switch (kind) {
    case Tok::kw_const:
    case Tok::kw_function:
    case Tok::kw_invariant:
    case Tok::kw_procedure:
    case Tok::kw_rule:
    case Tok::kw_ruleset:
    case Tok::kw_startstate:
    case Tok::kw_type:
    case Tok::kw_var:
      return true;
    default:
      return false;
  }
}

bool ends_quantifier(Tok kind) {
  return kind == Tok::kw_end || kind == Tok::kw_endforall || kind == Tok::kw_endexists;
}

}  // namespace

bool Cursor::expect_do() { return accept(Tok::kw_do) || expect(Tok::colon, "'do'"); }

// Looks for '==>' as far as an expression can go. ';' and ':=' occur in one between `forall` and
// its end only, where they separate and bound its variables.
bool Cursor::guard_ahead() const {
  Lexer ahead = lexer().quiet();
  u32 quantifiers = 0;
  for (Token next = token(); next.kind != Tok::end; next = ahead.next()) {
    if (next.kind == Tok::guard_arrow) return true;
    if (starts_statement(next.kind) || starts_item(next.kind)) return false;
    if (next.kind == Tok::kw_forall || next.kind == Tok::kw_exists) ++quantifiers;
    const bool separates = next.kind == Tok::semicolon || next.kind == Tok::assign;
    if (is_end_word(next.kind) || separates) {
      if (quantifiers == 0) return false;
      if (ends_quantifier(next.kind)) --quantifiers;
    }
  }
  return false;
}

bool Cursor::at_declaration() const {
  if (!at(Tok::name)) return false;
  const Tok next = peek().kind;
  return next == Tok::colon || next == Tok::comma;
}

bool Cursor::at_outer_word() const { return at(Tok::end) || starts_item(token().kind); }

bool Cursor::at_list_end() const {
  switch (token().kind) {
    case Tok::end:
    case Tok::kw_else:
    case Tok::kw_elsif:
    case Tok::kw_case:
    case Tok::kw_function:
    case Tok::kw_invariant:
    case Tok::kw_procedure:
    case Tok::kw_rule:
    case Tok::kw_ruleset:
    case Tok::kw_startstate:
      return true;
    default:
      return is_end_word(token().kind);
  }
}

void Cursor::skip_statement() {
  while (!at_list_end() && !starts_statement(token().kind)) {
    if (accept(Tok::semicolon)) return;
    take();
  }
}

void Cursor::skip_item() {
  while (!at_outer_word()) take();
}

}  // namespace xmc::murphi
