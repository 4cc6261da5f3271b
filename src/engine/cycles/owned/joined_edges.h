// JoinedEdges: the edges of a product whose states are divided among the threads of a process, as
// one edge file in which all searches for cycles work (edges/). Each owner makes the edges of its
// states (owned_edges.h), all at the same time; then owner 0 joins them, level by level, those of
// an owner behind those of the one before. That is the order of numbers: with the states of an
// owner's level in their order (sorted_levels.h) it does not depend on timing.
//
// The file grows with the product, and keeps its records; those of the owners are for one time.
#pragma once

#include <span>

#include "engine/cycles/edges/product_edges.h"
#include "engine/cycles/owned/owned_edges.h"
#include "engine/cycles/owned/sorted_levels.h"
#include "store/files/edge_file.h"
#include "xmc/bytes.h"

namespace xmc {

class JoinedEdges {
 public:
  static constexpr u32 kSeekPoints = 1024;
  // At the end of the product's memory, for itself.
  static constexpr std::size_t kKeptBytes =
      EdgeFile::kBlockBytes + 32 * kSeekPoints + SortedLevels::kBufferBytes;

  // Everybody calls it. Those of owners are ready to be joined then, and the names of states, which
  // are at the front of the memory. StopReason::ram, for all: that is too little.
  Status make(const Product& product);
  u64 bytes_needed() const { return bytes_needed_; }
  // By owner 0, while the others wait, with the edges of all: appends the records of all expanded
  // states that `edges` does not have.
  Status join(const Product& product, std::span<JoinedEdges* const> all, EdgeFile& edges);
  // Of the product: those that are expanded, and all that were numbered by the last join().
  u64 expanded() const { return all_expanded_; }
  u64 states() const { return all_states_; }
  // The memory without what the names of this owner's states are in.
  std::span<u8> behind_names(std::span<u8> memory) const { return memory.subspan(names_bytes()); }
  // The state of a number.
  Status state_of(std::span<JoinedEdges* const> all, u64 number, Word* state);
  // The owner's own edges are not needed any more; nor are its sorted levels.
  Status close(Folder& folder);
  Status close_sorted(Folder& folder);

 private:
  Status make_sorted(const Product& product, std::span<u8> memory);
  void number_levels(std::span<JoinedEdges* const> all);
  Status join_level(std::span<JoinedEdges* const> all, u64 level, EdgeFile& edges);
  u64 number_of(std::span<JoinedEdges* const> all, u64 name) const;
  u64 number_at(u64 position) const;
  std::size_t names_bytes() const {
    return static_cast<std::size_t>(round_up(2 * (levels_ + 2) * sizeof(u64), kPageBytes));
  }

  Product product_;
  SortedLevels sorted_;
  OwnedNumbers numbers_;
  OwnedEdges builder_;
  EdgeFile own_;  // for one time: its first record is that of state from_
  EdgeReader reader_;
  Device* device_ = nullptr;
  u64 bytes_needed_ = 0;
  u64 from_ = 0;
  u64 done_ = 0;  // states whose records were joined
  u64 levels_ = 0;
  std::span<u64> begin_;  // of this owner's levels
  std::span<u64> shift_;  // what is added to their positions: numbers, modulo 2^64
  u64 joined_levels_ = 0;
  u64 all_expanded_ = 0;
  u64 all_states_ = 0;
};

}  // namespace xmc
