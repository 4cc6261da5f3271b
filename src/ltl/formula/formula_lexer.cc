#include "ltl/formula/formula_lexer.h"

#include "ltl/formula/characters.h"

namespace xmc::ltl {

namespace {

struct Word {
  std::string_view text;
  Sign sign;
  Op op;
  bool temporal;
};

// The words of Spin and Spot. Spin's "next" is not among them: models have variables of that name.
constexpr Word kWords[] = {
    {"true", Sign::truth, Op::truth, false},
    {"false", Sign::falsity, Op::falsity, false},
    {"not", Sign::unary, Op::negation, false},
    {"and", Sign::binary, Op::conjunction, false},
    {"or", Sign::binary, Op::disjunction, false},
    {"xor", Sign::binary, Op::exclusive, false},
    {"implies", Sign::binary, Op::implication, false},
    {"equivalent", Sign::binary, Op::equivalence, false},
    {"G", Sign::unary, Op::globally, true},
    {"F", Sign::unary, Op::finally, true},
    {"X", Sign::unary, Op::next, true},
    {"U", Sign::binary, Op::until, true},
    {"R", Sign::binary, Op::release, true},
    {"V", Sign::binary, Op::release, true},
    {"W", Sign::binary, Op::weak_until, true},
    {"M", Sign::binary, Op::strong_release, true},
    {"always", Sign::unary, Op::globally, true},
    {"eventually", Sign::unary, Op::finally, true},
    {"until", Sign::binary, Op::until, true},
    {"stronguntil", Sign::binary, Op::until, true},
    {"weakuntil", Sign::binary, Op::weak_until, true},
    {"release", Sign::binary, Op::release, true},
};

// The longest mark that fits is taken, so longer ones come first.
constexpr Word kMarks[] = {
    {"<-->", Sign::binary, Op::equivalence, false}, {"<->", Sign::binary, Op::equivalence, false},
    {"<=>", Sign::binary, Op::equivalence, false},  {"-->", Sign::binary, Op::implication, false},
    {"->", Sign::binary, Op::implication, false},   {"=>", Sign::binary, Op::implication, false},
    {"[]", Sign::unary, Op::globally, true},        {"<>", Sign::unary, Op::finally, true},
    {"&&", Sign::binary, Op::conjunction, false},   {"||", Sign::binary, Op::disjunction, false},
    {"/\\", Sign::binary, Op::conjunction, false},  {"\\/", Sign::binary, Op::disjunction, false},
    {"==", Sign::comparison, Op::falsity, false},   {"!=", Sign::comparison, Op::falsity, false},
    {"<=", Sign::comparison, Op::falsity, false},   {">=", Sign::comparison, Op::falsity, false},
    {"<<", Sign::arithmetic, Op::falsity, false},   {">>", Sign::arithmetic, Op::falsity, false},
    {"<", Sign::comparison, Op::falsity, false},    {">", Sign::comparison, Op::falsity, false},
    {"&", Sign::binary, Op::conjunction, false},    {"|", Sign::binary, Op::disjunction, false},
    {"^", Sign::binary, Op::exclusive, false},      {"!", Sign::unary, Op::negation, false},
    {"~", Sign::unary, Op::negation, false},        {"+", Sign::arithmetic, Op::falsity, false},
    {"-", Sign::arithmetic, Op::falsity, false},    {"*", Sign::arithmetic, Op::falsity, false},
    {"/", Sign::arithmetic, Op::falsity, false},    {"%", Sign::arithmetic, Op::falsity, false},
    {"(", Sign::open, Op::falsity, false},          {")", Sign::close, Op::falsity, false},
    {"[", Sign::open_bracket, Op::falsity, false},  {"]", Sign::close_bracket, Op::falsity, false},
    {".", Sign::dot, Op::falsity, false},
};

bool only_unary_letters(std::string_view word) {
  for (const char c : word) {
    if (c != 'G' && c != 'F' && c != 'X') return false;
  }
  return true;
}

}  // namespace

Token FormulaLexer::next() {
  while (is_blank(at(at_)) && at_ < text_.size()) ++at_;
  Token token{.begin = at_, .end = at_};
  if (at_ == text_.size()) return token;
  if (is_letter(at(at_)) || is_digit(at(at_))) return lex_word(token);
  if (at(at_) == '"') return lex_quoted(token);
  return lex_mark(token);
}

bool FormulaLexer::is_word_token(const Token& token) const {
  return token.sign != Sign::quoted && token.begin < token.end && is_letter(at(token.begin));
}

Token FormulaLexer::lex_word(Token token) {
  const bool number = is_digit(at(at_));
  while (is_word(at(at_))) ++at_;
  token.end = at_;
  token.sign = number ? Sign::number : Sign::name;
  const std::string_view word = text(token);
  for (const Word& known : kWords) {
    if (known.text != word || (known.temporal && !temporal_)) continue;
    token.sign = known.sign;
    token.op = known.op;
    return token;
  }
  if (temporal_ && only_unary_letters(word)) token.sign = Sign::letters;
  return token;
}

// The text of a quoted proposition has no escapes: expressions of models have no quotes.
Token FormulaLexer::lex_quoted(Token token) {
  u32 end = at_ + 1;
  while (end < text_.size() && text_[end] != '"') ++end;
  if (end == text_.size()) {
    token.sign = Sign::bad;
    token.end = at_ = end;
    return token;
  }
  token.sign = Sign::quoted;
  token.begin = at_ + 1;
  token.end = end;
  at_ = end + 1;
  return token;
}

Token FormulaLexer::lex_mark(Token token) {
  const std::string_view rest = piece_of(text_, at_);
  for (const Word& mark : kMarks) {
    if (!rest.starts_with(mark.text) || (mark.temporal && !temporal_)) continue;
    token.sign = mark.sign;
    token.op = mark.op;
    at_ += static_cast<u32>(mark.text.size());
    token.end = at_;
    return token;
  }
  token.sign = Sign::bad;
  token.end = ++at_;
  return token;
}

}  // namespace xmc::ltl
