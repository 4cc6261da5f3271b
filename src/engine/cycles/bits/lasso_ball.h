// LassoBall: the states t around an accepting state r, found by a breadth-first search from it and
// kept in a file by their distance d(r, t); and the same states by their cost depth(t) + d(r, t),
// the order in which the search back to r begins in them (gastin_moro.h).
//
// By cost they are read from the file again. How many there are of each cost is counted while the
// ball grows, so one pass puts the states of as many costs as there is room for in order. A cost
// that has more of them than that takes a pass of its own, which keeps none.
//
// Only states that can be on a lasso of fewer than bound() steps are sources: such a lasso has no
// state as deep as that, and is not shorter than depth(r) + d(r, t).
#pragma once

#include <algorithm>
#include <span>

#include "engine/cycles/bits/indexed_search.h"
#include "engine/cycles/bits/undo_bits.h"
#include "store/files/key_file.h"
#include "xmc/limits.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

struct AcceptingState {
  Word key[limits::kStateWords] = {};
  u64 number = 0;
  u64 depth = 0;
};

class LassoBall {
 public:
  // Of the counters, for lassos of fewer than `bound` steps.
  static u64 counter_bytes(u64 bound);
  static u64 least_source_bytes(const Model& model);

  LassoBall(IndexedSearch& search, const Product& product) : search_(search), product_(product) {}

  // Memory aligned to 8 bytes. Counters of counter_bytes(); for sources, all that there is.
  void start(std::span<u8> counters, std::span<u8> sources);
  void open(Device* device, const char* name, std::span<u8> buffer);

  // Around r, for lassos of fewer than `bound` steps. Sets bits of `visited`, which were clear.
  // Uses the product's scan_buffer, as everything below does.
  Status grow(const AcceptingState& r, u64 bound, IndexedSearch::Batch& batch, UndoBits& visited);
  // Lassos of this length are not wanted: less than was given if the ball has a cycle through r.
  u64 bound() const { return bound_; }
  // At any time: even shorter ones are not wanted any more.
  void lower_bound(u64 bound) { bound_ = std::min(bound_, bound); }

  struct Source {
    Word state[limits::kStateWords];
    u64 number;
    u64 distance;
  };
  // Sources of a cost below bound(), from the lowest cost on, each cost once: next_source() gives
  // them until it is false.
  Status begin_cost(u64 cost);
  Result<bool> next_source(Source& source);

  // The states on a shortest way from r to `target`, which is `distance` > 0 away: r and those
  // behind it, without the target.
  Status read_path(const AcceptingState& r, const Word* target, u64 distance, Word* path);

  u64 passes() const { return passes_; }  // over the file, for sources

 private:
  // Key: state, number, depth and whether it is a source.
  static constexpr u32 kMoreWords = 2;

  u32 words() const { return search_.words(); }
  Status add(const AcceptingState& r, const Word* state, u64 number, u64 depth, u64 distance);
  Status expand_next(const AcceptingState& r, IndexedSearch::Batch& batch, u64& done);
  void begin_pass();
  Result<bool> next_in_pass(Source& source, u64& cost);
  Status load_sources(u64 cost);

  IndexedSearch& search_;
  const Product& product_;
  u64 bound_ = ~u64{0};
  std::span<u32> counts_;  // sources by cost
  KeyFile file_;
  KeyReader reader_;
  u64 pass_at_ = 0;  // keys that this pass has read
  u64 passes_ = 0;

  Word* loaded_ = nullptr;  // sources of some costs: state, number and distance
  u64 room_ = 0;
  u64 loaded_end_ = 0;  // the first cost whose sources are not there
  u64 loaded_at_ = 0;   // the next one
  // Of the cost that next_source() is at.
  u64 cost_ = 0;
  u64 left_ = 0;
  bool streaming_ = false;
};

}  // namespace xmc
