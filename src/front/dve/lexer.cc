#include "front/dve/lexer.h"

#include <iterator>

#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::dve {

namespace {

constexpr std::string_view kKeywords[] = {
    "accept", "and",   "assert",  "async", "buchi",    "byte",    "channel",
    "commit", "const", "effect",  "false", "genbuchi", "guard",   "imply",
    "init",   "int",   "muller",  "not",   "or",       "process", "property",
    "rabin",  "state", "streett", "sync",  "system",   "trans",   "true",
};
constexpr u32 kFirstKeyword = static_cast<u32>(Tok::kw_accept);
static_assert(std::size(kKeywords) == static_cast<u32>(Tok::kw_true) - kFirstKeyword + 1);

constexpr i32 kLargestLiteral = 2147483647;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_part(char c) { return is_letter(c) || is_digit(c) || c == '$' || c == '#'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

Tok keyword_or_name(std::string_view word) {
  for (u32 i = 0; i < std::size(kKeywords); ++i) {
    if (kKeywords[i] == word) return static_cast<Tok>(kFirstKeyword + i);
  }
  return Tok::name;
}

struct Mark {
  char spelling[3];
  Tok kind;
};

constexpr Mark kTwoCharacters[] = {
    {"->", Tok::arrow}, {"=>", Tok::fat_arrow}, {"<<", Tok::shift_left}, {">>", Tok::shift_right},
    {"||", Tok::kw_or}, {"&&", Tok::kw_and},    {"<=", Tok::less_equal}, {">=", Tok::greater_equal},
    {"==", Tok::equal}, {"!=", Tok::not_equal}, {"++", Tok::plus_plus},  {"--", Tok::minus_minus},
};

Tok one_character(char c) {
  switch (c) {
    case '.':
      return Tok::dot;
    case ',':
      return Tok::comma;
    case ';':
      return Tok::semicolon;
    case ':':
      return Tok::colon;
    case '{':
      return Tok::left_brace;
    case '}':
      return Tok::right_brace;
    case '[':
      return Tok::left_bracket;
    case ']':
      return Tok::right_bracket;
    case '(':
      return Tok::left_paren;
    case ')':
      return Tok::right_paren;
    case '?':
      return Tok::question;
    case '!':
      return Tok::exclamation;
    case '~':
      return Tok::tilde;
    case '=':
      return Tok::assign;
    case '+':
      return Tok::plus;
    case '-':
      return Tok::minus;
    case '*':
      return Tok::star;
    case '/':
      return Tok::slash;
    case '%':
      return Tok::percent;
    case '|':
      return Tok::bar;
    case '&':
      return Tok::ampersand;
    case '^':
      return Tok::caret;
    case '<':
      return Tok::less;
    case '>':
      return Tok::greater;
    default:
      return Tok::end;
  }
}

}  // namespace

Lexer::Lexer(const Source& source, Diagnostics& diagnostics)
    : text_(source.text), diagnostics_(&diagnostics), size_(static_cast<u32>(source.text.size())) {
  XMC_CHECK(source.text.size() <= limits::kSourceBytes);
  if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
}

// At "//" or "/*". False when it is neither, that is, a division.
bool Lexer::skip_comment() {
  if (at(at_ + 1) == '/') {
    while (at_ < size_ && text_[at_] != '\n') ++at_;
    return true;
  }
  if (at(at_ + 1) != '*') return false;
  const u32 begin = at_;
  for (at_ += 2; at_ < size_; ++at_) {
    if (text_[at_] == '\n') ++line_;
    if (text_[at_] == '*' && at(at_ + 1) == '/') {
      at_ += 2;
      return true;
    }
  }
  diagnostics_->error(begin, begin + 2, "this comment has no end; write '*/' behind it");
  return true;
}

// At a backslash: it and the newline after it, with blanks between, are nothing.
bool Lexer::skip_continuation() {
  u32 after = at_ + 1;
  while (after < size_ && is_blank(text_[after])) ++after;
  if (at(after) != '\n') return false;
  ++line_;
  at_ = after + 1;
  return true;
}

void Lexer::skip_blanks() {
  while (at_ < size_) {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      ++at_;
    } else if (is_blank(c)) {
      ++at_;
    } else if (c == '/') {
      if (!skip_comment()) return;
    } else if (c == '\\') {
      if (!skip_continuation()) return;
    } else {
      return;
    }
  }
}

Token Lexer::lex_name(Token token) {
  while (at_ < size_ && is_name_part(text_[at_])) ++at_;
  token.end = at_;
  token.kind = keyword_or_name(text(token));
  if (token.end - token.begin > limits::kNameBytes) {
    diagnostics_->error(token.begin, token.end, "a name of %u characters; at most %u are allowed",
                        static_cast<unsigned>(token.end - token.begin),
                        static_cast<unsigned>(limits::kNameBytes));
  }
  return token;
}

Token Lexer::lex_number(Token token) {
  i64 value = 0;
  for (; at_ < size_ && is_digit(text_[at_]); ++at_) {
    if (value <= kLargestLiteral) value = value * 10 + (text_[at_] - '0');
  }
  token.end = at_;
  token.kind = Tok::number;
  if (value > kLargestLiteral) {
    diagnostics_->error(token.begin, token.end, "this number is larger than %d",
                        static_cast<int>(kLargestLiteral));
    value = 0;
  }
  token.value = static_cast<i32>(value);
  return token;
}

bool Lexer::lex_mark(Token& token) {
  const char first = text_[at_];
  for (const Mark& mark : kTwoCharacters) {
    if (mark.spelling[0] != first || mark.spelling[1] != at(at_ + 1)) continue;
    token.kind = mark.kind;
    at_ += 2;
    token.end = at_;
    return true;
  }
  token.kind = one_character(first);
  if (token.kind == Tok::end) return false;
  token.end = ++at_;
  return true;
}

// One message for a run of them: a binary file is one mistake, not a million.
void Lexer::skip_strange_bytes() {
  const u32 begin = at_;
  const char first = text_[at_];
  while (at_ < size_) {
    const char c = text_[at_];
    if (is_letter(c) || is_digit(c) || is_blank(c) || c == '\n') break;
    if (one_character(c) != Tok::end) break;
    if (c == '\\' && at_ != begin) break;
    ++at_;
  }
  XMC_CHECK(at_ > begin);
  if (first == '\\') {
    diagnostics_->error(begin, begin + 1, "a backslash is only allowed at the end of a line");
  } else if (first > ' ' && first <= '~') {
    diagnostics_->error(begin, at_, "'%c' has no meaning here", first);
  } else {
    diagnostics_->error(begin, at_, "byte 0x%02X outside a comment; a model is plain ASCII text",
                        static_cast<unsigned>(static_cast<u8>(first)));
  }
}

Token Lexer::next() {
  for (;;) {
    skip_blanks();
    Token token;
    token.begin = token.end = at_;
    token.line = line_;
    if (at_ >= size_) return token;
    const char c = text_[at_];
    if (is_letter(c)) return lex_name(token);
    if (is_digit(c)) return lex_number(token);
    if (lex_mark(token)) return token;
    skip_strange_bytes();
  }
}

}  // namespace xmc::dve
