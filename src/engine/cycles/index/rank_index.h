// The states as a diagram with counts: see state_index.h.
#pragma once

#include <span>

#include "engine/cycles/index/search_checkpoint.h"
#include "engine/cycles/index/state_index.h"
#include "store/diagram/key_order.h"
#include "store/diagram/rank.h"
#include "store/files/word_file.h"
#include "store/tiered/sorted_keys.h"

namespace xmc {

class RankIndex final : public Numbering {
 public:
  // Builds it of the product's expanded states in product.memory. On success `result` has the index
  // and the memory behind it; without room for it and `left` bytes, no index.
  Status build(const Product& product, u64 left, IndexResult& result);
  // Whether there is room for what the product's checkpoint has of one that was being built:
  // build() goes on with it then.
  Status load_part(const Product& product, bool& loaded);

  // The one of the product's checkpoint (rank_checkpoint.cc); without room for it and `left` bytes
  // `result` has no index.
  Status reopen(const Product& product, u64 left, IndexResult& result);

  const char* name() const override { return "rank"; }
  u64 size() const override { return rank_.size(); }
  u64 ram_bytes() const override { return fixed_bytes_ + rank_.bytes(); }
  Status find(const Word* states, u32 count, u64* numbers, u32* depths) override;
  u64 scratch_bytes() const override { return u64{kBatch} * order_.key_words() * sizeof(Word); }
  void find_beside(std::span<u8> scratch, const Word* states, u32 count, u64* numbers,
                   u32* depths) const override;
  bool has_states() const override { return true; }
  void state_of(u64 number, Word* state) const override;
  Status save_checkpoint(SearchCheckpoint& checkpoint, std::span<u8> buffer) override;
  bool joined() const { return order_.joined(); }
  // States that went into the diagrams of all orders in this process, but for the samples.
  u64 insertions() const { return insertions_; }

 private:
  static constexpr u32 kSampleStates = 50000;
  static constexpr u32 kChunk = 4096;  // keys that are inserted at once
  static constexpr u32 kBatch = 64;    // states that are looked up at once
  static constexpr u32 kTries = 3;     // orders that get all states
  static constexpr u64 kUseless = ~u64{0};

  bool lay_out(const Product& product);
  // The bytes of the order's tables, with joins_ or not; then the order in them.
  u64 plan_fixed(const Product& product);
  void plan_order(const Product& product, u64 bytes);
  Status measure_orders(const Product& product);
  u32 tried() const;
  Status begin_order(const Product& product);
  Status join(const Product& product);
  void begin_diagram(const Product& product);
  // The next states, a buffer full at most, of the first `count`. `coded` is false when a key could
  // not be made: see KeyOrder::to_keys.
  Status insert_some(u64 count, bool& fits, bool& coded);
  Status insert_all(const Product& product, bool& fits);
  bool insert_sorted(const Word* keys, u32 count);
  // rank_checkpoint.cc
  struct Head;
  Status checkpoint_if_due(const Product& product);
  Status save_part(const Product& product);
  u64 begin_words(const Head& head) const;
  u64 words_of_file(const Head& head) const;
  Status write(const FileName& name, std::span<u8> buffer, std::span<const u32> nodes, u32 root,
               u64 keys);
  Status write_head(WordWriter& out, const Head& head);
  template <class Use>
  Status with_file(const Product& product, const FileName& name, u64 bytes, Use use);
  Status read(WordReader& in, const char* name, const Head& head, const Product& product, u64 left,
              IndexResult& result);
  Status read_part(WordReader& in, const char* name, const Head& head, const Product& product);
  Status read_order(WordReader& in, const char* name, const Head& head, u64 words, u64& at);
  // `batch` has room for kBatch keys.
  void find_with(Word* batch, const Word* states, u32 count, u64* numbers) const;

  KeyOrder order_;
  u32 candidate_ = 0;   // chosen of the orders
  bool joins_ = false;  // there is room for joined digits
  Diagram diagram_;
  Rank rank_;
  KeyReader reader_;
  u64 fixed_bytes_ = 0;    // of the order's tables and the batch
  Word* batch_ = nullptr;  // kBatch keys
  // Its file of a checkpoint.
  Folder* folder_ = nullptr;
  u64 number_ = 0;
  bool written_ = false;
  SearchCheckpoint::Stamp stamp_;
  u64 file_words_ = 0;
  // While it is built.
  KeyBuffers buffers_;
  u64* fresh_ = nullptr;
  std::span<u8> region_;
  u64 order_words_[KeyOrder::kCandidates] = {};  // of a sample; kUseless: has been tried
  u64 inserted_ = 0;                             // of the queue, which the diagram has
  u64 insertions_ = 0;
  bool goes_on_ = false;  // with what a checkpoint had
};

}  // namespace xmc
