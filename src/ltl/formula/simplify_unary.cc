// Rules for X, F and G. In their comments e is eventual, u universal, and q both.
#include "ltl/formula/simplify.h"
#include "ltl/formula/simplify_split.h"

namespace xmc::ltl {

// X q = q; constants are such.
Formula Simplifier::make_next(Formula a) {
  return suspendable(a) ? a : formulas_.make(Op::next, a);
}

// F e = e, F X a = X F a, F (a U b) = F b.
Formula Simplifier::make_finally(Formula a) {
  const Node node = formulas_[a];
  if (node.eventual) return a;
  switch (node.op) {
    case Op::next:
      return make_next(make_finally(node.a));
    case Op::until:
      return make_finally(node.b);
    case Op::conjunction:
    case Op::disjunction:
      return finally_of_parts(a);
    case Op::globally: {  // F G a is the dual of G F !a
      const Formula inner = globally_of_finally(not_of(node.a));
      return inner == kNone ? formulas_.make(Op::finally, a) : not_of(inner);
    }
    default:
      return formulas_.make(Op::finally, a);
  }
}

// F (a | e) = F a | e, F (a | u) = F a | F u, F (a & q) = F a & q.
Formula Simplifier::finally_of_parts(Formula a) {
  Formula apart = 0;
  Formula rest = 0;
  if (formulas_[a].op == Op::disjunction) {
    const auto taken = [&](Formula f) { return formulas_[f].eventual || formulas_[f].universal; };
    split(a, Op::disjunction, taken, apart, rest);
    if (apart == Formulas::kFalse) return formulas_.make(Op::finally, a);
    Formula result = make_finally(rest);
    for (Formula at = apart; formulas_.status().ok();) {
      const bool more = formulas_[at].op == Op::disjunction;
      const Formula next = formulas_[at].b;
      result = make_or(result, make_finally(more ? formulas_[at].a : at));
      if (!more) break;
      at = next;
    }
    return result;
  }
  const auto taken = [&](Formula f) { return suspendable(f); };
  split(a, Op::conjunction, taken, apart, rest);
  if (apart == Formulas::kTrue) return formulas_.make(Op::finally, a);
  return make_and(make_finally(rest), apart);
}

Formula Simplifier::make_globally(Formula a) {
  const Node node = formulas_[a];
  if (node.op == Op::finally) {
    const Formula whole = globally_of_finally(node.a);
    if (whole != kNone) return whole;
  }
  return not_of(make_finally(not_of(a)));
}

// G F a where a can be taken apart; kNone where not. G F (a & e) = G F a & G e,
// G F (a | F b) = G F (a | b) and G F X a = G F a come from rules for F already.
Formula Simplifier::globally_of_finally(Formula a) {
  if (formulas_[a].op == Op::next) return make_globally(make_finally(formulas_[a].a));
  if (formulas_[a].op != Op::conjunction) return kNone;
  Formula apart = 0;
  Formula rest = 0;
  const auto taken = [&](Formula f) { return formulas_[f].eventual; };
  split(a, Op::conjunction, taken, apart, rest);
  if (apart == Formulas::kTrue) return kNone;
  return make_and(make_globally(make_finally(rest)), make_globally(apart));
}

}  // namespace xmc::ltl
