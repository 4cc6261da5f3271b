#include "engine/diagram/diagram_layout.h"

#include <algorithm>

#include "store/runs/candidate_runs.h"
#include "xmc/bytes.h"

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
u64 DiagramLayout::least_region(const Model& model, bool spills) {
  const u32 key_words = std::max(KeyOrder::most_key_words(model), model.state_words);
  const u64 diagram = Diagram::bytes_for(kLeastDiagram, KeyOrder::most_digits(model));
  const u64 laid_out = kFreshBytes + least_batch_bytes(model, key_words) + diagram + 4 * kLineBytes;
  return std::max(StateTable::minimum_bytes(Frontier::shape_of(model, model.buchi)),
                  std::max(kSmallestRegion, laid_out) + (spills ? least_pool() : 0));
}

// The diagram begins with two thirds, and gets what it needs later on: see share_out().
bool DiagramLayout::lay_out_first() {
  pool_bytes = share_of_pool();
  const u64 share = (region().size() - pool_bytes) / 3 * 2;
  return lay_out(round_down(std::min(share, room_for_diagram()), kLineBytes));
}

bool DiagramLayout::lay_out(u64 diagram_bytes) {
  const u64 key_bytes = u64{buffer_words()} * sizeof(Word);
  const u64 per_state = bytes_per_state(frontier_->search.model, buffer_words());
  const u64 fixed = pool_bytes + kFreshBytes + 2 * kLineBytes;
  const StateTable::Shape shape = frontier_->shape(false);
  if (fixed + diagram_bytes >= region().size()) return false;
  const u64 both = region().size() - fixed - diagram_bytes;
  batch_states = static_cast<u32>(std::min<u64>(both / per_state, u64{1} << 28));
  const u64 keys_bytes = round_up(batch_states * key_bytes, kLineBytes);
  if (batch_states < std::min(frontier_->search.buffer_states, kLeastBatch)) return false;
  const u64 table_bytes = round_down(both + 2 * kLineBytes - keys_bytes, kLineBytes);
  if (table_bytes < StateTable::minimum_bytes(shape)) return false;
  u8* at = region().data() + pool_bytes;
  fresh = reinterpret_cast<u64*>(at);
  at += kFreshBytes;
  sorted = reinterpret_cast<Word*>(at);
  batch = {at, static_cast<std::size_t>(table_bytes)};
  at += table_bytes;
  keys = reinterpret_cast<Word*>(at);
  diagram = region().last(static_cast<std::size_t>(diagram_bytes));
  return Diagram::bytes_for(kLeastDiagram, order_->most_digits()) <= diagram_bytes;
}

// A diagram that is built again in another order needs its batch as states meanwhile.
u32 DiagramLayout::buffer_words() const {
  return order_->joined() ? order_->key_words()
         : spills_        ? order_->most_key_words()
                          : std::max(order_->most_key_words(), frontier_->search.model.state_words);
}

u64 DiagramLayout::share_of_pool() const {
  if (!spills_) return 0;
  return std::clamp(round_down(region().size() / 10, kPageBytes), least_pool(), u64{8} << 20);
}

u64 DiagramLayout::most_diagram(bool spilled) const {
  const u64 percent = spilled ? kMostSpilledPercent : kMostPercent;
  const u64 share = (region().size() - pool_bytes) / 100 * percent;
  return round_down(std::min(share, room_for_diagram()), kLineBytes);
}

// Beside the smallest batch.
u64 DiagramLayout::room_for_diagram() const {
  const u64 fixed = pool_bytes + kFreshBytes + 2 * kLineBytes +
                    least_batch_bytes(frontier_->search.model, buffer_words());
  return region().size() - std::min(u64{region().size()}, fixed);
}

}  // namespace xmc
