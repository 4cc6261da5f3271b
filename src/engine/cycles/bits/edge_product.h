// EdgeProduct: a product as its edge file shows it, for searches that otherwise evaluate the model
// and look states up (double_dfs.h). The states are their numbers, one word each: successors are
// read from the file and have their numbers already, so that no index is needed.
//
// Blocks of the file that were used last stay in memory. Levels near each other have numbers near
// each other, and steps lead to levels near by, so a depth-first search finds most records there.
#pragma once

#include <span>

#include "engine/cycles/index/state_index.h"
#include "engine/search/product.h"
#include "store/files/edge_file.h"

namespace xmc {

class EdgeProduct {
 public:
  // The least memory for a file of so many blocks; what is more keeps more blocks.
  static u64 least_bytes(u64 blocks);
  // What is worth taking of memory for everything.
  static u64 share_of(u64 memory, u64 blocks);

  // `edges` has all states of the product; `memory` is aligned for devices.
  Status start(const Product& product, EdgeFile& edges, std::span<u8> memory);
  // The product of numbers: without a queue, and with counters of its own.
  const Product& product() const { return numbers_; }
  Numbering& index() { return index_; }
  // A model cannot say that reading failed. What a search found is worth nothing then.
  const Status& status() const { return status_; }
  u64 blocks_read() const { return blocks_read_; }

 private:
  static constexpr u32 kMostKept = 256;

  class Identity final : public Numbering {
   public:
    void start(u64 size) { size_ = size; }
    const char* name() const override { return "edges"; }
    u64 size() const override { return size_; }
    u64 ram_bytes() const override { return 0; }
    Status find(const Word* states, u32 count, u64* numbers, u32* depths) override;
    bool has_states() const override { return true; }
    void state_of(u64 number, Word* state) const override { *state = number; }
    Status save_checkpoint(SearchCheckpoint& checkpoint, std::span<u8> buffer) override;

   private:
    u64 size_ = 0;
  };

  static Expansion expand(void* self, const Word* state, const SuccessorBuffer& out);
  Status successors(u64 state, const SuccessorBuffer& out, Expansion& expansion);
  Result<EdgeReader*> reader_for(u64 state);

  Product numbers_;
  Search search_;
  SearchOutcome outcome_;
  Identity index_;
  EdgeFile* edges_ = nullptr;
  std::span<u64> first_;  // state of each block
  std::span<EdgeReader> readers_;
  u64 block_[kMostKept] = {};  // that a reader has
  u64 used_[kMostKept] = {};   // when it was used last
  u64 clock_ = 0;
  u64 blocks_read_ = 0;
  Status status_;
};

}  // namespace xmc
