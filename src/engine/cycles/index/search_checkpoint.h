// SearchCheckpoint: where a search with one bit per state is (double_dfs.h, gastin_moro.h), as a
// checkpoint says it. The search writes its files and fills this in, the engine puts it into
// the manifest; after a resume the search finds it as it was and goes on from there. Whatever does
// not fit the product or the index is forgotten, and that part of the search begins anew.
//
// Files that a checkpoint may name are numbered, because one that is named is never written again:
//   hash.N       never changes once it is built; an index that is made anew takes the next number
//   hash-near.N  the table of neighbours of hash.N, the same
//   rank.N       the same
//   accepting.N  grows; a search that begins anew takes the next number
//   hash-runs.N  grows while hash.N is built, which then grows, too
//   bits.N       what one checkpoint has of the memory, a rank that is being built included; each
//                of them takes the next number
//   stack.N      grows; a checkpoint that leaves rubbish behind takes the next number
//   wave.N       grows; the next wave takes the next number if a checkpoint has named this one
// Between two checkpoints a number grows by one at most (store/files/numbered_file.h).
#pragma once

#include "phf/builder.h"
#include "store/checkpoint/lines.h"
#include "store/files/flash_stack.h"
#include "store/files/numbered_file.h"
#include "xmc/device.h"
#include "xmc/limits.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

struct Product;

struct SearchCheckpoint {
  enum class Phase : u8 { none, first, second, lasso };
  enum class Index : u8 { none, rank, hash, part, rank_part };
  using Stamp = FileMark;

  // A checkpoint has named files of it, in this process or before.
  bool named = false;
  u64 states = 0;  // of the product

  Index index = Index::none;
  bool of_hash() const { return index == Index::hash || index == Index::part; }
  u64 hash_number = 0;  // of the file of either
  Stamp rank;
  u64 rank_words = 0;  // of its file; while it is built, of the file of bits, which has all of it
  // The table of neighbours of a hash (neighbour_hash.h), in a file if there is one.
  struct Near {
    u64 choice = 0;  // NeighbourHash::Choice
    u64 words = 0;
    Stamp stamp;
  };
  Near near;
  Stamp hash;
  // A hash that is being built: what it is built from, in which memory, and how far it is. Where
  // its runs end, and keys for its next layer, are in the file of bits.
  struct Part {
    u64 seed = 0;
    u64 page_bytes = 0;
    u64 codec = 0;
    u64 block_bytes = 0;
    u64 memory = 0;
    phf::BuildCheckpoint build;
    Stamp runs;
  };
  Part part;

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
  u64 entry_words = 0;  // first: of the stack
  u64 stack_number = 0;
  FlashStack::Filed stack;
  // second: the wave of the accepting state `next`.
  struct Wave {
    bool under_way = false;
    bool closed = false;  // its next state has a step to that state
    u64 number = 0;
    u64 next = 0;
    Stamp stamp;
  };
  Wave wave;
  // Each thread has two files, and a folder has 32 of them open at most.
  static constexpr u32 kMostThreads = 8;
  static constexpr u64 kNowhere = ~u64{0};
  // lasso: the best one so far has `total` steps and goes through `best`, which is in this place
  // (lasso_search.h).
  struct Lasso {
    // States of the queue before `next` that threads had taken and not finished, or kNowhere.
    u64 open[kMostThreads] = {kNowhere, kNowhere, kNowhere, kNowhere,
                              kNowhere, kNowhere, kNowhere, kNowhere};
    u64 bound = 0;  // of the first one
    u64 total = 0;
    u64 place = 0;
    Word best[limits::kStateWords] = {};
  };
  Lasso lasso;

  // What a checkpoint may still name is left alone.
  void forget_search();
  void forget_index();

  // A number for the next file of bits; one that no checkpoint names any more is removed.
  Status next_bits(Folder& folder);

  void lines(Lines& io, u32 state_words);

  u64 resumed = 0;  // searches that went on from it in this process
  u64 made = 0;     // indexes that were made in this process

 private:
  void index_lines(Lines& io);
  void part_lines(Lines& io);
  void neighbour_lines(Lines& io);
  void lasso_lines(Lines& io, u32 state_words);
  void stack_lines(Lines& io);
  void wave_lines(Lines& io);
};

// Whether a checkpoint may name the files of the product's searches.
bool is_named(const Product& product);

}  // namespace xmc
