// PassCheckpoint: where a search by passes over edges is (forward_search.h), as a checkpoint says
// it. What the search has in memory is in the file bits.N; each checkpoint takes the next number.
#pragma once

#include <span>

#include "store/checkpoint/lines.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

struct PassCheckpoint {
  enum class Phase : u8 { none, trim, reach, spread, around };

  Phase phase = Phase::none;  // none: there is no such search
  u64 states = 0;             // of the product
  u64 passes = 0;             // that are complete
  u64 place = 0;              // trim, reach: the state that it was at, plus one; else rounds so far
  bool first = false;         // this pass is the first one of its phase
  bool changed = false;       // by this pass so far
  u64 accepting = 0;          // spread, around: accepting states that have numbers
  u64 target = 0;             // around: the state of a cycle
  u64 number = 0;             // of the file
  u64 words = 0;
  FileMark file;

  // The words are durable then. `buffer` holds a block of them.
  Status write(Folder& folder, std::span<const u64> from, std::span<u8> buffer);
  Status read(Folder& folder, std::span<u64> into, std::span<u8> buffer) const;

  void lines(Lines& io);

  u64 resumed = 0;  // searches that went on from it in this process
};

}  // namespace xmc
