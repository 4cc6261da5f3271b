// Tokens of Promela behind the preprocessor. A token has a text of its own and the place where a
// person finds it: for what a macro put there, that is the use of the macro.
#pragma once

#include <string_view>

#include "front/source.h"
#include "xmc/limits.h"
#include "xmc/pool.h"
#include "xmc/types.h"

namespace xmc::promela {

enum class Tok : u8 {
  end,
  name,
  number,  // also characters, true, false and skip
  string,
  // keywords, in the order of the table in tokens.cc
  kw_D_proctype,
  kw_active,
  kw_assert,
  kw_atomic,
  kw_bit,
  kw_bool,
  kw_break,
  kw_byte,
  kw_c_code,
  kw_c_decl,
  kw_c_expr,
  kw_c_state,
  kw_c_track,
  kw_chan,
  kw_d_step,
  kw_do,
  kw_else,
  kw_empty,
  kw_enabled,
  kw_eval,
  kw_fi,
  kw_for,
  kw_full,
  kw_get_priority,
  kw_goto,
  kw_hidden,
  kw_if,
  kw_init,
  kw_inline,
  kw_int,
  kw_len,
  kw_local,
  kw_ltl,
  kw_mtype,
  kw_nempty,
  kw_never,
  kw_nfull,
  kw_notrace,
  kw_np_,
  kw_od,
  kw_of,
  kw_pc_value,
  kw_pid,
  kw_printf,
  kw_printm,
  kw_priority,
  kw_proctype,
  kw_provided,
  kw_return,
  kw_run,
  kw_select,
  kw_set_priority,
  kw_short,
  kw_show,
  kw_timeout,
  kw_trace,
  kw_typedef,
  kw_unless,
  kw_unsigned,
  kw_xr,
  kw_xs,
  // marks, in the order of the table in tokens.cc
  equivalent,
  colons,
  arrow,
  dots,
  increment,
  decrement,
  send_sorted,
  receive_any,
  shift_left,
  shift_right,
  less_equal,
  greater_equal,
  equal,
  not_equal,
  and_and,
  or_or,
  always,
  eventually,
  formula_or,
  formula_and,
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
  at_sign,
  assign,
  exclamation,
  question,
  plus,
  minus,
  star,
  slash,
  percent,
  less,
  greater,
  ampersand,
  bar,
  caret,
  tilde,
  unknown,  // '#' and its like, which mean nothing behind the preprocessor
};

struct Token {
  std::string_view text;
  Span place;
  i32 value = 0;  // of a number
  Tok kind = Tok::end;
  bool is_implied = false;  // a semicolon that the end of a line stands for
};

using Tokens = Pool<Token, 9, 2048>;
static_assert(Tokens::capacity() == limits::kTokens);

inline bool is_keyword(Tok kind) { return kind >= Tok::kw_D_proctype && kind <= Tok::kw_xs; }
Tok keyword_or_name(std::string_view word);
Tok mark_kind(std::string_view mark);

}  // namespace xmc::promela
