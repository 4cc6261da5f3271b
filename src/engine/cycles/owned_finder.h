// OwnedCycleFinder: accepting cycles in a product whose states are divided among owners, by owcty
// (room owned). Each owner has one of these. A run that is stopped here goes on from the end of the
// breadth-first search: edges and marks are made anew.
#pragma once

#include "engine/cycles/edges/product_edges.h"
#include "engine/cycles/kept_cycle.h"
#include "engine/cycles/owned/owned_edges.h"
#include "engine/cycles/owned/owned_lasso.h"
#include "engine/cycles/owned/owned_owcty.h"
#include "engine/search/product.h"

namespace xmc {

class OwnedCycleFinder final : public CycleFinder {
 public:
  // What one owner needs beside its search for states.
  static u64 least_aside(const Model& model);
  static u64 bytes_for(const Model& model) { return least_aside(model) + 8 * KeyFile::kSlotBytes; }

  void plan(const Model& model) {
    aside_ = least_aside(model);
    cycle_.forget();
  }
  const KeptCycle& cycle() const { return cycle_; }

  u64 aside_bytes(u64) const override { return aside_; }
  u64 least_aside_bytes() const override { return aside_; }
  bool looks_are_over(u64, u64) const override { return true; }
  bool wants(const Product&) const override { return false; }
  Status search_prefix(const Product&) override { return {}; }
  bool any_proof_will_do() const override { return false; }
  void skip_look(u64) override {}
  Status search_all(const Product& product) override;
  void cycle_begin(Word* state) const override { cycle_.state(0, state); }
  Status settle_cycle(const Product& product, const GoOn& go_on, u64& level) override {
    return cycle_.settle(product, go_on, level);
  }
  const FoundCycle& found_cycle() const override { return cycle_.value(); }
  Result<Word*> restore_cycle(const Product& product, const FoundCycle& cycle) override {
    return cycle_.restore(product, cycle);
  }
  u64 object_bytes() const override { return sizeof(OwnedCycleFinder); }
  CycleFinder* make_another(void* memory) override;
  Status save(Lines&) override { return {}; }
  Status restore(Lines&, const Product&) override { return {}; }

 private:
  Status search(const Product& product);
  Status find_levels(const Product& product, u64& levels);
  Status take_cycle(const Product& product);

  u64 aside_ = 0;
  ProductEdges edges_;
  OwnedNumbers numbers_;
  OwnedEdges builder_;
  OwnedOwcty owcty_;
  OwnedLasso lasso_;
  KeptCycle cycle_;
};

}  // namespace xmc
