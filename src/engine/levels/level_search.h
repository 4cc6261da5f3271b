// LevelSearch: breadth-first search whose queue is a file. What the engines that keep their states
// on flash have in common: the level loop, the judging of states, limits, counterexamples,
// checkpoints. They differ in one thing, how they tell new states from known ones:
//
//   for each state of the level, read from the queue: expand it, take() its successors
//   at the end of the level: settle(); what was enqueue()d is the next level
//
// The queue file has every state ever enqueued with its level, and is never rewritten. So a
// counterexample is found backwards, by expanding the level before until a predecessor shows up (at
// most one more expansion of everything), and a checkpoint is a position in the file: an engine's
// visited set can be made again from it.
//
// Some engines enqueue a state again that they could not recognise in time. A state's first
// occurrence has its true level all the same (everything expanded at step k has a distance of at
// most k, and all states at distance k are among it), so counterexamples stay shortest;
// take_back() undoes the counts of the other occurrences.
#pragma once

#include "engine/search/product.h"
#include "engine/search/search.h"
#include "store/files/key_file.h"
#include "store/keys/signature.h"
#include "store/tables/cache_table.h"
#include "xmc/device.h"
#include "xmc/engine.h"
#include "xmc/go_on.h"

namespace xmc {

class LevelSearch : public Engine {
 public:
  bool keeps_files() const override { return true; }
  bool uses_threads() const override { return true; }
  FlashUse flash_use() const override { return {1, 0, ""}; }
  u64 minimum_bytes(const Model& model, const SearchOptions& options) const override;
  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run(const RunControl& control, SearchOutcome& outcome) override;
  void path_state(u64 i, Word* out) override;

  // Before plan(): somebody who looks for accepting cycles in what this search finds.
  void set_cycle_finder(CycleFinder* finder) { finder_ = finder; }
  // Of the counterexample's prefix, which path_state() has.
  u64 path_steps() const { return path_steps_; }
  // Of what was set aside for the cycle finder.
  u64 reclaimed_bytes() const { return reclaimed_in_all_; }

 protected:
  constexpr LevelSearch() = default;
  ~LevelSearch() = default;

  // --- What an engine adds --------------------------------------------------------------------

  // Memory beside region_, carved by plan_own().
  virtual u64 own_bytes(const Model&, const SearchOptions&) const { return 0; }
  virtual u64 least_region(const Model& model, const SearchOptions& options) const = 0;
  virtual void plan_own(Arena&) {}

  // Before the first state. The visited set is empty.
  virtual Status begin_store() = 0;
  // After a resume: the visited set is what the queue holds.
  virtual Status restore_store(const Manifest& manifest) = 0;
  // Lines and files of its own for a checkpoint, right after settle().
  virtual Status save_store(Manifest&) { return {}; }
  // `count` successors in search_.buffer.
  virtual Status take(u32 count, StopReason& stop) = 0;
  // Everything that was taken is either known or enqueued when this returns. At the end of a level,
  // and before a checkpoint.
  virtual Status settle(bool level_end, StopReason& stop) = 0;
  // Whether take() of a whole buffer is sure to need no room made.
  virtual bool room_ahead() const { return false; }
  // At the very end: closes what open_file() did not open.
  virtual Status close_store() { return {}; }
  // After the last level: figures that need another look.
  virtual Status conclude() { return {}; }
  // Distinct states, as far as they are known.
  virtual u64 states() const { return queue_.keys(); }
  // Whether nothing that was counted may be a repeat. After the last level conclude() has seen to
  // that; a run that ends before has no counts otherwise.
  virtual bool counts_are_exact() const { return true; }
  // Begins with the initial states; an engine may begin elsewhere.
  virtual Status start(StopReason& stop);

  // --- What it finds here ---------------------------------------------------------------------

  static StateTable::Shape shape_of(const Model& model, bool notes);
  // A new state of the level that is being made.
  Status enqueue(const Word* state, StopReason& stop);
  // Takes the counts of a repeated expansion of this state back.
  void take_back(const Word* state);
  // Entries of the queue that have their state from an earlier one: passes over the queue, each
  // with the states of one class of hashes in a table in `memory`, before several of them one that
  // sets most states aside. Their counts are taken back, stats().states and levels set. Where a
  // cache says which states it may have forgotten, no others are looked at; `memory` does not have
  // its filter.
  Status find_repeats(std::span<u8> memory, const CacheTable* cache);
  StopReason poll(u64 level_states, bool level_done);
  // For long work in a store, which may end with Code::stopped: the run does so, too, and goes on
  // from its mark later.
  GoOn go_on();
  // Where a status says that go_on() heard a reason to stop, that is no failure.
  Status take_stop(const Status& status, StopReason& stop) const;
  bool over() const;
  CycleFinder* cycle_finder() const { return finder_; }
  // All states before `expanded` have their successors in the queue.
  Status search_prefix(u64 expanded, StopReason& stop);
  // Nothing behind this level is stored: whether there is anything has to be known exactly.
  bool at_last_level() const { return last_level_; }
  SearchStats& stats() { return search_.stats(); }

  // Looking ahead (look_ahead.cc): while another thread is busy with what was taken so far (take()
  // must have copied it, and its buffer must be free), the states behind are expanded and taken
  // already. They count only when they are absorbed, so that a stop, a violation or a checkpoint in
  // between finds everything as if nothing had been looked at.
  //
  // Expands up to `states` more; false when there are none, or no room for them.
  Status look_ahead(u32 states, bool& went_on);
  // Only those of this level; those behind the level are absorbed when their level begins.
  void absorb();
  // Forgets what was looked at: it will be expanded again. The engine forgets what it took.
  Status look_back();

  // Memory of the cycle finder that it needs no more becomes part of region_, at its end. False:
  // there is none.
  bool reclaim_aside();

  Folder& folder() { return *search_.options.folder; }
  // A file that is closed when the run ends.
  Result<Device*> open_file(const char* name, Folder::Open how);
  void close_file(const char* name);

  Search search_;
  Signature signature_;  // what the tables hold of a state, for engines that take signatures
  KeyFile queue_;
  KeyReader reader_;
  std::span<u8> region_;  // what the plan leaves: the engine's table, and at last the path
  std::span<u8> aside_;   // behind it: for the cycle finder
  u64 reclaimed_ = 0;     // bytes at the end of region_ that were set aside
  u64 reclaimed_in_all_ = 0;
  std::span<u8> read_buffer_;  // of reader_
  std::span<u8> scan_buffer_;  // a second block, for scans of the file beside reader_

  u64 level_ = 0;          // being expanded
  u64 enqueue_level_ = 0;  // of states that are enqueued now
  u64 level_begin_ = 0;    // number of its first state; after a resume, of the first one to expand
  u64 level_end_ = 0;      // number of the first state behind the level
  u64 next_ = 0;           // number of the next state to expand
  bool on_file_ = true;    // the search is in the queue file
  Word culprit_[limits::kStateWords] = {};

  // The last point from which the run could go on: everything before `next` is expanded and its
  // successors are settled; the counters are those of that time.
  struct Mark {
    u64 level = 0;
    u64 level_end = 0;
    u64 next = 0;
    SearchStats stats;
    Violation violation = Violation::none;
  };

  Mark mark_;

  // Time, for what engines learn about costs; 0 where nobody gave a clock.
  u64 now() const;
  // The same without the time that devices took, which may be due to others.
  u64 busy_ns() const;

  Status open_queue();
  // Remembers this point as one from which a resumed run may go on.
  void mark();
  Status checkpoint();

 private:
  Status run_to_end(const RunControl& control, SearchOutcome& outcome);
  Status search(StopReason& stop);
  Status expand_level(StopReason& stop);
  Status expand_states(StopReason& stop);
  Status read_ahead();
  Status expand_next(const Word*& state, Expansion& expansion);
  bool may_look_ahead() const;
  Status look_at_next();
  // Number of the next state that is expanded, and the first one behind those that may be.
  u64 position() const { return next_ + look_.count; }
  u64 readable_end() const;
  Status flush_buffer(StopReason& stop);
  Status next_level(StopReason& stop, bool& done);
  Status checkpoint_if_due(bool level_end, StopReason& stop);
  Status restore(const Manifest& manifest);
  void forget_counts();
  Status search_to_end(StopReason stop, bool resumed);
  // level_path.cc
  Status take_path(StopReason stop);
  Status find_path();
  Status settle_cycle();
  GoOn path_go_on();
  Status checkpoint_path();
  Status write_path(Manifest& manifest);
  Status restore_path(const Manifest& manifest);
  Status restore_cycle(const Manifest& manifest, std::span<Word>& cycle);
  Status read_path(const Manifest& manifest, std::span<Word> cycle);
  struct RepeatPass;
  struct Suspects;
  u32 classes_for(const RepeatPass& pass);
  Status find_suspects(RepeatPass& pass, FingerprintFilter& came_again);
  Status read_class(const RepeatPass& pass);
  void count_first(u64 level);
  void judge_suspects(Suspects& suspects);
  Status reopen_queue(const Manifest& manifest);

  u64 finder_bytes() const;
  Product product(u64 expanded, std::span<u8> memory);
  Status search_cycles(StopReason& stop);

  std::span<u8> write_buffer_;
  std::span<u8> finder_buffer_;
  struct OpenFile {
    const char* name = nullptr;
    Device* device = nullptr;
  };
  OpenFile open_[4];
  // States that were read and wait to be expanded: they begin with number position().
  Word* ahead_states_ = nullptr;
  u32 ahead_ = 0;
  u32 ahead_end_ = 0;
  u32 fill_ = 0;            // successors waiting in the buffer
  bool on_blocks_ = false;  // the level is expanded on several threads
  enum class LookAt : u8 { nothing, this_level, next_level };
  struct {
    LookAt at = LookAt::nothing;
    u64 count = 0;        // states, behind next_
    SearchOutcome found;  // their counts, and the first violation
    Word culprit[limits::kStateWords] = {};
  } look_;
  StopReason stopped_ = StopReason::none;  // what go_on() heard
  bool last_level_ = false;
  bool left_out_ = false;  // something lies beyond the depth limit
  static constexpr u64 kNoPath = ~u64{0};
  bool found_ = false;           // there is nothing left to do but to find a path
  bool found_complete_ = false;  // the search was complete then
  Word* path_ = nullptr;
  u64 path_steps_ = 0;
  u64 path_left_ = kNoPath;  // its states from this one on are known
  u64 path_number_ = 0;      // of the last file that a checkpoint has of it
  CycleFinder* finder_ = nullptr;
};

}  // namespace xmc
