// What a run asks of whole states, as expressions of ir over cells: predicates of the command line,
// propositions, guards of a claim. Step tables take conditions apart and evaluate them so
// (ir/tables/conditions.h); bodies, which searches evaluate, say nothing of how they are made.
//
// kNone stands for what has no such expression: what processes can do next, and whatever else is
// more than values and places. It spreads to all that is made of it. Equal expressions are one.
#pragma once

#include "front/promela/system.h"
#include "ir/ir.h"
#include "ir/tables/fact_list.h"
#include "lower/promela/facts.h"
#include "lower/promela/layout/slots.h"
#include "xmc/arena.h"

namespace xmc::promela_lower {

class StateExpressions {
 public:
  // `cells`: of leaves, in the numbers of Program::initial_values.
  StateExpressions(const promela::System& system, const promela::Facts& facts, const Slots& slots,
                   const ir::RuleProgram& program, std::span<const u32> cells, Arena& arena);

  u32 value(promela::ExprId id);
  // Of which only counts whether it is 0.
  u32 truth(promela::ExprId id);
  u32 constant(i32 value);
  u32 unary(ir::Op op, u32 a);
  u32 binary(ir::Op op, u32 a, u32 b);
  u32 negation(u32 a) { return unary(ir::Op::logical_not, a); }
  u32 both(u32 a, u32 b) { return binary(ir::Op::logical_and, a, b); }
  u32 either(u32 a, u32 b) { return binary(ir::Op::logical_or, a, b); }
  // 1 where no process is at such a place.
  u32 nobody_is(bool (*there)(const promela::Place&));

  // All so far, in the arena for good.
  std::span<ir::Expr> carve(Arena& arena) const;
  // The slots as processes, with room for `more`.
  std::span<ir::Process> carve_processes(u32 more, Arena& arena) const;

 private:
  u32 push(const ir::Expr& e, ir::Interval range);
  u32 simplified(ir::Op op, u32 a, u32 b) const;
  u32 cell(u32 leaf);
  u32 at(u32 slot, u32 code);
  u32 is_of(const SlotType& type);
  bool is_surely(const SlotType& type) const;
  u32 load(const promela::Reference& r);
  u32 element(const promela::Reference& r);
  u32 remote(const promela::Reference& r);
  u32 at_label(const promela::Expr& e);
  u32 process_count();
  const ChannelSlot* channel(promela::ExprId id) const;
  u32 poll(const promela::Expr& e);
  u32 queue(const promela::Expr& e);
  template <class Of>
  u32 of_process(promela::ExprId pid, u32 proctype, Of of);

  const promela::System& s_;
  const promela::Facts& facts_;
  const Slots& slots_;
  const ir::RuleProgram& p_;
  std::span<const u32> cells_;
  std::span<u32> variable_of_;  // by cell
  ir::FactList<ir::Expr> exprs_;
  ir::FactList<ir::Interval> ranges_;
};

}  // namespace xmc::promela_lower
