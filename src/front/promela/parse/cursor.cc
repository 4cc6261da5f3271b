#include "front/promela/parse/cursor.h"

#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::promela {

Cursor::Cursor(const Tokens& tokens, Diagnostics& diagnostics, Arena& arena)
    : tokens_(tokens),
      diagnostics_(diagnostics),
      frames_(arena, "texts being read"),
      saved_(arena, "actual parameters"),
      actuals_(arena, "actual parameters") {
  frames_.push({0, tokens.size(), false, true, false, 0, 0, 0});
  token_ = read();
}

// A formal parameter of the body being read: its actual one is read instead.
bool Cursor::substitute(const Frame& frame, const Token& token) {
  if (token.kind != Tok::name || last_kind_ == Tok::dot) return false;
  for (u32 i = 0; i < frame.count; ++i) {
    if (tokens_[frame.formals + 2 * i].text != token.text) continue;
    const TokenRange actual = actuals_[frame.first_actual + i];
    if (frames_.full()) return false;
    frames_.push({actual.first, actual.end, actual.is_actual, false, false, 0, 0, 0});
    return true;
  }
  return false;
}

Token Cursor::read() {
  Token end;
  end.place = last_;
  if (abandoned_) return end;
  for (;;) {
    Frame& frame = frames_[frames_.size() - 1];
    if (frame.at == frame.end) {
      if (frame.is_range || frame.is_body) return end;
      frames_.cut(frames_.size() - 1);
      continue;
    }
    const Token token = frame.is_actual ? saved_[frame.at] : tokens_[frame.at];
    if (token.kind != Tok::end) ++frame.at;
    if (++read_ > limits::kTokensRead) {
      diagnostics_.error(token.place.begin, token.place.end,
                         "more than %u tokens with all inlines in place; the model is too large",
                         static_cast<unsigned>(limits::kTokensRead));
      abandoned_ = true;
      return end;
    }
    if (frame.is_body && substitute(frame, token)) continue;
    return token;
  }
}

Token Cursor::take() {
  const Token taken = token_;
  if (taken.kind == Tok::end) return taken;
  last_ = taken.place;
  last_kind_ = taken.kind;
  token_ = read();
  return taken;
}

Token Cursor::peek() const {
  for (u32 i = frames_.size(); i > 0; --i) {
    const Frame& frame = frames_[i - 1];
    if (frame.at < frame.end) {
      const Token token = frame.is_actual ? saved_[frame.at] : tokens_[frame.at];
      // What stands for a formal parameter matters to nobody who looks just one token ahead.
      return token;
    }
    if (frame.is_range || frame.is_body) break;
  }
  return {};
}

bool Cursor::accept(Tok kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

bool Cursor::accept_separators() {
  bool found = false;
  while (at(Tok::semicolon) || at(Tok::arrow)) {
    take();
    found = true;
  }
  return found;
}

bool Cursor::expect_name(Token& out, const char* what) {
  if (at(Tok::name)) {
    out = take();
    return true;
  }
  if (!is_keyword(token_.kind)) return fail_expected(what);
  if (!syntax_error()) return false;
  diagnostics_.error(token_.place.begin, token_.place.end, "expected %s, but '%.*s' is a keyword",
                     what, shown_bytes(token_.text), token_.text.data());
  return false;
}

bool Cursor::syntax_error() {
  ++syntax_errors_;
  const u32 position = read_;
  if (abandoned_ || last_error_ == position) return false;
  last_error_ = position;
  return true;
}

bool Cursor::fail_expected(const char* what) {
  if (!syntax_error()) return false;
  if (token_.kind == Tok::end) {
    diagnostics_.error(last_.end, last_.end, "expected %s, but the text ends here", what);
  } else if (token_.is_implied) {
    diagnostics_.error(last_.end, last_.end, "expected %s before the end of the line", what);
  } else {
    diagnostics_.error(token_.place.begin, token_.place.end, "expected %s before '%.*s'", what,
                       shown_bytes(token_.text), token_.text.data());
  }
  return false;
}

void Cursor::enter(TokenRange range) {
  XMC_CHECK(!frames_.full());
  frames_.push({range.first, range.end, range.is_actual, true, false, 0, 0, 0});
  token_ = read();
}

void Cursor::leave() {
  while (!frames_[frames_.size() - 1].is_range) frames_.cut(frames_.size() - 1);
  frames_.cut(frames_.size() - 1);
}

// The current token stands behind the call: it is read again when the body is done.
void Cursor::open_body(TokenRange body, u32 formals, u32 first_actual, u32 count) {
  if (abandoned_) return;
  TokenRange rest{saved_.size(), 0, true};
  save_actual(token_);
  rest.end = saved_.size();
  if (frames_.size() + 2 >= frames_.capacity()) return abandon();
  if (token_.kind != Tok::end) frames_.push({rest.first, rest.end, true, false, false, 0, 0, 0});
  frames_.push({body.first, body.end, false, false, true, formals, first_actual, count});
  ++bodies_;
  token_ = read();
}

bool Cursor::close_body() {
  if (abandoned_) return false;
  while (!frames_[frames_.size() - 1].is_body) {
    if (frames_[frames_.size() - 1].is_range) return false;
    frames_.cut(frames_.size() - 1);
  }
  const bool complete = frames_[frames_.size() - 1].at == frames_[frames_.size() - 1].end;
  frames_.cut(frames_.size() - 1);
  --bodies_;
  token_ = read();
  return complete;
}

void Cursor::leave_bodies() {
  if (abandoned_ || bodies_ == 0) return;
  while (!frames_[frames_.size() - 1].is_range) frames_.cut(frames_.size() - 1);
  bodies_ = 0;
  token_ = read();
}

bool Cursor::save_actual(const Token& token) {
  if (saved_.full()) {
    abandon();
    return false;
  }
  saved_.push(token);
  return true;
}

u32 Cursor::add_actual(TokenRange range) {
  if (actuals_.full()) {
    abandon();
    return 0;
  }
  return actuals_.push(range);
}

void Cursor::abandon() {
  abandoned_ = true;
  token_ = {};
  token_.place = last_;
}

}  // namespace xmc::promela
