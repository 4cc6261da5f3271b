// What an execution of a generator remembers of chains: the states on the way, and those that are
// still to be followed.
#pragma once

#include <algorithm>
#include <span>

#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/limits.h"

namespace xmc {

struct ChainMemory {
  std::span<Word> states;
  std::span<u32> keepers;  // by state: the rule that goes on from it
  std::span<u32> steps;    // by state: the label of the chain's first step
  std::span<u32> labels;   // by state: that of the step that led to it; of the judge only
  std::span<u32> path;     // states on the way, each with the end of those beside it

  u32& at(u32 depth) const { return path[std::size_t{depth} * 2]; }
  u32& end(u32 depth) const { return path[std::size_t{depth} * 2 + 1]; }
};

// How many states; 0 if nothing keeps control.
inline u32 chain_states(const ir::RuleProgram& program) {
  if (program.chain_ends == 0) return 0;
  const u32 fitting = limits::kChainBytes / (program.state_words * u32{sizeof(Word)});
  return std::min(limits::kChainStates, fitting);
}

inline void carve_chain(const ir::RuleProgram& program, const char* name, Arena& arena,
                        ChainMemory& chain) {
  const u64 most = chain_states(program);
  if (most == 0) return;
  chain.states = arena.carve_array<Word>(name, most * program.state_words);
  chain.keepers = arena.carve_array<u32>(name, most);
  chain.steps = arena.carve_array<u32>(name, most);
  chain.path = arena.carve_array<u32>(name, 2 * (most + 1));
}

}  // namespace xmc
