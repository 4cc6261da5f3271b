#include "engine/cycles/index/make_index.h"

#include "engine/cycles/index/phf_index.h"
#include "engine/cycles/index/rank_index.h"
#include "engine/cycles/index/search_checkpoint.h"
#include "engine/search/stopwatch.h"
#include "store/tables/state_bits.h"

namespace xmc {

namespace {

Status make(const Product& product, const IndexOptions& options, u64 reserve, RankIndex& rank,
            PhfIndex& hash, IndexResult& result) {
  if (options.kind != IndexKind::phf) {
    XMC_TRY(rank.build(product, StateBits::bytes_for(product.expanded) + reserve, result));
    if (result.index != nullptr) return {};
    if (options.kind == IndexKind::rank) {
      result.bytes_needed = product.memory.size() + 1;  // all that is proved
      return {};
    }
  }
  return hash.build(product, options, StateBits::bytes_for(product.states) + reserve, result);
}

// The one that a checkpoint has is taken up as it is; one that is not finished, where it was.
Status take_up_or_make(const Product& product, const IndexOptions& options, u64 reserve,
                       RankIndex& rank, PhfIndex& hash, IndexResult& result) {
  SearchCheckpoint* const checkpoint = product.search_checkpoint;
  if (checkpoint == nullptr) return make(product, options, reserve, rank, hash, result);
  if (checkpoint->index != SearchCheckpoint::Index::none && checkpoint->states != product.states) {
    checkpoint->forget_index();
  }
  if (checkpoint->index == SearchCheckpoint::Index::rank_part) {
    bool loaded = false;
    if (options.kind != IndexKind::phf) XMC_TRY(rank.load_part(product, loaded));
    if (loaded) return make(product, options, reserve, rank, hash, result);
    checkpoint->forget_index();
  }
  if (checkpoint->index != SearchCheckpoint::Index::none) {
    const u64 left = StateBits::bytes_for(product.states) + reserve;
    if (checkpoint->index == SearchCheckpoint::Index::rank) {
      XMC_TRY(rank.reopen(product, StateBits::bytes_for(product.expanded) + reserve, result));
    } else if (checkpoint->index == SearchCheckpoint::Index::hash) {
      XMC_TRY(hash.reopen(product, options, left, result));
    } else {
      XMC_TRY(hash.go_on(product, options, left, result));
    }
    if (result.index != nullptr) return {};
    checkpoint->forget_index();
  }
  ++checkpoint->made;
  return make(product, options, reserve, rank, hash, result);
}

}  // namespace

Status make_index(const Product& product, const IndexOptions& options, u64 reserve, RankIndex& rank,
                  PhfIndex& hash, IndexResult& result) {
  result = {};
  const Stopwatch watch(*product.search);
  const Status status = take_up_or_make(product, options, reserve, rank, hash, result);
  SearchStats& stats = product.search->stats();
  watch.add_to(stats.numbering_us);
  if (result.index == &hash) stats.phf_bytes = hash.file_bytes();
  return status;
}

}  // namespace xmc
