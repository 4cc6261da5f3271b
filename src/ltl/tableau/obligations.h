// Obligations: what a formula asks of the present letter and of the rest of the word. They are the
// states of a very weak alternating automaton (Gastin and Oddoux, "Fast LTL to Büchi automata
// translation", CAV 2001), with two differences:
//
// - An obligation is any formula behind X, disjunctions included, so that X (p | q) is one of them.
// - G F f is an obligation of its own, with a mark of its own, rather than one that spawns F f
//   again and again: a conjunction of n of them needs one state rather than 2^n.
//
// A term is one way to satisfy a formula: a cube that the letter must be in, and the set of
// obligations for the next position.
#pragma once

#include <span>

#include "ltl/automaton.h"
#include "ltl/formula/formula.h"
#include "ltl/graph/effort.h"
#include "xmc/arena.h"
#include "xmc/limits.h"
#include "xmc/pool.h"
#include "xmc/status.h"

namespace xmc::ltl {

// A set of obligations.
struct DutySet {
  static constexpr u32 kWords = limits::kObligations / 64;
  u64 word[kWords] = {};

  bool has(u32 i) const { return (word[i / 64] >> (i % 64) & 1) != 0; }
  void add(u32 i) { word[i / 64] |= u64{1} << (i % 64); }
  void add(const DutySet& other) {
    for (u32 i = 0; i < kWords; ++i) word[i] |= other.word[i];
  }
  bool within(const DutySet& other) const {
    u64 outside = 0;
    for (u32 i = 0; i < kWords; ++i) outside |= word[i] & ~other.word[i];
    return outside == 0;
  }
  bool operator==(const DutySet&) const = default;
};

struct Term {
  Cube cube;
  DutySet next;
  u64 fulfilled = 0;  // marks of the G F f whose f is satisfied by this term

  bool operator==(const Term&) const = default;
};

// The message when the effort is used up.
Status too_much_work();

class Obligations {
 public:
  Obligations(const Formulas& formulas, Arena& arena, Effort& effort);

  // The obligations of a formula: those of its conjuncts.
  DutySet set_of(Formula formula);
  u32 count() const { return count_; }
  u32 marks() const { return mark_count_; }

  struct Terms {
    u32 first = 0;
    u32 count = 0;
  };
  // The ways to satisfy one obligation.
  Terms terms_of(u32 obligation) { return expand(formula_[obligation]); }
  const Term& operator[](u32 index) const { return terms_[index]; }

  // The marks that a step with this cube to these obligations does not have: those of an F or U
  // that is put off.
  u64 missing_marks(const Cube& cube, const DutySet& next);

  // What a limit stops; the rest is of no use then.
  const Status& status() const { return status_; }

 private:
  u32 number_of(Formula formula);
  bool recurs(Formula formula) const;
  Terms expand(Formula formula);
  Terms expand_new(const Node& node, Formula formula);
  Terms literal(u32 proposition, bool positive);
  Terms self(Formula formula);
  Terms recurrence(Formula formula, Formula inner);
  Terms join(Terms a, Terms b);
  Terms multiply(Terms a, Terms b);
  Terms close(u32 first);
  void append(const Term& term, u32 first);
  bool spend(u64 steps);
  bool witnessed(u32 obligation, const Cube& cube, const DutySet& next);

  const Formulas& formulas_;
  Effort& effort_;
  Pool<Term, 6, 1024> terms_;
  std::span<Terms> expanded_;  // by formula
  std::span<u8> is_expanded_;
  std::span<u32> number_;  // by formula, and one; 0 for none
  Formula formula_[limits::kObligations];
  u8 mark_[limits::kObligations];  // kNoMark if it is none that can be put off
  u32 count_ = 0;
  u32 mark_count_ = 0;
  Status status_;
};

}  // namespace xmc::ltl
