// DiagramLayout: how the region is laid out once the table is left, and again as the diagram grows:
//
//   | runs | fresh bits | batch table, then sorted keys | keys | diagram |
//
// A batch need not hold all successors that a state may have by what is proved of its model, which
// for a generator are thousands: what does not fit waits in the search's buffer.
#pragma once

#include <span>

#include "engine/levels/frontier.h"
#include "store/diagram/key_order.h"
#include "store/tiered/diagram_set.h"
#include "store/tiered/sorted_keys.h"

namespace xmc {

struct DiagramLayout {
  static constexpr u64 kFreshBytes = DiagramSet::kChunk / 8;

  // `spills`: there are runs.
  static u64 least_region(const Model& model, bool spills);
  void plan(const Frontier& frontier, const KeyOrder& order, bool spills) {
    *this = {};
    frontier_ = &frontier;
    order_ = &order;
    spills_ = spills;
  }
  // All of the region. False: there is not enough, and what is here is of no use.
  bool lay_out_first();
  bool lay_out(u64 diagram_bytes);
  // The most that the diagram may have.
  u64 most_diagram(bool spilled) const;
  u32 buffer_words() const;
  KeyBuffers buffers() const { return {keys, sorted, batch_states}; }

  std::span<u8> batch;  // of the table
  u32 batch_states = 0;
  Word* keys = nullptr;
  Word* sorted = nullptr;
  u64* fresh = nullptr;
  std::span<u8> held;  // of candidates that are held back
  u64 pool_bytes = 0;  // at the front of the region, for runs
  std::span<u8> diagram;
  bool squeezed = false;  // the keys have taken room from the diagram
  u64 shared_at = 0;      // collections of the diagram when the memory was shared out

 private:
  std::span<u8> region() const { return frontier_->memory.region; }
  u64 share_of_pool() const;
  u64 room_for_diagram() const;

  const Frontier* frontier_ = nullptr;
  const KeyOrder* order_ = nullptr;
  bool spills_ = false;
};

}  // namespace xmc
