// The engine `auto` for states: whatever finds the answer first.
//
//   1. The first 20,000 states in a table. Most models are small, and end here.
//   2. Sets of states stepped as sets (engine/symbolic), if the first states say that the model is
//      regular, with a small portion of work: most models that it suits are done with that.
//      More portions follow as long as the states that the sets have already, and the time that an
//      expansion takes, prove that a search of states would take much longer.
//   3. States one by one (engine/diagram: a table, a diagram, then flash). Where memory is plenty,
//      the sets are kept alive in a quarter of it and a small part of the time; more of it once
//      states are spilled: reading a card costs more than working on sets. Who is first answers.
//
// 1 and 2 work in the memory that 3 has planned for, and leave it cleared.
#pragma once

#include <string_view>

#include "engine/diagram/diagram_engine.h"
#include "engine/ram/ram.h"
#include "engine/symbolic/symbolic_run.h"
#include "xmc/engine.h"
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
      .files = kAutoFiles};
  const EngineTraits& traits() const override { return kTraits; }
  u64 minimum_bytes(const Model& model, const SearchOptions& options) const override {
    return explicit_.minimum_bytes(model, options);
  }
  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run(const RunControl& control, SearchOutcome& outcome) override;
  const char* decided_by() const override;
  std::string_view remark() const override { return remark_.view(); }
  void path_state(u64 i, Word* out) override;

  DiagramEngine& states_one_by_one() { return explicit_; }

 private:
  enum class Way : u8 { table, sets, states };

  bool may_use_sets() const;
  Status try_table(const RunControl& control, SearchOutcome& outcome, bool& decided);
  Status try_sets(const RunControl& control, SearchOutcome& outcome, bool& decided);
  void begin_sets(std::span<u8> memory, const RunControl& control, SearchOutcome& outcome,
                  u32 order);
  bool is_regular();
  bool is_worth_more(u64 spent);
  void take_sets_outcome(SearchOutcome& outcome);
  Status search_states(const RunControl& control, SearchOutcome& outcome);
  StopReason poll_beside(const Progress& progress);
  void work_on_sets();
  u64 now() const { return options_.now_ns == nullptr ? 0 : options_.now_ns(); }

  Model model_;
  SearchOptions options_;
  DiagramEngine explicit_;
  RamEngine ram_;
  Search search_;  // of the sets
  SymbolicRun sets_;
  Way way_ = Way::states;
  FixedText<320> remark_;

  // While both are alive.
  const RunControl* control_ = nullptr;
  SearchOutcome beside_;  // what the sets find
  bool alive_ = false;
  bool sets_decided_ = false;
  u64 state_ns_ = 0;  // of an expansion, in the table
  u64 started_ns_ = 0;
  u64 sets_ns_ = 0;
  u64 portion_ = 0;
};

}  // namespace xmc
