// The current token of a model. Calls of inlines are read here as the text that they stand for: the
// body, with actual parameters in the place of formal ones. So the parser sees one stream.
#pragma once

#include "front/promela/text/tokens.h"
#include "front/source.h"
#include "front/stack.h"
#include "xmc/arena.h"

namespace xmc::promela {

// A range of tokens: of the text, or of actual parameters.
struct TokenRange {
  u32 first = 0;
  u32 end = 0;
  bool is_actual = false;
};

class Cursor {
 public:
  Cursor(const Tokens& tokens, Diagnostics& diagnostics, Arena& arena);

  const Token& token() const { return token_; }
  bool at(Tok kind) const { return token_.kind == kind; }
  bool at_word(std::string_view word) const { return at(Tok::name) && token_.text == word; }
  Span here() const { return token_.place; }
  Span last() const { return last_; }  // the token before the current one
  Tok last_kind() const { return last_kind_; }
  Token take();
  Token peek() const;  // the token behind the current one
  bool accept(Tok kind);
  // Accepts `kind` or says "expected <what>".
  bool expect(Tok kind, const char* what) { return accept(kind) || fail_expected(what); }
  bool expect_name(Token& out, const char* what);
  // ';' or '->', any number of them.
  bool accept_separators();

  // "expected <what> before ..."; always false, so that a caller can return it.
  bool fail_expected(const char* what);
  // True when a mistake at the current token should be reported: one token is reported once.
  bool syntax_error();
  u32 syntax_errors() const { return syntax_errors_; }

  // Reads a range of the text and comes back; the token behind it is Tok::end until leave().
  void enter(TokenRange range);
  void leave();
  // The position of the current token, while nothing but the text is read.
  u32 position() const { return frames_[frames_.size() - 1].at - 1; }

  // A call: what follows is this body, then the rest. `formals` are names of the text, `actuals`
  // ranges that save_actual() gave; they are `count` from the given index of actuals() on.
  void open_body(TokenRange body, u32 formals, u32 first_actual, u32 count);
  // Whether the current body is read to its end, and back to its caller.
  bool close_body();
  // After a mistake: back to the text, as if all bodies were read.
  void leave_bodies();
  u32 bodies() const { return bodies_; }
  // Keeps a token of an actual parameter.
  bool save_actual(const Token& token);
  u32 saved() const { return saved_.size(); }
  u32 add_actual(TokenRange range);
  const Tokens& tokens() const { return tokens_; }

  // After a limit was reached the rest of the text is taken as read.
  void abandon();
  bool abandoned() const { return abandoned_; }

 private:
  struct Frame {
    u32 at = 0;
    u32 end = 0;
    bool is_actual = false;  // tokens are those of saved_
    bool is_range = false;   // ends with Tok::end
    bool is_body = false;
    u32 formals = 0;  // tokens of the text, names and commas
    u32 first_actual = 0;
    u32 count = 0;
  };

  Token read();
  bool substitute(const Frame& frame, const Token& token);

  const Tokens& tokens_;
  Diagnostics& diagnostics_;
  Stack<Frame> frames_;
  Pool<Token, 7, 1024> saved_;
  Pool<TokenRange, 5, 512> actuals_;
  Token token_;
  Span last_;
  Tok last_kind_ = Tok::end;
  u32 bodies_ = 0;
  u32 read_ = 0;
  u32 syntax_errors_ = 0;
  u32 last_error_ = kNone;
  bool abandoned_ = false;
};

}  // namespace xmc::promela
