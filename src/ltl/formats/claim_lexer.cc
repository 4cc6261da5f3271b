#include "ltl/formats/claim_lexer.h"

#include "ltl/formula/characters.h"

namespace xmc::ltl {

void ClaimLexer::skip_blanks() {
  for (;;) {
    if (at_ < text_.size() && is_blank(text_[at_])) {
      ++at_;
      continue;
    }
    if (at(at_) != '/' || (at(at_ + 1) != '*' && at(at_ + 1) != '/')) return;
    const bool block = at(at_ + 1) == '*';
    const std::size_t end = text_.find(block ? "*/" : "\n", at_ + 2);
    if (end == std::string_view::npos) {
      at_ = static_cast<u32>(text_.size());
      return;
    }
    at_ = static_cast<u32>(end) + (block ? 2 : 1);
  }
}

ClaimToken ClaimLexer::next() {
  skip_blanks();
  ClaimToken token{ClaimSign::bad, at_, at_ + 1};
  const char c = at(at_);
  if (at_ >= text_.size()) return {ClaimSign::end, at_, at_};
  if (is_letter(c)) {
    while (is_word(at(at_))) ++at_;
    return {ClaimSign::word, token.begin, at_};
  }
  if (c == ':' && at(at_ + 1) == ':') {
    token.sign = ClaimSign::option;
  } else if (c == '-' && at(at_ + 1) == '>') {
    token.sign = ClaimSign::arrow;
  } else if (c == ':') {
    token.sign = ClaimSign::colon;
  } else if (c == ';') {
    token.sign = ClaimSign::semicolon;
  } else if (c == '{') {
    token.sign = ClaimSign::open;
  } else if (c == '}') {
    token.sign = ClaimSign::close;
  } else if (c == '(' || c == '!' || c == '"' || is_digit(c)) {
    token.sign = ClaimSign::open_paren;
  }
  if (token.sign == ClaimSign::option || token.sign == ClaimSign::arrow) ++token.end;
  at_ = token.end;
  return token;
}

// `word_end` is behind the word that begins here, if one does.
bool ClaimLexer::ends_guard(u32& word_end) const {
  word_end = at_;
  while (is_word(at(word_end))) ++word_end;
  const std::string_view word = piece_of(text_, at_, word_end - at_);
  if (word == "goto" || word == "fi" || word == "od") return true;
  const char c = at(at_);
  return c == ';' || c == '}' || (c == ':' && at(at_ + 1) == ':') ||
         (c == '-' && at(at_ + 1) == '>');
}

ClaimToken ClaimLexer::skip_guard(u32 begin) {
  at_ = begin;
  u32 nesting = 0;
  u32 end = begin;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    u32 word_end = at_;
    if (nesting == 0 && ends_guard(word_end)) break;
    if (c == '(') ++nesting;
    if (c == ')' && nesting > 0) --nesting;
    if (c == '"') {
      const std::size_t quote = text_.find('"', at_ + 1);
      at_ = static_cast<u32>(quote == std::string_view::npos ? text_.size() - 1 : quote);
    }
    at_ = word_end > at_ ? word_end : at_ + 1;
    if (!is_blank(c)) end = at_;
  }
  return {ClaimSign::word, begin, end};
}

}  // namespace xmc::ltl
