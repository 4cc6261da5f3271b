// The training run of section 4.5 of Evangelista's paper: a short search in the table alone, before
// the first state, that shows what a state costs and which lengths steps back have. Without it the
// costs are the paper's until the first detection, and the lengths are unknown until then.
#include <algorithm>

#include "engine/delayed/delayed_visited.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kTrainingStates = 50'000;

}  // namespace

Status DelayedVisited::train() {
  if (search().options.now_ns == nullptr) return {};
  const SearchStats before = stats();
  search_states();
  XMC_TRY(measure_scan());
  stats() = before;
  std::fill_n(back_.level_stripe, kLengths, u64{0});
  clear_table();
  timing_.expanded_before = stats().expansions;
  timing_.settled_ns = cost_clock();
  return {};
}

// Breadth-first until the table is full, or long enough.
void DelayedVisited::search_states() {
  u64* const level_begin = back_.level_stripe;
  SuccessorBuffer out;
  out.states = search().buffer;
  out.capacity = search().buffer_states;
  const u32 initial = search().model.initial(search().model.self, out);
  if (table_.insert(search().buffer, initial, nullptr) < initial) return;
  StateIndex next = 0;
  StateIndex level_end = table_.size();
  u64 level = 0;
  u64 steps = 0;
  bool full = false;
  level_begin[0] = 0;
  const u64 began = cost_clock();
  while (next < level_end && next < kTrainingStates && !full && level + 1 < kLengths) {
    table_.load(next++, search().state);
    const Expansion expansion = search().try_state(search().state, 0);
    if (Search::is_unfinished(expansion)) return;
    steps += expansion.count;
    for (u32 done = 0; done < expansion.count && !full; done += kBatch) {
      StateIndex found[kBatch];
      const u32 count = std::min(kBatch, expansion.count - done);
      const u32 taken = table_.insert(search().buffer_at(done), count, found);
      full = taken < count;
      for (u32 i = 0; i < taken; ++i) {
        if (found[i] >= level_end) continue;
        const u64* const above =
            std::upper_bound(level_begin, level_begin + level + 1, u64{found[i]});
        ++back_.lengths[static_cast<u64>(level_begin + level + 1 - above)].hits;
      }
    }
    if (next < level_end) continue;
    level_begin[++level] = level_end;
    level_end = table_.size();
  }
  timing_.expand_ns = cost_clock() - began;
  timing_.expanded = next;
  timing_.degree = static_cast<double>(steps) / static_cast<double>(std::max<u64>(next, 1));
  // So many in a level. One look counts little against those that will be.
  for (u32 b = 0; b < kLengths; ++b) {
    if (back_.lengths[b].hits == 0) continue;
    back_.lengths[b] = {static_cast<u32>(back_.lengths[b].hits / (level + 1)), 1};
  }
}

// A scan for one state alone, which tells what it takes to pass the others over.
Status DelayedVisited::time_scan(const Pass& pass, u64 states) {
  Word state[limits::kStateWords];
  make_filters(pass, 0, std::min(table_.size(), 1u));
  visited_reader_.start(visited_, buffers_.stripes);
  visited_reader_.seek(pass.first, pass.last, 0, ~u64{0});
  const u64 began = cost_clock();
  for (;;) {
    XMC_LET(const bool more, visited_reader_.next(filters_, state));
    if (!more) break;
  }
  timing_.scan.passed(states, cost_clock() - began);
  return {};
}

// The states are visited ones for once.
Status DelayedVisited::measure_scan() {
  Word state[limits::kStateWords];
  const u32 states = table_.size();
  for (StateIndex i = 0; i < states; ++i) {
    table_.load(i, state);
    XMC_TRY(visited_.append(state, hash_of(state), 0));
  }
  XMC_TRY(time_scan(Pass(), states));
  return visited_.clear();
}

}  // namespace xmc
