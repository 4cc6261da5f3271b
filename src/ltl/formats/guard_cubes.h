// A formula without temporal operators as a list of cubes.
#pragma once

#include <span>

#include "ltl/automaton.h"
#include "ltl/formula/formula.h"
#include "ltl/graph/effort.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc::ltl {

class GuardCubes {
 public:
  GuardCubes(const Formulas& formulas, Arena& arena, Effort& effort);

  // Valid until the next call. Fails beyond limits::kGuardCubes.
  Status expand(Formula formula, std::span<const Cube>& out);

 private:
  // Cubes on a stack; each of these leaves its result on top and gives where it begins.
  u32 push(Formula formula, bool negated);
  u32 push_connective(const Node& node, bool negated);
  void multiply(u32 a, u32 b);
  void tidy(u32 begin);
  void add(const Cube& cube);

  const Formulas& formulas_;
  Effort& effort_;
  std::span<Cube> stack_;
  u32 top_ = 0;
  bool full_ = false;
};

}  // namespace xmc::ltl
