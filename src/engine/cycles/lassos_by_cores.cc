#include "engine/cycles/lassos_by_cores.h"

#include "engine/search/level_checkpoint.h"
#include "engine/search/work_poll.h"
#include "store/checkpoint/manifest.h"
#include "xmc/check.h"

namespace xmc {

void LassosByCores::start(const Product& product, ProductEdges& edges) {
  ShortestLasso::Setup setup;
  setup.edges = &edges.file();
  setup.reader = &edges.reader();
  setup.read_buffer = product.read_buffer;
  setup.layer_buffer = product.scan_buffer;
  setup.memory = ProductEdges::work_of(product);
  setup.folder = product.folder;
  setup.weak = product.search->model.weak;
  const ShortestLasso::Proved proved = lasso_.proved();
  lasso_.start(setup, WorkPoll(product));
  lasso_.set_proved(proved);
}

Status LassosByCores::find(const Product& product, Wanted wanted, bool all, ProductEdges& edges,
                           LassoResult& result) {
  start(product, edges);
  const Status status = wanted == Wanted::any ? lasso_.find_any(result)
                        : all                 ? lasso_.check_all(result)
                                              : lasso_.check_prefix(edges.file().level(), result);
  u64& passes = product.search->stats().edge_passes;
  passes = (passes == kNoFigure ? 0 : passes) + lasso_.figures().passes.passes;
  return status;
}

Status LassosByCores::look(const Product& product, Wanted wanted, ProductEdges& edges,
                           KeptCycle& cycle) {
  XMC_TRY(edges.build(product));
  LassoResult result;
  const Status status = find(product, wanted, false, edges, result);
  if (status.code() == Code::budget) return {};
  XMC_TRY(status);
  return result.found ? cycle.keep(product, result) : Status();
}

bool LassosByCores::fits(const Product& product, bool elsewhere) {
  const Search& search = *product.search;
  return ShortestLasso::minimum_bytes(product.states, search.model.weak) <=
             ProductEdges::work_of(product).size() &&
         !(elsewhere && search.options.cycles.windows);
}

Status LassosByCores::search_all(const Product& product, Wanted wanted, bool elsewhere,
                                 ProductEdges& edges, KeptCycle& cycle, u64& bytes_needed) {
  const bool weak = product.search->model.weak;
  product.search->stats().ram_used = CycleCore::bytes_for(product.states, weak);
  if (!fits(product, elsewhere)) {
    bytes_needed = ShortestLasso::minimum_bytes(product.states, weak);
    return {};
  }
  XMC_TRY(edges.build(product));
  XMC_TRY(product.checkpoint_if_due());
  LassoResult result;
  XMC_TRY(find(product, wanted, true, edges, result));
  XMC_CHECK(result.found || result.none);
  return result.found ? cycle.keep(product, result) : Status();
}

Status LassosByCores::find_in(const Product& product, const StateBits& states, bool finished,
                              ProductEdges& edges, LassoResult& result) {
  start(product, edges);
  return lasso_.find_any_in(states, finished, result);
}

void LassosByCores::lines(Lines& io) {
  ShortestLasso::Proved proved = lasso_.proved();
  io.number("edges-empty", proved.empty);
  io.number("edges-none", proved.none_up_to);
  if (io.reads()) lasso_.set_proved(proved);
}

}  // namespace xmc
