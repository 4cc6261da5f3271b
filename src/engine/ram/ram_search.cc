#include "engine/ram/ram_search.h"

#include <algorithm>

namespace xmc {

bool RamSearch::insert_initial() {
  const u32 count = search->initial();
  return table.insert(search->buffer, count, nullptr) == count;
}

Status RamSearch::poll(u64 level, u64 level_states, bool level_done) {
  Progress progress;
  progress.states = table.size();
  progress.level = level;
  progress.level_states = level_states;
  progress.level_done = level_done;
  progress.ram_used = ram_used();
  return search->poll(progress);
}

Status RamSearch::table_full(u64 more) {
  if (table.at_state_limit()) return Status::stop(StopReason::state_limit);
  // One more state than there is room for: certainly too little, but all that is proved so far.
  const u64 needed = table.bytes_for(u64{table.size()} + 1) + table.stack_peak_bytes();
  SearchOutcome& outcome = *search->outcome;
  outcome.ram_needed_bytes = search->fixed_bytes + std::max(needed, table.region_bytes() + 1);
  const u64 likely = table.bytes_for(u64{table.size()} + more) + table.stack_peak_bytes();
  outcome.ram_likely_bytes = std::max(search->fixed_bytes + likely, outcome.ram_needed_bytes);
  return Status::stop(StopReason::ram);
}

u64 RamSearch::ram_used() const { return table.bytes_for(table.size()) + table.stack_peak_bytes(); }

}  // namespace xmc
