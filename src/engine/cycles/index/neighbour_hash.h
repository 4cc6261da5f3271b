// NeighbourHash: a hash of states that keeps neighbours together. A perfect hash on flash finds its
// page by the upper bits of a hash, and a plain one spreads the successors of a state over all
// pages: with a twentieth of them in memory nearly every query is a read. Here the upper bits come
// from the place of the state among all states, sorted by their fields in a suitable order, so that
// a search stays on few pages for long (szymanski.3.prop3, 5% of the pages in memory: 1.4 reads for
// 100 queries instead of 92; lifts.7.prop4: 4.4 instead of 79).
//
// All keys (key_order.h) are cut into short intervals at the keys of a sample, their states are
// counted, and intervals are put together to some that begin about where pages do. Each gets its
// part of the hash's range: the hashes are as evenly spread as plain ones are, and nobody else has
// to know. Within its interval a state's place is that of its plain hash. The cuts take 12 bytes in
// memory for a page of some 3000 states: 0.03 bits each.
//
// Which order of the fields is best is tried out: walks through the product, whose queries should
// fall into few intervals. The orders differ up to 16-fold.
#pragma once

#include <span>

#include "engine/search/product.h"
#include "store/diagram/key_order.h"
#include "store/files/word_file.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class NeighbourHash {
 public:
  // What a checkpoint says of it, beside the product: 0 is none, else an order and one more.
  using Choice = u32;
  static constexpr Choice kPlain = 0;

  // Memory that stays in use, a multiple of kPageBytes, and what it takes to make the table.
  static u64 bytes_for(const Model& model, u64 pages);
  static u64 making_bytes(const Model& model, u64 pages);

  void turn_off() { choice_ = kPlain; }
  // Makes it for a hash of all states of the product in so many pages; `memory`, aligned to 64
  // bytes, has making_bytes() and keeps the table at its front. The order is the best one found.
  Status make(const Product& product, u64 pages, std::span<u8> memory);
  Choice choice() const { return choice_; }
  // For a checkpoint: all cuts, then where each interval begins, as words; and the same hash again,
  // in bytes_for() of memory. Words that cannot be those of a table leave it turned off.
  u64 file_words() const { return cut_.size() + begin_.size(); }
  Status write(WordWriter& out) const;
  Status read(WordReader& in, u64 words, const Model& model, u64 pages, std::span<u8> memory,
              Choice choice);

  // From a plain hash of the state.
  u64 operator()(const Word* state, u64 plain) const {
    return choice_ == kPlain ? plain : near(state, plain);
  }

 private:
  static constexpr u32 kSampleFactor = 8;  // keys of the sample for one page
  // For comparing orders.
  static constexpr u32 kTrialCuts = 1024;
  static constexpr u32 kTrialStates = kTrialCuts * kSampleFactor;
  static constexpr u32 kWalks = 64;
  static constexpr u32 kSteps = 64;

  static u64 sample_keys(u64 pages);
  void lay_out(const Model& model, u64 pages, std::span<u8> memory);
  void lay_out_making(const Model& model, u64 pages, std::span<u8> memory);
  Status make_table(const Product& product, u64 pages, Choice choice);
  u64 near(const Word* state, u64 plain) const;
  u64 key_of(const Word* state) const;
  static std::size_t interval_of(std::span<const u64> cuts, u64 key);
  template <class F>
  Status for_states(const Product& product, u64 stride, F f);
  Status sample_all(const Product& product, u64 pages, std::span<u64>& cuts);
  Status count_states(const Product& product, std::span<const u64> cuts, std::span<u32> counts);
  void choose_cuts(std::span<const u64> cuts, std::span<const u32> counts, u64 states, u64 pages);
  Status find_best_order(const Product& product, Choice& choice);
  u64 intervals_of_walk(const Product& product, std::span<const u64> cuts, const Word* from,
                        u64 dice) const;

  KeyOrder order_;
  Choice choice_ = kPlain;
  std::span<u64> cut_;    // the least key of interval i + 1
  std::span<u32> begin_;  // of interval i in the range of hashes, its upper half
  // While it is made.
  std::span<u64> sample_;
  std::span<u32> counts_;
  Word* trial_states_ = nullptr;
};

}  // namespace xmc
