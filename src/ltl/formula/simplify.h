// A formula in negation normal form, made smaller by rewriting. The rules are those of Somenzi and
// Bloem (CAV 2000) and of Etessami and Holzmann (CONCUR 2000), and what follows for formulas that
// are both eventual and universal, which do not depend on when they are looked at: GF p.
//
//   file             rules
//   simplify.cc      the walk over the tree: other operators, negations inwards
//   simplify_unary   X, F and G
//   simplify_until   U, and R as its dual
//   simplify_lists   conjunctions, and disjunctions as their dual
//
// R, G and disjunctions are rewritten as the negation of their dual, so that each rule is written
// and read once.
#pragma once

#include "ltl/formula/formula.h"
#include "ltl/formula/implies.h"
#include "ltl/graph/effort.h"

namespace xmc::ltl {

class Simplifier {
 public:
  Simplifier(Formulas& formulas, Arena& arena, Effort& effort);

  // The formula, or its negation. What a limit stops is in formulas.status().
  Formula simplify(Formula formula, bool negated = false);

  // These take simplified operands, and give a simplified formula.
  Formula make_and(Formula a, Formula b);
  Formula make_or(Formula a, Formula b);
  Formula make_next(Formula a);
  Formula make_finally(Formula a);
  Formula make_globally(Formula a);
  Formula make_until(Formula a, Formula b);
  Formula make_release(Formula a, Formula b);

 private:
  // Operands of a conjunction, on a stack that all calls share.
  struct List {
    u32 begin;
    u32 end;
  };
  bool suspendable(Formula f) const { return formulas_[f].eventual && formulas_[f].universal; }
  Formula not_of(Formula f) { return implications_.negation(f); }

  Formula walk(Formula formula, bool negated);
  Formula walk_boolean(const Node& node, bool negated);
  Formula walk_binary(const Node& node, bool negated);

  Formula finally_of_parts(Formula a);
  Formula globally_of_finally(Formula a);
  Formula until_of_parts(Formula a, Formula b);
  Formula weaken_left(Formula a, Formula b);
  // Splits off the operands of an `op` chain that `take` wants; both results may be the neutral
  // element.
  template <class Take>
  void split(Formula chain, Op op, Take take, Formula& taken, Formula& rest);

  void flatten(Formula formula, Op op, List& list);
  bool sort_list(List& list);
  bool absorb(List& list);
  bool shorten(List& list);
  bool join_pairs(List& list);
  Formula join_two(Formula a, Formula b);
  Formula chain(Op op, const List& list);
  Formula conjoin(List& list);

  Formulas& formulas_;
  Effort& effort_;
  Implications implications_;
  std::span<u32> done_;   // by formula and sign: a number and one, 0 for not known
  std::span<u32> stack_;  // of operands
  u32 top_ = 0;
};

}  // namespace xmc::ltl
