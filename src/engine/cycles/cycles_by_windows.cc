#include "engine/cycles/cycles_by_windows.h"

#include "engine/search/work_poll.h"

namespace xmc {

Status CyclesByWindows::search(const Product& product, ProductEdges& edges, KeptCycle& cycle) {
  XMC_TRY(edges.build(product));
  XMC_TRY(product.checkpoint_if_due());
  WindowCore::Setup setup;
  setup.edges = &edges.file();
  setup.reader = &edges.reader();
  setup.read_buffer = product.read_buffer;
  setup.memory = ProductEdges::work_of(product);
  setup.folder = product.folder;
  setup.weak = product.search->model.weak;
  setup.product = &product;
  if (product.leaves_checkpoints()) setup.checkpoint = &checkpoint_;
  LassoResult result;
  const Status status = core_.find(setup, WorkPoll(product), result);
  SearchStats& stats = product.search->stats();
  stats.bit_windows = core_.windows();
  stats.edge_passes =
      (stats.edge_passes == kNoFigure ? 0 : stats.edge_passes) + core_.figures().passes;
  stats.ram_used = setup.memory.size();
  XMC_TRY(status);
  return result.found ? cycle.keep(product, result) : Status();
}

}  // namespace xmc
