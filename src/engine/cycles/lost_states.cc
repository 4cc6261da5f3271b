#include "engine/cycles/lost_states.h"

#include <algorithm>

#include "engine/search/level_checkpoint.h"
#include "engine/search/work_poll.h"
#include "store/checkpoint/manifest.h"

namespace xmc {

Status LostStates::open_all(const Product& product, u32 property) {
  const Model& model = product.search->model;
  KeyReader states;
  states.start(*product.queue, product.read_buffer);
  WorkPoll poll(product);
  Word state[limits::kStateWords];
  open_.start(ProductEdges::work_of(product), product.states, true);
  for (u64 n = 0; n < product.states; ++n) {
    XMC_LET(const bool more, states.next(state));
    XMC_CHECK(more);
    if ((model.live(model.self, state) >> property & 1) != 0) open_.clear(n);
    XMC_TRY(poll.now_and_then(0));
  }
  return {};
}

// Descending passes settle all edges that lead on at once; each alternation with edges back costs
// one more.
Status LostStates::close(const Product& product, ProductEdges& edges) {
  EdgeReader& reader = edges.reader();
  reader.start(edges.file(), product.read_buffer);
  WorkPoll poll(product);
  PassFigures figures;
  bool changed = true;
  Status status;
  while (status.ok() && changed) {
    changed = false;
    EdgePass pass(reader, open_, product.states);
    status = pass.down(figures, poll, [&](const EdgeGroup::Record& record, auto targets) {
      if (!open_.test(record.state)) return;
      const bool leads = std::any_of(targets.begin(), targets.end(),
                                     [&](u64 target) { return !open_.test(target); });
      if (!leads) return;
      open_.clear(record.state);
      changed = true;
    });
  }
  SearchStats& stats = product.search->stats();
  stats.edge_passes = (stats.edge_passes == kNoFigure ? 0 : stats.edge_passes) + figures.passes;
  const Status finished = reader.finish();
  return status.ok() ? finished : status;
}

Status LostStates::search_all(const Product& product, ProductEdges& edges, KeptCycle& cycle,
                              u64& bytes_needed) {
  const u64 bits = StateBits::bytes_for(product.states);
  if (bits > ProductEdges::work_of(product).size()) {
    bytes_needed = bits;
    return {};
  }
  XMC_TRY(edges.build(product));
  XMC_TRY(product.checkpoint_if_due());
  u64 first = product.states;
  for (u32 i = 0; i < product.search->model.live_count; ++i) {
    XMC_TRY(open_all(product, i));
    XMC_TRY(close(product, edges));
    const u64 found = open_.next(0, product.states);
    if (found >= first) continue;
    first = found;
    property_ = i;
  }
  product.search->stats().ram_used = bits;
  if (property_ == kNone) return {};
  LassoResult result;
  result.found = true;
  result.shortest = true;
  u64 number = first;
  result.cycle = std::span<u64>(&number, 1);
  XMC_TRY(level_of(product, first, result.prefix_steps));
  return cycle.keep(product, result);
}

void LostStates::lines(Lines& io) {
  if (io.there("live-property", property_ != kNone)) io.number("live-property", property_);
}

}  // namespace xmc
