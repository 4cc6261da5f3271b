// The engines that look for accepting cycles of products that do not fit the memory. All of them
// begin with the breadth-first search of `auto`, which leaves the states in its queue file, by
// level; then they differ:
//
//   trim        the edges as a file (edge_builder), everything that leads to no accepting cycle is
//               cut off (cycle_core); what is left has one
//   min-cex     the same for growing parts of the product, until a shortest lasso is proved
//               (shortest_lasso); or, with --method gastin-moro, by searches from all accepting
//               states with a bit for each state (gastin_moro)
//   double-dfs  numbers for the states (state_index), then two searches with a bit for each; or,
//               with --edges on, the same searches over the edge file (edge_product)
//   iddfs       the same for growing parts of the product
//
// trim, min-cex and iddfs work on the fly: when a level is done and the states have become two or
// four times as many as the last time, they look at the part that is there, in memory that is set
// aside for it and a quarter of the time. So a violated property need not have its whole product
// explored.
#pragma once

#include "engine/cycles/bits/edge_product.h"
#include "engine/cycles/edges/edge_builder.h"
#include "engine/cycles/edges/shortest_lasso.h"
#include "engine/cycles/index/phf_index.h"
#include "engine/cycles/index/rank_index.h"
#include "engine/cycles/index/search_checkpoint.h"
#include "engine/cycles/windows/window_core.h"
#include "engine/diagram/diagram_engine.h"
#include "engine/search/product.h"

namespace xmc {

enum class CycleMethod : u8 { trim, shortest, double_dfs, deepening };

class CycleEngine final : public Engine, private CycleFinder {
 public:
  explicit CycleEngine(CycleMethod method) : method_(method), bfs_(true) {}

  const char* name() const override;
  bool keeps_files() const override { return true; }
  bool uses_threads() const override { return true; }
  bool finds_shortest_lassos() const override { return method_ == CycleMethod::shortest; }
  FlashUse flash_use() const override;
  u64 minimum_bytes(const Model& model, const SearchOptions& options) const override;
  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run(const RunControl& control, SearchOutcome& outcome) override;
  void path_state(u64 i, Word* out) override;

  // After plan(): leave the table at this many states even if there is room; look at parts from so
  // many on.
  void hand_over_after(u64 states) { bfs_.set().hand_over_after(states); }
  void look_after(u64 states) { next_look_ = states; }
  u64 looks() const { return looks_; }
  // Memory for looking at parts that the states got when there was nothing more to look at.
  u64 reclaimed_bytes() const { return bfs_.reclaimed_bytes(); }
  // Searches with bits that went on from a checkpoint.
  u64 resumed() const { return checkpoint_.resumed + window_checkpoint_.resumed; }
  // Indexes for such searches that were made, and not taken up from a checkpoint.
  u64 indexes_made() const { return checkpoint_.made; }

 private:
  static constexpr u64 kFirstLook = 16384;
  // What is looked at is so many times as large as the last time. A look costs some per cent of the
  // search up to there over edges, and about as much as it with bits.
  static constexpr u64 kGrowthOverEdges = 4;
  static constexpr u64 kGrowthWithBits = 2;
  static constexpr u32 kSeekPoints = 1024;
  // Of the memory set aside, what the edge file keeps: a block that is being filled, and its
  // seek points.
  static constexpr std::size_t kKept = EdgeFile::kBlockBytes + 32 * kSeekPoints;

  u64 aside_bytes(u64 memory) const override;
  u64 least_aside_bytes() const override;
  bool looks_are_over(u64 memory) const override;
  // Half of the memory for the bits: the rest is what edges or indexes are made in.
  bool can_look_at(u64 states, u64 memory) const {
    return 2 * ShortestLasso::minimum_bytes(states, model_.weak) + kKept <= memory;
  }
  bool wants(u64 expanded, u64 memory) const override;
  Status search_prefix(const Product& product) override;
  Status search_all(const Product& product) override;
  void cycle_begin(Word* state) const override;
  Status settle_cycle(const Product& product, const GoOn& go_on, u64& level) override;
  const FoundCycle& found_cycle() const override { return cycle_; }
  Result<Word*> restore_cycle(const Product& product, const FoundCycle& cycle) override;
  Status save_checkpoint(Manifest& manifest) override;
  Status restore_checkpoint(const Manifest& manifest, const Product& product) override;

  // By cores of the edge file.
  bool on_edges() const {
    return method_ == CycleMethod::trim || (method_ == CycleMethod::shortest && !gastin_moro_);
  }
  // Depth-first in it.
  bool down_edges() const { return method_ == CycleMethod::double_dfs && with_edges_; }
  bool on_the_fly() const { return on_edges() || method_ == CycleMethod::deepening; }
  // The memory without what is kept.
  static std::span<u8> work_of(const Product& product) {
    return product.memory.first(product.memory.size() - kKept);
  }
  static std::span<u8> edge_buffer(const Product& product);
  static std::span<EdgeFile::SeekPoint> edge_seek_points(const Product& product);
  Status look(const Product& product);
  Status open_edges(const Product& product, Folder::Open how);
  Status build_edges(const Product& product);
  Status search_edges(const Product& product, bool all, LassoResult& result);
  // Where the bits of all states do not fit.
  bool can_search_windows(const Product& product) const;
  Status search_windows(const Product& product);
  // cycle_bits.cc
  IndexOptions index_options(const Product& product) const;
  // The product for such a search; with `all` it leaves checkpoints.
  Product part_for_bits(const Product& product, bool all);
  Status search_with_bits(const Product& product, bool all);
  Status search_shortest_with_bits(const Product& product);
  Status search_down_edges(const Product& product);
  // What it needs goes into the outcome; the result says so.
  Status out_of_memory(const Product& product, u64 bytes_needed);
  void note_closed(const Product& product);
  // The cycle is kept as states at the end of the work memory.
  Status keep_cycle(const Product& product, const LassoResult& lasso);
  Status keep_cycle(const Product& product, const Word* states, u64 length);
  Status place_cycle(const Product& product, u64 length);

  CycleMethod method_;
  DiagramEngine bfs_;
  Model model_;
  Folder* folder_ = nullptr;
  Device* edge_device_ = nullptr;
  EdgeFile edges_;
  EdgeReader reader_;
  EdgeBuilder builder_;
  EdgeProduct edge_product_;
  ShortestLasso lasso_;
  WindowCore windows_;
  RankIndex rank_;
  PhfIndex hash_;
  SearchCheckpoint checkpoint_;         // of the searches with bits
  WindowCheckpoint window_checkpoint_;  // of those with windows of bits
  u64 next_look_ = kFirstLook;          // states at which a part is looked at
  u64 looks_ = 0;
  u64 (*now_ns_)() = nullptr;
  u64 begin_ns_ = 0;
  u64 look_us_ = 0;
  bool gastin_moro_ = false;
  bool with_edges_ = false;
  bool minimal_ = false;  // nothing but a shortest lasso will do
  FoundCycle cycle_;
};

}  // namespace xmc
