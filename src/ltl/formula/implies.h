// Implications between formulas that can be read off their syntax (Somenzi and Bloem, "Efficient
// Büchi automata from LTL formulae", CAV 2000; Etessami and Holzmann, "Optimizing Büchi automata",
// CONCUR 2000). A yes is a proof, a no says nothing. Answers are kept in a small cache.
//
// Both operands are in negation normal form, as the simplifier makes them.
#pragma once

#include <span>

#include "ltl/formula/formula.h"
#include "ltl/graph/effort.h"

namespace xmc::ltl {

class Implications {
 public:
  Implications(Formulas& formulas, Arena& arena, Effort& effort);

  bool implies(Formula a, Formula b);
  // Whether the two cannot hold at once, and whether one of them always does.
  bool excludes(Formula a, Formula b) { return implies(a, negation(b)); }
  bool exhausts(Formula a, Formula b) { return implies(negation(a), b); }

  // The dual formula, in negation normal form.
  Formula negation(Formula formula);

 private:
  struct Answer {
    Formula a;
    Formula b;
    bool known;
    bool yes;
  };

  bool decide(Formula a, Formula b);
  bool by_left(Formula a, Formula b);
  bool by_right(Formula a, Formula b);
  bool by_both(Formula a, Formula b);
  bool left_until(Formula x, Formula y, Formula b);
  bool right_release(Formula a, Formula x, Formula y);

  Formulas& formulas_;
  Effort& effort_;
  std::span<Answer> cache_;
  std::span<u32> negations_;  // a number and one, 0 for not known
};

}  // namespace xmc::ltl
