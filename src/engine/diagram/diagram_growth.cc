// DiagramVisited while it grows: what the diagram gets of the memory, and what is left for batches.
#include <algorithm>

#include "engine/diagram/diagram_visited.h"
#include "engine/levels/look_ahead.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

// Speed comes from large batches, and from a diagram that is collected rarely: it gets twice what
// it needs, within limits, and the batches the rest. What the batch table has was looked at ahead.
Status DiagramVisited::share_out() {
  Diagram& diagram = set_.diagram();
  if (set_.spilled()) {
    if (layout_.diagram.size() <= layout_.most_diagram(set_.spilled())) return {};
    const u64 wanted = diagram.bytes_to_hold(diagram.live_words() * 5 / 4 + 4096);
    return wanted < layout_.most_diagram(set_.spilled())
               ? resize_diagram(layout_.most_diagram(set_.spilled()))
               : Status();
  }
  // Where another batch might not fit, what is garbage has to be known.
  const bool nearly_full = layout_.diagram.size() < layout_.most_diagram(set_.spilled()) &&
                           diagram.words_after_any_collection() > diagram.capacity_words() / 10 * 7;
  if (diagram.collections() == layout_.shared_at && !nearly_full) return {};
  const u64 live = nearly_full ? diagram.live_words() : diagram.words_after_collection();
  layout_.shared_at = diagram.collections();
  const u64 wanted = diagram.bytes_to_hold(live * 2 + 4096);
  const u64 most = layout_.most_diagram(set_.spilled());
  const u64 bytes =
      round_down(std::clamp(wanted, std::min(u64{region().size()} / 8, most), most), kLineBytes);
  const u64 now = layout_.diagram.size();
  const bool grow = bytes > now && live * 3 / 2 > diagram.capacity_words();
  const bool shrink = bytes < now / 8 * 7;
  return grow || shrink ? resize_diagram(bytes) : Status();
}

// A diagram that is not moved stays where it is, and so does all that is beside it: the region may
// have grown since, so that the same sizes would be laid out elsewhere.
bool DiagramVisited::move_diagram(u64 bytes) {
  const DiagramLayout before = layout_;
  if (layout_.lay_out(bytes) && set_.move_diagram(layout_.diagram)) return true;
  layout_ = before;
  return false;
}

Status DiagramVisited::resize_diagram(u64 bytes) {
  XMC_TRY(frontier_->ahead->forget());
  static_cast<void>(move_diagram(bytes));
  table_.init(layout_.batch, frontier_->shape(false));
  layout_.shared_at = set_.diagram().collections();
  return {};
}

// Gives the diagram all it may have while the keys that are not done stay, at the front: neither
// the table nor the second buffer are needed for them.
bool DiagramVisited::grow_around_batch(u32& done, u32& count) {
  const u64 bytes = layout_.most_diagram(set_.spilled());
  const u64 rest = u64{count - done} * order_.key_words();
  const u8* const keys = region().data() + layout_.pool_bytes + DiagramLayout::kFreshBytes;
  if (layout_.diagram.size() >= bytes ||
      keys + rest * sizeof(Word) > region().data() + region().size() - bytes) {
    return false;
  }
  const Word* const from = batch_keys_ + u64{done} * order_.key_words();
  std::copy(from, from + rest, layout_.sorted);
  batch_keys_ = layout_.sorted;
  count -= done;
  done = 0;
  return move_diagram(bytes);
}

}  // namespace xmc
