#include "engine/recent/serial.h"

#include "engine/search/level_checkpoint.h"

namespace xmc {

Status SerialEngine::begin_store() {
  caching_ = true;
  handed_over_ = {};
  cache_.begin(region_, search_.model, search_.options,
               search_.options.collision_percent.value_or(HandOverPolicy::kMostPercent));
  begin_policy();
  return {};
}

Status SerialEngine::begin_disk() {
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
    KeyReader reader;
    reader.start(queue_, scan_buffer_, go_on());
    XMC_TRY(cache_.restore(reader, manifest));
    begin_policy();
    return {};
  }
  caching_ = false;
  XMC_TRY(restore_number(manifest, "serial-entries", handed_over_.entries));
  XMC_TRY(restore_number(manifest, "serial-repeats", handed_over_.repeats));
  XMC_TRY(restore_number(manifest, "serial-levels", handed_over_.levels));
  return begin_disk();
}

Status SerialEngine::take(u32 count, StopReason& stop) {
  if (!caching_) return DiskSearch::take(count, stop);
  XMC_TRY(cache_.take(search_.buffer, count, search_.clock, stop,
                      [&](const Word* state) { return enqueue(state, stop); }));
  if (stop != StopReason::none) return {};
  if (!policy_.measured() && policy_.has_repeats(figures())) XMC_TRY(measure_costs());
  // The buffer is done with, which the hand-over expands into.
  return hand_over_is_due() ? hand_over() : Status();
}

Status SerialEngine::settle(bool level_end, StopReason& stop) {
  if (!caching_) return DiskSearch::settle(level_end, stop);
  if (level_end) policy_.level_done(figures());
  return {};
}

// --- When it is due ---------------------------------------------------------------------------

void SerialEngine::begin_policy() {
  policy_.begin(figures());
  begin_ns_ = busy_ns();
  begin_expansions_ = stats().expansions;
}

// An expansion takes what all took until now, with everything around it but the waiting: the queue
// is read once for every state that is expanded, too. A scan is measured on the
// first states of the queue, by the middle one of several pieces: an interruption that counts for
// the scan would keep the cache far too long.
Status SerialEngine::measure_costs() {
  constexpr u32 kPiece = 1 << 14;
  constexpr u32 kPieces = 9;
  HandOverPolicy::Costs costs;
  policy_.measured(costs);
  if (search_.options.now_ns == nullptr) return {};
  const PhaseClock::Scope scope(search_.clock, Phase::detection);
  u64 from_ns = busy_ns();
  const u64 expansions = stats().expansions - begin_expansions_;
  costs.expand = static_cast<double>(from_ns - begin_ns_) / static_cast<double>(expansions + 1);
  KeyReader reader;
  reader.start(queue_, scan_buffer_);
  Word state[limits::kStateWords];
  u64 took_ns[kPieces] = {};  // ascending
  u32 pieces = 0;
  for (u32 i = 1; i <= kPieces * kPiece; ++i) {
    XMC_LET(const bool more, reader.next(state));
    if (!more) break;
    static_cast<void>(cache_.may_repeat(state));  // as a scan asks its filter
    if (i % kPiece != 0) continue;
    const u64 to_ns = busy_ns();
    u32 at = pieces++;
    for (; at > 0 && took_ns[at - 1] > to_ns - from_ns; --at) took_ns[at] = took_ns[at - 1];
    took_ns[at] = to_ns - from_ns;
    from_ns = to_ns;
  }
  // The queue may be too short to tell.
  costs.scan = pieces == 0 ? costs.expand / 10 : static_cast<double>(took_ns[pieces / 2]) / kPiece;
  policy_.measured(costs);
  return {};
}

// The table of `disk` is half to all full of states, and needs more for each than the cache.
HandOverPolicy::Now SerialEngine::figures() const {
  return {queue_.keys(), cache_.slots() / 4 * 3, cache_.repeated(), cache_.taken_first()};
}

bool SerialEngine::hand_over_is_due() const {
  if (cache_.failing()) return true;
  return !search_.options.collision_percent.has_value() && policy_.measured() &&
         policy_.due(figures());
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
  caching_ = false;
  mark();
  return begin_disk();
}

}  // namespace xmc
