// The formulas of `ltl` blocks, as trees with expressions of Promela for leaves. They are read when
// all names of the model are known.
//
// A formula is told from an expression by its operators: what no temporal operator stands in is one
// expression, also with `&&` and `!` in it.
#include "front/promela/parse/context.h"
#include "front/promela/parse/fold.h"
#include "xmc/limits.h"
#include "xmc/text.h"

namespace xmc::promela {

namespace {

bool parse_formula(Context& context, u32& out);

u32 add_formula(Context& context, FormulaOp op, u32 a, u32 b, ExprId expr) {
  Formula node;
  node.op = op;
  node.a = a;
  node.b = b;
  node.expr = expr;
  u32 height = 0;
  for (const u32 child : {a, b}) {
    if (child == kNone) continue;
    if (context.system.formulas[child].height > height) {
      height = context.system.formulas[child].height;
    }
  }
  node.height = static_cast<u16>(height + 1);
  if (node.height > limits::kFormulaDepth) {
    context.report_full("levels in a formula", limits::kFormulaDepth, context.cursor.here());
    node.height = 1;
  }
  return context.add(context.system.formulas, node, "parts of formulas", context.cursor.here());
}

bool is_formula_word(const Context& context, std::string_view word);

// The word, where nothing is called so.
bool at_word(const Context& context, std::string_view word) {
  return context.cursor.at_word(word) && is_formula_word(context, word);
}

// A prefix operator, or expression for none.
FormulaOp prefix(const Context& context) {
  const Cursor& cursor = context.cursor;
  if (cursor.at(Tok::always) || at_word(context, "always")) return FormulaOp::always;
  if (cursor.at(Tok::eventually) || at_word(context, "eventually")) return FormulaOp::eventually;
  if (at_word(context, "X") || at_word(context, "next")) return FormulaOp::next;
  return FormulaOp::expression;
}

struct Infix {
  FormulaOp op = FormulaOp::expression;
  u32 level = 0;
};

// -> and <-> bind least, U and its like most.
Infix infix(const Context& context) {
  const Cursor& cursor = context.cursor;
  if (cursor.at(Tok::arrow) || at_word(context, "implies")) return {FormulaOp::implies, 1};
  if (cursor.at(Tok::equivalent) || at_word(context, "equivalent")) {
    return {FormulaOp::equivalent, 1};
  }
  if (cursor.at(Tok::or_or) || cursor.at(Tok::formula_or)) return {FormulaOp::disjunction, 2};
  if (cursor.at(Tok::and_and) || cursor.at(Tok::formula_and)) return {FormulaOp::conjunction, 3};
  if (at_word(context, "U") || at_word(context, "until") || at_word(context, "stronguntil")) {
    return {FormulaOp::until, 4};
  }
  if (at_word(context, "W") || at_word(context, "weakuntil")) return {FormulaOp::weak_until, 4};
  if (at_word(context, "V") || at_word(context, "release")) return {FormulaOp::release, 4};
  return {};
}

bool is_formula_word(const Context& context, std::string_view word) {
  static constexpr std::string_view kWords[] = {
      "U",         "W",           "V",       "X",    "always",  "eventually", "until",
      "weakuntil", "stronguntil", "release", "next", "implies", "equivalent"};
  for (const std::string_view known : kWords) {
    if (word == known) return context.symbols.find(word) == kNone;
  }
  return false;
}

// Whether an arrow is that of a conditional expression, with ':' before its parenthesis closes. The
// ':' behind the name of a proctype belongs to a remote reference.
bool is_conditional(const Context& context, u32 arrow) {
  const Tokens& tokens = context.cursor.tokens();
  u32 open = 0;
  for (u32 i = arrow + 1; i < tokens.size() && tokens[i].kind != Tok::end; ++i) {
    const Tok kind = tokens[i].kind;
    if (kind == Tok::left_paren) ++open;
    if (kind == Tok::right_paren && open-- == 0) return false;
    if (kind != Tok::colon || open > 0) continue;
    const u32 before = context.symbols.find(tokens[i - 1].text);
    if (before == kNone || context.symbols[before].kind != SymbolKind::proctype) return true;
  }
  return false;
}

// Whether an operator of formulas stands inside the parenthesis that opens there.
bool has_formula_inside(const Context& context, u32 position) {
  const Tokens& tokens = context.cursor.tokens();
  u32 open = 0;
  for (u32 i = position; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    switch (token.kind) {
      case Tok::left_paren:
        ++open;
        break;
      case Tok::right_paren:
        if (--open == 0) return false;
        break;
      case Tok::always:
      case Tok::eventually:
      case Tok::equivalent:
      case Tok::formula_or:
      case Tok::formula_and:
        return true;
      case Tok::arrow:
        if (!is_conditional(context, i)) return true;
        break;
      case Tok::name:
        if (is_formula_word(context, token.text)) return true;
        break;
      case Tok::right_brace:
      case Tok::end:
        return false;
      default:
        break;
    }
  }
  return false;
}

// At '!': whether it negates a formula rather than a value.
bool negates_formula(const Context& context) {
  const Tokens& tokens = context.cursor.tokens();
  u32 at = context.cursor.position();
  while (tokens[at].kind == Tok::exclamation) ++at;
  const Token& operand = tokens[at];
  if (operand.kind == Tok::always || operand.kind == Tok::eventually) return true;
  if (operand.kind == Tok::name) return is_formula_word(context, operand.text);
  return operand.kind == Tok::left_paren && has_formula_inside(context, at);
}

// An operand of formulas: a comparison and what binds tighter.
bool parse_atom(Context& context, u32& out) {
  ExprId expr = kNone;
  if (!parse_comparison(context, expr)) return false;
  if (context.cursor.abandoned()) return false;
  out = add_formula(context, FormulaOp::expression, kNone, kNone, expr);
  return true;
}

bool parse_prefixed_formula(Context& context, u32& out) {
  Cursor& cursor = context.cursor;
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  FormulaOp op = prefix(context);
  if (cursor.at(Tok::exclamation) && negates_formula(context)) op = FormulaOp::negation;
  if (op != FormulaOp::expression) {
    cursor.take();
    if (!parse_prefixed_formula(context, out)) return false;
    out = add_formula(context, op, out, kNone, kNone);
    return true;
  }
  if (cursor.at(Tok::left_paren) && has_formula_inside(context, cursor.position())) {
    cursor.take();
    return parse_formula(context, out) && cursor.expect(Tok::right_paren, "')'");
  }
  return parse_atom(context, out);
}

bool parse_infix(Context& context, u32 lowest, u32& left) {
  for (;;) {
    const Infix found = infix(context);
    if (found.level < lowest || found.level == 0) return true;
    context.cursor.take();
    u32 right = kNone;
    if (!parse_prefixed_formula(context, right)) return false;
    if (infix(context).level > found.level) {
      const Nesting nesting = nested_expression(context);
      if (!nesting.ok() || !parse_infix(context, found.level + 1, right)) return false;
    }
    left = add_formula(context, found.op, left, right, kNone);
  }
}

bool parse_formula(Context& context, u32& out) {
  return parse_prefixed_formula(context, out) && parse_infix(context, 1, out);
}

}  // namespace

void parse_formulas(Context& context) {
  const Within<Setting> setting(context.setting, Setting::claim);
  for (u32 i = 0; i < context.formulas.size() && !context.cursor.abandoned(); ++i) {
    const FormulaText& text = context.formulas[i];
    context.cursor.enter(text.range);
    u32 root = kNone;
    if (parse_formula(context, root) && !context.cursor.at(Tok::end)) {
      context.cursor.fail_expected("an operator");
    }
    context.system.properties[text.property].formula = root;
    context.cursor.leave();
  }
}

}  // namespace xmc::promela
