#include "engine/state_index.h"

#include "engine/phf_index.h"
#include "engine/rank_index.h"
#include "engine/stopwatch.h"
#include "store/bit_set.h"

namespace xmc {

namespace {

Status make(const Product& product, const IndexOptions& options, u64 reserve, RankIndex& rank,
            PhfIndex& hash, IndexResult& result) {
  if (options.kind != IndexKind::phf) {
    XMC_TRY(rank.build(product, BitSet::bytes_for(product.expanded) + reserve, result));
    if (result.index != nullptr || result.stop != StopReason::none) return {};
    if (options.kind == IndexKind::rank) {
      result.stop = StopReason::ram;
      result.bytes_needed = product.memory.size() + 1;  // all that is proved
      return {};
    }
  }
  return hash.build(product, options, BitSet::bytes_for(product.states) + reserve, result);
}

}  // namespace

Status make_index(const Product& product, const IndexOptions& options, u64 reserve, RankIndex& rank,
                  PhfIndex& hash, IndexResult& result) {
  result = {};
  const Stopwatch watch(*product.search);
  const Status status = make(product, options, reserve, rank, hash, result);
  SearchStats& stats = product.search->stats();
  watch.add_to(stats.numbering_us);
  if (result.index == &hash) stats.phf_bytes = hash.file_bytes();
  return status;
}

}  // namespace xmc
