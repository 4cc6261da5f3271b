// Accepting cycles by two searches with one bit per state (Edelkamp, Sulewski: "Flash-efficient LTL
// model checking with minimal counterexamples", SEFM 2008, after Courcoubetis and others).
//
// The first search is depth-first and writes accepting states down when it leaves them
// (post_order.h). The second one takes them in this order, each as a seed, and looks for a way back
// to it among states that no seed before has reached (seed_search.h): from those there is none, or
// a cycle through an earlier seed would have been found. So the bits are cleared once, and each
// search expands a state at most once.
//
// That argument needs the set that each seed reaches, not the order within it. So the second search
// is breadth-first: successors are looked up in large batches (sorted by page, where the index is
// on flash), and the first way back is a shortest one. The first search has to be depth-first.
//
// Cycles do not leave their component of the automaton (Model::cycle_class), so neither do the
// searches.
//
// Memory: a bit per state, two batches of successors, two buffers of files and a window of the
// stack. Files: the stack (a number per entry if the index gives states, else number and state),
// accepting states, and the wave of a seed: its search by level, from which the cycle is read back.
#pragma once

#include <span>

#include "engine/cycles/index/state_index.h"
#include "engine/search/product.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

struct CycleResult {
  bool found = false;
  // A shortest cycle through its first state, which is accepting: `length` states of state_words
  // words. They lie in the memory that the search was given.
  const Word* states = nullptr;
  u64 length = 0;
  bool closed = false;   // there is a cycle, but a stop came before its states
  bool fits = true;      // the memory; else nothing was searched
  u64 bytes_needed = 0;  // if it does not fit: of the memory given
  u64 index_bytes = 0;   // memory of the index

  u64 accepting = 0;  // states in post-order: those of them that a cycle may go through
  u64 stack_peak = 0;
  u64 stack_spills = 0;
};

// The least memory for so many states, the bits included: what make_index() has to leave is this
// without StateBits::bytes_for(states).
u64 double_dfs_bytes(const Model& model, u64 states);

// `memory` is aligned for devices. Uses the product's read_buffer and scan_buffer.
Status run_double_dfs(const Product& product, Numbering& index, std::span<u8> memory,
                      CycleResult& result);

}  // namespace xmc
