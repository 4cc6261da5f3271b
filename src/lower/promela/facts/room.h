// What a model would take with the processes that its facts speak of.
#pragma once

#include "lower/promela/facts.h"
#include "xmc/limits.h"

namespace xmc::promela {

struct Room {
  u64 statements = 0;
  u64 bits = 0;  // about

  bool fits() const {
    return statements <= limits::kAssumedStatements && bits <= limits::kAssumedBits;
  }
};

Room room_of(const System& system, const Facts& facts, Arena& arena);

}  // namespace xmc::promela
