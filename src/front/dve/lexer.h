// Tokens of DVE. The lexer copies nothing: a token is a byte range of the text.
//
// Two habits differ from the reference implementation on purpose: a block comment ends at the first
// "*/" even behind "//", and names are never cut. CR is white space, and a UTF-8 byte order mark in
// front is skipped.
#pragma once

#include <string_view>

#include "front/source.h"
#include "xmc/text.h"
#include "xmc/types.h"

namespace xmc::dve {

enum class Tok : u8 {
  end,
  name,
  number,
  // keywords, in the order of the table in lexer.cc
  kw_accept,
  kw_and,
  kw_assert,
  kw_async,
  kw_buchi,
  kw_byte,
  kw_channel,
  kw_commit,
  kw_const,
  kw_effect,
  kw_false,
  kw_genbuchi,
  kw_guard,
  kw_imply,
  kw_init,
  kw_int,
  kw_muller,
  kw_not,
  kw_or,
  kw_process,
  kw_property,
  kw_rabin,
  kw_state,
  kw_streett,
  kw_sync,
  kw_system,
  kw_trans,
  kw_true,
  // two characters; "&&" is kw_and and "||" is kw_or
  arrow,
  fat_arrow,
  shift_left,
  shift_right,
  less_equal,
  greater_equal,
  equal,
  not_equal,
  plus_plus,
  minus_minus,
  // one character
  dot,
  comma,
  semicolon,
  colon,
  left_brace,
  right_brace,
  left_bracket,
  right_bracket,
  left_paren,
  right_paren,
  question,
  exclamation,
  tilde,
  assign,
  plus,
  minus,
  star,
  slash,
  percent,
  bar,
  ampersand,
  caret,
  less,
  greater
};

struct Token {
  Tok kind = Tok::end;
  u32 begin = 0;  // byte range in the text; empty at the end
  u32 end = 0;
  u32 line = 1;
  i32 value = 0;  // of a number
};

inline bool is_keyword(Tok kind) { return kind >= Tok::kw_accept && kind <= Tok::kw_true; }

class Lexer {
 public:
  Lexer(const Source& source, Diagnostics& diagnostics);

  // The next token; Tok::end for ever after the last one. Bytes that start no token are reported
  // and skipped.
  Token next();

  std::string_view text(const Token& token) const {
    return piece_of(text_, token.begin, token.end - token.begin);
  }
  u32 size() const { return size_; }
  u32 line() const { return line_; }

 private:
  char at(u32 offset) const { return offset < size_ ? text_[offset] : '\0'; }
  void skip_blanks();
  bool skip_comment();
  bool skip_continuation();
  Token lex_name(Token token);
  Token lex_number(Token token);
  bool lex_mark(Token& token);
  void skip_strange_bytes();

  std::string_view text_;
  Diagnostics* diagnostics_;
  u32 size_;
  u32 at_ = 0;
  u32 line_ = 1;
};

}  // namespace xmc::dve
