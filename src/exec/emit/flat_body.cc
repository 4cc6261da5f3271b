#include "exec/emit/flat_body.h"

#include <algorithm>

#include "ir/operands.h"
#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/scratch.h"

namespace xmc {

using ir::Action;
using ir::BodyOp;

namespace {

// A routine of more actions than this stays a function.
constexpr u32 kInlineActions = 1000;

}  // namespace

FlatBodies::FlatBodies(const ir::RuleProgram& program, Arena& arena)
    : p_(program),
      sizes_(scratch_array<Size>(arena, "emitter", program.routines.size())),
      where_(scratch_array<u32>(arena, "emitter", program.actions.size())) {
  Size most;
  const auto take = [&](const Size& size) {
    if (size.actions == kNone) return;
    most.actions = std::max(most.actions, size.actions);
    most.targets = std::max(most.targets, size.targets);
  };
  // Nothing is called before its declaration, so that every callee but a routine itself is known.
  for (u32 i = 0; i < p_.routines.size(); ++i) {
    const Size size = flat_size(p_.routines[i].code, i);
    take(size);
    sizes_[i] = size;
    if (size.actions > kInlineActions) sizes_[i].actions = kNone;
    // As a function, it has a call where it calls itself.
    if (size.actions == kNone) take(flat_size(p_.routines[i].code, kNone));
  }
  for (const ir::Rule& r : p_.rules) take(flat_size(r.code, kNone));
  for (const ir::Predicate& q : p_.predicates) take(flat_size(q.condition, kNone));
  actions_ = scratch_array<Action>(arena, "emitter", most.actions);
  targets_ = scratch_array<u32>(arena, "emitter", most.targets);
}

// kNone actions: routine `routine` calls itself.
FlatBodies::Size FlatBodies::flat_size(u32 code, u32 routine) const {
  const u32 end = ir::end_of_body(p_, code);
  Size size;
  for (u32 i = code; i < end; ++i) {
    const Action& x = p_.actions[i];
    const bool call = x.op == BodyOp::call;
    if (call && x.a == routine) return {kNone, 0};
    const bool in_place = call && sizes_[x.a].actions != kNone;
    size.actions += 1 + (in_place ? sizes_[x.a].actions : 0);
    if (in_place) size.targets += sizes_[x.a].targets;
    if (x.op == BodyOp::jump_table) size.targets += x.b;
  }
  return size;
}

void FlatBodies::make(u32 code, bool function) {
  function_ = function;
  size_ = 0;
  target_count_ = 0;
  registers_ = 1;
  has_calls_ = false;
  add(code, 0, 0);
}

void FlatBodies::reserve(std::span<const ir::Parameter> parameters) {
  for (const ir::Parameter& q : parameters) registers_ = std::max(registers_, q.cell + 1);
}

void FlatBodies::put(const Action& x, u32 base) {
  const ir::Operands has = ir::operands_of(x.op);
  Action& y = actions_[size_++];
  y = x;
  if (has.reads_r || has.writes_r) y.r += base;
  if (has.reads_a || x.op == BodyOp::address) y.a += base;
  if (has.reads_b || x.op == BodyOp::call) y.b += base;
  for (const u32 used : {has.reads_r || has.writes_r ? y.r : 0, has.reads_a ? y.a : 0,
                         has.reads_b ? y.b : 0, x.op == BodyOp::address ? y.a + y.c : 0}) {
    registers_ = std::max(registers_, used + 1);
  }
}

void FlatBodies::add(u32 code, u32 base, u32 depth) {
  const u32 end = ir::end_of_body(p_, code);
  for (u32 i = code; i < end; ++i) {
    const Action& x = p_.actions[i];
    where_[i] = size_;
    if (x.op != BodyOp::call) {
      put(x, base);
    } else if (depth == limits::kCallDepth) {
      put({.op = BodyOp::fail}, base);
    } else if (sizes_[x.a].actions != kNone) {
      if (function_) put({.op = BodyOp::call, .a = kNone, .c = depth}, 0);
      add(p_.routines[x.a].code, base + x.b, depth + 1);
    } else {
      put(x, base);
      actions_[size_ - 1].c = depth;
      has_calls_ = true;
    }
  }
  for (u32 i = code; i < end; ++i) {
    const Action& x = p_.actions[i];
    if (ir::is_jump(x.op)) actions_[where_[i]].a = where_[x.a];
    if (x.op == BodyOp::attempt) actions_[where_[i]].b = where_[x.b];
    if (x.op == BodyOp::jump_table) {
      actions_[where_[i]].a = target_count_;
      for (u32 k = 0; k < x.b; ++k) targets_[target_count_++] = where_[p_.jump_targets[x.a + k]];
    }
    if (x.op != BodyOp::leave || depth == 0) continue;
    actions_[where_[i]] = {.op = BodyOp::jump, .a = size_};
  }
}

}  // namespace xmc
