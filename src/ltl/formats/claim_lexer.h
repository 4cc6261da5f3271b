// Tokens of never claims. Guards are not taken apart here: skip_guard() finds where one ends.
#pragma once

#include <string_view>

#include "xmc/text.h"
#include "xmc/types.h"

namespace xmc::ltl {

enum class ClaimSign : u8 {
  end,
  bad,
  word,
  option,  // ::
  colon,
  semicolon,
  arrow,      // ->
  open,       // {
  close,      // }
  open_paren  // ( and what else only a guard can begin with: ! 1 0
};

struct ClaimToken {
  ClaimSign sign = ClaimSign::end;
  u32 begin = 0;
  u32 end = 0;
};

class ClaimLexer {
 public:
  explicit ClaimLexer(std::string_view text) : text_(text) {}

  ClaimToken next();
  std::string_view text(const ClaimToken& token) const {
    return piece_of(text_, token.begin, token.end - token.begin);
  }
  // From `begin` on: up to the first ->, ;, ::, } or one of goto, fi and od that is not inside of
  // parentheses or quotes. The next token is what follows.
  ClaimToken skip_guard(u32 begin);

 private:
  char at(u32 offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  void skip_blanks();
  bool ends_guard(u32& word_end) const;

  std::string_view text_;
  u32 at_ = 0;
};

}  // namespace xmc::ltl
