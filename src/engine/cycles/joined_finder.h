// JoinedCycleFinder: accepting cycles, shortest lassos among them, in a product whose states are
// divided among the threads of this process: trim and min-cex. Each owner has one of these. The
// owners make the edges of their states together (owned/joined_edges.h), of growing parts of the
// product and of all of it. Then owner 0 joins the edges and searches as if it were alone
// (lassos_by_cores.h), while the others wait: passes over edges are the least part of the work.
//
// A run that was stopped goes on from the breadth-first search; what is made of it is made anew.
#pragma once

#include "engine/cycles/edges/product_edges.h"
#include "engine/cycles/kept_cycle.h"
#include "engine/cycles/lassos_by_cores.h"
#include "engine/cycles/look_schedule.h"
#include "engine/cycles/owned/joined_edges.h"
#include "engine/search/product.h"

namespace xmc {

class JoinedCycleFinder final : public CycleFinder {
 public:
  static u64 least_aside(const Model& model);
  // What one owner needs beside its search for states.
  static u64 bytes_for(const Model& model) { return least_aside(model) + 8 * KeyFile::kSlotBytes; }

  // As owner 0; make_another() makes the others.
  void plan(const Model& model, const SearchOptions& options, LassosByCores::Wanted wanted);
  void begin();
  const KeptCycle& cycle() const { return cycle_; }
  LookSchedule& looks() { return looks_; }
  const LookSchedule& looks() const { return looks_; }

  u64 aside_bytes(u64 memory) const override;
  u64 least_aside_bytes() const override { return least_aside(model_); }
  bool looks_are_over(u64 states, u64 memory) const override;
  bool wants(const Product& product) const override;
  bool meets_at_levels() const override { return true; }
  Status search_prefix(const Product& product) override;
  bool any_proof_will_do() const override { return false; }
  void skip_look(u64) override {}
  Status search_all(const Product& product) override;
  void cycle_begin(Word* state) const override;
  Status settle_cycle(const Product&, const GoOn&, u64&) override { return {}; }
  const FoundCycle& found_cycle() const override { return cycle_.value(); }
  Result<Word*> restore_cycle(const Product& product, const FoundCycle& cycle) override {
    return cycle_.restore(joined_product(product), cycle);
  }
  u64 object_bytes() const override { return sizeof(JoinedCycleFinder); }
  CycleFinder* make_another(void* memory) override;
  Status close(Folder& folder) override;
  Status save(Lines&) override { return {}; }
  Status restore(Lines&, const Product&) override { return {}; }

 private:
  bool leads() const { return leader_ == this; }
  bool can_look_at(u64 states, u64 memory) const;
  Product joined_product(const Product& product) const;
  Status cycle_free(const Product& product, bool& free) const;
  // `all`: of the whole product; else what is too much memory is no matter.
  Status search(const Product& product, bool all);
  Status search_joined(const Product& product, bool all);
  Status tell(const Product& product);

  Model model_;
  SearchOptions options_;
  LassosByCores::Wanted wanted_ = LassosByCores::Wanted::any;
  JoinedCycleFinder* leader_ = nullptr;
  JoinedEdges own_;
  Word begin_[limits::kStateWords] = {};  // of the cycle, as owner 0 has told it
  bool told_ = false;

  // Of owner 0.
  JoinedEdges* all_[limits::kThreads] = {};
  u32 owners_ = 0;
  ProductEdges edges_;
  LassosByCores lasso_;
  KeptCycle cycle_;
  LookSchedule looks_;
};

}  // namespace xmc
