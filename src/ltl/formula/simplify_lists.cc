// Rules for conjunctions of any length. A conjunction is a chain to the right of operands with
// ascending numbers; a disjunction is rewritten as the negation of its dual.
#include <algorithm>

#include "ltl/formula/simplify.h"

namespace xmc::ltl {

namespace {

constexpr u64 kConjunctionSteps = 256;

}  // namespace

Formula Simplifier::make_and(Formula a, Formula b) {
  if (a == b) return a;
  List list{top_, top_};
  flatten(a, Op::conjunction, list);
  flatten(b, Op::conjunction, list);
  const Formula result = formulas_.status().ok() ? conjoin(list) : Formulas::kFalse;
  top_ = list.begin;
  return result;
}

Formula Simplifier::make_or(Formula a, Formula b) {
  if (a == b) return a;
  return not_of(make_and(not_of(a), not_of(b)));
}

void Simplifier::flatten(Formula formula, Op op, List& list) {
  while (formulas_[formula].op == op) {
    flatten(formulas_[formula].a, op, list);
    formula = formulas_[formula].b;
  }
  if (list.end == stack_.size()) return formulas_.refuse();
  stack_[list.end++] = formula;
  top_ = list.end;
}

// Rewrites until nothing changes. Each rule makes the conjunction smaller. A rule makes formulas by
// rules, so that the time is not bounded by their size but by the effort: without it the operands
// are only sorted.
Formula Simplifier::conjoin(List& list) {
  for (;;) {
    if (!sort_list(list)) return Formulas::kFalse;
    if (!formulas_.status().ok() || !effort_.spend(kConjunctionSteps)) break;
    if (!absorb(list)) return Formulas::kFalse;
    if (!shorten(list) && !join_pairs(list)) break;
  }
  return chain(Op::conjunction, list);
}

// In ascending order, each once, nested conjunctions opened, truth left out. False if one is false.
bool Simplifier::sort_list(List& list) {
  const u32 count = list.end - list.begin;
  for (u32 i = 0; i < count; ++i) {
    const Formula one = stack_[list.begin + i];
    if (formulas_[one].op == Op::conjunction) {
      stack_[list.begin + i] = Formulas::kTrue;
      flatten(one, Op::conjunction, list);
    }
  }
  u32* const begin = &stack_[list.begin];
  u32* end = begin + (list.end - list.begin);
  std::sort(begin, end);
  end = std::unique(begin, end);
  end = std::remove(begin, end, Formulas::kTrue);
  list.end = list.begin + static_cast<u32>(end - begin);
  top_ = list.end;
  return begin == end || *begin != Formulas::kFalse;
}

// Drops what others imply. False if two exclude each other.
bool Simplifier::absorb(List& list) {
  for (u32 i = list.begin; i < list.end; ++i) {
    bool implied = false;
    for (u32 k = list.begin; k < list.end && !implied; ++k) {
      if (k == i) continue;
      if (k < i && implications_.excludes(stack_[k], stack_[i])) return false;
      // Of two equivalent ones the first stays.
      implied = implications_.implies(stack_[k], stack_[i]) &&
                (k < i || !implications_.implies(stack_[i], stack_[k]));
    }
    if (!implied) continue;
    std::copy(&stack_[i] + 1, &stack_[list.begin] + (list.end - list.begin), &stack_[i]);
    --list.end;
    --i;
  }
  top_ = list.end;
  return true;
}

// a & (b | c) = a & c where a excludes b.
bool Simplifier::shorten(List& list) {
  for (u32 i = list.begin; i < list.end; ++i) {
    if (formulas_[stack_[i]].op != Op::disjunction) continue;
    Formula rest = Formulas::kFalse;
    bool shorter = false;
    for (Formula at = stack_[i];;) {
      const bool more = formulas_[at].op == Op::disjunction;
      const Formula one = more ? formulas_[at].a : at;
      const Formula next = formulas_[at].b;
      bool excluded = false;
      for (u32 k = list.begin; k < list.end && !excluded; ++k) {
        excluded = k != i && implications_.excludes(stack_[k], one);
      }
      if (excluded) shorter = true;
      if (!excluded) rest = make_or(rest, one);
      if (!more) break;
      at = next;
    }
    if (!shorter) continue;
    stack_[i] = rest;
    return true;
  }
  return false;
}

bool Simplifier::join_pairs(List& list) {
  for (u32 i = list.begin; i < list.end; ++i) {
    for (u32 k = i + 1; k < list.end; ++k) {
      const Formula joined = join_two(stack_[i], stack_[k]);
      if (joined == kNone) continue;
      stack_[i] = joined;
      stack_[k] = Formulas::kTrue;
      return true;
    }
  }
  return false;
}

// Two operands as one, or kNone.
Formula Simplifier::join_two(Formula a, Formula b) {
  const Node left = formulas_[a];
  const Node right = formulas_[b];
  if (left.op != right.op) return kNone;
  switch (left.op) {
    case Op::next:
      return make_next(make_and(left.a, right.a));
    case Op::globally:
      return left.eventual || right.eventual ? kNone : make_globally(make_and(left.a, right.a));
    case Op::finally:  // F u & F v = F (u & v) for universal ones
      if (!left.universal || !right.universal || left.a == b || right.a == a) return kNone;
      return make_finally(make_and(left.a, right.a));
    case Op::until:
      return left.b == right.b ? make_until(make_and(left.a, right.a), left.b) : kNone;
    case Op::release:
      return left.a == right.a ? make_release(left.a, make_and(left.b, right.b)) : kNone;
    default:
      return kNone;
  }
}

Formula Simplifier::chain(Op op, const List& list) {
  if (list.begin == list.end) return Formulas::kTrue;
  Formula result = stack_[list.end - 1];
  for (u32 i = list.end - 1; i-- > list.begin;) result = formulas_.make(op, stack_[i], result);
  return result;
}

}  // namespace xmc::ltl
