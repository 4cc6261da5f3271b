// Random sets of words, as diagrams and as std::set.
#pragma once

#include <random>
#include <set>
#include <vector>

#include "store/symbolic/set_diagram.h"
#include "trial.h"

namespace xmc_test {

using Words = std::set<std::vector<u32>>;

// A diagram with some sets that stay alive.
struct Sets {
  Region memory;
  SetDiagram d;
  Node kept[3] = {};
  explicit Sets(std::size_t size) : memory(size) {
    d.init(memory.memory);
    d.add_roots(kept);
  }
};

inline Words random_words(std::mt19937& rng, u32 length, u32 values, u32 count) {
  Words out;
  for (u32 i = 0; i < count; ++i) {
    std::vector<u32> w(length);
    for (u32& v : w) v = rng() % values;
    out.insert(w);
  }
  return out;
}

inline Node build(SetDiagram& d, const Words& words) {
  const u32 base = d.mark();
  d.push(0, SetDiagram::kEmpty);
  for (const std::vector<u32>& w : words) d.add_to(base, d.word(w));
  const Node set = d.at(base).down;
  d.release(base);
  return set;
}

}  // namespace xmc_test
