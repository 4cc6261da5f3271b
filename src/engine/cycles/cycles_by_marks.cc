#include "engine/cycles/cycles_by_marks.h"

#include "engine/search/work_poll.h"

namespace xmc {

u64 CyclesByMarks::bytes_to_look_at(u64 states) {
  return MaxPredecessors::bytes_for(states, states) + ShortestLasso::minimum_bytes(0, false);
}

Status CyclesByMarks::look(const Product& product, ProductEdges& edges, LassosByCores& lasso,
                           KeptCycle& cycle) {
  XMC_TRY(edges.build(product));
  all_ = false;
  map_.start(edges.file().states(), ProductEdges::work_of(product));
  XMC_TRY(run(product, map_, edges));
  u64 bytes_needed = 0;
  return take(product, map_, edges, lasso, cycle, bytes_needed);
}

Status CyclesByMarks::search_all(const Product& product, Method method, bool elsewhere,
                                 ProductEdges& edges, LassosByCores& lasso, KeptCycle& cycle,
                                 u64& bytes_needed) {
  // No edges are made for nothing: two bits for each state are the least.
  const u64 bits = ShortestLasso::minimum_bytes(product.states, false);
  if (bits > ProductEdges::work_of(product).size() ||
      (elsewhere && product.search->options.cycles.windows)) {
    bytes_needed = bits;
    return {};
  }
  XMC_TRY(edges.build(product));
  XMC_TRY(product.checkpoint_if_due());
  all_ = true;
  const bool owcty = method == Method::owcty;
  XMC_TRY(owcty ? start_owcty(product) : start_map(product));
  ForwardSearch& search = owcty ? static_cast<ForwardSearch&>(owcty_) : map_;
  XMC_TRY(run(product, search, edges));
  return take(product, search, edges, lasso, cycle, bytes_needed);
}

// From the beginning, or from where the checkpoint was, if there is one and it fits.
Status CyclesByMarks::start_owcty(const Product& product) {
  owcty_.start(product.states, product.search->model.weak, ProductEdges::work_of(product));
  const bool own = checkpoint_.phase == PassCheckpoint::Phase::trim ||
                   checkpoint_.phase == PassCheckpoint::Phase::reach;
  if (!own || checkpoint_.states != product.states) return {};
  XMC_TRY(checkpoint_.read(*product.folder, owcty_.words(), product.scan_buffer));
  owcty_.go_on(checkpoint_);
  ++checkpoint_.resumed;
  return {};
}

Status CyclesByMarks::start_map(const Product& product) {
  const std::span<u8> memory = ProductEdges::work_of(product);
  const bool own = checkpoint_.phase == PassCheckpoint::Phase::spread ||
                   checkpoint_.phase == PassCheckpoint::Phase::around;
  if (!own || !map_.start(checkpoint_, product.states, memory)) {
    map_.start(product.states, memory);
    return {};
  }
  XMC_TRY(checkpoint_.read(*product.folder, map_.words(), product.scan_buffer));
  map_.go_on(checkpoint_);
  ++checkpoint_.resumed;
  return {};
}

Status CyclesByMarks::run(const Product& product, ForwardSearch& search, ProductEdges& edges) {
  EdgeReader& reader = edges.reader();
  reader.start(edges.file(), product.read_buffer);
  WorkPoll poll(product);
  Status status;
  while (status.ok() && !search.done()) status = pass(product, search, reader, poll);
  SearchStats& stats = product.search->stats();
  stats.ram_used = search.bytes();
  stats.edge_passes =
      (stats.edge_passes == kNoFigure ? 0 : stats.edge_passes) + search.figures().passes;
  const Status finished = reader.finish();
  return status.ok() ? finished : status;
}

// The end of a pass counts as that of a level.
Status CyclesByMarks::pass(const Product& product, ForwardSearch& search, EdgeReader& reader,
                           WorkPoll& poll) {
  const Status status = search.pass(reader, poll);
  if (status.stop_reason() != StopReason::none) XMC_TRY(save(product, search));
  XMC_TRY(status);
  if (!all_ || !product.checkpoint_due(true)) return {};
  XMC_TRY(save(product, search));
  return product.checkpoint(product.owner);
}

Status CyclesByMarks::save(const Product& product, ForwardSearch& search) {
  if (!all_ || !product.leaves_checkpoints()) return {};
  if (!search.save_place(checkpoint_)) return {};
  checkpoint_.states = product.states;
  return checkpoint_.write(*product.folder, search.words(), product.scan_buffer);
}

Status CyclesByMarks::take(const Product& product, ForwardSearch& search, ProductEdges& edges,
                           LassosByCores& lasso, KeptCycle& cycle, u64& bytes_needed) {
  bytes_needed = search.bytes_needed();
  if (bytes_needed != 0) return {};
  const StateBits& states = search.states();
  if (!states.any(0, states.size())) return {};
  LassoResult result;
  const Status status = lasso.find_in(product, states, search.has_cycle(), edges, result);
  if (status.code() == Code::budget) {
    bytes_needed = ShortestLasso::minimum_bytes(product.states, false) +
                   FileLasso::bytes_for(product.states, product.search->model.weak);
    return {};
  }
  XMC_TRY(status);
  return result.found ? cycle.keep(product, result) : Status();
}

}  // namespace xmc
