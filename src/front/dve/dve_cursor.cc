#include "front/dve/dve_cursor.h"

#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::dve {

int shown_bytes(std::string_view piece) {
  return static_cast<int>(piece.size() < limits::kNameBytes ? piece.size() : limits::kNameBytes);
}

Cursor::Cursor(const Source& source, Diagnostics& diagnostics)
    : lexer_(source, diagnostics), diagnostics_(&diagnostics) {
  token_ = lexer_.next();
}

Token Cursor::take() {
  const Token taken = token_;
  if (taken.kind == Tok::end) return taken;
  last_end_ = taken.end;
  last_line_ = taken.line;
  if (taken.kind == Tok::left_brace) ++level_;
  if (taken.kind == Tok::right_brace && level_ > 0) --level_;
  token_ = lexer_.next();
  XMC_CHECK(token_.begin >= taken.end);
  return taken;
}

bool Cursor::accept(Tok kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

bool Cursor::expect(Tok kind, const char* what) { return accept(kind) || fail_expected(what); }

bool Cursor::expect_name(Token& out, const char* what) {
  if (at(Tok::name)) {
    out = take();
    return true;
  }
  if (!is_keyword(token_.kind)) return fail_expected(what);
  if (!syntax_error()) return false;
  const std::string_view word = text(token_);
  diagnostics_->error(token_.begin, token_.end, "expected %s, but '%.*s' is a keyword", what,
                      shown_bytes(word), word.data());
  return false;
}

bool Cursor::syntax_error() {
  ++syntax_errors_;
  if (abandoned_ || last_error_ == token_.begin) return false;
  last_error_ = token_.begin;
  return true;
}

bool Cursor::fail_expected(const char* what) {
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

bool Cursor::at_outer_word() const {
  return at(Tok::end) || at(Tok::kw_process) || at(Tok::kw_system);
}

// A word that starts a declaration, a section of a process or a part of a transition, and is
// nowhere else.
bool Cursor::at_starting_word() const {
  switch (token_.kind) {
    case Tok::kw_const:
    case Tok::kw_byte:
    case Tok::kw_int:
    case Tok::kw_channel:
    case Tok::kw_state:
    case Tok::kw_init:
    case Tok::kw_commit:
    case Tok::kw_accept:
    case Tok::kw_assert:
    case Tok::kw_trans:
    case Tok::kw_guard:
    case Tok::kw_sync:
    case Tok::kw_effect:
      return true;
    default:
      return false;
  }
}

void Cursor::skip_part(u32 level) {
  while (!at_outer_word()) {
    const bool inside = level_ > level;
    if (!inside && (at(Tok::right_brace) || at_starting_word())) return;
    if (accept(Tok::semicolon)) break;
    take();
  }
  level_ = level;
}

void Cursor::skip_section(u32 level) {
  while (!at_outer_word()) {
    const bool inside = level_ > level;
    if (!inside && (at(Tok::right_brace) || at_starting_word())) return;
    if (at(Tok::semicolon) && !inside) {
      take();
      return;
    }
    take();
  }
}

void Cursor::skip_transition(u32 level) {
  while (!at_outer_word()) {
    const bool inside = level_ > level;
    if (!inside && (at(Tok::right_brace) || at(Tok::semicolon))) return;
    const Token token = take();
    if (token.kind == Tok::right_brace && level_ <= level) return;
  }
}

void Cursor::skip_to_top() {
  for (;;) {
    switch (token_.kind) {
      case Tok::end:
      case Tok::kw_process:
      case Tok::kw_system:
      case Tok::kw_channel:
      case Tok::kw_const:
      case Tok::kw_byte:
      case Tok::kw_int:
        level_ = 0;
        return;
      default:
        take();
    }
  }
}

void Cursor::abandon() {
  abandoned_ = true;
  token_.kind = Tok::end;
  token_.end = token_.begin;
}

}  // namespace xmc::dve
