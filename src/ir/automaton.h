// Automaton: a Büchi automaton in terms of a program, wherever it came from: a property process, a
// formula, a file. A product is the program with the automaton as one process more, which does not
// take part in the steps of the others: it moves along with each of them.
//
// Invariants:
//   1. `initial`, and `source` and `target` of every edge, are less than the number of locations.
//   2. A guard is an expression of the program over its variables, and reads the state before the
//      step.
//   3. Only an automaton that is a process of the text has assignments. They come after those of
//      the system's step, and go to variables of that process.
#pragma once

#include "ir/ir.h"

namespace xmc::ir {

struct Automaton {
  struct Edge {
    u32 source = 0;
    u32 target = 0;
    ExprId guard = kNone;      // kNone: true
    u32 first_assignment = 0;  // Program::assignments
    u32 assignment_count = 0;
  };

  std::string_view name;
  u32 initial = 0;
  std::span<const std::string_view> locations;  // their names
  std::span<const u8> accepting;                // by location
  std::span<Edge> edges;                        // in the order of step labels
  // Nothing accepts: predicates of locations say where the run so far is bad for good.
  bool terminal = false;
};

}  // namespace xmc::ir
