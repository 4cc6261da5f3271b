// Tokens of Murphi. The lexer copies nothing: a token is a byte range of the text.
//
// Only the words that both CMurphi and rumur reserve are keywords, in any case of letters. Words
// that just one of them knows (choose, multiset, assume, real, ...) come as names, and the parser
// takes them for keywords where nothing of that name is declared: models of either family that use
// them as names still parse.
#pragma once

#include <string_view>

#include "front/source.h"
#include "xmc/text.h"
#include "xmc/types.h"

namespace xmc::murphi {

// Where the two reference implementations differ; the text is the same language otherwise.
enum class Dialect : u8 { cmurphi, rumur };

enum class Tok : u8 {
  end,
  name,
  number,
  string,
  // keywords, in the order of the table in lexer.cc
  kw_alias,
  kw_array,
  kw_assert,
  kw_begin,
  kw_boolean,
  kw_by,
  kw_case,
  kw_clear,
  kw_const,
  kw_do,
  kw_else,
  kw_elsif,
  kw_end,
  kw_endalias,
  kw_endchoose,
  kw_endexists,
  kw_endfor,
  kw_endforall,
  kw_endfunction,
  kw_endif,
  kw_endprocedure,
  kw_endrecord,
  kw_endrule,
  kw_endruleset,
  kw_endstartstate,
  kw_endswitch,
  kw_endwhile,
  kw_enum,
  kw_error,
  kw_exists,
  kw_false,
  kw_for,
  kw_forall,
  kw_function,
  kw_if,
  kw_invariant,
  kw_isundefined,
  kw_of,
  kw_procedure,
  kw_put,
  kw_record,
  kw_return,
  kw_rule,
  kw_ruleset,
  kw_scalarset,
  kw_startstate,
  kw_switch,
  kw_then,
  kw_to,
  kw_true,
  kw_type,
  kw_undefine,
  kw_union,
  kw_var,
  kw_while,
  // marks; marks.cc has their spellings
  guard_arrow,
  assign,
  dot_dot,
  arrow,
  less_equal,
  greater_equal,
  not_equal,
  and_and,
  or_or,
  shift_left,
  shift_right,
  less,
  greater,
  equal,
  exclamation,
  ampersand,
  bar,
  plus,
  minus,
  star,
  slash,
  percent,
  question,
  colon,
  semicolon,
  comma,
  dot,
  left_paren,
  right_paren,
  left_bracket,
  right_bracket,
  left_brace,
  right_brace,
  tilde,
  caret
};

struct Token {
  Tok kind = Tok::end;
  u32 begin = 0;  // byte range in the text; empty at the end
  u32 end = 0;
  u32 line = 1;
  i64 value = 0;  // of a number
};

inline bool is_keyword(Tok kind) { return kind >= Tok::kw_alias && kind <= Tok::kw_while; }
// `end` and its relatives.
inline bool is_end_word(Tok kind) { return kind >= Tok::kw_end && kind <= Tok::kw_endwhile; }

inline char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
// Whether a name is this word, given in small letters, in any case.
bool same_word(std::string_view name, std::string_view word);

// marks.cc: the mark that `text` begins with and its length, or Tok::end and 0.
struct MarkFound {
  Tok kind = Tok::end;
  u32 length = 0;
};
MarkFound mark_at(std::string_view text);

class Lexer {
 public:
  Lexer(const Source& source, Diagnostics& diagnostics, Dialect dialect);

  // The next token; Tok::end for ever after the last one. Bytes that start no token are reported
  // and skipped.
  Token next();
  // A copy that reports nothing, to look ahead with.
  Lexer quiet() const;

  std::string_view text(const Token& token) const {
    return piece_of(text_, token.begin, token.end - token.begin);
  }
  // Without its quotes.
  std::string_view string_of(const Token& token) const;

 private:
  char at(u32 offset) const { return offset < size_ ? text_[offset] : '\0'; }
  std::string_view rest(u32 offset) const { return piece_of(text_, offset); }
  void skip_blanks();
  bool skip_comment();
  Token lex_name(Token token);
  Token lex_number(Token token);
  bool lex_string(Token& token);
  void skip_real(Token& token);
  void skip_strange_bytes();
  [[gnu::format(printf, 4, 5)]] void error(u32 begin, u32 end, const char* pattern, ...);

  std::string_view text_;
  Diagnostics* diagnostics_;  // nullptr: quiet
  Dialect dialect_;
  u32 size_;
  u32 at_ = 0;
  u32 line_ = 1;
};

}  // namespace xmc::murphi
