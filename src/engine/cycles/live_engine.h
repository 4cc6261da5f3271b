// LiveEngine: a search by levels, by whatever set, that also checks what has to stay reachable
// (live_check.h) where its model has such properties. Of any other model it is that search alone.
//
// The engine `live` is this over the search of `explicit`, for those models only.
#pragma once

#include "engine/cycles/live_check.h"
#include "xmc/engine.h"

namespace xmc {

inline constexpr EngineFile kLiveFiles[] = {{kQueueFile},      {kCandidatesFile, true},
                                            {kRunsFile, true}, {kPathFile, true},
                                            {kEdgeFile},       {kFarEdgeFile}};
inline constexpr EngineTraits kLiveTraits = {
    .name = "live",
    .summary = "what has to stay reachable, backwards over an edge file",
    .checks_liveness = true,
    .files = kLiveFiles};

// `kOwnTraits`: it is for models with such properties only, and has these traits instead of the
// search's.
template <class Levels, const EngineTraits* kOwnTraits = nullptr>
class LiveEngine final : public Engine {
 public:
  template <class... Arguments>
  explicit LiveEngine(Arguments... arguments) : levels_(arguments...) {}

  const EngineTraits& traits() const override {
    return kOwnTraits != nullptr ? *kOwnTraits : levels_.traits();
  }

  FlashUse flash_use() const override {
    FlashUse use = levels_.flash_use();
    if (model_.live_count == 0) return use;
    use.edges = true;
    use.expansions = 2;
    use.ram_bits = 1;
    return use;
  }

  u64 minimum_bytes(const Model& model, const SearchOptions& options) const override {
    return levels_.minimum_bytes(as_product(model), options) +
           (model.live_count == 0 ? 0 : LiveCheck::more_bytes(model));
  }

  // What has to stay reachable is looked for by one owner only.
  bool divides(const Model& model, const SearchOptions& options) const override {
    return levels_.divides(model, options);
  }

  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override {
    if (kOwnTraits != nullptr && model.live_count == 0) {
      return Status::fail(Code::unsupported,
                          "engine '%s' is for liveness properties of the model; use --engine auto",
                          name());
    }
    if (model.live_count != 0 && options.signature_bits != 0) {
      return Status::fail(Code::unsupported,
                          "--signature can lose states, and liveness properties of the model need "
                          "all of them; leave it out");
    }
    model_ = model;
    folder_ = options.folder;
    live_ = model.live_count == 0 ? nullptr : LiveCheck::make(model, arena);
    levels_.set_cycle_finder(live_);
    return levels_.plan(as_product(model), options, arena);
  }

  Status run(const RunControl& control, SearchOutcome& outcome) override {
    if (live_ == nullptr) return levels_.run(control, outcome);
    live_->begin();
    const Status status = levels_.run(control, outcome);
    live_->end(model_, *folder_, outcome);
    return status;
  }

  const char* decided_by() const override {
    return kOwnTraits != nullptr ? name() : levels_.decided_by();
  }
  void path_state(u64 i, Word* out) override { levels_.path_state(i, out); }

  Levels& levels() { return levels_; }

 private:
  // As for a product, sets that could put a state off do not.
  static Model as_product(const Model& model) {
    Model product = model;
    product.buchi = model.buchi || model.live_count != 0;
    return product;
  }

  Levels levels_;
  LiveCheck* live_ = nullptr;  // in the arena: engines are part of every --ram, and it is large
  Model model_;
  Folder* folder_ = nullptr;
};

}  // namespace xmc
