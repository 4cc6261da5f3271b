// What the lowering notes of its code for step tables (step_facts.h): where the code of each step
// is, what its stores hold, and what in it cannot fail.
#pragma once

#include "front/promela/system.h"
#include "ir/interval.h"
#include "xmc/arena.h"
#include "xmc/pool.h"
#include "xmc/scratch.h"

namespace xmc::promela_lower {

// Actions first .. last - 1 of the program.
struct CodeRange {
  u32 first = 0;
  u32 last = 0;
};

// The code of an option of a place, or of one that sends and one that receives. All that it reads
// and writes is done there, and all that is read for it elsewhere in `before`.
struct StepRegion {
  u32 label = 0;
  u32 slot = 0;
  promela::PlaceId place = 0;
  u32 action = 0;
  u32 partner = kNone;  // slot
  promela::PlaceId partner_place = kNone;
  u32 received = kNone;  // action of the partner
  CodeRange own;
  CodeRange before[4];  // sender: channel, message; receiver: whether it may move, its escapes
  u32 place_code = 0;   // where the options of the place begin
};

// What an action stores; `change`: that is what is added.
struct StoreNote {
  u32 action = 0;
  ir::Interval values;
  bool is_change = false;
  i32 by = 0;
};

struct StepRecord {
  explicit StepRecord(Arena& a, u32 slots)
      : arena(a),
        regions(a, kName),
        stores(a, kName),
        safe(a, kName),
        timeouts(a, kName),
        provided(scratch_array<CodeRange>(a, kName, slots)) {}
  static constexpr const char* kName = "step tables";

  Arena& arena;
  Pool<StepRegion, 6, 4096> regions;
  Pool<StoreNote, 8, 8192> stores;
  Pool<u32, 6, 8192> safe;        // actions that could fail by their kind, and do not
  Pool<u32, 5, 512> timeouts;     // actions behind which `timeout` was read
  std::span<CodeRange> provided;  // by slot
  bool is_full = false;           // something is missing
};

}  // namespace xmc::promela_lower
