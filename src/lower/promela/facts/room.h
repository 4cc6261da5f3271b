// What a model would take with the processes that its facts speak of.
#pragma once

#include "lower/promela/facts.h"

namespace xmc::promela {

// Where no bound on the processes of a model is proved, it gets room for as many as keep within
// these: statements, each counted for all that it can be about (slots, places, channels,
// receivers), and bits of a state.
inline constexpr u32 kAssumedStatements = 4096;
inline constexpr u32 kAssumedBits = 1024;

struct Room {
  u64 statements = 0;
  u64 bits = 0;  // about

  bool fits() const { return statements <= kAssumedStatements && bits <= kAssumedBits; }
};

Room room_of(const System& system, const Facts& facts, Arena& arena);

}  // namespace xmc::promela
