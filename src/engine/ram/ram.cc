#include "engine/ram/ram.h"

#include <algorithm>

#include "engine/ram/bfs.h"
#include "engine/ram/live.h"
#include "engine/ram/nested_dfs.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// A model without variables has one state of no bits.
StateTable::Shape shape_of(const Model& model) {
  return {model.state_words, std::max(model.state_bytes, 1u), model.buchi || model.live_count != 0};
}

u64 buffer_states(const Model& model) { return u64{Search::kCollect} + model.max_successors; }
u64 index_count_of(const Model& model) { return model.buchi ? model.max_successors : 0; }

// What does not grow with the number of states.
u64 fixed_bytes(const Model& model) {
  return buffer_states(model) * model.state_words * sizeof(Word) +
         index_count_of(model) * sizeof(StateIndex) + 3 * kLineBytes;
}

}  // namespace

u64 RamEngine::minimum_bytes(const Model& model, const SearchOptions& options) const {
  return fixed_bytes(model) + BlockExpander::least_bytes(model, options) +
         StateTable::minimum_bytes(shape_of(model));
}

Status RamEngine::plan(const Model& model, const SearchOptions& options, Arena& arena) {
  search_ = Search();
  ram_ = RamSearch();
  ram_.search = &search_;
  search_.model = model;
  search_.options = options;
  search_.buffer_states = static_cast<u32>(buffer_states(model));
  const u64 needed = minimum_bytes(model, options);
  if (arena.free_bytes() < needed) {
    const u64 missing = needed - arena.free_bytes();
    return Status::fail(Code::budget,
                        "the search needs at least %llu bytes, and --ram leaves %llu: "
                        "%llu bytes more are needed",
                        static_cast<unsigned long long>(needed),
                        static_cast<unsigned long long>(arena.free_bytes()),
                        static_cast<unsigned long long>(missing));
  }
  const u64 before_ahead = arena.carved_bytes();
  search_.ahead.plan(model, options, arena);
  search_.fixed_bytes = fixed_bytes(model) + arena.carved_bytes() - before_ahead;
  const u64 buffer_words = buffer_states(model) * model.state_words;
  search_.buffer = arena.carve_array<Word>("successors", buffer_words, kLineBytes).data();
  if (const u64 index_count = index_count_of(model); index_count != 0) {
    ram_.indexes = arena.carve_array<StateIndex>("successors", index_count, kLineBytes).data();
  }
  const u64 rest = round_down(arena.free_bytes() - kLineBytes, kLineBytes);
  ram_.table.init(arena.carve_array<u8>("states", rest, kLineBytes), shape_of(model));
  ram_.table.set_state_limit(options.state_limit);
  return Status();
}

Status RamEngine::run(const RunControl& control, SearchOutcome& outcome) {
  XMC_CHECK(search_.buffer != nullptr);
  XMC_CHECK(ram_.table.size() == 0);
  outcome = SearchOutcome();
  search_.control = &control;
  search_.outcome = &outcome;
  SearchStats& stats = outcome.stats;
  stats.states = stats.transitions = stats.deadlocks = stats.expansions = stats.error_steps = 0;
  if (search_.model.buchi) stats.accepting = 0;
  stats.state_bytes = search_.model.state_bytes;
  search_.start_clock();
  const bool buchi = search_.model.buchi;
  if (buchi && !search_.options.full) {
    run_nested_dfs(ram_, true);
  } else {
    XMC_TRY(run_bfs(ram_));
    const bool clean = outcome.complete && outcome.violation == Violation::none;
    if (buchi && clean) run_nested_dfs(ram_, false);
    if (search_.model.live_count != 0 && clean) run_live(ram_);
  }
  if (outcome.violation != Violation::none && !outcome.path_missing) {
    path_states_ = outcome.prefix_steps + outcome.cycle_steps + 1;
  }
  search_.note_times(stats);
  search_.control = nullptr;
  search_.outcome = nullptr;
  return Status();
}

void RamEngine::path_state(u64 i, Word* out) {
  XMC_CHECK(i < path_states_);
  ram_.table.load(ram_.table.stack(ram_.path_begin + i), out);
}

}  // namespace xmc
