// Which operands of an action are registers, and where control goes: for passes over bodies.
#pragma once

#include <span>

#include "ir/ir.h"

namespace xmc::ir {

struct Operands {
  bool reads_r = false;
  bool reads_a = false;
  bool reads_b = false;
  bool writes_r = false;
};

inline constexpr Operands operands_of(BodyOp op) {
  switch (op) {
    case BodyOp::constant:
    case BodyOp::load:
    case BodyOp::address:
      return {.writes_r = true};
    case BodyOp::load_at:
      return {.reads_b = true, .writes_r = true};
    case BodyOp::store:
    case BodyOp::defined:
    case BodyOp::in_range:
    case BodyOp::jump_zero:
    case BodyOp::jump_not_zero:
    case BodyOp::jump_above:
    case BodyOp::jump_table:
    case BodyOp::result:
    case BodyOp::remove:
    case BodyOp::insert:
      return {.reads_r = true};
    case BodyOp::store_at:
    case BodyOp::fill:
    case BodyOp::jump_greater:
    case BodyOp::jump_less:
      return {.reads_r = true, .reads_b = true};
    case BodyOp::copy:
      return {.reads_r = true, .reads_a = true};
    case BodyOp::index_more:
      return {.reads_r = true, .reads_a = true, .writes_r = true};
    case BodyOp::repeat:
      return {.reads_r = true, .writes_r = true};
    case BodyOp::move:
    case BodyOp::offset:
    case BodyOp::index:
    case BodyOp::widen:
    case BodyOp::narrow:
    case BodyOp::member:
    case BodyOp::is_undefined:
    case BodyOp::cut:
    case BodyOp::negate:
    case BodyOp::bit_not:
    case BodyOp::logical_not:
      return {.reads_a = true, .writes_r = true};
    default:
      if (op >= BodyOp::multiply && op <= BodyOp::bit_or)
        return {.reads_a = true, .reads_b = true, .writes_r = true};
      return {};
  }
}

inline constexpr bool is_jump(BodyOp op) { return op >= BodyOp::jump && op <= BodyOp::jump_less; }

// Nothing goes on behind it.
inline constexpr bool is_last(BodyOp op) {
  return op == BodyOp::jump || op == BodyOp::jump_table || op == BodyOp::leave ||
         op >= BodyOp::disabled;
}

// use(target) for each action that control can go to from `x`, but for the one behind it.
template <class Use>
inline void each_target(std::span<const u32> jump_targets, const Action& x, Use use) {
  if (is_jump(x.op)) use(x.a);
  if (x.op == BodyOp::attempt) use(x.b);
  if (x.op != BodyOp::jump_table) return;
  for (const u32 target : jump_targets.subspan(x.a, x.b)) use(target);
}

// The action behind a body: no jump from inside goes further.
inline u32 end_of_body(const RuleProgram& p, u32 code) {
  u32 furthest = code;
  for (u32 i = code;; ++i) {
    const Action& x = p.actions[i];
    each_target(p.jump_targets, x,
                [&](u32 target) { furthest = furthest < target ? target : furthest; });
    if (is_last(x.op) && i >= furthest) return i + 1;
  }
}

}  // namespace xmc::ir
