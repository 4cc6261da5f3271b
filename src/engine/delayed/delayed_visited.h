// DelayedVisited: a visited set that compares the candidates of a level with the visited states all
// at once, in hash partitions: `hddd` at the end of every level, `dddd` when that pays
// (Evangelista, "Dynamic Delayed Duplicate Detection for External Memory Model Checking", 2008).
//
//   queue       all states ever enqueued, with levels (the paper's Q)
//   visited     the same states in partitions. Up to the last detection they are verified (V),
//               behind it they are those expanded since, perhaps repeatedly (C): nothing is copied
//               from one to the other
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

#include "engine/delayed/candidate_sample.h"
#include "engine/delayed/delay_policy.h"
#include "engine/delayed/scan_cost.h"
#include "engine/levels/level_search.h"
#include "store/partitions/hashed_log.h"
#include "store/partitions/partition_log.h"
#include "store/tables/fingerprint_filter.h"

namespace xmc {

// One method for each step of the algorithm above, which all work on the same table: more than
// forty.
class DelayedVisited : public VisitedSet {
 public:
  u64 own_bytes(const Model& model, const SearchOptions& options) const override;
  void plan(Arena& arena) override;
  u64 least_region(const Model& model, const SearchOptions& options) const override;
  Status begin() override;
  Status take(u32 count) override;
  Status settle(bool level_end) override;
  Status conclude() override;
  bool concludes() const override { return true; }
  void lines(Lines& io) override;
  Status restore(Lines& io) override;
  bool counts_are_exact() const override { return !delayed_; }
  u64 states() const override { return verified_.states + unverified(); }

 protected:
  constexpr DelayedVisited() = default;
  ~DelayedVisited() = default;

  // Whether the detection at the end of this level can wait.
  virtual bool delay(u64 candidates) = 0;
  // The most frequent lengths of steps back that a delayed detection looks at.
  virtual u32 partial_lengths() const { return 0; }
  // A partial detection has found this many old candidates.
  virtual void looked_up(u64) {}
  // After a full detection.
  virtual void detected(u64 before_last, u64 last, u64 since) = 0;

  // Measures costs() and the lengths of steps back before the search begins (delayed_training.cc).
  Status train();
  CandidateSample::Estimate estimate_candidates();
  double degree();
  // Measured costs of a state, or the paper's where there is no clock.
  DelayPolicy::Costs costs() const;

 private:
  static constexpr u32 kPartitions = HashedLog::kPartitions;
  static constexpr u32 kLengths = 1024;  // longer steps back are not remembered
  static constexpr u32 kBatch = StateTable::kBatch;
  // Notes of a state in the table.
  static constexpr u32 kOld = 1;       // in V
  static constexpr u32 kExpanded = 2;  // in C
  static constexpr u32 kLatest = 4;    // its first occurrence in C is of the last level
  static constexpr u32 kMet = 8;       // that was met when levels are looked at

  u64 hash_of(const Word* state) const { return shape_.hash.hash(state); }
  // Enqueued since the last detection.
  u64 unverified() const;
  Status open_logs(const FileMark* visited_mark);
  void divide_region();
  void reset();
  Status sample_visited();
  void clear_table();
  void keep_table();
  Status make_room();
  Status spill_table();
  u64 cost_clock() const;
  void search_states();
  Status measure_scan();

  // --- Detections (delayed_detect.cc) ---------------------------------------------------------

  // What a pass works on: some partitions, or a class of one.
  struct Pass {
    u32 first = 0;
    u32 last = kPartitions;
    u32 classes = 1;
    u32 chosen = 0;
    bool trial = false;          // chosen for fewer candidates than there may be
    bool with_expanded = false;  // C has to find room, too
  };
  struct Batch;
  bool in_pass(const Word* state, const Pass& pass) const;
  // f(pass) for passes that fit the table, with candidates from T.
  template <class F>
  Status for_passes(bool with_expanded, F f);
  Status end_passes(const Status& passes);
  template <class Reader, class Next, class Use>
  Status in_batches(Reader& reader, Next next, Use use);
  template <class Use>
  Status for_expanded(const Pass& pass, Use use);
  Status detect_all();
  Status detect_passes();
  Status detect(const Pass& pass);
  Status insert_spilled(const Pass& pass);
  Status insert_expanded(const Pass& pass);
  Result<bool> next_expanded(const Pass& pass, Word* state);
  void make_filters(const Pass& pass, StateIndex begin, StateIndex end);
  Status time_scan(const Pass& pass, u64 states);
  Status look_up_verified(const Pass& pass);
  Status settle_expanded(const Pass& pass);
  Status find_levels(const Pass& pass);
  Status enqueue_unmarked();
  Status go_on_without();
  Status look_up_lengths(const Pass& pass);
  bool level_pays(u64 length, double& best) const;
  Status look_up_level(const Pass& pass, u64 level, u64& hits);

  // --- Several passes (delayed_spread.cc) -----------------------------------------------------

  Pass choose_pass(u32 first, bool with_expanded, double share) const;
  void note_distinct(const Pass& pass, bool fits);
  Status append_visited(const Word* state);
  void begin_run(const Pass& pass);
  Status spread_runs();
  Status spread_runs(u32 first, u32 last);

  struct {
    std::span<u8> visited;
    std::span<u8> spilled;
    std::span<u8> stripes;  // of either log, one after the other
    u32 spilled_block = 0;  // bytes
  } buffers_;
  HashedLog::Shape shape_;
  HashedLog visited_;
  PartitionLog spilled_;
  HashedReader visited_reader_;
  PartitionReader spilled_reader_;

  // Of the region.
  struct {
    std::span<u8> table;
    std::span<u64> filters;
    u64 capacity = 0;  // states of the table
  } memory_;
  StateTable table_;
  FingerprintFilter filters_[kPartitions];  // of the partitions of a pass
  CandidateSample sample_;

  // The table: verified states, those enqueued since the detection, candidates, and in a detection
  // perhaps expanded states behind them.
  struct {
    StateIndex known = 0;        // the first one that is not verified
    StateIndex last_begin = 0;   // while whole: the first one of last_enqueued_
    StateIndex front_begin = 0;  // the first candidate
    StateIndex front_end = 0;    // while candidates are settled: behind the last one
    bool whole = true;           // everything enqueued since the detection is in the table
    bool all = true;             // everything enqueued ever
  } in_table_;

  // By the last detection.
  struct Verified {
    u64 keys[kPartitions] = {};  // of each partition
    u64 stripe = 0;              // the first with others
    u64 states = 0;
    u64 levels = 0;
  };
  Verified verified_;
  u64 last_enqueued_ = ~u64{0};  // the last level of C, if that is known
  bool delayed_ = false;         // some of C may be repeats

  // True sizes that the forecast wants: of the last two levels, and of all since the detection
  // before.
  struct Sizes {
    u64 last = 0;
    u64 before_last = 0;
    u64 since = 0;
    u64 enqueued = 0;  // by the present settle()
  };
  Sizes sizes_;

  // The share of T that is left without repeats, as the last pass found it; and whether this pass
  // found more than it was chosen for.
  double distinct_share_ = 1;
  bool overflowed_ = false;
  // Where in the queue the states of each pass begin that are not in the partitions yet.
  struct {
    u32 count = 0;
    u64 begin[kPartitions + 1] = {};
    KeyReader readers[kPartitions];
  } runs_;

  // Time spent, for costs().
  struct Timing {
    u64 settled_ns = 0;  // when the last settle() ended
    u64 expand_ns = 0;
    u64 expanded = 0;
    u64 expanded_before = 0;
    ScanCost scan;
    u64 timed_states = 0;  // when it was timed
    double degree = 1;     // by the training
  };
  Timing timing_;

  // Steps back: how many old candidates lay this many levels back, and in how many detections.
  struct Length {
    u32 hits = 0;
    u32 looks = 0;
  };
  struct {
    Length* lengths = nullptr;
    u64* level_stripe = nullptr;  // where the last kLengths levels begin, by level % kLengths
  } back_;
};

}  // namespace xmc
