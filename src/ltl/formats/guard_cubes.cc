#include "ltl/formats/guard_cubes.h"

#include "ltl/graph/graph.h"
#include "ltl/graph/guard.h"

namespace xmc::ltl {

GuardCubes::GuardCubes(const Formulas& formulas, Arena& arena, Effort& effort)
    : formulas_(formulas),
      effort_(effort),
      stack_(scratch_array<Cube>(arena, 4 * limits::kGuardCubes)) {}

Status GuardCubes::expand(Formula formula, std::span<const Cube>& out) {
  top_ = 0;
  full_ = false;
  push(formula, false);
  if (full_ || top_ > limits::kGuardCubes) {
    return Status::fail(Code::model,
                        "the guard has more than %u alternatives; give part of it as one quoted "
                        "proposition",
                        limits::kGuardCubes);
  }
  out = stack_.first(top_);
  return {};
}

void GuardCubes::add(const Cube& cube) {
  if (full_ || !consistent(cube)) return;
  if (top_ == stack_.size() || !effort_.spend(1)) {
    full_ = true;
    return;
  }
  stack_[top_++] = cube;
}

u32 GuardCubes::push(Formula formula, bool negated) {
  const Node& node = formulas_[formula];
  const u32 begin = top_;
  switch (node.op) {
    case Op::truth:
    case Op::falsity:
      if ((node.op == Op::truth) != negated) add({});
      return begin;
    case Op::proposition:
      add(negated ? Cube{0, 1u << node.a} : Cube{1u << node.a, 0});
      return begin;
    case Op::negation:
      return push(node.a, !negated);
    default:
      return full_ ? begin : push_connective(node, negated);
  }
}

u32 GuardCubes::push_connective(const Node& node, bool negated) {
  const u32 begin = top_;
  if (node.op == Op::exclusive || node.op == Op::equivalence) {
    const bool same = (node.op == Op::equivalence) != negated;
    push(node.a, false);
    multiply(begin, push(node.b, !same));
    const u32 second = top_;
    push(node.a, true);
    multiply(second, push(node.b, same));
    tidy(begin);
    return begin;
  }
  const bool both = (node.op == Op::conjunction) != negated;
  push(node.a, (node.op == Op::implication) != negated);
  const u32 second = push(node.b, negated);
  if (both) {
    multiply(begin, second);
  } else {
    tidy(begin);
  }
  return begin;
}

// The lists from a to b and from b on become one, of all pairs.
void GuardCubes::multiply(u32 a, u32 b) {
  const u32 end = top_;
  for (u32 i = a; i < b; ++i) {
    for (u32 k = b; k < end; ++k) add(meet(stack_[i], stack_[k]));
  }
  const u32 count = top_ - end;
  for (u32 i = 0; i < count; ++i) stack_[a + i] = stack_[end + i];
  top_ = a + count;
  tidy(a);
}

// Cubes that another one contains go.
void GuardCubes::tidy(u32 begin) {
  const u64 count = top_ - begin;
  if (!effort_.spend(count * count)) return;
  u32 end = begin;
  for (u32 i = begin; i < top_; ++i) {
    bool needless = false;
    for (u32 k = begin; k < top_ && !needless; ++k) {
      // Between the two are cubes that were moved to the front.
      if (k < end || k > i) needless = contains(stack_[k], stack_[i]);
    }
    if (!needless) stack_[end++] = stack_[i];
  }
  top_ = end;
}

}  // namespace xmc::ltl
