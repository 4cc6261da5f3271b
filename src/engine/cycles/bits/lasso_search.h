// LassoSearch: the shortest lasso through one accepting state (gastin_moro.h), on one thread. It
// has bits, buffers and files of its own; the index and the depths are those of all threads.
//
// What threads share is a LassoTeam: the best lasso so far, which cuts their searches off, and the
// word of the outside. Accepting states have places, from 1 on in the order of the queue; place 0
// is the one that the first bound comes from. Of two lassos of one length that through the earlier
// place is the better one, so a search asks for one that is as long as the best as well while the
// best one's place is behind its own. Then the best one of all does not depend on who was when
// where: whoever had its place was never cut off below its length.
#pragma once

#include <span>

#include "engine/cycles/bits/indexed_search.h"
#include "engine/cycles/bits/lasso_ball.h"
#include "engine/cycles/bits/undo_bits.h"
#include "engine/search/shared_device.h"
#include "store/files/key_file.h"
#include "xmc/limits.h"
#include "xmc/parallel.h"
#include "xmc/status.h"
#include "xmc/stop_reason.h"
#include "xmc/types.h"

namespace xmc {

// Everything is touched with the lock of `parallel` held while several threads are at work.
struct LassoTeam {
  Parallel* parallel = nullptr;  // null: one thread
  AcceptingState best;
  u64 best_place = 0;
  u64 total = 0;  // steps of a lasso through `best`, or more than it has
  // A value: what one thread has heard is the answer for all of them, each at its time.
  StopReason stop = StopReason::none;

  // A search from this place looks for fewer steps than that.
  u64 limit(u64 place) const { return total + (place < best_place ? 1 : 0); }
  void offer(const AcceptingState& r, u64 place, u64 steps) {
    if (steps >= limit(place)) return;
    best = r;
    best_place = place;
    total = steps;
  }
};

class LassoSearch final : public IndexedSearch {
 public:
  // The least memory, for lassos of fewer than `bound` steps.
  static u64 least_bytes(const Model& model, u64 states, u64 bound);

  // Uses the product's scan_buffer.
  LassoSearch(const Product& product, Numbering& index, LassoTeam& team);
  LassoSearch(const LassoSearch&) = delete;
  LassoSearch& operator=(const LassoSearch&) = delete;

  // `memory` is aligned for devices.
  void lay_out(std::span<u8> memory, u64 bound);
  Status make_depths(std::span<u8> memory, u64 deepest) {
    return make_depth_table(memory, deepest, batch_);
  }
  // Files of the thread with this number.
  Status open_files(u32 thread);

  bool is_accepting(const Word* state);
  // Number and depth of a state.
  Status identify(AcceptingState& r);
  // The steps of the shortest lasso through r, if that are fewer than `limit`; else 0.
  Status find(const AcceptingState& r, u64 place, u64 limit, u64& steps);
  // The cycle of the lasso that find() has found last, from the state on that the prefix ends in:
  // states, one behind the other, in the memory of lay_out().
  struct Cycle {
    const Word* states = nullptr;
    u64 length = 0;
  };
  Status read_cycle(const AcceptingState& r, u64 steps, Cycle& cycle);

  // Every thread asks for all of them, and hears what the others have found meanwhile.
  Status ask(u64 depth) override;
  // Adds what was counted since to the figures of the search.
  void give_counts();
  u64 searches() const { return searches_; }
  u64 passes() const { return ball_.passes(); }

 private:
  Status run_wave(const AcceptingState& r, u64& steps);
  Status add_sources(u64 cost);
  Status expand_wave(const AcceptingState& r, u64 cost, u64 end, u64& done, bool& closed);
  Status add_to_wave(const Word* state, u64 source, u64 cost);

  LassoTeam& team_;
  u64 place_ = 0;     // of the accepting state that it is at
  u64 expanded_ = 0;  // states, that give_counts() has not counted yet
  UndoBits reached_;  // visited_, of one search
  LassoBall ball_;
  FileName ball_name_;
  FileName wave_name_;
  SharedDevice ball_device_;
  SharedDevice wave_device_;
  std::span<u8> ball_buffer_;
  std::span<u8> wave_buffer_;
  std::span<u8> wave_read_buffer_;
  std::span<u8> path_memory_;
  Batch batch_;
  KeyFile wave_;
  KeyReader wave_reader_;
  Word last_[limits::kKeyWords] = {};  // of the wave: it has a step to r
  u64 searches_ = 0;
};

}  // namespace xmc
