// A body with the routines that it calls in their place: one list of actions over one window of
// registers. So an address that a caller hands over is known where the routine uses it. A routine
// that calls itself, or that would make the list too long, stays a call. What is in place of a call
// counts as one: operand c of a call says how many are around it, and one of no routine only has
// their number looked at.
#pragma once

#include <span>

#include "ir/ir.h"
#include "xmc/arena.h"

namespace xmc {

class FlatBodies {
 public:
  FlatBodies(const ir::RuleProgram& program, Arena& arena);

  // The body that begins there; it stays until the next one is made. Of a routine that is a
  // function, nobody knows how many calls there are around it.
  void make(u32 code, bool function = false);
  // Registers that are set from outside, whether or not an action has them.
  void reserve(std::span<const ir::Parameter> parameters);
  std::span<const ir::Action> actions() const { return actions_.first(size_); }
  // Of jump tables, whose operand a counts from here.
  std::span<const u32> targets() const { return targets_.first(target_count_); }
  u32 registers() const { return registers_; }
  bool has_calls() const { return has_calls_; }
  // It is a function of its own.
  bool is_called(u32 routine) const { return sizes_[routine].actions == kNone; }

 private:
  struct Size {
    u32 actions = 0;
    u32 targets = 0;
  };
  Size flat_size(u32 code, u32 routine) const;
  void add(u32 code, u32 base, u32 depth);
  void put(const ir::Action& x, u32 base);

  const ir::RuleProgram& p_;
  std::span<Size> sizes_;  // of routines in place; kNone actions: it is not
  std::span<u32> where_;   // an action of the program in the list
  std::span<ir::Action> actions_;
  std::span<u32> targets_;
  u32 target_count_ = 0;
  u32 size_ = 0;
  u32 registers_ = 0;
  bool function_ = false;
  bool has_calls_ = false;
};

}  // namespace xmc
