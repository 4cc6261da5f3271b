#include "front/promela/text/token_writer.h"

#include "xmc/limits.h"
#include "xmc/text.h"

namespace xmc::promela {

namespace {

// Whether a semicolon may be left out behind this token at the end of a line.
bool may_end_statement(Tok kind) {
  switch (kind) {
    case Tok::right_brace:
    case Tok::right_paren:
    case Tok::right_bracket:
    case Tok::kw_od:
    case Tok::kw_fi:
    case Tok::kw_else:
    case Tok::kw_break:
    case Tok::name:
    case Tok::number:
    case Tok::increment:
    case Tok::decrement:
      return true;
    default:
      return false;
  }
}

// Words in front of a '{' of the outermost level: with a body or with fields behind it.
bool begins_body(Tok kind) {
  switch (kind) {
    case Tok::kw_proctype:
    case Tok::kw_D_proctype:
    case Tok::kw_init:
    case Tok::kw_never:
    case Tok::kw_trace:
    case Tok::kw_notrace:
    case Tok::kw_inline:
    case Tok::kw_typedef:
      return true;
    default:
      return false;
  }
}

bool begins_list(Tok kind) {
  return kind == Tok::kw_mtype || kind == Tok::kw_ltl || kind == Tok::kw_of || kind == Tok::assign;
}

}  // namespace

i32 TokenWriter::number_value(const RawToken& raw) {
  u64 value = 0;
  for (const char c : raw.text) {
    if (c < '0' || c > '9') {
      diagnostics_.error(raw.place.begin, raw.place.end, "numbers are decimal, and '%.*s' is none",
                         shown_bytes(raw.text), raw.text.data());
      return 0;
    }
    value = value * 10 + static_cast<u64>(c - '0');
    if (value > 0xFFFF'FFFFu) break;
  }
  if (value > 0xFFFF'FFFFu) {
    diagnostics_.error(raw.place.begin, raw.place.end, "this number does not fit 32 bits");
    return 0;
  }
  return static_cast<i32>(static_cast<u32>(value));
}

i32 TokenWriter::character_value(const RawToken& raw) {
  const std::string_view inside = piece_of(raw.text, 1, raw.text.size() - 2);
  if (inside.size() == 1 && inside[0] != '\\') return static_cast<i32>(static_cast<u8>(inside[0]));
  if (inside.size() == 2 && inside[0] == '\\') {
    switch (inside[1]) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      case 'f':
        return '\f';
      default:
        return static_cast<i32>(static_cast<u8>(inside[1]));
    }
  }
  diagnostics_.error(raw.place.begin, raw.place.end, "one character is expected between quotes");
  return 0;
}

Token TokenWriter::classify(const RawToken& raw) {
  Token token;
  token.text = raw.text;
  token.place = raw.place;
  switch (raw.kind) {
    case Raw::name:
      token.kind = keyword_or_name(raw.text);
      if (raw.text == "true" || raw.text == "false" || raw.text == "skip") {
        token.kind = Tok::number;
        token.value = raw.text == "false" ? 0 : 1;
      }
      break;
    case Raw::number:
      token.kind = Tok::number;
      token.value = number_value(raw);
      break;
    case Raw::character:
      token.kind = Tok::number;
      token.value = character_value(raw);
      break;
    case Raw::string:
      token.kind = Tok::string;
      break;
    default:
      token.kind = mark_kind(raw.text);
  }
  if (token.kind == Tok::name && token.text.size() > limits::kNameBytes) {
    diagnostics_.error(
        raw.place.begin, raw.place.end, "a name of %u characters; at most %u are allowed",
        static_cast<unsigned>(token.text.size()), static_cast<unsigned>(limits::kNameBytes));
  }
  return token;
}

void TokenWriter::note_nesting(Tok kind) {
  if (kind == Tok::left_paren) ++parens_;
  if (kind == Tok::right_paren && parens_ > 0) --parens_;
  if (braces_ == 0 && lists_ == 0 && parens_ == 0) {
    if (begins_body(kind) || begins_list(kind)) unit_ = kind;
  }
  if (kind == Tok::left_brace) {
    const bool is_list = lists_ > 0 || (braces_ > 0 ? begins_list(last_) : !begins_body(unit_));
    ++(is_list ? lists_ : braces_);
    if (!is_list) parens_ = 0;
  }
  if (kind == Tok::right_brace) {
    u32& open = lists_ > 0 ? lists_ : braces_;
    if (open > 0) --open;
    parens_ = 0;
  }
}

void TokenWriter::push(const Token& token) {
  note_nesting(token.kind);
  last_ = token.kind;
  tokens_.push(token);
}

void TokenWriter::add(const RawToken& raw) {
  if (is_full()) return;
  const Token token = classify(raw);
  const bool in_body = braces_ > 0 && lists_ == 0 && parens_ == 0;
  if (raw.is_first && in_body && may_end_statement(last_) &&
      !(last_ == Tok::right_brace && token.kind == Tok::kw_unless)) {
    Token separator;
    separator.kind = Tok::semicolon;
    separator.text = ";";
    separator.place = token.place;
    separator.is_implied = true;
    push(separator);
  }
  push(token);
}

void TokenWriter::finish(Span place) {
  Token token;
  token.place = place;
  tokens_.push(token);
}

}  // namespace xmc::promela
