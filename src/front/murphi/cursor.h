// The current token of a Murphi text, looking ahead, and how the parser gets back on its feet after
// a mistake. Nothing here recurses, and every skip ends at the end of the text.
#pragma once

#include "front/murphi/lexer.h"
#include "front/token_cursor.h"

namespace xmc::murphi {

class Cursor : public TokenCursor<Cursor, Lexer, Token> {
 public:
  Cursor(const Source& source, Diagnostics& diagnostics, Dialect dialect)
      : TokenCursor(Lexer(source, diagnostics, dialect), diagnostics) {}

  std::string_view string_of(const Token& token) const { return lexer().string_of(token); }
  // The token behind the current one.
  Token peek() const { return abandoned() ? token() : lexer().quiet().next(); }
  // Whether the current token is a name that reads like this word, given in small letters.
  bool at_word(std::string_view word) const {
    return at(Tok::name) && same_word(text(token()), word);
  }
  // `do`, which may be written ':'.
  bool expect_do();

  // Whether an expression and '==>' come next, rather than the body of a rule without guard.
  bool guard_ahead() const;
  // Whether `NAME, ...: ` or `NAME:` comes next: one more declaration of a section.
  bool at_declaration() const;

  // At a word that starts a rule, a section or a routine, or at the end.
  bool at_outer_word() const;
  // At what ends a list of statements.
  bool at_list_end() const;
  // Behind the next ';', or in front of a word that starts or ends something.
  void skip_statement();
  // In front of the next outer word.
  void skip_item();
};

}  // namespace xmc::murphi
