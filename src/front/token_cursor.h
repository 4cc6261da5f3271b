// The current token of a text, and the messages about a token that should be another one: what the
// parsers of all languages have alike. A language derives its cursor from this one and adds how it
// gets back on its feet after a mistake.
//
// A lexer gives tokens with a kind, a byte range and a line; Tok::end and Tok::name are kinds of
// every language, and is_keyword() tells the others that look like names.
#pragma once

#include <string_view>

#include "front/source.h"
#include "xmc/check.h"
#include "xmc/types.h"

namespace xmc {

template <class Derived, class Lexer, class Token>
class TokenCursor {
 public:
  using Tok = decltype(Token::kind);

  const Token& token() const { return token_; }
  bool at(Tok kind) const { return token_.kind == kind; }
  Span here() const { return {token_.begin, token_.end}; }
  std::string_view text(const Token& token) const { return lexer_.text(token); }
  u32 last_end() const { return last_end_; }    // end of the token before the current one
  Tok last_kind() const { return last_kind_; }  // and its kind

  // The current token; moves on.
  Token take() {
    const Token taken = token_;
    if (taken.kind == Tok::end) return taken;
    last_end_ = taken.end;
    last_line_ = taken.line;
    last_kind_ = taken.kind;
    token_ = lexer_.next();
    XMC_CHECK(token_.begin >= taken.end);
    return taken;
  }
  bool accept(Tok kind) {
    if (!at(kind)) return false;
    derived().take();
    return true;
  }
  // Accepts `kind` or says "expected <what>".
  bool expect(Tok kind, const char* what) { return accept(kind) || fail_expected(what); }
  bool expect_name(Token& out, const char* what) {
    if (at(Tok::name)) {
      out = derived().take();
      return true;
    }
    if (!is_keyword(token_.kind)) return fail_expected(what);
    if (!syntax_error()) return false;
    const std::string_view word = text(token_);
    diagnostics_->error(token_.begin, token_.end, "expected %s, but '%.*s' is a keyword", what,
                        shown_bytes(word), word.data());
    return false;
  }

  // "expected <what> before ..."; always false, so that a caller can return it.
  bool fail_expected(const char* what) {
    if (!syntax_error()) return false;
    if (token_.kind == Tok::end) {
      diagnostics_->error(last_end_, last_end_, "expected %s, but the text ends here", what);
      return false;
    }
    const std::string_view found = text(token_);
    // What is missing at the end of a line is missed there, not at the first word of the next one.
    const bool next_line = token_.line != last_line_;
    const u32 begin = next_line ? last_end_ : token_.begin;
    const u32 end = next_line ? last_end_ : token_.end;
    diagnostics_->error(begin, end, "expected %s before '%.*s'", what, shown_bytes(found),
                        found.data());
    return false;
  }

  // Counts a mistake in the grammar at the current token. True when it should be reported: one
  // token is reported once, so that the callers of a part that failed do not repeat it in their own
  // words.
  bool syntax_error() {
    ++syntax_errors_;
    if (abandoned_ || last_error_ == token_.begin) return false;
    last_error_ = token_.begin;
    return true;
  }
  u32 syntax_errors() const { return syntax_errors_; }
  // Whether the last one was found in what begins there.
  bool is_broken_since(u32 begin) const { return last_error_ != kNone && last_error_ >= begin; }

  // After a limit was reached there is no point in going on: the rest of the text is taken as read.
  void abandon() {
    abandoned_ = true;
    token_.kind = Tok::end;
    token_.end = token_.begin;
  }
  bool abandoned() const { return abandoned_; }

 protected:
  TokenCursor(const Lexer& lexer, Diagnostics& diagnostics)
      : lexer_(lexer), diagnostics_(&diagnostics) {
    token_ = lexer_.next();
  }
  const Lexer& lexer() const { return lexer_; }

 private:
  Derived& derived() { return *static_cast<Derived*>(this); }

  Lexer lexer_;
  Diagnostics* diagnostics_;
  Token token_;
  u32 last_end_ = 0;
  u32 last_line_ = 1;
  Tok last_kind_ = Tok::end;
  u32 syntax_errors_ = 0;
  u32 last_error_ = kNone;  // start of the token that was reported last
  bool abandoned_ = false;
};

}  // namespace xmc
