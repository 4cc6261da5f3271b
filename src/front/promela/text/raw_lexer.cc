#include "front/promela/text/raw_lexer.h"

#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/text.h"

namespace xmc::promela {

namespace {

// Longer ones first. The marks of formulas are marks everywhere: no statement has two of these
// signs side by side.
constexpr std::string_view kRawMarks[] = {
    "<->", "::", "->", "..", "++", "--", "!!", "??",  "<<",  ">>", "<=", ">=",
    "==",  "!=", "&&", "||", "##", "[]", "<>", "\\/", "/\\", ":",  ";",  ",",
    ".",   "(",  ")",  "[",  "]",  "{",  "}",  "@",   "=",   "!",  "?",  "+",
    "-",   "*",  "/",  "%",  "<",  ">",  "&",  "|",   "^",   "~",  "#",
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_part(char c) { return is_letter(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

}  // namespace

u32 mark_length(std::string_view text) {
  for (const std::string_view mark : kRawMarks) {
    if (!text.starts_with(mark)) continue;
    // "/\" at the end of a line is a division that goes on in the next one.
    if (mark == "/\\" && (text.size() == 2 || text[2] == '\n' || text[2] == '\r')) continue;
    return static_cast<u32>(mark.size());
  }
  return 0;
}

bool is_name(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return false;
  for (const char c : text) {
    if (!is_name_part(c)) return false;
  }
  return true;
}

RawLexer::RawLexer(std::string_view text, u32 first, Diagnostics* diagnostics)
    : text_(text), diagnostics_(diagnostics), first_(first) {
  XMC_CHECK(text.size() <= limits::kSourceBytes);
  if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
}

RawLexer RawLexer::quiet() const {
  RawLexer copy = *this;
  copy.diagnostics_ = nullptr;
  return copy;
}

RawLexer RawLexer::with(const RawLexer& other) const {
  RawLexer copy = *this;
  copy.diagnostics_ = other.diagnostics_;
  return copy;
}

// Bytes of a backslash with the end of its line behind it, or 0.
u32 RawLexer::continuation(u32 offset) const {
  if (at(offset) != '\\') return 0;
  u32 end = offset + 1;
  while (is_blank(at(end))) ++end;
  return at(end) == '\n' ? end + 1 - offset : 0;
}

bool RawLexer::skip_comment() {
  const std::string_view rest = piece_of(text_, at_);
  if (rest.starts_with("//")) {
    while (at_ < text_.size() && text_[at_] != '\n') {
      const u32 more = continuation(at_);
      at_ += more != 0 ? more : 1;
    }
    return true;
  }
  if (!rest.starts_with("/*")) return false;
  const std::size_t end = rest.find("*/", 2);
  if (end != std::string_view::npos) {
    at_ += static_cast<u32>(end) + 2;
    return true;
  }
  if (diagnostics_ != nullptr) {
    diagnostics_->error(first_ + at_, first_ + at_ + 2,
                        "this comment has no end; write '*/' behind it");
  }
  at_ = static_cast<u32>(text_.size());
  return true;
}

void RawLexer::skip_blanks(RawToken& token) {
  for (;;) {
    if (at(at_) == '\n' && at_ < text_.size()) {
      at_line_ = true;
      ++at_;
    } else if (at_ < text_.size() && is_blank(text_[at_])) {
      ++at_;
    } else if (const u32 more = continuation(at_); more != 0) {
      at_ += more;
    } else if (at_ >= text_.size() || !skip_comment()) {
      return;
    }
    token.has_blank = true;
  }
}

void RawLexer::finish(RawToken& token, Raw kind, u32 begin) const {
  token.kind = kind;
  token.text = piece_of(text_, begin, at_ - begin);
  token.place = {first_ + begin, first_ + at_};
}

// A text or a character, which ends on its line.
bool RawLexer::lex_quoted(RawToken& token) {
  const char quote = text_[at_];
  if (quote != '"' && quote != '\'') return false;
  const u32 begin = at_;
  for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
    if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
      ++at_;
    } else if (text_[at_] == quote) {
      ++at_;
      finish(token, quote == '"' ? Raw::string : Raw::character, begin);
      return true;
    }
  }
  if (at_ > text_.size()) at_ = static_cast<u32>(text_.size());
  if (diagnostics_ != nullptr) {
    diagnostics_->error(first_ + begin, first_ + at_, "this text has no closing quote on its line");
  }
  return false;
}

// One message for a run of them: a binary file is one mistake, not a million.
void RawLexer::skip_strange_bytes() {
  const u32 begin = at_;
  const char first = text_[at_];
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (is_name_part(c) || is_blank(c) || c == '\n' || c == '"' || c == '\'') break;
    if (mark_length(piece_of(text_, at_)) != 0) break;
    if (at_ > begin && continuation(at_) != 0) break;
    ++at_;
  }
  XMC_CHECK(at_ > begin);
  if (diagnostics_ == nullptr) return;
  if (first > ' ' && first <= '~') {
    diagnostics_->error(first_ + begin, first_ + at_, "'%c' has no meaning here", first);
  } else {
    diagnostics_->error(first_ + begin, first_ + at_, "byte 0x%02X outside a comment or text",
                        static_cast<unsigned>(static_cast<u8>(first)));
  }
}

RawToken RawLexer::next() {
  for (;;) {
    RawToken token;
    skip_blanks(token);
    const u32 begin = at_;
    token.is_first = at_line_;
    finish(token, Raw::end, begin);
    if (at_ >= text_.size()) {
      token.is_first = true;
      return token;
    }
    at_line_ = false;
    const char c = text_[at_];
    if (is_name_part(c)) {
      while (is_name_part(at(at_))) ++at_;
      finish(token, is_digit(c) ? Raw::number : Raw::name, begin);
      return token;
    }
    if (lex_quoted(token)) return token;
    if (at_ > begin) continue;  // a text without its end was reported
    if (const u32 length = mark_length(piece_of(text_, at_)); length != 0) {
      at_ += length;
      finish(token, Raw::mark, begin);
      return token;
    }
    skip_strange_bytes();
  }
}

std::string_view RawLexer::take_line() {
  const u32 begin = at_;
  while (at_ < text_.size() && text_[at_] != '\n') {
    const u32 more = continuation(at_);
    at_ += more != 0 ? more : 1;
  }
  u32 end = at_;
  while (end > begin && is_blank(text_[end - 1])) --end;
  u32 from = begin;
  while (from < end && is_blank(text_[from])) ++from;
  return piece_of(text_, from, end - from);
}

}  // namespace xmc::promela
