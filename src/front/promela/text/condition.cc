#include "front/promela/text/condition.h"

#include "xmc/limits.h"
#include "xmc/text.h"

namespace xmc::promela {

namespace {

struct Operator {
  std::string_view mark;
  u32 level;
};
constexpr Operator kOperators[] = {
    {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},  {"==", 6},
    {"!=", 6}, {"<", 7},  {"<=", 7}, {">", 7},  {">=", 7}, {"<<", 8},
    {">>", 8}, {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};

u32 level_of(const RawToken& token) {
  if (token.kind != Raw::mark) return 0;
  for (const Operator& op : kOperators) {
    if (op.mark == token.text) return op.level;
  }
  return 0;
}

class Evaluator {
 public:
  Evaluator(const Expander& tokens, RawList list, Span place, Diagnostics& diagnostics)
      : tokens_(tokens),
        at_(list.first),
        end_(list.first + list.count),
        place_(place),
        diagnostics_(diagnostics) {}

  bool evaluate(i64& out) {
    if (!parse_binary(1, out)) return false;
    return at_ == end_ || fail("this does not continue the expression");
  }

 private:
  bool fail(const char* what) {
    const Span place = at_ < end_ ? tokens_[at_].place : place_;
    diagnostics_.error(place.begin, place.end, "%s", what);
    return false;
  }
  bool accept(std::string_view mark) {
    if (at_ == end_ || tokens_[at_].kind != Raw::mark || tokens_[at_].text != mark) return false;
    ++at_;
    return true;
  }
  bool parse_number(i64& out);
  bool parse_primary(i64& out);
  bool parse_binary(u32 lowest, i64& out);
  static i64 apply(std::string_view mark, i64 left, i64 right);

  const Expander& tokens_;
  u32 at_;
  u32 end_;
  Span place_;
  Diagnostics& diagnostics_;
  u32 depth_ = 0;
};

// As in C: decimal, octal or hexadecimal, with a suffix.
bool Evaluator::parse_number(i64& out) {
  std::string_view digits = tokens_[at_].text;
  u64 base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    base = 16;
    digits.remove_prefix(2);
  } else if (digits.size() > 1 && digits[0] == '0') {
    base = 8;
  }
  u64 value = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const char c = digits[i];
    u64 digit = 99;
    if (c >= '0' && c <= '9') digit = static_cast<u64>(c - '0');
    if (c >= 'a' && c <= 'f') digit = static_cast<u64>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') digit = static_cast<u64>(c - 'A') + 10;
    if (digit < base) {
      value = value * base + digit;
      continue;
    }
    if (c != 'u' && c != 'U' && c != 'l' && c != 'L') return fail("this is no number");
  }
  ++at_;
  out = static_cast<i64>(value);
  return true;
}

bool Evaluator::parse_primary(i64& out) {
  if (at_ == end_) return fail("an expression ends here too early");
  if (depth_ >= limits::kMacroDepth) return fail("this is nested too deeply");
  ++depth_;
  bool ok = true;
  if (accept("(")) {
    ok = parse_binary(1, out) && (accept(")") || fail("expected ')'"));
  } else if (accept("!")) {
    ok = parse_primary(out);
    out = out == 0;
  } else if (accept("-")) {
    ok = parse_primary(out);
    out = static_cast<i64>(0 - static_cast<u64>(out));
  } else if (accept("~")) {
    ok = parse_primary(out);
    out = ~out;
  } else if (accept("+")) {
    ok = parse_primary(out);
  } else if (tokens_[at_].kind == Raw::number) {
    ok = parse_number(out);
  } else if (tokens_[at_].kind == Raw::name) {
    ++at_;
    out = 0;
  } else if (tokens_[at_].kind == Raw::character && tokens_[at_].text.size() == 3) {
    out = static_cast<u8>(tokens_[at_++].text[1]);
  } else {
    ok = fail("expected a number, a name or '('");
  }
  --depth_;
  return ok;
}

// A division by zero that && or || skips would be no mistake, and is not worth a second pass: 0.
i64 Evaluator::apply(std::string_view mark, i64 left, i64 right) {
  const u64 a = static_cast<u64>(left);
  const u64 b = static_cast<u64>(right);
  if (mark == "/" || mark == "%") {
    if (right == 0) return 0;
    if (right == -1) return mark == "/" ? static_cast<i64>(0 - a) : 0;
    return mark == "/" ? left / right : left % right;
  }
  if (mark == "||") return left != 0 || right != 0;
  if (mark == "&&") return left != 0 && right != 0;
  if (mark == "|") return static_cast<i64>(a | b);
  if (mark == "^") return static_cast<i64>(a ^ b);
  if (mark == "&") return static_cast<i64>(a & b);
  if (mark == "==") return left == right;
  if (mark == "!=") return left != right;
  if (mark == "<") return left < right;
  if (mark == "<=") return left <= right;
  if (mark == ">") return left > right;
  if (mark == ">=") return left >= right;
  if (mark == "<<") return static_cast<i64>(a << (b & 63));
  if (mark == ">>") return left >> (b & 63);
  if (mark == "+") return static_cast<i64>(a + b);
  if (mark == "-") return static_cast<i64>(a - b);
  return static_cast<i64>(a * b);
}

bool Evaluator::parse_binary(u32 lowest, i64& out) {
  if (!parse_primary(out)) return false;
  while (at_ < end_) {
    const u32 level = level_of(tokens_[at_]);
    if (level == 0 || level < lowest) return true;
    const std::string_view mark = tokens_[at_++].text;
    i64 right = 0;
    if (!parse_binary(level + 1, right)) return false;
    out = apply(mark, out, right);
  }
  return true;
}

}  // namespace

bool evaluate_condition(const Expander& tokens, RawList list, Span place, Diagnostics& diagnostics,
                        bool& out) {
  i64 value = 0;
  if (!Evaluator(tokens, list, place, diagnostics).evaluate(value)) return false;
  out = value != 0;
  return true;
}

}  // namespace xmc::promela
