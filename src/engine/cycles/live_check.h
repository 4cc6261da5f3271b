// LiveCheck: what a search by levels asks when it is through, if its model has something that must
// stay reachable (Model::live). It builds the edge file of all states in the queue and has a
// LostStates look backwards over it.
//
// A state that the queue has several times has the same edges each time, and an edge to it leads to
// one of them: the fixpoint closes all or none. So any search will do that has every state in its
// queue, whether or not it knows repeats in time.
#pragma once

#include "engine/cycles/edges/product_edges.h"
#include "engine/cycles/kept_cycle.h"
#include "engine/cycles/lost_states.h"
#include "engine/search/file_names.h"
#include "engine/search/product.h"
#include "xmc/engine.h"

namespace xmc {

class LiveCheck final : public CycleFinder {
 public:
  // What the search needs besides its own minimum.
  static u64 more_bytes(const Model& model);
  static LiveCheck* make(const Model& model, Arena& arena);
  void begin();
  // What was found is a state, and nothing goes around: as the outcome has to say.
  void end(const Model& model, Folder& folder, SearchOutcome& outcome);

  u64 aside_bytes(u64) const override { return aside_; }
  u64 least_aside_bytes() const override { return aside_; }
  bool looks_are_over(u64, u64) const override { return true; }
  bool wants(const Product&) const override { return false; }
  Status search_prefix(const Product&) override { return {}; }
  bool any_proof_will_do() const override { return false; }
  void skip_look(u64) override {}
  Status search_all(const Product& product) override;
  void cycle_begin(Word* state) const override { cycle_.state(0, state); }
  Status settle_cycle(const Product& product, const GoOn& go_on, u64& level) override;
  const FoundCycle& found_cycle() const override { return cycle_.value(); }
  Result<Word*> restore_cycle(const Product& product, const FoundCycle& cycle) override;
  Status save(Lines& io) override;
  Status restore(Lines& io, const Product& product) override;

 private:
  static u64 aside_for(const Model& model);

  u64 aside_ = 0;
  KeptCycle cycle_;
  ProductEdges edges_;
  LostStates live_;
};

}  // namespace xmc
