// Runs of the engines that keep files, in as little memory as they accept, on a disk in memory.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <memory>

#include "engine/registry.h"
#include "graph_models.h"
#include "platform/device_ram.h"
#include "store/checkpoint/manifest.h"

namespace xmc_test {

// Checkpoints in memory; the newest one that was committed, as a power cut would leave it.
class Checkpoints final : public Checkpointer {
 public:
  explicit Checkpoints(u32 every, bool inside_levels = false)
      : every_(every), inside_levels_(inside_levels) {}
  bool due(bool level_end) override {
    return every_ != 0 && (level_end || inside_levels_) && ++asked_ % every_ == 0;
  }
  Manifest& begin() override {
    next_.clear();
    return next_;
  }
  Status commit() override {
    REQUIRE(last.assign(next_.text()));
    ++count;
    return {};
  }
  Manifest last;
  u32 count = 0;

 private:
  Manifest next_;
  u32 every_;
  bool inside_levels_;
  u32 asked_ = 0;
};

struct Trial {
  explicit Trial(const char* name) : engine(find_engine(name).value()) {}

  Status go(const Model& model, SearchOptions options, Folder& folder, u64 extra = 0,
            RunControl control = {}) {
    options.folder = &folder;
    const u64 bytes = engine->minimum_bytes(model, options) + extra;
    region = std::make_unique<Region>(static_cast<std::size_t>(bytes + 4096));
    Arena arena(region->memory);
    const Status planned = engine->plan(model, options, arena);
    if (!planned.ok()) return planned;
    arena.seal();
    if (prepare) prepare(*engine);
    return engine->run(control, outcome);
  }
  Engine* engine;
  std::unique_ptr<Region> region;
  SearchOutcome outcome;
  std::function<void(Engine&)> prepare;  // between plan and run
};

struct Disk {
  explicit Disk(std::size_t bytes = 64 << 20) : region(bytes), folder(region.memory) {}
  Region region;
  RamFolder folder;
};

inline void check_figures(const SearchOutcome& outcome, const NaiveFigures& f, bool levels) {
  REQUIRE(outcome.complete);
  REQUIRE(outcome.stats.states == f.states);
  REQUIRE(outcome.stats.transitions == f.transitions);
  if (levels) REQUIRE(outcome.stats.levels == f.levels);
  REQUIRE(outcome.stats.deadlocks == f.deadlocks);
  REQUIRE(outcome.stats.error_steps == f.error_steps);
}

inline SearchOptions counting() {
  SearchOptions options;
  options.full = true;
  options.deadlock = DeadlockRule::ignore;
  options.errors_violate = false;
  return options;
}

}  // namespace xmc_test
