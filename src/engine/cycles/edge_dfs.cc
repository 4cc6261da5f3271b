#include "engine/cycles/edge_dfs.h"

#include <algorithm>

#include "engine/cycles/bits/double_dfs.h"
#include "engine/cycles/index/search_checkpoint.h"
#include "store/tables/state_bits.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// What two searches need of the memory.
u64 search_bytes(const Product& product) {
  Model numbers;
  numbers.state_words = 1;
  numbers.max_successors = product.search->model.max_successors;
  return double_dfs_bytes(numbers, product.states);
}

// One that is not of such a search is of no use.
void check_checkpoint(SearchCheckpoint* checkpoint, u64 states) {
  if (checkpoint == nullptr || checkpoint->phase == SearchCheckpoint::Phase::none) return;
  const bool own = checkpoint->index == SearchCheckpoint::Index::none;
  if (checkpoint->states != states || !own) checkpoint->forget_index();
}

}  // namespace

Status EdgeDfs::search(const Product& product, ProductEdges& edges, KeptCycle& cycle,
                       u64& bytes_needed) {
  Product part = product;
  part.memory = ProductEdges::work_of(product);
  product.search->stats().ram_used = StateBits::bytes_for(product.states);
  // No edges are made for nothing.
  const u64 search = search_bytes(product);
  if (search <= part.memory.size()) XMC_TRY(edges.build(product));
  const u64 least = search + EdgeProduct::least_bytes(edges.file().blocks());
  if (least > part.memory.size()) {
    bytes_needed = least;
    return {};
  }
  XMC_TRY(product.checkpoint_if_due());
  check_checkpoint(product.search_checkpoint, product.states);
  LassoResult lasso;
  XMC_TRY(run(part, least, edges.file(), lasso));
  return lasso.found ? cycle.keep(product, lasso) : Status();
}

Status EdgeDfs::run(const Product& part, u64 least, EdgeFile& edges, LassoResult& lasso) {
  const u64 spare = part.memory.size() - least;
  const u64 own =
      std::min(EdgeProduct::share_of(part.memory.size(), edges.blocks()),
               EdgeProduct::least_bytes(edges.blocks()) + round_down(spare, kPageBytes));
  const std::size_t front = static_cast<std::size_t>(own);
  XMC_TRY(numbers_.start(part, edges, part.memory.first(front)));
  CycleResult result;
  const Status status =
      run_double_dfs(numbers_.product(), numbers_.index(), part.memory.subspan(front), result);
  XMC_TRY(numbers_.status());
  if (result.closed) KeptCycle::record_unread(part);
  XMC_TRY(status);
  XMC_CHECK(result.fits);
  if (!result.found) return {};
  // The numbers lie where nobody else writes before they are kept.
  Word* const cycle = const_cast<Word*>(result.states);
  std::rotate(cycle, std::min_element(cycle, cycle + result.length), cycle + result.length);
  lasso.found = true;
  lasso.cycle = {cycle, static_cast<std::size_t>(result.length)};
  return level_of(part, cycle[0], lasso.prefix_steps);
}

}  // namespace xmc
