#include "engine/cycles/bits/iddfs.h"

#include "engine/cycles/index/make_index.h"
#include "store/tables/state_bits.h"

namespace xmc {

Status check_prefix(const Product& product, const IndexOptions& options, RankIndex& rank,
                    PhfIndex& hash, CycleResult& result) {
  result = {};
  if (product.expanded == 0) return {};
  const u64 least = double_dfs_bytes(product.search->model, product.states);
  IndexResult made;
  Status status =
      make_index(product, options, least - StateBits::bytes_for(product.states), rank, hash, made);
  result.fits = made.index != nullptr;
  result.bytes_needed = made.bytes_needed;
  if (status.ok() && made.index != nullptr) {
    status = run_double_dfs(product, *made.index, made.memory, result);
    result.index_bytes = made.index->ram_bytes();
    result.bytes_needed += product.memory.size() - made.memory.size();
  }
  const Status closed = hash.close(*product.folder, is_named(product));
  return status.ok() ? closed : status;
}

}  // namespace xmc
