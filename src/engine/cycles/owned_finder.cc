#include "engine/cycles/owned_finder.h"

#include <new>

#include "engine/search/file_names.h"
#include "engine/search/stopwatch.h"
#include "xmc/bytes.h"

namespace xmc {

u64 OwnedCycleFinder::least_aside(const Model& model) {
  return round_up(ProductEdges::kKeptBytes + EdgeBuilder::minimum_bytes(model) + kPageBytes,
                  kPageBytes);
}

CycleFinder* OwnedCycleFinder::make_another(void* memory) {
  OwnedCycleFinder* const other = ::new (memory) OwnedCycleFinder();
  other->aside_ = aside_;
  return other;
}

// Nobody reads the edges when this is done: a run that goes on makes them anew.
Status OwnedCycleFinder::search_all(const Product& product) {
  const PhaseClock::Scope scope(product.search->clock, Phase::cycles);
  Status status = search(product);
  const Status closed = lasso_.close();
  if (status.ok()) status = closed;
  if (edges_.exists()) {
    edges_.close(*product.folder);
    const Status removed = product.folder->remove(kEdgeFile);
    if (status.ok()) status = removed;
  }
  return status;
}

Status OwnedCycleFinder::search(const Product& product) {
  const std::span<u8> work = ProductEdges::work_of(product);
  SearchOutcome& outcome = *product.search->outcome;
  const auto note_needed = [&](u64 bytes) {
    outcome.ram_needed_bytes = product.search->fixed_bytes + bytes + ProductEdges::kKeptBytes;
  };
  XMC_TRY(numbers_.start(product.owners->peers(), product.states));
  XMC_TRY(edges_.begin(product));
  const Stopwatch watch(*product.search);
  const Status built = builder_.build(product, numbers_, 0, edges_.file(), work);
  if (built.stop_reason() == StopReason::ram) note_needed(builder_.bytes_needed());
  XMC_TRY(built);
  SearchStats& stats = outcome.stats;
  watch.add_to(stats.numbering_us);
  stats.edges = edges_.file().edges();
  stats.edge_bytes = edges_.file().used_bytes();

  u64 levels = 0;
  XMC_TRY(find_levels(product, levels));
  const u64 bits = round_up(OwnedOwcty::bytes_for(product.states, levels), kPageBytes);
  const u64 needed = bits + OwnedLasso::kBuffers + kPageBytes;
  u64 too_little[] = {needed > work.size() ? u64{1} : 0};
  if (too_little[0] != 0) note_needed(needed);
  XMC_TRY(take_largest(product.owners->peers(), too_little));
  if (too_little[0] != 0) return Status::stop(StopReason::ram);
  stats.ram_used = needed;
  edges_.reader().start(edges_.file(), product.read_buffer);
  const std::size_t front = static_cast<std::size_t>(bits);
  XMC_TRY(owcty_.start(product, numbers_, edges_.reader(), levels, work.first(front)));
  Status status = owcty_.find();
  if (status.ok() && owcty_.left() > 0) {
    status = lasso_.find(product, numbers_, owcty_, edges_.reader(), work.subspan(front));
    if (status.ok()) status = take_cycle(product);
  }
  stats.edge_passes = owcty_.passes();
  const Status finished = edges_.reader().finish();
  return status.ok() ? finished : status;
}

// Of all owners.
Status OwnedCycleFinder::find_levels(const Product& product, u64& levels) {
  u64 most[] = {product.states == 0 ? 0 : edges_.file().level() + 1};
  XMC_TRY(take_largest(product.owners->peers(), most));
  levels = most[0];
  return {};
}

Status OwnedCycleFinder::take_cycle(const Product& product) {
  FoundCycle found;
  found.steps = lasso_.steps();
  XMC_LET(Word* const states, cycle_.restore(product, found));
  u64 level = 0;
  const Status status = lasso_.trace(states, level);
  if (!status.ok()) cycle_.forget();
  XMC_TRY(status);
  product.search->record(Violation::accepting_cycle, Expansion(), level);
  return {};
}

}  // namespace xmc
