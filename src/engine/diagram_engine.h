// The `diagram` engine: breadth-first search whose visited set is a decision diagram in memory.
//
// It begins like `ram`, with all states in a table. When that is nearly full, the states go to a
// file, the memory is laid out anew, and the set continues as a diagram (store/diagram.h), which
// needs a small part of the table's size for most models:
//
//   | batch table | keys, sort scratch | diagram: nodes, slots, marks |
//
// Successors are collected in the batch table (which drops repeats), sorted as keys and inserted
// into the diagram, which tells the new ones; these are appended to the queue file, the next level.
// The order of a key's fields is chosen on the first states: the one with the smallest diagram;
// when that one stops fitting, the next one takes all states from the file.
//
// I/O: each state is written once (about 5 bytes, coded against the one before) and read once. The
// file keeps all levels, so a counterexample is found by expanding the level before, backwards;
// that is at most one more expansion of everything. States, transitions and levels are those of
// `ram`.
//
// When the diagram does not fit either: StopReason::ram. Accepting cycles are not looked for.
#pragma once

#include "engine/engine.h"
#include "engine/search.h"
#include "store/diagram.h"
#include "store/key_file.h"
#include "store/key_order.h"
#include "xmc/device.h"

namespace xmc {

class DiagramEngine final : public Engine {
 public:
  constexpr DiagramEngine() = default;

  const char* name() const override { return "diagram"; }
  bool keeps_files() const override { return true; }
  u64 minimum_bytes(const Model& model, const SearchOptions& options) const override;
  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run(const RunControl& control, SearchOutcome& outcome) override;
  void path_state(u64 i, Word* out) override;

  // After plan(): leave the table at this many states even if there is room.
  void hand_over_after(u64 states) { search_.hand_over.after_states = states; }
  u64 rebuilds() const { return rebuilds_; }

 private:
  static constexpr u32 kSampleStates = 50000;
  static constexpr u32 kChunk = 4096;
  static constexpr u64 kUseless = ~u64{0};

  Status open_queue();
  Status save_table();
  bool lay_out();
  Status measure_orders();
  void use_order(u32 candidate);
  Status insert_from_queue(u64 count, StopReason& stop);
  Status rebuild(bool& done);
  Status go_on(StopReason& stop);
  Status expand_level(u64 count, StopReason& stop);
  Status flush_buffer(StopReason& stop);
  Status flush_batch(StopReason& stop);
  Status insert_sorted(const Word* keys, u32 count, bool queue_new, StopReason& stop);
  bool look_beyond(u32 count);
  StopReason poll(u64 level_states, bool level_done);
  Status find_path();
  Status find_before(u64 level, const Word* target, Word* out);
  bool over() const;

  Search search_;
  KeyOrder order_;
  Diagram diagram_;
  KeyFile queue_;
  KeyReader reader_;
  Device* device_ = nullptr;
  std::span<u8> region_;
  std::span<u8> write_buffer_;
  std::span<u8> read_buffer_;

  // Parts of the region after the hand-over.
  std::span<u8> batch_region_;
  u32 batch_states_ = 0;
  Word* keys_ = nullptr;
  Word* sorted_ = nullptr;
  u64* fresh_ = nullptr;
  std::span<u8> diagram_region_;

  u64 order_words_[KeyOrder::kCandidates] = {};  // diagram of the first states; kUseless: tried

  u64 rebuilds_ = 0;

  u64 level_ = 0;
  u64 next_states_ = 0;  // of the level after it, so far
  u32 fill_ = 0;
  bool last_level_ = false;
  bool left_out_ = false;
  u64 hand_level_begin_ = 0;  // first state of the level in which the hand-over happened
  bool on_file_ = false;      // the hand-over has happened
  Word culprit_[limits::kStateWords] = {};
  Word* path_ = nullptr;
};

}  // namespace xmc
