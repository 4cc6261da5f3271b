// The engines that look for accepting cycles of products that do not fit the memory. All of them
// begin with the breadth-first search of `explicit`, which leaves the states in its queue file, by
// level. Then each has its way to find a cycle there:
//
//   trim        by cores: the edges as a file (product_edges), everything that leads to no
//               accepting cycle is cut off; what is left has one (lassos_by_cores)
//   min-cex     by cores of growing parts of the product, until a shortest lasso is proved; or,
//               with --method gastin-moro, from all accepting states with a bit for each state
//               (cycles_by_bits)
//   owcty       by marks that are carried along the edges: what has no predecessor, or no accepting
//               state that leads to it, is cut off (cycles_by_marks)
//   map         by marks of another kind: the largest accepting state that leads to each state; one
//               that leads to itself is on a cycle (cycles_by_marks)
//   double-dfs  by bits: two searches with a bit for each state, which gets a number
//               (cycles_by_bits); or, with --edges on, by depth: the same two searches down the
//               edge file (edge_dfs)
//   iddfs       by bits, for growing parts of the product
//
// Where the bits of all states do not fit, there are windows of them (cycles_by_windows), but no
// proof that a lasso is shortest. The states may be divided among owners (owned_finder,
// joined_finder).
//
// trim, min-cex, map and iddfs work on the fly: when a level is done and the states have become two
// or four times as many as the last time, they look at the part that is there, in memory that is
// set aside for it and a quarter of the time (look_schedule). So a violated property need not have
// its whole product explored.
//
// For a product `auto` is min-cex that takes any proof. A product whose states are all in the table
// of the breadth-first search is searched there first (levels/table_phase). A larger one is
// searched by ranks, as double-dfs does it, if its set has stayed in memory and it has many edges
// or more states than bits for them fit. A cycle found by ranks is looked for again in the edges,
// unless their bits do not fit: there is no promise of a shortest lasso then.
#pragma once

#include "engine/cycles/cycles_by_bits.h"
#include "engine/cycles/cycles_by_marks.h"
#include "engine/cycles/cycles_by_windows.h"
#include "engine/cycles/edge_dfs.h"
#include "engine/cycles/edges/product_edges.h"
#include "engine/cycles/index/search_checkpoint.h"
#include "engine/cycles/joined_finder.h"
#include "engine/cycles/kept_cycle.h"
#include "engine/cycles/lassos_by_cores.h"
#include "engine/cycles/look_schedule.h"
#include "engine/cycles/owned_finder.h"
#include "engine/diagram/diagram_engine.h"
#include "engine/search/file_names.h"
#include "engine/search/product.h"

namespace xmc {

inline constexpr EngineFile kCycleFiles[] = {
    {kQueueFile},          {kCandidatesFile, true}, {kRunsFile, true},      {kPathFile, true},
    {kEdgeFile},           {kFarEdgeFile},          {kOwnedEdgesFile},      {kSortedFile},
    {kCoreFile},           {kLayersFile},           {kLiveFile, true},      {kLeadFile, true},
    {kWalkFile, true},     {kHashFile, true},       {kRankFile, true},      {kHashRunsFile, true},
    {kHashNearFile, true}, {kStackFile, true},      {kAcceptingFile, true}, {kBitsFile, true},
    {kWaveFile, true},     {kBallFile, true},       {kBallWaveFile, true}};

inline constexpr EngineTraits kTrimTraits = {.name = "trim",
                                             .summary = "accepting cycles by trimming an edge file",
                                             .only_cycles = true,
                                             .files = kCycleFiles};
inline constexpr EngineTraits kMinCexTraits = {.name = "min-cex",
                                               .summary = "a shortest lasso, from an edge file",
                                               .only_cycles = true,
                                               .finds_shortest_lassos = true,
                                               .files = kCycleFiles};
inline constexpr EngineTraits kDoubleDfsTraits = {
    .name = "double-dfs",
    .summary = "accepting cycles by two searches with a bit per state",
    .only_cycles = true,
    .files = kCycleFiles};
inline constexpr EngineTraits kIddfsTraits = {.name = "iddfs",
                                              .summary = "on the fly, double-dfs on a growing part",
                                              .only_cycles = true,
                                              .files = kCycleFiles};
inline constexpr EngineTraits kOwctyTraits = {
    .name = "owcty",
    .summary = "accepting cycles by dropping states without a predecessor",
    .only_cycles = true,
    .files = kCycleFiles};
inline constexpr EngineTraits kMapTraits = {
    .name = "map",
    .summary = "accepting cycles by maximal accepting predecessors",
    .only_cycles = true,
    .files = kCycleFiles};

enum class CycleMethod : u8 { trim, shortest, double_dfs, deepening, owcty, map };

constexpr const EngineTraits& traits_of(CycleMethod method) {
  switch (method) {
    case CycleMethod::trim:
      return kTrimTraits;
    case CycleMethod::shortest:
      return kMinCexTraits;
    case CycleMethod::double_dfs:
      return kDoubleDfsTraits;
    case CycleMethod::owcty:
      return kOwctyTraits;
    case CycleMethod::map:
      return kMapTraits;
    case CycleMethod::deepening:
      break;
  }
  return kIddfsTraits;
}

class CycleEngine final : public Engine, private CycleFinder {
 public:
  // `any_proof`, which `auto` gives: that there is no cycle may be proved in other ways than the
  // method's, where these cost less.
  explicit CycleEngine(CycleMethod method, bool any_proof = false)
      : method_(method), any_proof_(any_proof), way_(way_of(method, CycleOptions())), bfs_(true) {}

  const EngineTraits& traits() const override { return traits_of(method_); }
  FlashUse flash_use() const override;
  u64 minimum_bytes(const Model& model, const SearchOptions& options) const override;
  bool divides(const Model& model, const SearchOptions& options) const override;
  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run(const RunControl& control, SearchOutcome& outcome) override;
  const char* decided_by() const override {
    return proved_in_table_ ? "ram" : ranked_ ? kDoubleDfsTraits.name : name();
  }
  void path_state(u64 i, Word* out) override;

  // After plan(): leave the table at this many states even if there is room; look at parts from so
  // many on.
  void hand_over_after(u64 states) { bfs_.hand_over_after(states); }
  void look_after(u64 states) {
    looks_.set_next(states);
    joined_.looks().set_next(states);
  }
  u64 looks() const { return divided_ ? joined_.looks().looks() : looks_.looks(); }
  bool left_table() const { return bfs_.left_table(); }
  u64 spills() const { return bfs_.set().spills(); }
  // Memory for looking at parts that the states got when there was nothing more to look at.
  u64 reclaimed_bytes() const { return bfs_.reclaimed_bytes(); }
  // Searches with bits that went on from a checkpoint.
  u64 resumed() const {
    return search_checkpoint_.resumed + forward_.resumed() + windows_.resumed();
  }
  // Indexes for such searches that were made, and not taken up from a checkpoint.
  u64 indexes_made() const { return search_checkpoint_.made; }

 private:
  // How it looks for cycles in what the breadth-first search leaves.
  enum class Way : u8 { cores, bits, accepting_states, depth, forward };

  static Way way_of(CycleMethod method, const CycleOptions& options);
  bool on_edges() const { return way_ != Way::bits && way_ != Way::accepting_states; }
  bool on_the_fly() const {
    return way_ == Way::cores || method_ == CycleMethod::deepening || method_ == CycleMethod::map;
  }
  // The other ways are there to be compared, with all of their work.
  bool needs_no_look(const Product& product) const {
    return product.cycle_free && way_ == Way::cores && !product.search->options.cycles.windows;
  }
  LassosByCores::Wanted wanted() const {
    return method_ == CycleMethod::trim ? LassosByCores::Wanted::any
                                        : LassosByCores::Wanted::shortest;
  }

  u64 aside_bytes(u64 memory) const override;
  u64 least_aside_bytes() const override;
  bool looks_are_over(u64 states, u64 memory) const override;
  bool can_look_at(u64 states, u64 memory) const;
  bool wants(const Product& product) const override;
  bool any_proof_will_do() const override { return any_proof_; }
  void skip_look(u64 expanded) override { looks_.look(expanded, growth()); }
  CycleFinder& finder();
  const KeptCycle& cycle() const {
    return !divided_ ? cycle_ : way_ == Way::cores ? joined_.cycle() : owned_.cycle();
  }
  u64 growth() const;
  Status search_prefix(const Product& product) override;
  Status look(const Product& product);
  Status search_all(const Product& product) override;
  // Its way, or bytes_needed for it: then nothing was searched. `elsewhere`: that is no matter.
  Status search(const Product& product, bool elsewhere, u64& bytes_needed);
  bool can_search_windows(const Product& product) const;
  Status compare_ranks(const Product& product);
  // `done`: that was all; otherwise it did not fit, or the edges have a cycle.
  Status search_ranked(const Product& product, bool any_cycle, bool& done);

  void cycle_begin(Word* state) const override { cycle_.state(0, state); }
  Status settle_cycle(const Product& product, const GoOn& go_on, u64& level) override;
  const FoundCycle& found_cycle() const override { return cycle_.value(); }
  Result<Word*> restore_cycle(const Product& product, const FoundCycle& cycle) override;
  void lines(Lines& io);
  Status save(Lines& io) override;
  Status restore(Lines& io, const Product& product) override;

  CycleMethod method_;
  bool any_proof_;
  Way way_;
  bool minimal_ = false;  // nothing but a shortest lasso will do
  bool proved_in_table_ = false;
  bool ranked_ = false;   // it ended as double-dfs does
  bool may_rank_ = true;  // that is still to be tried
  DiagramEngine bfs_;
  Model model_;
  Folder* folder_ = nullptr;
  LookSchedule looks_;
  KeptCycle cycle_;

  ProductEdges edges_;
  LassosByCores lasso_;
  CyclesByMarks forward_;
  CyclesByBits bits_;
  EdgeDfs edge_dfs_;
  bool divided_ = false;  // among owners
  OwnedCycleFinder owned_;
  JoinedCycleFinder joined_;
  SearchCheckpoint search_checkpoint_;  // of the last two
  CyclesByWindows windows_;
};

}  // namespace xmc
