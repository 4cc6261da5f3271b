#include "engine/serial.h"

#include "engine/level_checkpoint.h"

namespace xmc {

Status SerialEngine::begin_store() {
  caching_ = true;
  handed_over_ = {};
  cache_.begin(region_, search_.model, search_.options);
  return {};
}

Status SerialEngine::begin_disk() {
  caching_ = false;
  XMC_TRY(DiskSearch::begin_store());
  return recent_.recall();
}

Status SerialEngine::save_store(Manifest& manifest) {
  manifest.add("serial-caching", caching_ ? 1 : 0);
  if (caching_) {
    cache_.save(manifest);
    return {};
  }
  manifest.add("serial-entries", handed_over_.entries);
  manifest.add("serial-repeats", handed_over_.repeats);
  manifest.add("serial-levels", handed_over_.levels);
  return {};
}

Status SerialEngine::restore_store(const Manifest& manifest) {
  u64 caching = 0;
  XMC_TRY(restore_number(manifest, "serial-caching", caching));
  if (caching != 0) {
    XMC_TRY(begin_store());
    return cache_.restore(reader_, manifest);
  }
  XMC_TRY(restore_number(manifest, "serial-entries", handed_over_.entries));
  XMC_TRY(restore_number(manifest, "serial-repeats", handed_over_.repeats));
  XMC_TRY(restore_number(manifest, "serial-levels", handed_over_.levels));
  return begin_disk();
}

Status SerialEngine::take(u32 count, StopReason& stop) {
  if (!caching_) return DiskSearch::take(count, stop);
  XMC_TRY(cache_.take(search_.buffer, count, search_.clock, stop,
                      [&](const Word* state) { return enqueue(state, stop); }));
  // The buffer is done with, which the hand-over expands into.
  return stop == StopReason::none && cache_.failing() ? hand_over() : Status();
}

Status SerialEngine::settle(bool level_end, StopReason& stop) {
  return caching_ ? Status() : DiskSearch::settle(level_end, stop);
}

Status SerialEngine::conclude() {
  if (caching_) {
    return cache_.forgot() ? find_repeats(CachePhase::free_part(region_), cache_.repeats())
                           : Status();
  }
  // The last level may have been nothing but repeats.
  if (queue_.keys() == handed_over_.entries) stats().levels = handed_over_.levels;
  return {};
}

// Everything that was expanded has its successors in the queue: the run could go on from here.
Status SerialEngine::hand_over() {
  XMC_TRY(find_repeats(CachePhase::free_part(region_), cache_.repeats()));
  handed_over_ = {queue_.keys(), queue_.keys() - stats().states, stats().levels};
  XMC_TRY(begin_disk());
  mark();
  return {};
}

}  // namespace xmc
