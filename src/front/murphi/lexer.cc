#include "front/murphi/lexer.h"

#include <cstdarg>
#include <iterator>

#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::murphi {

namespace {

constexpr std::string_view kKeywords[] = {
    "alias",        "array",       "assert",    "begin",       "boolean",
    "by",           "case",        "clear",     "const",       "do",
    "else",         "elsif",       "end",       "endalias",    "endchoose",
    "endexists",    "endfor",      "endforall", "endfunction", "endif",
    "endprocedure", "endrecord",   "endrule",   "endruleset",  "endstartstate",
    "endswitch",    "endwhile",    "enum",      "error",       "exists",
    "false",        "for",         "forall",    "function",    "if",
    "invariant",    "isundefined", "of",        "procedure",   "put",
    "record",       "return",      "rule",      "ruleset",     "scalarset",
    "startstate",   "switch",      "then",      "to",          "true",
    "type",         "undefine",    "union",     "var",         "while",
};
constexpr u32 kFirstKeyword = static_cast<u32>(Tok::kw_alias);
static_assert(std::size(kKeywords) == static_cast<u32>(Tok::kw_while) - kFirstKeyword + 1);

constexpr i64 kLargestLiteral = 9223372036854775807;
constexpr std::string_view kOpenQuote = "\xE2\x80\x9C";   // U+201C
constexpr std::string_view kCloseQuote = "\xE2\x80\x9D";  // U+201D

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_part(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

// The digit's value, or 99.
u32 digit_value(char c) {
  if (is_digit(c)) return static_cast<u32>(c - '0');
  const char s = small(c);
  return s >= 'a' && s <= 'f' ? static_cast<u32>(s - 'a') + 10 : 99;
}

Tok keyword_or_name(std::string_view word) {
  for (u32 i = 0; i < std::size(kKeywords); ++i) {
    if (same_word(word, kKeywords[i])) return static_cast<Tok>(kFirstKeyword + i);
  }
  return Tok::name;
}

}  // namespace

bool same_word(std::string_view name, std::string_view word) {
  if (name.size() != word.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (small(name[i]) != word[i]) return false;
  }
  return true;
}

Lexer::Lexer(const Source& source, Diagnostics& diagnostics, Dialect dialect)
    : text_(source.text),
      diagnostics_(&diagnostics),
      dialect_(dialect),
      size_(static_cast<u32>(source.text.size())) {
  XMC_CHECK(source.text.size() <= limits::kSourceBytes);
  if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
}

Lexer Lexer::quiet() const {
  Lexer copy = *this;
  copy.diagnostics_ = nullptr;
  return copy;
}

void Lexer::error(u32 begin, u32 end, const char* pattern, ...) {
  if (diagnostics_ == nullptr) return;
  va_list args;
  va_start(args, pattern);
  diagnostics_->report(Diagnostics::Severity::error, begin, end, pattern, args);
  va_end(args);
}

std::string_view Lexer::string_of(const Token& token) const {
  XMC_CHECK(token.kind == Tok::string);
  std::string_view inside = text(token);
  inside.remove_prefix(inside.starts_with(kOpenQuote) ? kOpenQuote.size() : 1);
  inside.remove_suffix(inside.ends_with(kCloseQuote) ? kCloseQuote.size() : 1);
  return inside;
}

// At "--" or "/*". False when it is neither.
bool Lexer::skip_comment() {
  if (rest(at_).starts_with("--")) {
    while (at_ < size_ && text_[at_] != '\n') ++at_;
    return true;
  }
  if (!rest(at_).starts_with("/*")) return false;
  const u32 begin = at_;
  for (at_ += 2; at_ < size_; ++at_) {
    if (text_[at_] == '\n') ++line_;
    if (text_[at_] == '*' && at(at_ + 1) == '/') {
      at_ += 2;
      return true;
    }
  }
  error(begin, begin + 2, "this comment has no end; write '*/' behind it");
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
    } else if (!skip_comment()) {
      return;
    }
  }
}

Token Lexer::lex_name(Token token) {
  while (at_ < size_ && is_name_part(text_[at_])) ++at_;
  token.end = at_;
  token.kind = keyword_or_name(text(token));
  if (token.end - token.begin > limits::kNameBytes) {
    error(token.begin, token.end, "a name of %u characters; at most %u are allowed",
          static_cast<unsigned>(token.end - token.begin),
          static_cast<unsigned>(limits::kNameBytes));
  }
  return token;
}

// Behind the digits of "1.5"; "1..5" is a range.
void Lexer::skip_real(Token& token) {
  if (at(at_) != '.' || !is_digit(at(at_ + 1))) return;
  for (++at_; at_ < size_ && is_digit(text_[at_]); ++at_) continue;
  token.end = at_;
  error(token.begin, token.end, "real numbers are not supported; scale them to integers");
}

Token Lexer::lex_number(Token token) {
  u32 base = 10;
  if (text_[at_] == '0' && small(at(at_ + 1)) == 'x' && digit_value(at(at_ + 2)) < 16) {
    base = 16;
    at_ += 2;
  } else if (dialect_ == Dialect::rumur && text_[at_] == '0' && is_digit(at(at_ + 1))) {
    base = 8;
  }
  i64 value = 0;
  bool large = false;
  bool wrong = false;
  for (; at_ < size_ && (is_digit(text_[at_]) || digit_value(text_[at_]) < base); ++at_) {
    const i64 digit = digit_value(text_[at_]);
    wrong = wrong || digit >= i64{base};
    large = large || value > (kLargestLiteral - digit) / i64{base};
    if (!large) value = value * i64{base} + digit;
  }
  token.end = at_;
  token.kind = Tok::number;
  token.value = large ? 0 : value;
  if (large) error(token.begin, token.end, "this number does not fit 64 bits");
  if (wrong) {
    error(token.begin, token.end,
          "a number with a leading 0 is octal in this dialect, and this is none");
  }
  if (base == 10) skip_real(token);
  return token;
}

// A string ends on its line: an unclosed quote would otherwise swallow half of the model.
bool Lexer::lex_string(Token& token) {
  const bool curly = rest(at_).starts_with(kOpenQuote);
  if (!curly && text_[at_] != '"') return false;
  at_ += curly ? static_cast<u32>(kOpenQuote.size()) : 1;
  token.kind = Tok::string;
  for (; at_ < size_ && text_[at_] != '\n'; ++at_) {
    if (dialect_ == Dialect::rumur && text_[at_] == '\\' && at(at_ + 1) != '\n') {
      ++at_;
      continue;
    }
    const bool closed = curly && rest(at_).starts_with(kCloseQuote);
    if (!closed && text_[at_] != '"') continue;
    at_ += closed ? static_cast<u32>(kCloseQuote.size()) : 1;
    token.end = at_;
    return true;
  }
  if (at_ > size_) at_ = size_;
  error(token.begin, at_, "this text has no closing quote on its line");
  // What is left is no string, so that nobody strips quotes off that are not there.
  return false;
}

// One message for a run of them: a binary file is one mistake, not a million.
void Lexer::skip_strange_bytes() {
  const u32 begin = at_;
  const char first = text_[at_];
  while (at_ < size_) {
    const char c = text_[at_];
    if (is_letter(c) || is_digit(c) || is_blank(c) || c == '\n' || c == '"') break;
    if (mark_at(rest(at_)).length != 0 || rest(at_).starts_with(kOpenQuote)) break;
    ++at_;
  }
  XMC_CHECK(at_ > begin);
  if (first == '_') {
    while (at_ < size_ && is_name_part(text_[at_])) ++at_;
    error(begin, at_, "a name begins with a letter, not with '_'");
  } else if (first > ' ' && first <= '~') {
    error(begin, at_, "'%c' has no meaning here", first);
  } else {
    error(begin, at_, "byte 0x%02X outside a comment or string",
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
    if (lex_string(token)) return token;
    if (at_ > token.begin) continue;  // a text without its end was reported
    if (const MarkFound found = mark_at(rest(at_)); found.length != 0) {
      at_ += found.length;
      token.kind = found.kind;
      token.end = at_;
      return token;
    }
    skip_strange_bytes();
  }
}

}  // namespace xmc::murphi
