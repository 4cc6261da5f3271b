#include "engine/cycles/live_check.h"

#include <new>

#include "store/checkpoint/lines.h"
#include "xmc/bytes.h"

namespace xmc {

u64 LiveCheck::aside_for(const Model& model) {
  return round_up(ProductEdges::kKeptBytes + EdgeBuilder::minimum_bytes(model) + 2 * kPageBytes,
                  kPageBytes);
}

u64 LiveCheck::more_bytes(const Model& model) {
  return sizeof(LiveCheck) + kLineBytes + 4 * KeyFile::kSlotBytes + aside_for(model);
}

LiveCheck* LiveCheck::make(const Model& model, Arena& arena) {
  void* const room = arena.carve("liveness", sizeof(LiveCheck), kLineBytes);
  LiveCheck* const made = ::new (room) LiveCheck;
  made->aside_ = aside_for(model);
  return made;
}

void LiveCheck::begin() {
  cycle_.forget();
  live_.forget();
}

void LiveCheck::end(const Model& model, Folder& folder, SearchOutcome& outcome) {
  edges_.close(folder);
  outcome.stats.accepting = kNoFigure;
  if (outcome.violation != Violation::accepting_cycle) return;
  outcome.violation = Violation::liveness;
  outcome.predicate = model.predicate_count + model.cover_count + live_.property();
  outcome.minimal = !outcome.path_missing;
}

Status LiveCheck::search_all(const Product& product) {
  const PhaseClock::Scope scope(product.search->clock, Phase::cycles);
  u64 bytes_needed = 0;
  XMC_TRY(live_.search_all(product, edges_, cycle_, bytes_needed));
  if (bytes_needed == 0) return {};
  product.search->outcome->ram_needed_bytes =
      product.search->fixed_bytes + bytes_needed + ProductEdges::kKeptBytes;
  return Status::stop(StopReason::ram);
}

Status LiveCheck::settle_cycle(const Product& product, const GoOn& go_on, u64& level) {
  return cycle_.settle(product, go_on, level);
}

Result<Word*> LiveCheck::restore_cycle(const Product& product, const FoundCycle& cycle) {
  return cycle_.restore(product, cycle);
}

Status LiveCheck::save(Lines& io) {
  live_.lines(io);
  return edges_.exists() ? edges_.save(io) : Status();
}

Status LiveCheck::restore(Lines& io, const Product& product) {
  live_.lines(io);
  return ProductEdges::are_in(io) ? edges_.restore(io, product) : io.status();
}

}  // namespace xmc
