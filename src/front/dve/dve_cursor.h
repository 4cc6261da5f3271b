// The current token, and how the parser gets back on its feet after a mistake.
//
// The cursor counts the braces it passed, so that recovery knows whether a '}' ends a list of
// values, a transition or a process. Nothing here recurses, and every skip ends at the end of the
// text.
#pragma once

#include "front/dve/lexer.h"

namespace xmc::dve {

class Cursor {
 public:
  Cursor(const Source& source, Diagnostics& diagnostics);

  const Token& token() const { return token_; }
  bool at(Tok kind) const { return token_.kind == kind; }
  std::string_view text(const Token& token) const { return lexer_.text(token); }
  u32 last_end() const { return last_end_; }  // end of the token before the current one

  // The current token; moves on.
  Token take();
  bool accept(Tok kind);
  // Accepts `kind` or says "expected <what>".
  bool expect(Tok kind, const char* what);
  bool expect_name(Token& out, const char* what);
  // "expected <what> before ..."; always false, so that a caller can return it.
  bool fail_expected(const char* what);

  // Number of open braces.
  u32 level() const { return level_; }
  // The skips below stop behind the next ';', in front of the '}' that closes `level`, or in front
  // of a word that starts something new, in case the ';' was forgotten. They may not move at all.
  //
  // Inside a transition or a declaration: there the only inner braces are lists of values, which
  // hold no ';'.
  void skip_part(u32 level);
  // Inside a process: a ';' in deeper braces does not count.
  void skip_section(u32 level);
  // Behind the body of a transition, or in front of what ends the list of transitions.
  void skip_transition(u32 level);
  // In front of the next word that can start something at the outermost level.
  void skip_to_top();

  // After a limit was reached there is no point in going on: the rest of the text is taken as read.
  void abandon();
  bool abandoned() const { return abandoned_; }

  // Counts a mistake in the grammar at the current token. True when it should be reported: one
  // token is reported once, so that the callers of a part that failed do not repeat it in their own
  // words.
  bool syntax_error();
  u32 syntax_errors() const { return syntax_errors_; }

 private:
  bool at_outer_word() const;
  bool at_starting_word() const;

  Lexer lexer_;
  Diagnostics* diagnostics_;
  Token token_;
  u32 last_end_ = 0;
  u32 last_line_ = 1;
  u32 level_ = 0;
  u32 syntax_errors_ = 0;
  u32 last_error_ = kNone;  // start of the token that was reported last
  bool abandoned_ = false;
};

// For "%.*s" of a text piece in messages: a length that leaves room for the rest of the message.
int shown_bytes(std::string_view piece);

}  // namespace xmc::dve
