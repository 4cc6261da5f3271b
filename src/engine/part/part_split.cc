// How `part` goes on when the partitions in memory have outgrown it: one of them is split
// (split_choice.h says by what), and one half leaves.
#include <algorithm>

#include "engine/part/part.h"
#include "xmc/check.h"

namespace xmc {

// Of several partitions in memory the largest is split, unless they are all small, and only too
// many. One half of it stays.
Status PartEngine::split_full(bool& done) {
  const PhaseClock::Scope scope(search_.clock, Phase::partitioning);
  Residents& residents = active_.residents;
  ImageLog::Chain* const images = logs_.images;
  u32 r = 0;
  for (u32 i = 1; i < residents.count; ++i) {
    if (images[residents.leaf[i]].states > images[residents.leaf[r]].states) r = i;
  }
  const u32 leaf = residents.leaf[r];
  done = logs_.may_split() && (residents.count == 1 || images[leaf].states > capacity_ / 2);
  if (!done) return {};
  XMC_TRY(flush_away());
  const u32 low = logs_.tree.split(leaf, split_choice_.choose(search_, table_, logs_.tree, leaf));
  ChainReader queued;
  XMC_TRY(logs_.pending.take(leaf, queued, logs_.visited_block));

  // The one with more states that are not expanded.
  u32 fresh[2] = {};
  Word state[limits::kStateWords];
  for (StateIndex i = active_.next; i < table_.size(); ++i) {
    table_.load(i, state);
    if (residents.count > 1 && logs_.tree.leaf_of(state) < low) continue;
    ++fresh[logs_.tree.is_high(leaf, state) ? 1 : 0];
  }
  const u32 kept = fresh[1] > fresh[0] ? low + 1 : low;
  residents.leaf[r] = kept;
  active_.resident[leaf] = false;
  active_.resident[kept] = true;
  logs_.tree.add_mask(kept, {active_.mask, search_.model.state_words});
  active_.split = true;
  active_.full = false;
  images[leaf] = images[low] = images[low + 1] = {};
  active_.unsaved[r] = true;
  XMC_TRY(put_back(queued));
  return compact(leaf, kept == low ? low + 1 : low);
}

// The half that does not stay leaves the table: to its image what is expanded, the rest waits.
Status PartEngine::compact(u32 parent, u32 gone) {
  const bool gone_high = gone % 2 == 0;
  Status status;
  u32 kept = 0;
  const StateIndex next = active_.next;
  const StateIndex saved = active_.saved;
  table_.keep_if([&](StateIndex i, const Word* state) {
    if (i == saved) active_.saved = kept;
    if (i == next) active_.next = kept;
    const u64 origin = i < next ? 0 : origins_.pop();
    // With one partition in memory its own test says it all.
    if (active_.residents.count == 1 ? logs_.tree.is_high(parent, state) == gone_high
                                     : logs_.tree.leaf_of(state) == gone) {
      if (!status.ok()) return false;
      status = i < next ? logs_.visited.append(logs_.images[gone], table_.packed_at(i))
                        : logs_.append_pending(gone, state, origin);
      return false;
    }
    if (i >= next) origins_.push(origin);  // behind all others, which follow
    ++kept;
    return true;
  });
  active_.saved = std::min(active_.saved, kept);
  active_.next = std::min(active_.next, kept);
  XMC_TRY(status);
  return logs_.visited.finish(logs_.images[gone]);
}

}  // namespace xmc
