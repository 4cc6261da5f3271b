#include "engine/ram/ram.h"

#include <algorithm>
#include <new>

#include "engine/owners/owner_figures.h"
#include "engine/ram/bfs.h"
#include "engine/ram/live.h"
#include "engine/ram/nested_dfs.h"
#include "engine/ram/owned_bfs.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/parallel.h"

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

// A limit of states is for one who counts all of them.
bool RamEngine::divides(const Model& model, const SearchOptions& options) const {
  return !model.buchi && model.live_count == 0 && options.state_limit == ~u64{0};
}

u64 RamEngine::minimum_bytes(const Model& model, const SearchOptions& options) const {
  const u64 one = fixed_bytes(model) + StateTable::minimum_bytes(shape_of(model));
  if (options.owners.empty()) return one + BlockExpander::least_bytes(model, options);
  return options.owners.size() * (one + sizeof(Owner) + kLineBytes);
}

Status RamEngine::plan(const Model& model, const SearchOptions& options, Arena& arena) {
  search_ = Search();
  ram_ = RamSearch();
  ram_.search = &search_;
  search_.model = model;
  search_.options = options;
  others_ = {};
  const u64 needed = minimum_bytes(model, options);
  if (arena.free_bytes() < needed) {
    const u64 missing = needed - arena.free_bytes();
    return Status::fail(Code::budget,
                        "the search needs at least %llu bytes, and --ram leaves %llu: "
                        "%llu bytes more are needed",
                        wide(needed), wide(arena.free_bytes()), wide(missing));
  }
  if (!options.owners.empty()) {
    XMC_CHECK(divides(model, options));
    plan_owners(arena);
    return Status();
  }
  const u64 before_ahead = arena.carved_bytes();
  search_.ahead.plan(model, options, arena);
  search_.fixed_bytes = fixed_bytes(model) + arena.carved_bytes() - before_ahead;
  plan_one(search_, ram_, ~u64{0}, arena);
  ram_.table.set_state_limit(options.state_limit);
  return Status();
}

void RamEngine::plan_one(Search& search, RamSearch& ram, u64 table_bytes, Arena& arena) {
  const Model& model = search.model;
  search.buffer_states = static_cast<u32>(buffer_states(model));
  const u64 buffer_words = buffer_states(model) * model.state_words;
  search.buffer = arena.carve_array<Word>("successors", buffer_words, kLineBytes).data();
  if (const u64 index_count = index_count_of(model); index_count != 0) {
    ram.indexes = arena.carve_array<StateIndex>("successors", index_count, kLineBytes).data();
  }
  const u64 most = arena.free_bytes() - kLineBytes;
  const u64 bytes = round_down(std::min(most, table_bytes), kLineBytes);
  ram.table.init(arena.carve_array<u8>("states", bytes, kLineBytes), shape_of(model));
}

// Everybody gets as much: whose a state is is a matter of chance.
void RamEngine::plan_owners(Arena& arena) {
  const Model& model = search_.model;
  const u32 count = static_cast<u32>(search_.options.owners.size());
  Owner* const others =
      static_cast<Owner*>(arena.carve("owners", (count - 1) * sizeof(Owner), alignof(Owner)));
  others_ = {others, count - 1};
  const u64 table_bytes = (arena.free_bytes() - count * (fixed_bytes(model) + kLineBytes)) / count;
  search_.fixed_bytes = fixed_bytes(model);
  plan_one(search_, ram_, table_bytes, arena);
  for (u32 i = 0; i < others_.size(); ++i) {
    Owner& owner = *::new (static_cast<void*>(&others_[i])) Owner();
    owner.search.model = model;
    owner.search.model.self = search_.options.executors[i];
    owner.search.options = search_.options;
    owner.search.fixed_bytes = fixed_bytes(model);
    owner.search.outcome = &owner.outcome;
    owner.ram.search = &owner.search;
    plan_one(owner.search, owner.ram, table_bytes, arena);
  }
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
  if (!search_.options.owners.empty()) {
    run_owners(outcome);
  } else if (buchi && !search_.options.full) {
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

void RamEngine::run_owners(SearchOutcome& outcome) {
  const u32 count = static_cast<u32>(search_.options.owners.size());
  for (Owner& other : others_) {
    other.outcome = SearchOutcome();
    other.outcome.stats = outcome.stats;
  }
  for_parts(search_.options.parallel, count, count, [this](u32, u32, u32 i) {
    run_owned_bfs(i == 0 ? ram_ : others_[i - 1].ram, *search_.options.owners[i]);
  });
  for (const Owner& other : others_) {
    add_figures(outcome.stats, other.outcome.stats);
    outcome.ram_needed_bytes = std::max(outcome.ram_needed_bytes, other.outcome.ram_needed_bytes);
    outcome.ram_likely_bytes = std::max(outcome.ram_likely_bytes, other.outcome.ram_likely_bytes);
  }
  outcome.ram_needed_bytes *= count;
  outcome.ram_likely_bytes *= count;
}

void RamEngine::path_state(u64 i, Word* out) {
  XMC_CHECK(i < path_states_);
  if (!search_.options.owners.empty()) return load_owned_path(ram_, path_states_ - 1, i, out);
  ram_.table.load(ram_.table.stack(ram_.path_begin + i), out);
}

}  // namespace xmc
