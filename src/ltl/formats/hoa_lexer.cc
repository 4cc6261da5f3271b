#include "ltl/formats/hoa_lexer.h"

#include "ltl/formula/characters.h"

namespace xmc::ltl {

namespace {

bool in_word(char c) { return is_word(c) || c == '-'; }

}  // namespace

// Comments are between /* and */, one inside another.
void HoaLexer::skip_blanks() {
  u32 nesting = 0;
  while (at_ < text_.size()) {
    if (at(at_) == '/' && at(at_ + 1) == '*') {
      ++nesting;
      at_ += 2;
    } else if (nesting > 0 && at(at_) == '*' && at(at_ + 1) == '/') {
      --nesting;
      at_ += 2;
    } else if (nesting > 0 || is_blank(at(at_))) {
      ++at_;
    } else {
      return;
    }
  }
}

HoaToken HoaLexer::next() {
  skip_blanks();
  HoaToken token;
  token.begin = token.end = at_;
  if (at_ >= text_.size()) return token;
  const char c = at(at_);
  if (is_letter(c) || c == '@') return lex_word(token);
  if (is_digit(c)) return lex_number(token);
  if (c == '"') return lex_string(token);
  return lex_mark(token);
}

HoaToken HoaLexer::lex_word(HoaToken token) {
  token.sign = at(at_) == '@' ? HoaSign::alias : HoaSign::word;
  ++at_;
  while (in_word(at(at_))) ++at_;
  token.end = at_;
  if (token.sign == HoaSign::word && at(at_) == ':') {
    token.sign = HoaSign::header;
    ++at_;
  }
  return token;
}

HoaToken HoaLexer::lex_number(HoaToken token) {
  token.sign = HoaSign::number;
  u64 value = 0;
  for (; is_digit(at(at_)); ++at_) {
    value = value * 10 + static_cast<u64>(at(at_) - '0');
    if (value > kNone) value = kNone;
  }
  token.value = static_cast<u32>(value);
  token.end = at_;
  return token;
}

// Escapes stay in the text.
HoaToken HoaLexer::lex_string(HoaToken token) {
  u32 end = at_ + 1;
  while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2u : 1u;
  if (end >= text_.size()) {
    token.sign = HoaSign::bad;
    token.end = at_ = static_cast<u32>(text_.size());
    return token;
  }
  token.sign = HoaSign::string;
  token.begin = at_ + 1;
  token.end = end;
  at_ = end + 1;
  return token;
}

HoaToken HoaLexer::lex_mark(HoaToken token) {
  struct Word {
    std::string_view text;
    HoaSign sign;
  };
  constexpr Word kWords[] = {
      {"--BODY--", HoaSign::body}, {"--END--", HoaSign::finish}, {"--ABORT--", HoaSign::abort}};
  const std::string_view rest = piece_of(text_, at_);
  for (const Word& word : kWords) {
    if (!rest.starts_with(word.text)) continue;
    token.sign = word.sign;
    at_ += static_cast<u32>(word.text.size());
    token.end = at_;
    return token;
  }
  token.mark = at(at_);
  constexpr std::string_view kMarks = "!&|()[]{}";
  token.sign = kMarks.find(token.mark) == std::string_view::npos ? HoaSign::bad : HoaSign::mark;
  token.end = ++at_;
  return token;
}

}  // namespace xmc::ltl
