#include "front/dve/dve_cursor.h"

namespace xmc::dve {

Token Cursor::take() {
  const Token taken = TokenCursor::take();
  if (taken.kind == Tok::left_brace) ++level_;
  if (taken.kind == Tok::right_brace && level_ > 0) --level_;
  return taken;
}

bool Cursor::at_outer_word() const {
  return at(Tok::end) || at(Tok::kw_process) || at(Tok::kw_system);
}

// A word that starts a declaration, a section of a process or a part of a transition, and is
// nowhere else.
bool Cursor::at_starting_word() const {
  switch (token().kind) {
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
    switch (token().kind) {
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

}  // namespace xmc::dve
