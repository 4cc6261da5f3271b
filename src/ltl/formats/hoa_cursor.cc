// HoaCursor (hoa_header.h): the current token of an HOA text, label expressions, and the first
// failure with its place, behind which all tokens are the end.
#include "ltl/formats/hoa_header.h"
#include "ltl/graph/graph.h"

namespace xmc::ltl {

HoaCursor::HoaCursor(std::string_view text, Formulas& formulas, Arena& arena)
    : lexer_(text), formulas_(formulas), aliases_(scratch_array<Alias>(arena, kAliases)) {
  advance();
}

void HoaCursor::advance() {
  if (failed()) return;
  now_ = lexer_.next();
  if (now_.sign != HoaSign::bad) return;
  const bool quote = text().starts_with('"');
  fail(now_, quote ? Status::fail(Code::model, "the string is not closed")
                   : Status::fail(Code::model, "this byte starts nothing of the HOA format"));
}

void HoaCursor::fail(const HoaToken& token, const Status& status) {
  if (failed()) return;
  status_ = status;
  where_ = {token.begin, token.end};
  now_.sign = HoaSign::end;
}

void HoaCursor::expected(const char* what) {
  if (failed()) return;
  if (is(HoaSign::end)) {
    return fail(now_, Status::fail(Code::model, "expected %s, found the end", what));
  }
  const std::string_view seen = text();
  fail(now_, Status::fail(Code::model, "expected %s, found '%.*s'", what,
                          static_cast<int>(seen.size() < 40 ? seen.size() : 40), seen.data()));
}

bool HoaCursor::take_mark(char c) {
  if (!is_mark(c)) return false;
  advance();
  return true;
}

void HoaCursor::need_mark(char c) {
  const char what[] = {'\'', c, '\'', '\0'};
  if (!take_mark(c)) expected(what);
}

u32 HoaCursor::need_number(const char* what, u32 limit) {
  if (!is(HoaSign::number)) {
    expected(what);
    return 0;
  }
  const u32 value = now_.value;
  if (value >= limit) {
    fail(now_, Status::fail(Code::model, "%s must be below %u here", what, limit));
    return 0;
  }
  advance();
  return value;
}

void HoaCursor::define_alias(std::string_view name, Formula label) {
  if (alias_count_ == aliases_.size()) {
    return fail(now_, Status::fail(Code::model, "there are more than %u aliases", kAliases));
  }
  aliases_[alias_count_++] = {name, label};
}

Formula HoaCursor::make(Op op, u32 a, u32 b) {
  const Formula formula = formulas_.make(op, a, b);
  if (!formulas_.status().ok()) fail(now_, formulas_.status());
  return formula;
}

Formula HoaCursor::parse_label(u32 propositions) { return parse_or(propositions); }

Formula HoaCursor::parse_or(u32 propositions) {
  Formula left = parse_and(propositions);
  while (!failed() && take_mark('|')) {
    left = make(Op::disjunction, left, parse_and(propositions));
  }
  return left;
}

Formula HoaCursor::parse_and(u32 propositions) {
  Formula left = parse_atom(propositions);
  while (!failed() && take_mark('&')) {
    left = make(Op::conjunction, left, parse_atom(propositions));
  }
  return left;
}

Formula HoaCursor::parse_atom(u32 propositions) {
  if (is(HoaSign::number)) {
    return make(Op::proposition, need_number("the number of a proposition", propositions));
  }
  if (is_word("t") || is_word("f")) {
    const Formula constant = is_word("t") ? Formulas::kTrue : Formulas::kFalse;
    advance();
    return constant;
  }
  if (is(HoaSign::alias)) {
    // The last definition counts.
    for (u32 i = alias_count_; i-- > 0;) {
      if (aliases_[i].name != text()) continue;
      advance();
      return aliases_[i].label;
    }
    fail(now_, Status::fail(Code::model, "this alias is not defined"));
    return Formulas::kFalse;
  }
  if (!is_mark('!') && !is_mark('(')) {
    expected("a label: t, f, a number, an alias, '!' or '('");
    return Formulas::kFalse;
  }
  if (++depth_ > limits::kFormulaDepth) {
    fail(now_,
         Status::fail(Code::model, "labels are nested more than %u deep", limits::kFormulaDepth));
    return Formulas::kFalse;
  }
  Formula inner = Formulas::kFalse;
  if (take_mark('!')) {
    inner = parse_atom(propositions);
    inner = make(Op::negation, inner);
  } else {
    advance();
    inner = parse_or(propositions);
    need_mark(')');
  }
  --depth_;
  return inner;
}

}  // namespace xmc::ltl
