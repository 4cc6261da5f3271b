// How DiagramVisited lays its region out once the table is left, and again as the diagram grows:
//
//   | runs | fresh bits | batch table, then sorted keys | keys | diagram |
//
// A batch need not hold all successors that a state may have by what is proved of its model, which
// for a generator are thousands: what does not fit waits in the search's buffer.
#include <algorithm>

#include "engine/diagram/diagram_visited.h"
#include "engine/levels/look_ahead.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// What the diagram may have of the memory. Once it has been spilled, small batches cost more than
// small runs: each level reads all runs for every sixteen batches, and merges those. (With 91, 75,
// 60, 45, 30 lamport.6 took 10.2, 9.4, 8.0, 7.5, 7.4 s at 5.5M, lifts.7 5.3, 4.9, 4.8, 4.8, 5.6.)
constexpr u64 kMostPercent = 91;
constexpr u64 kMostSpilledPercent = 45;
constexpr u64 kSmallestRegion = u64{256} << 10;  // smaller ones are full before they are of use
constexpr u32 kLeastBatch = 256;                 // states
constexpr u64 kLeastDiagram = 4096;              // words

// A key and a state, or two keys while they are sorted; `key_words` of the buffers.
u64 bytes_per_state(const Model& model, u32 key_words) {
  const u64 key_bytes = u64{key_words} * sizeof(Word);
  const u64 state_bytes = std::max(model.state_bytes, 1u);
  return key_bytes + std::max(state_bytes + 6, key_bytes);
}

// Of the keys and the table of the smallest batch.
u64 least_batch_bytes(const Model& model, u32 key_words) {
  const u64 states = std::min(Search::buffer_states_for(model), kLeastBatch);
  const u64 key_bytes = states * key_words * sizeof(Word);
  const u64 table = StateTable::minimum_bytes(Frontier::shape_of(model, false));
  return std::max(states * bytes_per_state(model, key_words), key_bytes + table) + 2 * kLineBytes;
}

u64 least_pool() {
  return round_up(DiagramSet::kLeastPool + CandidateRuns::kLeastMemory, kPageBytes);
}

}  // namespace

// So that the table can always be left.
u64 DiagramVisited::least_region(const Model& model, const SearchOptions&) const {
  const u32 key_words = std::max(KeyOrder::most_key_words(model), model.state_words);
  const u64 diagram = Diagram::bytes_for(kLeastDiagram, KeyOrder::most_digits(model));
  const u64 laid_out = kFreshBytes + least_batch_bytes(model, key_words) + diagram + 4 * kLineBytes;
  return std::max(StateTable::minimum_bytes(Frontier::shape_of(model, model.buchi)),
                  std::max(kSmallestRegion, laid_out) + (spills_ ? least_pool() : 0));
}

// The diagram begins with two thirds, and gets what it needs later on: see share_out().
bool DiagramVisited::lay_out_first() {
  layout_.pool_bytes = share_of_pool();
  const u64 share = (region().size() - layout_.pool_bytes) / 3 * 2;
  return lay_out(round_down(std::min(share, room_for_diagram()), kLineBytes));
}

bool DiagramVisited::lay_out(u64 diagram_bytes) { return lay_out(diagram_bytes, region().size()); }

// In the first bytes of the region.
bool DiagramVisited::lay_out(u64 diagram_bytes, u64 bytes) {
  const u64 key_bytes = u64{buffer_words()} * sizeof(Word);
  const u64 per_state = bytes_per_state(search().model, buffer_words());
  const u64 fixed = layout_.pool_bytes + kFreshBytes + 2 * kLineBytes;
  const StateTable::Shape shape = frontier_->shape(false);
  if (fixed + diagram_bytes >= bytes) return false;
  const u64 batch = bytes - fixed - diagram_bytes;
  layout_.batch_states = static_cast<u32>(std::min<u64>(batch / per_state, u64{1} << 28));
  const u64 keys_bytes = round_up(layout_.batch_states * key_bytes, kLineBytes);
  if (layout_.batch_states < std::min(search().buffer_states, kLeastBatch)) return false;
  const u64 table_bytes = round_down(batch + 2 * kLineBytes - keys_bytes, kLineBytes);
  if (table_bytes < StateTable::minimum_bytes(shape)) return false;
  layout_.bytes = bytes;
  u8* at = region().data() + layout_.pool_bytes;
  layout_.fresh = reinterpret_cast<u64*>(at);
  at += kFreshBytes;
  layout_.sorted = reinterpret_cast<Word*>(at);
  layout_.batch = {at, static_cast<std::size_t>(table_bytes)};
  at += table_bytes;
  layout_.keys = reinterpret_cast<Word*>(at);
  layout_.diagram =
      region().first(static_cast<std::size_t>(bytes)).last(static_cast<std::size_t>(diagram_bytes));
  return Diagram::bytes_for(kLeastDiagram, order_.most_digits()) <= diagram_bytes;
}

// A diagram that is built again in another order needs its batch as states meanwhile.
u32 DiagramVisited::buffer_words() const {
  return order_.joined() ? order_.key_words()
         : spills_       ? order_.most_key_words()
                         : std::max(order_.most_key_words(), search().model.state_words);
}

u64 DiagramVisited::share_of_pool() const {
  if (!spills_) return 0;
  return std::clamp(round_down(region().size() / 10, kPageBytes), least_pool(), u64{8} << 20);
}

// Speed comes from large batches, and from a diagram that is collected rarely: it gets twice what
// it needs, within limits, and the batches the rest. What the batch table has was looked at ahead.
Status DiagramVisited::share_out() {
  Diagram& diagram = set_.diagram();
  if (set_.spilled()) {
    if (layout_.diagram.size() <= most_diagram()) return {};
    const u64 wanted = diagram.bytes_to_hold(diagram.live_words() * 5 / 4 + 4096);
    return wanted < most_diagram() ? resize_diagram(most_diagram()) : Status();
  }
  // Where another batch might not fit, what is garbage has to be known.
  const bool nearly_full = layout_.diagram.size() < most_diagram() &&
                           diagram.words_after_any_collection() > diagram.capacity_words() / 10 * 7;
  if (diagram.collections() == layout_.shared_at && !nearly_full) return {};
  const u64 live = nearly_full ? diagram.live_words() : diagram.words_after_collection();
  layout_.shared_at = diagram.collections();
  const u64 wanted = diagram.bytes_to_hold(live * 2 + 4096);
  const u64 most = most_diagram();
  const u64 bytes =
      round_down(std::clamp(wanted, std::min(u64{region().size()} / 8, most), most), kLineBytes);
  const u64 now = layout_.diagram.size();
  const bool grow = bytes > now && live * 3 / 2 > diagram.capacity_words();
  const bool shrink = bytes < now / 8 * 7;
  return grow || shrink ? resize_diagram(bytes) : Status();
}

// A diagram that is not moved stays where it is: the region may have grown behind it.
bool DiagramVisited::move_diagram(u64 bytes) {
  const u64 before = layout_.diagram.size();
  const u64 bytes_before = layout_.bytes;
  if (lay_out(bytes) && set_.move_diagram(layout_.diagram)) return true;
  XMC_CHECK(lay_out(before, bytes_before));
  return false;
}

Status DiagramVisited::resize_diagram(u64 bytes) {
  XMC_TRY(frontier_->ahead->forget());
  static_cast<void>(move_diagram(bytes));
  table_.init(layout_.batch, frontier_->shape(false));
  layout_.shared_at = set_.diagram().collections();
  return {};
}

u64 DiagramVisited::most_diagram() const {
  const u64 percent = set_.spilled() ? kMostSpilledPercent : kMostPercent;
  const u64 share = (region().size() - layout_.pool_bytes) / 100 * percent;
  return round_down(std::min(share, room_for_diagram()), kLineBytes);
}

// Beside the smallest batch.
u64 DiagramVisited::room_for_diagram() const {
  const u64 fixed = layout_.pool_bytes + kFreshBytes + 2 * kLineBytes +
                    least_batch_bytes(search().model, buffer_words());
  return region().size() - std::min(u64{region().size()}, fixed);
}

}  // namespace xmc
