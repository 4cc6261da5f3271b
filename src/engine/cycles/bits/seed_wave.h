// SeedWave: the breadth-first search from one seed of a double search (double_dfs.h) among states
// that no seed before has reached. Its states are in a file by level, from which the cycle is read
// back if a step leads to the seed.
//
// A checkpoint may name the file of a wave that is under way. Such a file stays as it is, and the
// next wave takes another one (search_checkpoint.h).
#pragma once

#include <span>

#include "engine/cycles/bits/indexed_search.h"
#include "store/files/key_file.h"
#include "store/tables/state_bits.h"
#include "xmc/limits.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class SeedWave {
 public:
  SeedWave(IndexedSearch& search, const Product& product) : search_(search), product_(product) {}

  // An empty one. `buffer` holds one slot or two, aligned for the device.
  Status open(std::span<u8> buffer);
  // The one that the product's checkpoint says was under way.
  Status reopen(std::span<u8> buffer);
  // For the next seed.
  Status clear();

  // Successors of the seed, which have level 1; then begin() once.
  Status add(const Word* state, u64 level) { return file_.append(state, level); }
  bool empty() const { return file_.keys() == 0; }
  Status begin() { return read_from(0); }

  enum class Step : u8 { more, ended, closed };
  // Expands the next states, and takes those of their successors that are not visited. Closed: the
  // last one has a step to the seed. Uses the product's scan_buffer.
  Status advance(const Word* seed, IndexedSearch::Batch& batch, StateBits& visited, Step& step);
  // Of a wave that has closed: the steps of the cycle, and its states from the seed on. Before
  // begin() this is the cycle of a seed with a step to itself.
  u64 cycle_length() const { return last_level_ + 1; }
  Status read_cycle(const Word* seed, Word* path, const GoOn& go_on);
  // The state that closed the wave comes next once more.
  Status step_back() { return read_from(done_ - 1); }

  // The file, and how far it is, into the checkpoint.
  Status save_checkpoint();
  // Goes on after the scan_buffer was used for something else.
  Status read_again() { return read_from(done_); }

 private:
  Status read_from(u64 number);

  IndexedSearch& search_;
  const Product& product_;
  std::span<u8> buffer_;
  FileName name_;
  Device* device_ = nullptr;
  bool named_ = false;  // by a checkpoint
  KeyFile file_;
  KeyReader reader_;
  u64 done_ = 0;                       // keys that were expanded
  Word last_[limits::kKeyWords] = {};  // of them, and its level; 0 is the seed's
  u64 last_level_ = 0;
};

}  // namespace xmc
