// The training run of section 4.5 of Evangelista's paper: a short search in the table alone, before
// the first state, that shows what a state costs and which lengths steps back have. Without it the
// costs are the paper's until the first detection, and the lengths are unknown until then.
#include <algorithm>

#include "engine/delayed/delayed_search.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kTrainingStates = 50'000;

}  // namespace

Status DelayedSearch::train() {
  if (search_.options.now_ns == nullptr) return {};
  const SearchStats before = stats();
  search_states();
  XMC_TRY(measure_scan());
  stats() = before;
  std::fill_n(level_stripe_, kLengths, u64{0});
  clear_table();
  expanded_before_ = stats().expansions;
  settled_ns_ = cost_clock();
  return {};
}

// Breadth-first until the table is full, or long enough.
void DelayedSearch::search_states() {
  StateTable& table = search_.table;
  u64* const level_begin = level_stripe_;
  if (!search_.insert_initial()) return;
  StateIndex next = 0;
  StateIndex level_end = table.size();
  u64 level = 0;
  u64 steps = 0;
  bool full = false;
  level_begin[0] = 0;
  const u64 began = cost_clock();
  while (next < level_end && next < kTrainingStates && !full && level + 1 < kLengths) {
    const Expansion expansion = search_.expand(next++, 0);
    steps += expansion.count;
    for (u32 done = 0; done < expansion.count && !full; done += kBatch) {
      StateIndex found[kBatch];
      const u32 count = std::min(kBatch, expansion.count - done);
      const u32 taken = table.insert(search_.buffer_at(done), count, found);
      full = taken < count;
      for (u32 i = 0; i < taken; ++i) {
        if (found[i] >= level_end) continue;
        const u64* const above =
            std::upper_bound(level_begin, level_begin + level + 1, u64{found[i]});
        ++lengths_[static_cast<u64>(level_begin + level + 1 - above)].hits;
      }
    }
    if (next < level_end) continue;
    level_begin[++level] = level_end;
    level_end = table.size();
  }
  expand_ns_ = cost_clock() - began;
  expanded_ = next;
  trained_degree_ = static_cast<double>(steps) / static_cast<double>(std::max<u64>(next, 1));
  // So many in a level. One look counts little against those that will be.
  for (u32 b = 0; b < kLengths; ++b) {
    if (lengths_[b].hits == 0) continue;
    lengths_[b] = {static_cast<u32>(lengths_[b].hits / (level + 1)), 1};
  }
}

// A scan for one state alone, which tells what it takes to pass the others over.
Status DelayedSearch::time_scan(const Part& part, u64 states) {
  Word state[limits::kStateWords];
  make_filters(part, 0, std::min(search_.table.size(), 1u));
  visited_reader_.start(visited_, scan_stripes_);
  visited_reader_.seek(part.first, part.last, 0, ~u64{0});
  const u64 began = cost_clock();
  for (;;) {
    XMC_LET(const bool more, visited_reader_.next(filters_, state));
    if (!more) break;
  }
  scan_cost_.passed(states, cost_clock() - began);
  return {};
}

// The states are visited ones for once.
Status DelayedSearch::measure_scan() {
  Word state[limits::kStateWords];
  const u32 states = search_.table.size();
  for (StateIndex i = 0; i < states; ++i) {
    search_.table.load(i, state);
    XMC_TRY(visited_.append(state, hash_of(state), 0));
  }
  XMC_TRY(time_scan(Part(), states));
  return visited_.clear();
}

}  // namespace xmc
