// Expressions of statements as conditions of step tables, where they are made of comparisons of one
// value with a constant.
#pragma once

#include "front/promela/system.h"
#include "ir/tables/step_facts.h"
#include "lower/promela/facts.h"
#include "lower/promela/layout/slots.h"

namespace xmc::promela_lower {

// An expression of a statement at `place` of the process in `slot`.
class StepConditions {
 public:
  // `cells`: of leaves, in the numbers of Program::initial_values.
  StepConditions(const promela::System& system, const promela::Facts& facts, const Slots& slots,
                 std::span<const u32> cells, ir::StepFacts& out)
      : s_(system), facts_(facts), slots_(slots), cells_(cells), f_(out) {}

  // That an expression is not 0, or that it is 0; kNone: it is not made of comparisons.
  u32 make(promela::ExprId id, bool truth, u32 slot, promela::PlaceId place);
  u32 compared(u32 leaf, ir::Op op, i32 value);
  bool is_constant(promela::ExprId id, u32 slot, promela::PlaceId place, i32& value) const;
  // The leaf that has the length of a channel, if it can be one only.
  u32 length_of(promela::ExprId channel, u32 slot, promela::PlaceId place) const;

 private:
  u32 compare(promela::ExprId id, bool truth, u32 slot, promela::PlaceId place);
  u32 leaf_of(promela::ExprId id, u32 slot, promela::PlaceId place) const;

  const promela::System& s_;
  const promela::Facts& facts_;
  const Slots& slots_;
  std::span<const u32> cells_;
  ir::StepFacts& f_;
};

// Whether `timeout` is asked for in the same breath.
bool asks_timeout(const promela::System& s, promela::ExprId id);
// Whether what is sent, or received, depends on what else is in channels.
bool asks_channels(const promela::System& s, const promela::Action& a);
bool has_escapes(const promela::System& s, promela::PlaceId place);

}  // namespace xmc::promela_lower
