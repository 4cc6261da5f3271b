// A shortest accepting lasso by searches from every accepting state (Gastin and Moro: "Minimal
// counterexample generation for SPIN", SPIN 2007), with one bit per state and depths from the index
// (Edelkamp, Sulewski, 2008). Their figures 5 and 6 do not work as printed; this is from the
// definition:
//
//   minimise depth(t) + d(t, r) + d(r, t) over accepting r and all t, with a cycle of at least one
//   step
//
// For one r: a breadth-first search from r gives d(r, t). Then a search that begins in every t at
// cost depth(t) + d(r, t), in order of cost, ends at the first step to r: that is the minimum for
// this r. Both are cut off by the best lasso so far: a lasso of T steps has states of depth below T
// only, and is not shorter than depth(r) + d(r, t). Accepting states are taken in order of depth,
// so that the first one that is too deep ends it all. The first bound comes from a double search,
// which also tells whether there is any cycle.
//
// Where the states of the first search do not fit the memory, they are read from their file again
// for each part of them that does, by cost.
//
// With SearchOptions::parallel each thread takes the next accepting state and searches from it with
// bits, buffers, files and an executor of its own (lasso_search.h), while the best length so far
// cuts off all of them. Lassos of one length are told apart by the order of accepting states, the
// one of the double search first, so the length and the accepting state do not depend on the
// threads; and its lasso is then found by one thread with all the memory. The threads become fewer
// where the memory is too small for as many sets of bits, and one where the index is a hash on
// flash: its pages come through buffers and a cache, which would have to be locked for every batch.
// Files, the queue and the outside are for one thread at a time. A checkpoint has the accepting
// states that threads have not finished: these are tried again.
#pragma once

#include <span>

#include "engine/cycles/index/state_index.h"
#include "engine/search/product.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class RankIndex;
class PhfIndex;

struct MinimalLasso {
  bool found = false;
  // The cycle, from the state on that the prefix ends in: `length` states of state_words words, in
  // the memory that the search was given.
  const Word* states = nullptr;
  u64 length = 0;
  u64 prefix = 0;        // depth of the first of them
  bool fits = true;      // the memory
  u64 bytes_needed = 0;  // if it does not fit

  u64 searches = 0;  // accepting states that were searched from
  u64 passes = 0;    // over the file of a first search, more than one for each
  u32 threads = 1;   // that searched
};

// The least memory, the bits and, for an index without depths, those included.
u64 gastin_moro_bytes(const Product& product, const Numbering& index, u64 deepest);

// Numbers the states of a whole product and runs it; all of product.memory is used.
Status find_minimal_lasso(const Product& product, const IndexOptions& options, RankIndex& rank,
                          PhfIndex& hash, MinimalLasso& result, u64& index_bytes);

// `memory` is aligned for devices. Uses the product's read_buffer and scan_buffer.
Status run_gastin_moro(const Product& product, Numbering& index, std::span<u8> memory,
                       MinimalLasso& result);

}  // namespace xmc
