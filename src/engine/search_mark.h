// SearchMark: where a search with one bit per state is (double_dfs.h, gastin_moro.h), as a
// checkpoint says it. The search writes its files and fills the mark in, the engine puts it into
// the manifest; after a resume the search finds it as it was and goes on from there. Whatever does
// not fit the product or the index is forgotten, and that part of the search begins anew.
//
// Files that a checkpoint may name are numbered, because one that is named is never written again:
//   hash.N, rank.N  never changes once it is there; an index that is made anew takes the next
//   number accepting.N  grows; a search that begins anew takes the next number bits.N       bits
//   and stack of one checkpoint; each of them takes the next number wave.N       grows; the next
//   wave takes the next number if a checkpoint has named this one
// Between two checkpoints a number grows by one at most. So two checkpoints never need what is
// three behind, and that is removed.
#pragma once

#include "store/manifest.h"
#include "xmc/device.h"
#include "xmc/limits.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

struct Product;

// The name of a file, numbered or not.
class FileName {
 public:
  FileName() = default;
  explicit FileName(const char* file);
  FileName(const char* file, u64 number);
  const char* c_str() const { return text_; }

 private:
  static constexpr u32 kMostBytes = 40;

  char text_[kMostBytes] = {};
};

struct SearchMark {
  enum class Phase : u8 { none, first, second, lasso };
  enum class Index : u8 { none, rank, hash };
  struct Stamp {
    u64 bytes = 0;
    u64 chain = 0;
  };
  static constexpr u64 kRemovedBehind = 3;

  // A checkpoint has named files of it, in this process or before.
  bool named = false;
  u64 states = 0;  // of the product

  Index index = Index::none;
  u64 hash_number = 0;  // of the file of either
  Stamp rank;
  u64 rank_words = 0;
  u64 neighbours = 0;  // NeighbourHash::Choice of a hash
  Stamp hash;

  Phase phase = Phase::none;
  u64 number = 0;      // of the file of accepting states
  u64 expansions = 0;  // so far, those of the breadth-first search included
  Stamp accepting;
  // first: of the queue, whose states before it have been visited or are on the stack; second: of
  // the accepting states; lasso: of the queue.
  u64 next = 0;
  u64 bits_number = 0;
  Stamp bits;
  u64 bit_words = 0;
  u64 entry_words = 0;   // first: of the stack
  u64 stack_words = 0;   // of all its entries
  u64 window_words = 0;  // of them, in memory
  // second: the wave of the accepting state `next` is under way.
  bool in_wave = false;
  u64 wave_number = 0;
  u64 wave_next = 0;
  Stamp wave;
  // lasso: the best one so far has `total` steps and goes through `best`, which is in this place
  // (lasso_search.h); `bound` is the first one.
  u64 bound = 0;
  u64 total = 0;
  u64 best_place = 0;
  Word best[limits::kStateWords] = {};

  // What a checkpoint may still name is left alone.
  void forget_search();
  void forget_index();

  void save(Manifest& manifest, u32 state_words) const;
  Status restore(const Manifest& manifest, u32 state_words);

  u64 resumed = 0;  // searches that went on from it in this process
  u64 made = 0;     // indexes that were made in this process
};

// Whether a checkpoint may name the files of the product's searches.
bool is_named(const Product& product);

}  // namespace xmc
