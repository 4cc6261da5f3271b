// How many processes can ever be started, where their number alive does not tell: on the way
// through the abstract states of a process that starts the most.
#include <algorithm>

#include "lower/promela/facts/flow.h"

namespace xmc::promela {

namespace {

constexpr u32 kTooMany = limits::kPromelaNumbers + 1;

}  // namespace

// Of a type, by one process; kTooMany where there is no bound.
u32 Flow::most_starts(Instance& one, u32 type) {
  follow(one);
  Area& area = *areas_[from_];
  for (u32 i = 0; i < area.size(); ++i) {
    area[i].is_pending = area[i].is_reached;
    area[i].starts = 0;
  }
  is_counting_ = true;
  counted_ = type;
  most_counted_ = 0;
  for (bool again = true; again && most_counted_ < kTooMany;) {
    again = false;
    for (u32 i = 0; i < area.size() && most_counted_ < kTooMany; ++i) {
      if (!area[i].is_pending) continue;
      area[i].is_pending = false;
      again = true;
      leave(i);
    }
  }
  is_counting_ = false;
  return most_counted_;
}

// A step leads to that abstract state; kNone: to none that is known.
void Flow::count(u32 point) {
  const u32 starts = work_.starts + started_;
  most_counted_ = std::max(most_counted_, point == kNone ? kTooMany : starts);
  if (point == kNone) return;
  Point& to = (*areas_[from_])[point];
  if (to.starts >= starts) return;
  to.starts = static_cast<u16>(starts);
  to.is_pending = true;
}

// All that are started in one execution, or kTooMany.
u32 Flow::all_starts() {
  const u32 types = k_.type_count;
  const std::span<u32> starts = scratch_table<u32>(k_.arena, u64{types} * types);
  const std::span<u32> all = scratch_table<u32>(k_.arena, types);
  for (u32 i = 0; i < k_.instances.size(); ++i) {
    Instance& one = k_.instances[i];
    if (!k_.life(one).exists || has_run_[one.type] == 0) continue;
    for (u32 type = 0; type < types; ++type) {
      bool is_started = false;
      for (u32 slot = 0; slot < limits::kPromelaNumbers; ++slot) {
        const Instance* other = k_.find(slot, type);
        is_started = is_started || (other != nullptr && k_.life(*other).is_run);
      }
      u32& most = starts[one.type * types + type];
      if (is_started && most < kTooMany) most = std::max(most, most_starts(one, type));
    }
  }
  // Those that are started start others: types that start each other have no bound.
  for (bool changed = true; changed;) {
    changed = false;
    for (u32 i = 0; i < types; ++i) {
      u64 sum = 0;
      for (u32 j = 0; j < types; ++j) sum += u64{starts[i * types + j]} * (1 + all[j]);
      const u32 most = static_cast<u32>(std::min<u64>(sum, kTooMany));
      changed = changed || most != all[i];
      all[i] = most;
    }
  }
  u64 sum = 0;
  for (u32 i = 0; i < types; ++i) sum += u64{s_.proctypes[i].active} * all[i];
  return static_cast<u32>(std::min<u64>(sum, kTooMany));
}

}  // namespace xmc::promela
