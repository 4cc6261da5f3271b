#include "engine/recent/serial.h"

namespace xmc {

u64 SerialVisited::own_bytes(const Model& model, const SearchOptions& options) const {
  return disk_.own_bytes(model, options);
}

u64 SerialVisited::least_region(const Model& model, const SearchOptions& options) const {
  return disk_.least_region(model, options);
}

void SerialVisited::plan(Arena& arena) {
  disk_.attach(*frontier_);
  disk_.plan(arena);
}

Status SerialVisited::begin() {
  caching_ = true;
  handed_over_ = {};
  cache_.begin(region(), search().model, search().options,
               search().options.collision_percent.value_or(HandOverPolicy::kMostPercent));
  begin_policy();
  return {};
}

Status SerialVisited::begin_disk() {
  caching_ = false;
  return disk_.begin_from_queue();
}

void SerialVisited::lines(Lines& io) {
  io.number("serial-caching", caching_);
  if (caching_) {
    if (!io.reads()) cache_.lines(io);
    return;
  }
  io.number("serial-entries", handed_over_.entries);
  io.number("serial-repeats", handed_over_.repeats);
  io.number("serial-levels", handed_over_.levels);
}

Status SerialVisited::restore(Lines& io) {
  lines(io);
  XMC_TRY(io.status());
  if (!caching_) return begin_disk();
  XMC_TRY(begin());
  XMC_TRY(cache_.restore(*frontier_, io));
  begin_policy();
  return {};
}

Status SerialVisited::take(u32 count) {
  if (!caching_) return disk_.take(count);
  XMC_TRY(cache_.take(*frontier_, count));
  if (!policy_.measured() && policy_.has_repeats(figures())) XMC_TRY(measure_costs());
  // The buffer is done with, which the hand-over expands into.
  return hand_over_is_due() ? hand_over() : Status();
}

Status SerialVisited::settle(bool level_end) {
  if (!caching_) return disk_.settle(level_end);
  if (level_end) policy_.level_done(figures());
  return {};
}

// --- When it is due ---------------------------------------------------------------------------

void SerialVisited::begin_policy() {
  policy_.begin(figures());
  begin_.ns = frontier_->busy_ns();
  begin_.expansions = stats().expansions;
}

// An expansion takes what all took until now, with everything around it but the waiting: the queue
// is read once for every state that is expanded, too. A scan is measured on the
// first states of the queue, by the middle one of several pieces: an interruption that counts for
// the scan would keep the cache far too long.
Status SerialVisited::measure_costs() {
  constexpr u32 kPiece = 1 << 14;
  constexpr u32 kPieces = 9;
  HandOverPolicy::Costs costs;
  policy_.measured(costs);
  if (search().options.now_ns == nullptr) return {};
  const PhaseClock::Scope scope(search().clock, Phase::detection);
  u64 from_ns = frontier_->busy_ns();
  const u64 expansions = stats().expansions - begin_.expansions;
  costs.expand = static_cast<double>(from_ns - begin_.ns) / static_cast<double>(expansions + 1);
  KeyReader reader;
  reader.start(queue(), frontier_->memory.scan_buffer);
  Word state[limits::kStateWords];
  u64 took_ns[kPieces] = {};  // ascending
  u32 pieces = 0;
  for (u32 i = 1; i <= kPieces * kPiece; ++i) {
    XMC_LET(const bool more, reader.next(state));
    if (!more) break;
    static_cast<void>(cache_.may_repeat(state));  // as a scan asks its filter
    if (i % kPiece != 0) continue;
    const u64 to_ns = frontier_->busy_ns();
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
HandOverPolicy::Now SerialVisited::figures() const {
  return {queue().keys(), cache_.slots() / 4 * 3, cache_.repeated(), cache_.taken_first()};
}

bool SerialVisited::hand_over_is_due() const {
  if (cache_.failing()) return true;
  return !search().options.collision_percent.has_value() && policy_.measured() &&
         policy_.due(figures());
}

Status SerialVisited::conclude() {
  if (caching_) return cache_.forgot() ? cache_.find_repeats(*frontier_) : Status();
  // The last level may have been nothing but repeats.
  if (queue().keys() == handed_over_.entries) stats().levels = handed_over_.levels;
  return {};
}

// Everything that was expanded has its successors in the queue: the run could go on from here.
Status SerialVisited::hand_over() {
  XMC_TRY(cache_.find_repeats(*frontier_));
  handed_over_ = {queue().keys(), queue().keys() - stats().states, stats().levels};
  frontier_->set_resume_point();
  return begin_disk();
}

}  // namespace xmc
