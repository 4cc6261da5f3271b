#include "ltl/formula/implies.h"

#include "xmc/bytes.h"

namespace xmc::ltl {

namespace {

constexpr u32 kCacheSize = 1u << 11;

Op dual(Op op) {
  switch (op) {
    case Op::finally:
      return Op::globally;
    case Op::globally:
      return Op::finally;
    case Op::conjunction:
      return Op::disjunction;
    case Op::disjunction:
      return Op::conjunction;
    case Op::until:
      return Op::release;
    case Op::release:
      return Op::until;
    default:
      return op;
  }
}

template <class T>
std::span<T> zeroed(Arena& arena, u32 count) {
  std::span<T> all(static_cast<T*>(arena.scratch("formulas", count * sizeof(T))), count);
  fill_zero(all);
  return all;
}

}  // namespace

Implications::Implications(Formulas& formulas, Arena& arena, Effort& effort)
    : formulas_(formulas),
      effort_(effort),
      cache_(zeroed<Answer>(arena, kCacheSize)),
      negations_(zeroed<u32>(arena, limits::kFormulaNodes)) {}

Formula Implications::negation(Formula formula) {
  if (negations_[formula] != 0) return negations_[formula] - 1;
  const Node node = formulas_[formula];
  Formula result = formula;
  switch (node.op) {
    case Op::falsity:
      result = Formulas::kTrue;
      break;
    case Op::truth:
      result = Formulas::kFalse;
      break;
    case Op::proposition:
      result = formulas_.negation(formula);
      break;
    case Op::negation:
      result = node.a;
      break;
    default: {
      const Formula a = negation(node.a);
      result = formulas_.make(dual(node.op), a, is_binary(node.op) ? negation(node.b) : 0);
    }
  }
  negations_[formula] = result + 1;
  negations_[result] = formula + 1;
  return result;
}

bool Implications::implies(Formula a, Formula b) {
  if (a == b || a == Formulas::kFalse || b == Formulas::kTrue) return true;
  if (a == Formulas::kTrue || b == Formulas::kFalse) return false;
  Answer& answer = cache_[(a * 0x9E3779B1u ^ b * 0x85EBCA77u) >> 21];
  static_assert(kCacheSize == 1u << (32 - 21));
  if (answer.known && answer.a == a && answer.b == b) return answer.yes;
  const bool yes = effort_.spend(16) && decide(a, b);
  answer = {a, b, true, yes};
  return yes;
}

// Each rule asks about smaller formulas, so this ends.
bool Implications::decide(Formula a, Formula b) {
  const Node& left = formulas_[a];
  const Node& right = formulas_[b];
  if (left.op == Op::disjunction) return implies(left.a, b) && implies(left.b, b);
  if (right.op == Op::conjunction) return implies(a, right.a) && implies(a, right.b);
  return by_both(a, b) || by_left(a, b) || by_right(a, b);
}

// x U y implies b.
bool Implications::left_until(Formula x, Formula y, Formula b) {
  const Node& right = formulas_[b];
  if (!implies(y, b)) return false;
  if (right.eventual || implies(x, b)) return true;
  return right.op == Op::until && implies(x, right.a);
}

// a implies x R y.
bool Implications::right_release(Formula a, Formula x, Formula y) {
  const Node& left = formulas_[a];
  if (!implies(a, y)) return false;
  if (left.universal || implies(a, x)) return true;
  return left.op == Op::release && implies(left.a, x);
}

bool Implications::by_left(Formula a, Formula b) {
  const Node left = formulas_[a];
  switch (left.op) {
    case Op::conjunction:
      return implies(left.a, b) || implies(left.b, b);
    case Op::next:
      return formulas_[b].eventual && implies(left.a, b);
    case Op::finally:
      return left_until(Formulas::kTrue, left.a, b);
    case Op::until:
      return left_until(left.a, left.b, b);
    case Op::globally:
      return implies(left.a, b);
    case Op::release:
      return implies(left.b, b);
    default:
      return false;
  }
}

bool Implications::by_right(Formula a, Formula b) {
  const Node right = formulas_[b];
  switch (right.op) {
    case Op::disjunction:
      return implies(a, right.a) || implies(a, right.b);
    case Op::next:
      return formulas_[a].universal && implies(a, right.a);
    case Op::finally:
      return implies(a, right.a);
    case Op::until:
      return implies(a, right.b);
    case Op::globally:
      return right_release(a, Formulas::kFalse, right.a);
    case Op::release:
      return right_release(a, right.a, right.b);
    default:
      return false;
  }
}

// Rules that take both apart.
bool Implications::by_both(Formula a, Formula b) {
  const Node left = formulas_[a];
  const Node right = formulas_[b];
  if (left.op != right.op) return false;
  switch (left.op) {
    case Op::next:
    case Op::finally:
    case Op::globally:
      return implies(left.a, right.a);
    case Op::until:
    case Op::release:
      return implies(left.a, right.a) && implies(left.b, right.b);
    default:
      return false;
  }
}

}  // namespace xmc::ltl
