#include "exec/emit/body_flow.h"

#include "ir/operands.h"
#include "xmc/check.h"
#include "xmc/scratch.h"

namespace xmc {

using ir::Action;
using ir::BodyOp;

BodyFlow::BodyFlow(std::span<const Action> actions, std::span<const u32> jump_targets, Arena& arena)
    : points_(scratch_array<Point>(arena, "emitter", actions.size())) {
  points_[0].reads = Reads::state;
  for (bool more = true; more;) {
    more = false;
    for (u32 i = 0; i < actions.size(); ++i) {
      const Action& x = actions[i];
      Point behind = points_[i];
      if (behind.reads == Reads::nothing) continue;
      if (x.op == BodyOp::attempt) behind = {Reads::state, i};
      if (x.op == BodyOp::begin) behind.reads = Reads::successor;
      if (x.op == BodyOp::yield) behind.reads = Reads::state;
      if (!ir::is_last(x.op)) more = meet(i + 1, behind) || more;
      ir::each_target(jump_targets, x, [&](u32 to) { more = meet(to, behind) || more; });
    }
  }
}

bool BodyFlow::meet(u32 target, const Point& with) {
  Point& at = points_[target];
  const Point before = at;
  if (at.reads == Reads::nothing) {
    at = with;
  } else {
    if (at.reads != with.reads) at.reads = Reads::mixed;
    if (at.attempt != with.attempt) at.attempt = kMixed;
  }
  return at.reads != before.reads || at.attempt != before.attempt;
}

bool BodyFlow::reads_successor(u32 at) const {
  XMC_CHECK(points_[at].reads != Reads::mixed);
  return points_[at].reads == Reads::successor;
}

}  // namespace xmc
