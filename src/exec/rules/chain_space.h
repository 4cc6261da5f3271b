// The memory that an execution of a generator has for chains.
#pragma once

#include <algorithm>
#include <bit>

#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/chain_memory.h"
#include "xmc/limits.h"

namespace xmc {

// How many states; 0 if nothing keeps control.
inline u32 chain_states(const ir::RuleProgram& program) {
  if (program.chain_ends == 0) return 0;
  const u32 fitting = limits::kChainBytes / (program.state_words * u32{sizeof(Word)});
  return std::min(limits::kChainStates, fitting);
}

inline void carve_chain(const ir::RuleProgram& program, const char* name, Arena& arena,
                        ChainMemory& chain) {
  const u32 most = chain_states(program);
  chain = {};
  if (most == 0) return;
  chain.most = most;
  chain.words = program.state_words;
  chain.slot_count = std::bit_ceil(2 * most);
  chain.states = arena.carve_array<Word>(name, u64{most} * program.state_words).data();
  chain.keepers = arena.carve_array<u32>(name, most).data();
  chain.steps = arena.carve_array<u32>(name, most).data();
  chain.labels = arena.carve_array<u32>(name, most).data();
  chain.ways = arena.carve_array<ChainWays>(name, most).data();
  chain.path = arena.carve_array<u32>(name, 3 * (u64{most} + 1)).data();
  chain.slots = arena.carve_array<u16>(name, chain.slot_count).data();
}

}  // namespace xmc
