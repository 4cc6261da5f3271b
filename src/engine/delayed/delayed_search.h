// DelayedSearch: breadth-first search that compares the candidates of a level with the visited
// states all at once, in hash partitions: `hddd` at the end of every level, `dddd` when that pays
// (Evangelista, "Dynamic Delayed Duplicate Detection for External Memory Model Checking", 2008).
//
//   queue       all states ever enqueued, with levels (the paper's Q)
//   visited     the same states in partitions. Up to the last detection they are verified (V),
//   behind
//               it they are those expanded since, perhaps repeatedly (C): nothing is copied from
//               one to the other
//   candidates  successors of this level that the table could not hold (T)
//
// The table is a cache: it has the states that were enqueued lately, and behind them the candidates
// of this level. So a step back to a recent state is no candidate at all. When it is full, the
// older half of the recent states goes; when it is full of candidates, they are emptied into T.
//
// A detection has everything in the table if nothing had to leave it since the one before; then it
// looks V up, and the table stays; as long as the table has all states, there is nothing to look
// up. Otherwise it takes as many partitions at once as the table can hold:
//
//   insert T; insert C, which marks candidates that were expanded already, and take back what was
//   counted for states that were in C before; look V up, which marks old states; take back what
//   was counted for those of C; candidates without a mark are the next level
//
// Without a detection everything in T is the next level, except what a partial detection finds in
// the levels that duplicates come from most often (section 4.4 of the paper), if that pays. Levels
// stay exact: a state's first occurrence has its true level.
//
// Visited states are kept as hashes that can be undone (store/keys/state_hash.h), with 32 bits of
// each as a fingerprint beside those of others: only states whose fingerprint a filter of the
// table's states knows are made of their hashes and compared, and nothing else has to be read for
// that.
//
// I/O: a state is written twice (queue, visited), and once more if it overflows the table; V is
// read once per detection, the next piece of it while one is looked at. What a detection in several
// passes enqueues is read back from the queue once (delayed_spread.cc).
#pragma once

#include "engine/delayed/delay_policy.h"
#include "engine/delayed/scan_cost.h"
#include "engine/levels/level_search.h"
#include "store/partitions/hashed_log.h"
#include "store/partitions/partition_log.h"
#include "store/tables/fingerprint_filter.h"
#include "store/tables/fingerprint_sample.h"

namespace xmc {

class DelayedSearch : public LevelSearch {
 public:
  FlashUse flash_use() const override { return {1, 1, "candidates that overflow the table"}; }

 protected:
  constexpr DelayedSearch() = default;
  ~DelayedSearch() = default;

  // Whether the detection at the end of this level can wait.
  virtual bool delay(u64 candidates) = 0;
  // The most frequent lengths of steps back that a delayed detection looks at.
  virtual u32 partial_lengths() const { return 0; }
  // A partial detection has found this many old candidates.
  virtual void looked_up(u64) {}
  // After a full detection.
  virtual void detected(u64 before_last, u64 last, u64 since) = 0;

  u64 own_bytes(const Model& model, const SearchOptions& options) const override;
  void plan_own(Arena& arena) override;
  u64 least_region(const Model& model, const SearchOptions& options) const override;
  Status begin_store() override;
  Status restore_store(const Manifest& manifest) override;
  Status save_store(Manifest& manifest) override;
  Status take(u32 count, StopReason& stop) override;
  Status settle(bool level_end, StopReason& stop) override;
  Status conclude() override;
  bool counts_are_exact() const override { return !delayed_; }
  u64 states() const override { return verified_states_ + unverified(); }

  // Measures costs() and the lengths of steps back before the search begins.
  Status train();
  // What a sample of all states says about the candidates. Those that overflowed the table may be
  // there several times: as old ones they count as often, as new states once.
  struct Sampled {
    double old = 0;
    double fresh = 0;
    double factor = 1;  // candidates for one in the sample
  };
  Sampled sample_candidates();
  double degree();
  // Measured costs of a state, or the paper's where there is no clock.
  DelayPolicy::Costs costs() const;

 private:
  static constexpr u32 kPartitions = HashedLog::kPartitions;
  static constexpr u32 kLengths = 1024;  // longer steps back are not remembered
  static constexpr u32 kSampleSlots = 8192;
  static constexpr u32 kFreshSlots = 2048;
  static constexpr u32 kBatch = StateTable::kBatch;
  // Notes of a state in the table.
  static constexpr u32 kOld = 1;       // in V
  static constexpr u32 kExpanded = 2;  // in C
  static constexpr u32 kLatest = 4;    // its first occurrence in C is of the last level
  static constexpr u32 kMet = 8;       // that was met when levels are looked at

  // The part of all states that a pass works on: some partitions, or a class of one.
  struct Part {
    u32 first = 0;
    u32 last = kPartitions;
    u32 classes = 1;
    u32 chosen = 0;
    bool trial = false;          // chosen for fewer candidates than there may be
    bool with_expanded = false;  // C has to find room, too
  };
  Part choose_part(u32 first, bool with_expanded, double share) const;
  void note_distinct(const Part& part, bool fits);
  bool in_part(const Word* state, const Part& part) const;
  u64 hash_of(const Word* state) const { return shape_.hash.hash(state); }

  // Enqueued since the last detection.
  u64 unverified() const;
  Status open_logs(const Manifest* manifest);
  void divide_region();
  void reset_figures();
  Status sample_visited();
  void sample_candidate(u32 fingerprint);
  void search_states();
  Status measure_scan();
  void clear_table();
  void keep_table();
  Status make_room();
  Status spill_table();
  u64 cost_clock() const;
  Status detect_all(StopReason& stop);
  Status detect_parts(StopReason& stop);
  Status detect(const Part& part, StopReason& stop);
  Status insert_spilled(const Part& part, StopReason& stop);
  Status insert_expanded(const Part& part, StopReason& stop);
  Result<bool> next_expanded(const Part& part, Word* state);
  void make_filters(const Part& part, StateIndex begin, StateIndex end);
  Status time_scan(const Part& part, u64 states);
  Status look_up_verified(const Part& part, StopReason& stop);
  Status settle_expanded(const Part& part, StopReason& stop);
  Status find_levels(const Part& part, StopReason& stop);
  Status go_on_without(StopReason& stop);
  Status look_up_lengths(const Part& part);
  bool level_pays(u64 length, double& best) const;
  Status look_up_level(const Part& part, u64 level, u64& hits);
  Status enqueue_unmarked(StopReason& stop);
  Status append_visited(const Word* state);
  void begin_run(const Part& part);
  Status spread_runs();
  Status spread_runs(u32 first, u32 last);
  struct Batch;
  template <class Reader, class Next, class Use>
  Status in_batches(const Reader& reader, StopReason& stop, Next next, Use use);
  template <class Use>
  Status for_expanded(const Part& part, StopReason& stop, Use use);
  // f(part) for parts that fit the table, with candidates from T.
  template <class F>
  Status for_parts(bool with_expanded, F f);

  HashedLog visited_;
  PartitionLog spilled_;
  HashedReader visited_reader_;
  PartitionReader spilled_reader_;
  std::span<u8> visited_buffer_;
  std::span<u8> spilled_buffer_;
  std::span<u8> scan_stripes_;  // of either log, one after the other
  std::span<u8> table_region_;
  std::span<u64> filter_memory_;
  std::span<u32> sample_slots_;
  std::span<u32> sample_spare_;
  std::span<u32> fresh_slots_;
  std::span<u32> fresh_spare_;
  FingerprintFilter filters_[kPartitions];  // of the partitions of a part
  FingerprintSample sample_;
  FingerprintSample fresh_;  // of candidates that sample_ covers and has not
  double sampled_old_ = 0;
  HashedLog::Shape shape_;
  u32 spilled_block_ = 0;  // bytes
  u64 capacity_ = 0;       // states of the table

  u64 verified_[kPartitions] = {};  // keys of each partition
  u64 verified_stripe_ = 0;         // the first with others
  u64 verified_states_ = 0;
  u64 verified_levels_ = 0;

  // The table: verified states, those enqueued since the detection, candidates, and in a detection
  // perhaps expanded states behind them.
  StateIndex known_ = 0;         // the first one that is not verified
  StateIndex last_begin_ = 0;    // while whole_: the first one of last_enqueued_
  StateIndex front_begin_ = 0;   // the first candidate
  StateIndex front_end_ = 0;     // while candidates are settled: behind the last one
  u64 last_enqueued_ = ~u64{0};  // the last level of C, if that is known
  bool delayed_ = false;         // some of those may be repeats
  bool whole_ = true;            // everything enqueued since the detection is in the table
  bool all_ = true;              // everything enqueued ever

  // True sizes that the forecast wants: of the last two levels, and of all since the detection
  // before.
  u64 last_size_ = 0;
  u64 before_last_size_ = 0;
  u64 since_size_ = 0;
  u64 enqueued_ = 0;  // by the present settle()

  // The share of T that is left without repeats, as the last pass found it; and whether this pass
  // found more than it was chosen for.
  double distinct_share_ = 1;
  bool overflowed_ = false;
  // Where in the queue the states of each pass begin that are not in the partitions yet.
  u32 runs_ = 0;
  u64 run_begin_[kPartitions + 1] = {};
  KeyReader run_readers_[kPartitions];

  // Time spent, for costs().
  u64 settled_ns_ = 0;  // when the last settle() ended
  u64 expand_ns_ = 0;
  u64 expanded_ = 0;
  u64 expanded_before_ = 0;
  ScanCost scan_cost_;
  u64 timed_states_ = 0;  // when it was timed
  double trained_degree_ = 1;

  // Steps back: how many old candidates lay this many levels back, and in how many detections.
  struct Length {
    u32 hits = 0;
    u32 looks = 0;
  };
  Length* lengths_ = nullptr;
  u64* level_stripe_ = nullptr;  // where the last kLengths levels begin, by level % kLengths
};

}  // namespace xmc
