// The engine `auto` for states: whatever finds the answer first.
//
//   1. The first 20,000 states in a table. Most models are small, and end here.
//   2. Sets of states stepped as sets (engine/symbolic), if the first states say that the model is
//      regular, with a small portion of work: most models that it suits are done with that.
//      More portions follow as long as the states that the sets have already, and the time that an
//      expansion takes, prove that a search of states would take much longer.
//   3. States one by one (engine/diagram: a table, a diagram, then flash). Where memory is plenty,
//      the sets are kept alive in a quarter of it, on another thread if there is one, else in a
//      small part of the time; more of it once states are spilled: reading a card costs more than
//      working on sets. Who is first answers.
//
// 1 and 2 work in the memory that 3 has planned for, and leave it cleared.
#pragma once

#include <atomic>
#include <string_view>

#include "engine/diagram/diagram_engine.h"
#include "engine/ram/ram.h"
#include "engine/symbolic/symbolic_run.h"
#include "xmc/engine.h"
#include "xmc/parallel.h"
#include "xmc/text.h"

namespace xmc {

class AutoEngine final : public Engine {
 public:
  AutoEngine() : explicit_(true) {}

  static constexpr EngineTraits kTraits = {
      .name = "auto",
      .summary = "a table, sets stepped as sets, a decision diagram, sorted runs on flash",
      .steps_sets = true,
      .flash = kExplicitTraits.flash,
      .files = kExplicitFiles};
  const EngineTraits& traits() const override { return kTraits; }
  u64 minimum_bytes(const Model& model, const SearchOptions& options) const override {
    return explicit_.minimum_bytes(model, options);
  }
  bool divides(const Model& model, const SearchOptions& options) const override {
    return explicit_.divides(model, options);
  }
  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run(const RunControl& control, SearchOutcome& outcome) override;
  const char* decided_by() const override;
  std::string_view remark() const override { return remark_.view(); }
  void path_state(u64 i, Word* out) override;

  // What each of its ways begins with, for tests.
  struct Limits {
    u64 table_states = 20'000;
    // A fifth of a second: of the models with more than 200,000 states that sets are faster for,
    // most are done with it.
    u64 set_work = 2'200'000;
    // With less memory than this for states, a quarter of it is missed: brp.6 took 2.8 times as
    // long in 8 MiB, because its diagram no longer fitted.
    u64 plenty_bytes = u64{128} << 20;
    u64 portion = 400'000;
    // Nodes per state and field of the first states, above which a set is not much smaller than its
    // states, in ten-thousandths.
    u64 irregular = 330;
    // Of the time, in per cent, beside a search that has its states in memory.
    u64 share_beside = 6;
  };
  void set_limits(const Limits& limits) { limits_ = limits; }

 private:
  enum class Way : u8 { table, sets, states };

  bool may_use_sets() const;
  bool is_first() const;
  Status tell_others(bool& decided);
  Status try_table(const RunControl& control, SearchOutcome& outcome, bool& decided);
  Status try_sets(const RunControl& control, SearchOutcome& outcome, bool& decided);
  void begin_sets(std::span<u8> memory, const RunControl& control, SearchOutcome& outcome,
                  u32 order);
  bool is_lost(const SearchOutcome& outcome) const;
  Status find_again(SearchOutcome& outcome);
  bool is_regular();
  bool is_worth_more(u64 spent);
  void take_sets_outcome(SearchOutcome& outcome);
  Status search_states(const RunControl& control, SearchOutcome& outcome);
  StopReason poll_beside(const Progress& progress);
  void work_on_sets();
  void work_on_thread();
  void take_portion();
  bool has_thread();
  u64 now() const { return options_.now_ns == nullptr ? 0 : options_.now_ns(); }

  // Work on the sets on another thread, which asks only whether it is still wanted.
  struct Portion : Parallel::Job {
    AutoEngine* owner = nullptr;
    bool submitted = false;
    std::atomic<bool> unwanted = false;
  };

  Limits limits_;
  Model model_;
  SearchOptions options_;
  DiagramEngine explicit_;
  RamEngine ram_;
  Search search_;  // of the sets
  SymbolicRun sets_;
  Way way_ = Way::states;
  bool table_violated_ = false;  // and the search went on
  bool sets_violated_ = false;
  FixedText<320> remark_;

  // While both are alive.
  const RunControl* control_ = nullptr;
  SearchOutcome beside_;  // what the sets find
  bool alive_ = false;
  bool sets_decided_ = false;
  u64 state_ns_ = 0;  // of an expansion, in the table
  u64 started_ns_ = 0;
  u64 sets_ns_ = 0;
  u64 work_ = 0;  // of the next portion
  Portion portion_;
};

}  // namespace xmc
