#include "ltl/graph/guard.h"

#include <algorithm>
#include <bit>

namespace xmc::ltl {

namespace {

bool is_before(const Cube& a, const Cube& b) {
  const int size_a = std::popcount(a.positive) + std::popcount(a.negative);
  const int size_b = std::popcount(b.positive) + std::popcount(b.negative);
  if (size_a != size_b) return size_a < size_b;
  if (a.positive != b.positive) return a.positive < b.positive;
  return a.negative < b.negative;
}

// Drops the literals of cube `at` without which it still is in the disjunction.
void expand(std::span<Cube> cubes, u32 at, Effort& effort) {
  for (u32 rest = cubes[at].positive | cubes[at].negative; rest != 0; rest &= rest - 1) {
    const u32 bit = rest & (0 - rest);
    const Cube larger{cubes[at].positive & ~bit, cubes[at].negative & ~bit};
    // Where the literal holds, the cube itself does; what remains is the other half.
    Cube other = larger;
    (cubes[at].positive & bit ? other.negative : other.positive) |= bit;
    if (covered(other, cubes, effort)) cubes[at] = larger;
  }
}

}  // namespace

bool covered(const Cube& cube, std::span<const Cube> cubes, Effort& effort) {
  if (!effort.spend(cubes.size() + 1)) return false;
  u32 open = 0;  // a proposition that decides between cubes
  for (const Cube& other : cubes) {
    if (contains(other, cube)) return true;
    if (open != 0 || !consistent(meet(cube, other))) continue;
    const u32 free = (other.positive & ~cube.positive) | (other.negative & ~cube.negative);
    open = free & (0 - free);
  }
  if (open == 0) return false;
  return covered({cube.positive | open, cube.negative}, cubes, effort) &&
         covered({cube.positive, cube.negative | open}, cubes, effort);
}

u32 merge_cubes(std::span<Cube> cubes, Effort& effort) {
  std::sort(cubes.begin(), cubes.end(), is_before);
  for (u32 i = 0; i < cubes.size(); ++i) expand(cubes, i, effort);
  std::sort(cubes.begin(), cubes.end(), is_before);
  u32 count = static_cast<u32>(std::unique(cubes.begin(), cubes.end()) - cubes.begin());
  // The smallest ones are dropped first where others make up for them.
  for (u32 i = count; i-- > 0;) {
    std::swap(cubes[i], cubes[count - 1]);
    if (covered(cubes[count - 1], cubes.first(count - 1), effort)) {
      --count;
    } else {
      std::swap(cubes[i], cubes[count - 1]);
    }
  }
  cubes = cubes.first(count);
  std::sort(cubes.begin(), cubes.end(), is_before);
  return count;
}

}  // namespace xmc::ltl
