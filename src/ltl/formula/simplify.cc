#include "ltl/formula/simplify.h"

#include "xmc/bytes.h"

namespace xmc::ltl {

namespace {

std::span<u32> words(Arena& arena, u32 count) {
  return {static_cast<u32*>(arena.scratch("formulas", count * sizeof(u32))), count};
}

}  // namespace

Simplifier::Simplifier(Formulas& formulas, Arena& arena, Effort& effort)
    : formulas_(formulas),
      effort_(effort),
      implications_(formulas, arena, effort),
      done_(words(arena, 2 * limits::kFormulaNodes)),
      stack_(words(arena, 2 * limits::kFormulaNodes)) {
  fill_zero(done_);
}

Formula Simplifier::simplify(Formula formula, bool negated) {
  u32& done = done_[2 * formula + (negated ? 1 : 0)];
  if (done != 0) return done - 1;
  const Formula result = formulas_.status().ok() ? walk(formula, negated) : Formulas::kFalse;
  done = result + 1;
  return result;
}

Formula Simplifier::walk(Formula formula, bool negated) {
  const Node node = formulas_[formula];
  switch (node.op) {
    case Op::falsity:
      return negated ? Formulas::kTrue : Formulas::kFalse;
    case Op::truth:
      return negated ? Formulas::kFalse : Formulas::kTrue;
    case Op::proposition:
      return negated ? formulas_.negation(formula) : formula;
    case Op::negation:
      return simplify(node.a, !negated);
    case Op::next:
      return make_next(simplify(node.a, negated));
    case Op::finally:
    case Op::globally: {
      const Formula a = simplify(node.a, negated);
      return (node.op == Op::finally) != negated ? make_finally(a) : make_globally(a);
    }
    case Op::exclusive:
    case Op::implication:
    case Op::equivalence:
      return walk_boolean(node, negated);
    default:
      return walk_binary(node, negated);
  }
}

Formula Simplifier::walk_boolean(const Node& node, bool negated) {
  if (node.op == Op::implication) {
    const Formula a = simplify(node.a, !negated);
    const Formula b = simplify(node.b, negated);
    return negated ? make_and(a, b) : make_or(a, b);
  }
  const bool same = (node.op == Op::equivalence) != negated;
  const Formula a = simplify(node.a);
  const Formula b = simplify(node.b, !same);
  const Formula both = make_and(a, b);
  const Formula not_a = simplify(node.a, true);
  const Formula not_b = simplify(node.b, same);
  return make_or(both, make_and(not_a, not_b));
}

Formula Simplifier::walk_binary(const Node& node, bool negated) {
  const Formula a = simplify(node.a, negated);
  const Formula b = simplify(node.b, negated);
  switch (node.op) {
    case Op::conjunction:
      return negated ? make_or(a, b) : make_and(a, b);
    case Op::disjunction:
      return negated ? make_and(a, b) : make_or(a, b);
    case Op::until:
      return negated ? make_release(a, b) : make_until(a, b);
    case Op::release:
      return negated ? make_until(a, b) : make_release(a, b);
    case Op::weak_until:  // a W b = b R (a | b), and its negation is !b U (!a & !b)
      return negated ? make_until(b, make_and(a, b)) : make_release(b, make_or(a, b));
    default:  // a M b = b U (a & b)
      return negated ? make_release(b, make_or(a, b)) : make_until(b, make_and(a, b));
  }
}

}  // namespace xmc::ltl
