// Precedence climbing, with one level of recursion for a level of parentheses or operators. A
// failure is kept in the parser rather than returned: a Status in every frame would triple the
// stack.
#include "ltl/formula/formula_parser.h"

#include "ltl/formula/formula_lexer.h"

namespace xmc::ltl {

namespace {

// 0 binds loosest.
u32 precedence(Op op) {
  switch (op) {
    case Op::implication:
    case Op::equivalence:
      return 0;
    case Op::exclusive:
      return 1;
    case Op::disjunction:
      return 2;
    case Op::conjunction:
      return 3;
    default:
      return 4;
  }
}

bool groups_right(Op op) { return precedence(op) == 0 || precedence(op) == 4; }

class Parser {
 public:
  Parser(std::string_view text, bool temporal, Formulas& formulas, Propositions& propositions)
      : lexer_(text, temporal), formulas_(formulas), propositions_(propositions) {
    advance();
  }

  Status parse(Formula& out, TextRange& where) {
    out = parse_binary(0);
    if (status_.ok() && now_.sign != Sign::end) expected("an operator or the end");
    where = where_;
    return status_;
  }

 private:
  bool failed() const { return !status_.ok(); }

  // The first failure is the one that counts.
  void fail(u32 begin, u32 end, Status status) {
    if (failed()) return;
    status_ = status;
    where_ = {begin, end};
  }

  void expected(const char* what) {
    if (failed()) return;
    const std::string_view seen = lexer_.text(now_);
    Status status;
    if (now_.sign == Sign::end) {
      status = Status::fail(Code::model, "expected %s, found the end", what);
    } else if (now_.sign == Sign::bad && seen[0] == '"') {
      status = Status::fail(Code::model, "the quote is not closed");
    } else {
      status = Status::fail(Code::model, "expected %s, found '%.*s'", what,
                            static_cast<int>(seen.size() < 40 ? seen.size() : 40), seen.data());
    }
    fail(now_.begin, now_.end, status);
  }

  void advance() {
    last_end_ = now_.sign == Sign::quoted ? now_.end + 1 : now_.end;
    now_ = lexer_.next();
  }

  bool deeper() {
    if (++depth_ <= limits::kFormulaDepth) return true;
    fail(now_.begin, now_.end,
         Status::fail(Code::model, "operators and parentheses are nested more than %u deep",
                      limits::kFormulaDepth));
    return false;
  }

  Formula make(Op op, u32 a, u32 b, const Token& place) {
    const Formula formula = formulas_.make(op, a, b);
    if (!formulas_.status().ok()) fail(place.begin, place.end, formulas_.status());
    return formula;
  }

  Formula parse_binary(u32 lowest) {
    if (!deeper()) return Formulas::kFalse;
    Formula left = parse_unary();
    while (!failed() && now_.sign == Sign::binary && precedence(now_.op) >= lowest) {
      const Token token = now_;
      advance();
      const u32 next = precedence(token.op) + (groups_right(token.op) ? 0 : 1);
      const Formula right = parse_binary(next);
      left = make(token.op, left, right, token);
    }
    --depth_;
    return left;
  }

  Formula parse_unary() {
    if (now_.sign != Sign::unary && now_.sign != Sign::letters) return parse_primary();
    if (!deeper()) return Formulas::kFalse;
    const Token token = now_;
    advance();
    Formula formula = parse_unary();
    if (token.sign == Sign::unary) {
      formula = make(token.op, formula, 0, token);
    } else {
      const std::string_view letters = lexer_.text(token);
      for (std::size_t i = letters.size(); i-- > 0;) {
        const Op op = letters[i] == 'G' ? Op::globally : letters[i] == 'F' ? Op::finally : Op::next;
        formula = make(op, formula, 0, token);
      }
    }
    --depth_;
    return formula;
  }

  Formula parse_primary() {
    switch (now_.sign) {
      case Sign::open:
        return parse_parentheses();
      case Sign::truth:
        advance();
        return Formulas::kTrue;
      case Sign::falsity:
        advance();
        return Formulas::kFalse;
      case Sign::quoted: {
        const Token token = now_;
        advance();
        return proposition(token.begin, token.end);
      }
      case Sign::name:
      case Sign::number:
      case Sign::arithmetic:
        return parse_bare();
      default:
        expected("a formula");
        return Formulas::kFalse;
    }
  }

  Formula parse_parentheses() {
    const Token open = now_;
    advance();
    const Formula formula = parse_binary(0);
    if (now_.sign == Sign::end) {
      fail(open.begin, open.end, Status::fail(Code::model, "the parenthesis is not closed"));
    } else if (now_.sign != Sign::close) {
      expected("an operator or ')'");
    }
    advance();
    return formula;
  }

  Formula proposition(u32 begin, u32 end) {
    if (failed()) return Formulas::kFalse;
    const Token all{.begin = begin, .end = end};
    if (begin == end) {
      fail(begin, end, Status::fail(Code::model, "the proposition is empty"));
      return Formulas::kFalse;
    }
    const u32 number = propositions_.add(lexer_.text(all));
    if (number == kNone) {
      fail(begin, end,
           Status::fail(Code::model,
                        "there are more than %u propositions; join some of them in one quoted "
                        "expression",
                        limits::kPropositions));
      return Formulas::kFalse;
    }
    return make(Op::proposition, number, 0, all);
  }

  // A bare model expression: only where it ends is of interest.
  Formula parse_bare() {
    const Token first = now_;
    const bool only_number = skip_sum() && first.sign == Sign::number;
    const bool compared = now_.sign == Sign::comparison;
    if (compared) {
      advance();
      skip_sum();
      if (now_.sign == Sign::comparison) expected("an operator: a second comparison needs quotes");
    }
    if (!only_number || compared) return proposition(first.begin, last_end_);
    const std::string_view digits = lexer_.text(first);
    if (digits == "1") return Formulas::kTrue;
    if (digits == "0") return Formulas::kFalse;
    fail(first.begin, first.end,
         Status::fail(Code::model, "expected a formula, found a number: only 0 and 1 are truths"));
    return Formulas::kFalse;
  }

  // True if it has one operand.
  bool skip_sum() {
    bool single = true;
    for (;;) {
      while (now_.sign == Sign::arithmetic && lexer_.text(now_) == "-") {
        single = false;
        advance();
      }
      skip_operand();
      if (failed() || now_.sign != Sign::arithmetic) return single;
      single = false;
      advance();
    }
  }

  void skip_operand() {
    if (now_.sign == Sign::number) return advance();
    if (now_.sign != Sign::name) return expected("a name or a number");
    advance();
    while (now_.sign == Sign::dot || now_.sign == Sign::open_bracket) {
      if (now_.sign == Sign::open_bracket) {
        skip_brackets();
        continue;
      }
      advance();
      if (!lexer_.is_word_token(now_)) return expected("a name after the dot");
      advance();
    }
  }

  // Whatever is inside, up to the bracket that closes.
  void skip_brackets() {
    const Token open = now_;
    u32 nesting = 0;
    do {
      if (now_.sign == Sign::open_bracket) ++nesting;
      if (now_.sign == Sign::close_bracket) --nesting;
      if (now_.sign == Sign::end || now_.sign == Sign::bad) {
        return fail(open.begin, open.end, Status::fail(Code::model, "the bracket is not closed"));
      }
      advance();
    } while (nesting != 0);
  }

  FormulaLexer lexer_;
  Formulas& formulas_;
  Propositions& propositions_;
  Token now_;
  u32 last_end_ = 0;  // of the token before
  u32 depth_ = 0;
  Status status_;
  TextRange where_;
};

Status parse(std::string_view text, bool temporal, Formulas& formulas, Propositions& propositions,
             Formula& out, TextRange& where) {
  if (text.size() > limits::kFormulaBytes) {
    where = {};
    return Status::fail(Code::model, "the formula has %zu bytes, and %u are the limit", text.size(),
                        limits::kFormulaBytes);
  }
  return Parser(text, temporal, formulas, propositions).parse(out, where);
}

}  // namespace

Status parse_formula(std::string_view text, Formulas& formulas, Propositions& propositions,
                     Formula& out, TextRange& where) {
  return parse(text, true, formulas, propositions, out, where);
}

Status parse_guard(std::string_view text, Formulas& formulas, Propositions& propositions,
                   Formula& out, TextRange& where) {
  return parse(text, false, formulas, propositions, out, where);
}

// Operands and operators in turn, without brackets: those are rare enough for quotes.
bool is_bare_proposition(std::string_view text) {
  FormulaLexer lexer(text, false);
  Sign last = Sign::arithmetic;
  bool compared = false;
  bool only_number = true;
  for (Token token = lexer.next();; token = lexer.next()) {
    const bool behind_operand = last == Sign::name || last == Sign::number;
    switch (token.sign) {
      case Sign::end:
        return behind_operand && !only_number;
      case Sign::name:
        if (behind_operand) return false;
        break;
      case Sign::number:
        if (behind_operand || last == Sign::dot) return false;
        break;
      case Sign::dot:
        if (last != Sign::name) return false;
        break;
      case Sign::comparison:
        if (compared || !behind_operand) return false;
        compared = true;
        break;
      case Sign::arithmetic:
        if (!behind_operand) return false;
        break;
      default:
        return false;
    }
    only_number = only_number && token.sign == Sign::number;
    last = token.sign;
  }
}

}  // namespace xmc::ltl
