// The template behind the rules that take an operand out of a chain.
#pragma once

#include "ltl/formula/simplify.h"

namespace xmc::ltl {

template <class Take>
void Simplifier::split(Formula chain_of, Op op, Take take, Formula& taken, Formula& rest) {
  const bool all = op == Op::conjunction;
  taken = rest = all ? Formulas::kTrue : Formulas::kFalse;
  for (Formula at = chain_of;;) {
    const bool more = formulas_[at].op == op;
    const Formula one = more ? formulas_[at].a : at;
    const Formula next = more ? formulas_[at].b : at;
    Formula& side = take(one) ? taken : rest;
    side = all ? make_and(side, one) : make_or(side, one);
    if (!more) return;
    at = next;
  }
}

}  // namespace xmc::ltl
