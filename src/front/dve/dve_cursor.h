// The current token of a DVE text, and how the parser gets back on its feet after a mistake.
//
// The cursor counts the braces it passed, so that recovery knows whether a '}' ends a list of
// values, a transition or a process. Nothing here recurses, and every skip ends at the end of the
// text.
#pragma once

#include "front/dve/lexer.h"
#include "front/token_cursor.h"

namespace xmc::dve {

class Cursor : public TokenCursor<Cursor, Lexer, Token> {
 public:
  Cursor(const Source& source, Diagnostics& diagnostics)
      : TokenCursor(Lexer(source, diagnostics), diagnostics) {}

  // The current token; moves on.
  Token take();

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

 private:
  bool at_outer_word() const;
  bool at_starting_word() const;

  u32 level_ = 0;
};

}  // namespace xmc::dve
