#include "ltl/tableau/obligations.h"

#include "ltl/graph/graph.h"
#include "ltl/graph/guard.h"
#include "xmc/bytes.h"

namespace xmc::ltl {

namespace {

constexpr u8 kNoMark = 0xFF;

// Whether the second term asks for no less than the first.
bool subsumes(const Term& a, const Term& b) {
  return contains(a.cube, b.cube) && a.next.within(b.next) && (b.fulfilled & ~a.fulfilled) == 0;
}

}  // namespace

Status too_much_work() {
  return Status::fail(Code::model,
                      "the formula takes more than %llu steps to translate; check its conjuncts "
                      "one by one",
                      wide(limits::kTranslationSteps));
}

Obligations::Obligations(const Formulas& formulas, Arena& arena, Effort& effort)
    : formulas_(formulas),
      effort_(effort),
      terms_(arena, "tableau"),
      expanded_(scratch_array<Terms>(arena, formulas.size())),
      is_expanded_(scratch_array<u8>(arena, formulas.size())),
      number_(scratch_array<u32>(arena, formulas.size())) {
  fill_zero(is_expanded_);
  fill_zero(number_);
}

bool Obligations::recurs(Formula formula) const {
  const Node& node = formulas_[formula];
  return node.op == Op::globally && formulas_[node.a].op == Op::finally;
}

u32 Obligations::number_of(Formula formula) {
  if (number_[formula] != 0) return number_[formula] - 1;
  const Op op = formulas_[formula].op;
  const bool marked = op == Op::until || op == Op::finally || recurs(formula);
  if (count_ == limits::kObligations || (marked && mark_count_ == limits::kAcceptanceSets)) {
    status_ = Status::fail(Code::model,
                           "the formula has more than %u temporal operators, or %u of them are F "
                           "or U; check its conjuncts one by one",
                           limits::kObligations, limits::kAcceptanceSets);
    return 0;
  }
  formula_[count_] = formula;
  mark_[count_] = marked ? static_cast<u8>(mark_count_++) : kNoMark;
  number_[formula] = ++count_;
  return count_ - 1;
}

DutySet Obligations::set_of(Formula formula) {
  DutySet set;
  while (formulas_[formula].op == Op::conjunction) {
    set.add(number_of(formulas_[formula].a));
    formula = formulas_[formula].b;
  }
  if (formula != Formulas::kTrue) set.add(number_of(formula));
  return set;
}

Obligations::Terms Obligations::expand(Formula formula) {
  if (is_expanded_[formula] == 0) {
    const Terms terms = expand_new(formulas_[formula], formula);
    expanded_[formula] = terms;
    is_expanded_[formula] = 1;
  }
  return expanded_[formula];
}

Obligations::Terms Obligations::expand_new(const Node& node, Formula formula) {
  switch (node.op) {
    case Op::truth:
      return self(Formulas::kTrue);
    case Op::proposition:
      return literal(node.a, true);
    case Op::negation:
      return literal(formulas_[node.a].a, false);
    case Op::conjunction:
      return multiply(expand(node.a), expand(node.b));
    case Op::disjunction:
      return join(expand(node.a), expand(node.b));
    case Op::next:
      return node.a == Formulas::kFalse ? Terms{} : self(node.a);
    case Op::finally:
      return join(expand(node.a), self(formula));
    case Op::until:
      return join(expand(node.b), multiply(expand(node.a), self(formula)));
    case Op::globally:
      if (recurs(formula)) return recurrence(formula, formulas_[node.a].a);
      return multiply(expand(node.a), self(formula));
    case Op::release:
      return multiply(expand(node.b), join(expand(node.a), self(formula)));
    default:
      return {};
  }
}

// Satisfied by this formula at the next position.
Obligations::Terms Obligations::self(Formula formula) {
  const u32 first = terms_.size();
  append({{}, set_of(formula)}, first);
  return close(first);
}

Obligations::Terms Obligations::literal(u32 proposition, bool positive) {
  const u32 first = terms_.size();
  const u32 bit = 1u << proposition;
  append({{positive ? bit : 0, positive ? 0 : bit}, {}}, first);
  return close(first);
}

// G F inner: with or without inner now.
Obligations::Terms Obligations::recurrence(Formula formula, Formula inner) {
  const Terms now = expand(inner);
  const u32 number = number_of(formula);
  const u32 first = terms_.size();
  Term wait;
  wait.next.add(number);
  append(wait, first);
  for (u32 i = 0; i < now.count; ++i) {
    Term term = terms_[now.first + i];
    term.next.add(number);
    if (mark_[number] != kNoMark) term.fulfilled |= u64{1} << mark_[number];
    append(term, first);
  }
  return close(first);
}

Obligations::Terms Obligations::join(Terms a, Terms b) {
  const u32 first = terms_.size();
  for (u32 i = 0; i < a.count; ++i) append(Term(terms_[a.first + i]), first);
  for (u32 i = 0; i < b.count; ++i) append(Term(terms_[b.first + i]), first);
  return close(first);
}

Obligations::Terms Obligations::multiply(Terms a, Terms b) {
  const u32 first = terms_.size();
  for (u32 i = 0; i < a.count; ++i) {
    for (u32 k = 0; k < b.count; ++k) {
      Term term = terms_[a.first + i];
      const Term& other = terms_[b.first + k];
      term.cube = meet(term.cube, other.cube);
      term.next.add(other.next);
      term.fulfilled |= other.fulfilled;
      if (consistent(term.cube)) append(term, first);
    }
  }
  return close(first);
}

bool Obligations::spend(u64 steps) {
  if (effort_.spend(steps)) return true;
  status_ = too_much_work();
  return false;
}

// Adds a term to the list that begins at `first`, unless one of the list does as well. What the new
// one makes needless stays in the list as a copy of it, and goes in close().
void Obligations::append(const Term& term, u32 first) {
  if (!status_.ok()) return;
  if (!spend(terms_.size() - first + 1)) return;
  if (terms_.full()) {
    status_ = Status::fail(Code::model,
                           "the formula has too many ways to be satisfied at once: more than %llu "
                           "terms; check its conjuncts one by one",
                           wide(decltype(terms_)::capacity()));
    return;
  }
  for (u32 i = first; i < terms_.size(); ++i) {
    if (subsumes(terms_[i], term)) return;
  }
  for (u32 i = first; i < terms_.size(); ++i) {
    if (subsumes(term, terms_[i])) terms_[i] = term;
  }
  if (terms_.size() == first || !(terms_.back() == term)) terms_.push(term);
}

Obligations::Terms Obligations::close(u32 first) {
  u32 end = first;
  for (u32 i = first; i < terms_.size(); ++i) {
    bool again = false;
    for (u32 k = first; k < end && !again; ++k) again = terms_[k] == terms_[i];
    if (!again) terms_[end++] = terms_[i];
  }
  return {first, end - first};
}

bool Obligations::witnessed(u32 obligation, const Cube& cube, const DutySet& next) {
  const Formula formula = formula_[obligation];
  const bool recurring = recurs(formula);
  const Terms terms = recurring ? expand(formulas_[formulas_[formula].a].a) : expand(formula);
  if (!spend(terms.count)) return false;
  for (u32 i = 0; i < terms.count; ++i) {
    const Term& term = terms_[terms.first + i];
    if (!recurring && term.next.has(obligation)) continue;
    if (contains(term.cube, cube) && term.next.within(next)) return true;
  }
  return false;
}

u64 Obligations::missing_marks(const Cube& cube, const DutySet& next) {
  u64 missing = 0;
  for (u32 i = 0; i < count_; ++i) {
    if (mark_[i] == kNoMark || !next.has(i)) continue;
    if (!witnessed(i, cube, next)) missing |= u64{1} << mark_[i];
  }
  return missing;
}

}  // namespace xmc::ltl
