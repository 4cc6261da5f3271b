// Cubes and lists of them: what guards are made of.
#pragma once

#include <span>

#include "ltl/automaton.h"
#include "ltl/graph/effort.h"

namespace xmc::ltl {

inline bool consistent(const Cube& cube) { return (cube.positive & cube.negative) == 0; }

// Whether `large` holds wherever `small` does.
inline bool contains(const Cube& large, const Cube& small) {
  return (large.positive & ~small.positive) == 0 && (large.negative & ~small.negative) == 0;
}

// Both at once; consistent() tells whether that is possible.
inline Cube meet(const Cube& a, const Cube& b) {
  return {a.positive | b.positive, a.negative | b.negative};
}

// Whether one of `cubes` holds wherever `cube` does. Without effort left the answer is no.
bool covered(const Cube& cube, std::span<const Cube> cubes, Effort& effort);

// Makes the cubes of a disjunction as large and as few as this is easy, in place; gives how many
// are left. Their order depends on nothing but the cubes.
u32 merge_cubes(std::span<Cube> cubes, Effort& effort);

}  // namespace xmc::ltl
