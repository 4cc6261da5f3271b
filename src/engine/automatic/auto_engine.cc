#include "engine/automatic/auto_engine.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// Figures of the design's measurements on 140 models: with less work 17 more were lost, with twice
// as much 5 more were found.
constexpr u64 kFirstStates = 20'000;
constexpr u64 kFirstWork = 500'000;
constexpr u64 kMostRules = 50'000;
// Nodes per state and field of the first states, above which a set is not much smaller than its
// states, in ten-thousandths.
constexpr u64 kIrregular = 195;
// The first portion of sets need not have more memory than this; all of it is cleared afterwards.
constexpr u64 kMostFirstBytes = u64{64} << 20;
constexpr u64 kMostSetBytes = u64{256} << 20;
constexpr u64 kLeastPortion = 100'000;
// Of the time, in per cent, beside states in memory, and once they are on flash.
constexpr u64 kShare = 8;
constexpr u64 kShareSpilled = 50;

}  // namespace

Status AutoEngine::plan(const Model& model, const SearchOptions& options, Arena& arena) {
  model_ = model;
  options_ = options;
  remark_.clear();
  return explicit_.plan(model, options, arena);
}

// Limits are limits of a search by levels; a resumed run goes on with its files.
bool AutoEngine::may_use_sets() const {
  return SymbolicSearch::refusal(model_) == nullptr && !model_.buchi &&
         options_.resume == nullptr && options_.state_limit == ~u64{0} &&
         options_.depth_limit == ~u64{0} && SymbolicSearch::can_judge(model_, options_.deadlock);
}

Status AutoEngine::run(const RunControl& control, SearchOutcome& outcome) {
  way_ = Way::states;
  alive_ = sets_decided_ = false;
  if (may_use_sets()) {
    bool decided = false;
    XMC_TRY(try_table(control, outcome, decided));
    if (!decided) XMC_TRY(try_sets(control, outcome, decided));
    if (decided) return {};
  }
  return search_states(control, outcome);
}

Status AutoEngine::try_table(const RunControl& control, SearchOutcome& outcome, bool& decided) {
  SearchOptions options = options_;
  options.folder = nullptr;
  options.checkpoints = nullptr;
  options.parallel = nullptr;
  options.state_limit = kFirstStates;
  const std::span<u8> region = explicit_.region();
  const u64 wanted = ram_.minimum_bytes(model_, options) + kFirstStates * (model_.state_bytes + 16);
  const std::span<u8> part =
      region.first(static_cast<std::size_t>(std::min<u64>(region.size(), wanted)));
  if (ram_.minimum_bytes(model_, options) > part.size()) return {};
  Arena arena(part);
  XMC_TRY(ram_.plan(model_, options, arena));
  XMC_TRY(ram_.run(control, outcome));
  const StopReason stop = outcome.stop;
  decided = stop != StopReason::state_limit && stop != StopReason::ram;
  way_ = decided ? Way::table : Way::states;
  if (!decided) fill_zero(part);
  return {};
}

void AutoEngine::begin_sets(std::span<u8> memory, const RunControl& control,
                            SearchOutcome& outcome, u32 order) {
  outcome = SearchOutcome();
  search_ = Search();
  search_.model = model_;
  search_.options = options_;
  search_.buffer = explicit_.buffer();
  search_.buffer_states = Search::buffer_states_for(model_);
  search_.control = &control;
  search_.outcome = &outcome;
  outcome.stats.expansions = outcome.stats.transitions = 0;
  SymbolicSearch::Choices choices;
  choices.order = order;
  choices.bounds.rules = kMostRules;
  sets_.begin(search_, memory, choices);
}

// Whether the diagram of the first states is small.
bool AutoEngine::is_regular() {
  SymbolicSearch& sets = sets_.sets();
  const u64 size = u64{sets.first_states()} * sets.levels();
  const u64 share = sets.first_nodes() * 10'000 / std::max<u64>(size, 1);
  if (share <= kIrregular) return true;
  remark_.format("sets: not tried, the first states are irregular (%llu nodes for %u states)",
                 static_cast<unsigned long long>(sets.first_nodes()), sets.first_states());
  return false;
}

Status AutoEngine::try_sets(const RunControl& control, SearchOutcome& outcome, bool& decided) {
  const std::span<u8> region = explicit_.region();
  const std::span<u8> part =
      region.first(static_cast<std::size_t>(std::min<u64>(region.size(), kMostFirstBytes)));
  if (part.size() < SymbolicSearch::least_bytes(model_)) return {};
  begin_sets(part, control, outcome, kNone);
  bool promising = is_regular();
  if (promising) decided = sets_.advance(kFirstWork);
  if (promising && !decided) {
    const SetDiagram::Stop stop = sets_.stop_reason();
    if (stop == SetDiagram::Stop::asked) {
      outcome.stop = sets_.stop_status().take_stop();
      decided = true;
    }
    promising = stop == SetDiagram::Stop::work && sets_.sets().relations().rules() <= kMostRules;
    remark_.format("sets: left after %llu nodes and %llu rules%s",
                   static_cast<unsigned long long>(sets_.sets().diagram().work()),
                   static_cast<unsigned long long>(sets_.sets().relations().rules()),
                   promising ? ", kept alive beside the states" : "");
  }
  if (decided) {
    way_ = Way::sets;
    take_sets_outcome(outcome);
    return {};
  }
  const u32 order = sets_.sets().order_number();
  fill_zero(part);
  const u64 quarter = round_down(std::min(region.size() / 4, std::size_t{kMostSetBytes}), kPageBytes);
  if (!promising || quarter < SymbolicSearch::least_bytes(model_)) return {};
  begin_sets(explicit_.take_from_region(quarter), control, beside_, order);
  alive_ = true;
  return {};
}

void AutoEngine::take_sets_outcome(SearchOutcome& outcome) {
  sets_.note_figures();
  outcome.stats.state_bytes = model_.state_bytes;
  search_.control = nullptr;
  search_.outcome = nullptr;
}

Status AutoEngine::search_states(const RunControl& control, SearchOutcome& outcome) {
  control_ = &control;
  started_ns_ = now();
  sets_ns_ = 0;
  portion_ = kLeastPortion;
  const RunControl both{this, [](void* self, const Progress& progress) {
                          return static_cast<AutoEngine*>(self)->poll_beside(progress);
                        }};
  XMC_TRY(explicit_.run(alive_ ? both : control, outcome));
  if (!sets_decided_) return {};
  outcome = beside_;
  way_ = Way::sets;
  search_.outcome = &outcome;
  take_sets_outcome(outcome);
  return {};
}

// The search of states asks whether to go on: time for the sets. When they are done, it ends.
StopReason AutoEngine::poll_beside(const Progress& progress) {
  const StopReason stop = (*control_)(progress);
  if (stop != StopReason::none || !alive_ || options_.now_ns == nullptr) return stop;
  const u64 share = explicit_.set().spills() != 0 ? kShareSpilled : kShare;
  if ((now() - started_ns_) * share < sets_ns_ * 100) return stop;
  work_on_sets();
  return sets_decided_ ? StopReason::ram : stop;
}

void AutoEngine::work_on_sets() {
  const u64 before = now();
  sets_decided_ = sets_.advance(portion_);
  sets_ns_ += now() - before;
  portion_ = std::max(portion_, sets_.sets().diagram().work() / 8);
  const bool more = sets_.stop_reason() == SetDiagram::Stop::work &&
                    sets_.sets().relations().rules() <= kMostRules;
  if (!more) alive_ = false;
}

const char* AutoEngine::decided_by() const {
  return way_ == Way::sets ? SymbolicSearch::kName : name();
}

void AutoEngine::path_state(u64 i, Word* out) {
  switch (way_) {
    case Way::table:
      return ram_.path_state(i, out);
    case Way::sets:
      return sets_.path_state(i, out);
    default:
      return explicit_.path_state(i, out);
  }
}

}  // namespace xmc
