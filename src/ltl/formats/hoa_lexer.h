// Tokens of the Hanoi Omega-Automata format, version 1.
#pragma once

#include <string_view>

#include "ltl/formula/formula_parser.h"
#include "xmc/text.h"
#include "xmc/types.h"

namespace xmc::ltl {

enum class HoaSign : u8 {
  end,
  bad,
  header,  // a word with a colon behind it
  word,    // t and f are words
  alias,   // @name
  string,  // begin and end are those of the text between the quotes
  number,
  body,    // --BODY--
  finish,  // --END--
  abort,   // --ABORT--
  mark,    // one of ! & | ( ) [ ] { }
};

struct HoaToken {
  HoaSign sign = HoaSign::end;
  char mark = '\0';
  u32 value = 0;  // of a number; a larger one is kNone
  u32 begin = 0;
  u32 end = 0;
};

class HoaLexer {
 public:
  explicit HoaLexer(std::string_view text) : text_(text) {}

  // The next token; HoaSign::end for ever after the last one.
  HoaToken next();
  std::string_view text(const HoaToken& token) const {
    return piece_of(text_, token.begin, token.end - token.begin);
  }

 private:
  char at(u32 offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  void skip_blanks();
  HoaToken lex_word(HoaToken token);
  HoaToken lex_number(HoaToken token);
  HoaToken lex_string(HoaToken token);
  HoaToken lex_mark(HoaToken token);

  std::string_view text_;
  u32 at_ = 0;
};

}  // namespace xmc::ltl
