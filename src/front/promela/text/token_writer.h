// What comes out of the preprocessor becomes tokens of Promela here: words become keywords, numbers
// get their values, and the end of a line becomes a semicolon where the language says so: inside
// the braces of a body or typedef, outside parentheses, behind a token that can end a statement,
// unless the next token is `unless` behind a brace.
#pragma once

#include "front/promela/text/raw_lexer.h"
#include "front/promela/text/tokens.h"
#include "front/source.h"

namespace xmc::promela {

class TokenWriter {
 public:
  TokenWriter(Tokens& tokens, Diagnostics& diagnostics)
      : tokens_(tokens), diagnostics_(diagnostics) {}

  void add(const RawToken& raw);
  // The last token, Tok::end.
  void finish(Span place);
  bool is_full() const { return tokens_.size() + 2 >= Tokens::capacity(); }

 private:
  void push(const Token& token);
  void note_nesting(Tok kind);
  Token classify(const RawToken& raw);
  i32 number_value(const RawToken& raw);
  i32 character_value(const RawToken& raw);

  Tokens& tokens_;
  Diagnostics& diagnostics_;
  Tok last_ = Tok::end;
  Tok unit_ = Tok::end;  // what the next '{' of the outermost level belongs to
  u32 braces_ = 0;       // around statements and fields
  u32 lists_ = 0;        // inside '{' that begins a list of names, values or types
  u32 parens_ = 0;
};

}  // namespace xmc::promela
