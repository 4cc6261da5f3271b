// What a flat body of a generator reads where, and which attempt goes on behind an error: found by
// following control until nothing changes.
#pragma once

#include <span>

#include "ir/ir.h"
#include "xmc/arena.h"

namespace xmc {

class BodyFlow {
 public:
  static constexpr u32 kMixed = kNone - 1;  // not the same on all ways

  BodyFlow(std::span<const ir::Action> actions, std::span<const u32> jump_targets, Arena& arena);

  // The successor, and not the state.
  bool reads_successor(u32 at) const;
  // The last attempt (an action), kMixed, or kNone before the first one.
  u32 attempt(u32 at) const { return points_[at].attempt; }

 private:
  enum class Reads : u8 { nothing, state, successor, mixed };
  struct Point {
    Reads reads = Reads::nothing;
    u32 attempt = kNone;
  };
  bool meet(u32 target, const Point& with);

  std::span<Point> points_;
};

}  // namespace xmc
