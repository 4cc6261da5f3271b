// Tokens of formulas. Letters that are operators in a formula are names in the guard of a never
// claim, which has no temporal operators: words() says which.
#pragma once

#include <string_view>

#include "ltl/formula/formula.h"
#include "xmc/text.h"
#include "xmc/types.h"

namespace xmc::ltl {

enum class Sign : u8 {
  end,
  bad,     // starts no token
  quoted,  // begin and end are those of the text between the quotes
  number,
  name,
  open,
  close,
  open_bracket,
  close_bracket,
  dot,
  arithmetic,  // + - * / % << >>
  comparison,  // == != < <= > >=
  truth,
  falsity,
  unary,    // `op` says which
  letters,  // several of G, F and X, as in "GF p"
  binary,
};

struct Token {
  Sign sign = Sign::end;
  Op op = Op::falsity;
  u32 begin = 0;
  u32 end = 0;
};

class FormulaLexer {
 public:
  FormulaLexer(std::string_view text, bool temporal) : text_(text), temporal_(temporal) {}

  // The next token; Sign::end for ever after the last one.
  Token next();
  std::string_view text(const Token& token) const {
    return piece_of(text_, token.begin, token.end - token.begin);
  }
  // Whether it is a name, or would be one behind a dot.
  bool is_word_token(const Token& token) const;

 private:
  char at(u32 offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  Token lex_word(Token token);
  Token lex_quoted(Token token);
  Token lex_mark(Token token);

  std::string_view text_;
  bool temporal_;
  u32 at_ = 0;
};

}  // namespace xmc::ltl
