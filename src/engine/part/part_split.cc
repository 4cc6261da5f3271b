// How `part` goes on when the partitions in memory have outgrown it: one of them is split
// (split_choice.h says by what), and one half leaves.
#include <algorithm>

#include "engine/part/part_memory.h"

namespace xmc {

// Of the partitions in memory: its place among them.
u32 PartMemory::largest() const {
  const Residents& residents = active.residents;
  u32 r = 0;
  for (u32 i = 1; i < residents.count; ++i) {
    if (logs->images[residents.leaf[i]].states > logs->images[residents.leaf[r]].states) r = i;
  }
  return r;
}

bool PartMemory::may_split() const {
  const Residents& residents = active.residents;
  const u64 states = logs->images[residents.leaf[largest()]].states;
  return logs->may_split() && (residents.count == 1 || states > capacity / 2);
}

// One half of it stays.
Status PartMemory::split() {
  const PhaseClock::Scope scope(search->clock, Phase::partitioning);
  Residents& residents = active.residents;
  ImageLog::Chain* const images = logs->images;
  const u32 r = largest();
  const u32 leaf = residents.leaf[r];
  const u32 low = logs->tree.split(leaf, split_choice.choose(*search, table, logs->tree, leaf));
  ChainReader queued;
  XMC_TRY(logs->pending.take(leaf, queued, logs->visited_block));

  // The one with more states that are not expanded.
  u32 fresh[2] = {};
  Word state[limits::kStateWords];
  for (StateIndex i = active.next; i < table.size(); ++i) {
    table.load(i, state);
    if (residents.count > 1 && logs->tree.leaf_of(state) < low) continue;
    ++fresh[logs->tree.is_high(leaf, state) ? 1 : 0];
  }
  const u32 kept = fresh[1] > fresh[0] ? low + 1 : low;
  residents.leaf[r] = kept;
  active.resident[leaf] = false;
  active.resident[kept] = true;
  logs->tree.add_mask(kept, {active.mask, search->model.state_words});
  active.split = true;
  active.full = false;
  images[leaf] = images[low] = images[low + 1] = {};
  active.unsaved[r] = true;
  XMC_TRY(logs->put_back(queued));
  return compact(leaf, kept == low ? low + 1 : low);
}

// The half that does not stay leaves the table: to its image what is expanded, the rest waits.
Status PartMemory::compact(u32 parent, u32 gone) {
  const bool gone_high = gone % 2 == 0;
  Status status;
  u32 kept = 0;
  const StateIndex next = active.next;
  const StateIndex saved = active.saved;
  table.keep_if([&](StateIndex i, const Word* state) {
    if (i == saved) active.saved = kept;
    if (i == next) active.next = kept;
    const u64 origin = i < next ? 0 : origins.pop();
    // With one partition in memory its own test says it all.
    if (active.residents.count == 1 ? logs->tree.is_high(parent, state) == gone_high
                                    : logs->tree.leaf_of(state) == gone) {
      if (!status.ok()) return false;
      status = i < next ? logs->visited.append(logs->images[gone], table.packed_at(i))
                        : logs->append_pending(gone, state, origin);
      return false;
    }
    if (i >= next) origins.push(origin);  // behind all others, which follow
    ++kept;
    return true;
  });
  active.saved = std::min(active.saved, kept);
  active.next = std::min(active.next, kept);
  XMC_TRY(status);
  return logs->visited.finish(logs->images[gone]);
}

}  // namespace xmc
