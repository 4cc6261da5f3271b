// Rules for U; R is rewritten as the negation of its dual. In comments e is eventual and q both
// eventual and universal.
#include "ltl/formula/simplify.h"
#include "ltl/formula/simplify_split.h"

namespace xmc::ltl {

Formula Simplifier::make_until(Formula a, Formula b) {
  const Node right = formulas_[b];
  // a U e = e, constants included; a U b = b where a implies b.
  if (right.eventual || implications_.implies(a, b)) return b;
  // Where every letter is of a or b, there is nothing to keep up to b.
  if (implications_.exhausts(a, b)) return make_finally(b);
  // a U (c U d) = c U d where a implies c.
  if (right.op == Op::until && implications_.implies(a, right.a)) return b;
  const Node left = formulas_[a];
  if (left.op == Op::next && right.op == Op::next) return make_next(make_until(left.a, right.a));
  // (c U b) U b = c U b.
  if (left.op == Op::until && left.b == b) return a;
  if (left.op == Op::finally && left.a == b) return a;
  const Formula weaker = weaken_left(a, b);
  if (weaker != a) return make_until(weaker, b);
  return until_of_parts(a, b);
}

// (a | c) U b = a U b where c implies b.
Formula Simplifier::weaken_left(Formula a, Formula b) {
  if (formulas_[a].op != Op::disjunction) return a;
  Formula apart = 0;
  Formula rest = 0;
  const auto taken = [&](Formula f) { return implications_.implies(f, b); };
  split(a, Op::disjunction, taken, apart, rest);
  return apart == Formulas::kFalse ? a : rest;
}

// a U (b & q) = (a U b) & q, a U (b | e) = (a U b) | e if e is q.
Formula Simplifier::until_of_parts(Formula a, Formula b) {
  const Op op = formulas_[b].op;
  if (op != Op::conjunction && op != Op::disjunction) return formulas_.make(Op::until, a, b);
  Formula apart = 0;
  Formula rest = 0;
  const auto taken = [&](Formula f) { return suspendable(f); };
  split(b, op, taken, apart, rest);
  if (apart == (op == Op::conjunction ? Formulas::kTrue : Formulas::kFalse)) {
    return formulas_.make(Op::until, a, b);
  }
  const Formula until = make_until(a, rest);
  return op == Op::conjunction ? make_and(until, apart) : make_or(until, apart);
}

Formula Simplifier::make_release(Formula a, Formula b) {
  return not_of(make_until(not_of(a), not_of(b)));
}

}  // namespace xmc::ltl
