#include "engine/cycles/cycles_by_bits.h"

#include "engine/cycles/bits/gastin_moro.h"
#include "engine/cycles/bits/iddfs.h"
#include "engine/cycles/edges/product_edges.h"
#include "store/tables/state_bits.h"

namespace xmc {

namespace {

IndexOptions index_options(const Product& product) {
  const CycleOptions& options = product.search->options.cycles;
  IndexOptions index;
  index.kind = options.index;
  index.codec = options.cmph ? phf::Codec::chd : phf::Codec::pilot;
  index.resident = options.phf_in_ram;
  index.cache_bytes = options.phf_cache;
  index.near_pages = options.near_pages;
  return index;
}

IndexOptions ranked(const Product& product) {
  IndexOptions options = index_options(product);
  options.kind = IndexKind::rank;
  return options;
}

Product with_work_memory(const Product& product) {
  Product part = product;
  part.memory = ProductEdges::work_of(product);
  return part;
}

}  // namespace

Status CyclesByBits::search(const Product& product, bool all, KeptCycle& cycle, u64& bytes_needed) {
  CycleResult result;
  const Status status = search_with(product, index_options(product), result, bytes_needed);
  if (result.closed && all) KeptCycle::record_unread(product);
  XMC_TRY(status);
  return keep(product, result, cycle);
}

Status CyclesByBits::search_ranked(const Product& product, KeptCycle& cycle, u64& bytes_needed) {
  CycleResult result;
  const Status status = search_with(product, ranked(product), result, bytes_needed);
  if (result.closed) KeptCycle::record_unread(product);
  XMC_TRY(status);
  return keep(product, result, cycle);
}

Status CyclesByBits::prove_ranked(const Product& product, bool& cycle, u64& bytes_needed) {
  CycleResult result;
  XMC_TRY(search_with(product, ranked(product), result, bytes_needed));
  cycle = result.found;
  return {};
}

Status CyclesByBits::search_with(const Product& product, const IndexOptions& options,
                                 CycleResult& result, u64& bytes_needed) {
  const Status status = check_prefix(with_work_memory(product), options, rank_, hash_, result);
  product.search->stats().ram_used = StateBits::bytes_for(product.states) + result.index_bytes;
  if (status.ok() && !result.fits) bytes_needed = result.bytes_needed;
  return status;
}

Status CyclesByBits::keep(const Product& product, const CycleResult& result, KeptCycle& cycle) {
  return result.found ? cycle.keep_unsettled(product, result.states, result.length) : Status();
}

Status CyclesByBits::search_shortest(const Product& product, KeptCycle& cycle, u64& bytes_needed) {
  MinimalLasso result;
  u64 index_bytes = 0;
  const Status status = find_minimal_lasso(with_work_memory(product), index_options(product), rank_,
                                           hash_, result, index_bytes);
  product.search->stats().ram_used =
      result.threads * StateBits::bytes_for(product.states) + index_bytes;
  XMC_TRY(status);
  if (!result.fits) bytes_needed = result.bytes_needed;
  if (!result.found) return {};
  return cycle.keep_shortest(product, result.states, result.length, result.prefix);
}

}  // namespace xmc
