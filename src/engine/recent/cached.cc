#include "engine/recent/cached.h"

#include <algorithm>

#include "engine/levels/repeats.h"

namespace xmc {

void CachePhase::begin(std::span<u8> region, const Model& model, const SearchOptions& options,
                       u32 percent) {
  // The sample is at the end, and what it has to spare behind it: a hundredth of the memory. With
  // four megabytes that is some hundred states, few of which are no reason for anything yet.
  const std::size_t samples = std::bit_floor(std::max<std::size_t>(region.size() / 512, 2));
  const std::size_t sample_bytes = (samples + samples / 2) * sizeof(u32);
  std::span<u8> slots = region.first((region.size() - sample_bytes) / 8 * 8);
  u32* const sample = reinterpret_cast<u32*>(slots.data() + slots.size());
  signature_ = Signature(options.signature_bits);
  if (signature_.on()) {
    cache_.init(slots, signature_.words(), signature_.bytes());
  } else {
    const std::span<u8> rest = slots.subspan(free_part(region).size());
    slots = free_part(region);
    cache_.init(slots, model.state_words, model.state_bytes);
    cache_.set_filter({reinterpret_cast<u64*>(rest.data()), rest.size() / sizeof(u64)});
  }
  cache_.set_sample({sample, samples}, {sample + samples, samples / 2});
  words_ = model.state_words;
  percent_ = percent;
}

u64 CachePhase::insert(const Word* states, u32 count) {
  if (!signature_.on()) return cache_.insert(states, count);
  Word signatures[CacheTable::kBatch * Signature::kMostWords];
  signature_.of(states, count, words_, signatures);
  return cache_.insert(signatures, count);
}

bool CachePhase::may_repeat(const Word* state) const {
  return signature_.on() || cache_.forgotten().may_have(FingerprintFilter::of(state, words_));
}

bool CachePhase::failing() const {
  return cache_.collisions() * 100 > cache_.insertions() * percent_;
}

Status CachePhase::find_repeats(Frontier& frontier) const {
  // Where signatures are all that is known, any state may be one.
  const CacheTable* const cache = signature_.on() ? nullptr : &cache_;
  return xmc::find_repeats(frontier, free_part(frontier.memory.region), cache);
}

void CachePhase::lines(Lines& io) {
  u64 insertions = cache_.insertions();
  u64 collisions = cache_.collisions();
  io.number("cache-insertions", insertions);
  io.number("cache-collisions", collisions);
  if (io.reads()) cache_.set_counts(insertions, collisions);
}

Status CachePhase::restore(Frontier& frontier, Lines& io) {
  const LongWork::Scope scope(&frontier.search.work, "restoring");
  KeyReader reader;
  reader.start(frontier.queue, frontier.memory.scan_buffer, frontier.go_on());
  Word state[limits::kStateWords];
  for (;;) {
    XMC_LET(const bool more, reader.next(state));
    if (!more) break;
    // A cache of another size may remember what had been forgotten when the state came again.
    if (insert(state, 1) == 0) cache_.note_forgotten(state);
  }
  lines(io);
  return io.status();
}

u64 CachedVisited::least_region(const Model& model, const SearchOptions& options) const {
  const u32 signature = Signature(options.signature_bits).bytes();
  return std::max(CacheTable::bytes_for(1024, std::max({model.state_bytes, signature, 1u})),
                  StateTable::minimum_bytes(Frontier::shape_of(model, false)));
}

Status CachedVisited::begin() {
  cache_.begin(region(), search().model, search().options,
               search().options.collision_percent.value_or(kPercent));
  return {};
}

Status CachedVisited::restore(Lines& io) {
  XMC_TRY(begin());
  return cache_.restore(*frontier_, io);
}

Status CachedVisited::take(u32 count) {
  XMC_TRY(cache_.take(*frontier_, count));
  return cache_.failing() ? Status::stop(StopReason::collisions) : Status();
}

Status CachedVisited::conclude() {
  return cache_.forgot() ? cache_.find_repeats(*frontier_) : Status();
}

}  // namespace xmc
