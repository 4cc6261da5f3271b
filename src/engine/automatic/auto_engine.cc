#include "engine/automatic/auto_engine.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/peers.h"

namespace xmc {

namespace {

constexpr u64 kMostRules = 50'000;
// The first portions of sets need not have more memory than this; all of it is cleared afterwards.
constexpr u64 kMostFirstBytes = u64{64} << 20;
constexpr u64 kMostSetBytes = u64{256} << 20;
// Threads have small stacks: sets of longer words stay on the one that has a large one.
constexpr u32 kMostLevelsOnThread = 192;
// Of the time that states would take, in per cent: as long as the states that the sets have prove
// it; and beside a search that has them on flash.
constexpr u64 kShareProved = 15;
constexpr u64 kShareSpilled = 30;

}  // namespace

Status AutoEngine::plan(const Model& model, const SearchOptions& options, Arena& arena) {
  model_ = model;
  options_ = options;
  return explicit_.plan(model, options, arena);
}

// Limits are limits of a search by levels; a resumed run goes on with its files.
bool AutoEngine::may_use_sets() const {
  return SymbolicSearch::refusal(model_) == nullptr && !model_.buchi &&
         options_.resume == nullptr && options_.state_limit == ~u64{0} &&
         options_.depth_limit == ~u64{0} && !options_.levels &&
         SymbolicSearch::can_judge(model_, options_.deadlock);
}

Status AutoEngine::run(const RunControl& control, SearchOutcome& outcome) {
  way_ = Way::states;
  alive_ = sets_decided_ = false;
  sets_ns_ = state_ns_ = 0;
  table_violated_ = sets_violated_ = false;
  remark_.clear();
  bool decided = false;
  if (is_first() && may_use_sets()) {
    XMC_TRY(try_table(control, outcome, decided));
    if (!decided) XMC_TRY(try_sets(control, outcome, decided));
  }
  XMC_TRY(tell_others(decided));
  return decided ? Status() : search_states(control, outcome);
}

// Of the processes that divide the states, if there are several. The others wait for it: whether
// there are sets is for it to say, because outputs, like --levels, are those of the first one.
bool AutoEngine::is_first() const {
  return options_.owners.empty() || options_.owners[0]->me() == 0;
}

Status AutoEngine::tell_others(bool& decided) {
  if (options_.owners.empty() || options_.owners[0]->count() == options_.owners.size()) return {};
  Peers& peers = *options_.owners[0];
  const u64 mine[] = {decided ? u64{1} : 0};
  u64 all[limits::kOwners];
  XMC_TRY(peers.gather(mine, {all, peers.count()}));
  decided = all[0] != 0;
  return {};
}

Status AutoEngine::try_table(const RunControl& control, SearchOutcome& outcome, bool& decided) {
  SearchOptions options = options_;
  options.folder = nullptr;
  options.checkpoints = nullptr;
  options.parallel = nullptr;
  options.owners = {};
  options.state_limit = limits_.table_states;
  const std::span<u8> region = explicit_.region();
  const u64 wanted =
      ram_.minimum_bytes(model_, options) + limits_.table_states * (model_.state_bytes + 16);
  const std::span<u8> part =
      region.first(static_cast<std::size_t>(std::min<u64>(region.size(), wanted)));
  if (ram_.minimum_bytes(model_, options) > part.size()) return {};
  Arena arena(part);
  XMC_TRY(ram_.plan(model_, options, arena));
  const u64 before = now();
  XMC_TRY(ram_.run(control, outcome));
  state_ns_ = (now() - before) / std::max<u64>(outcome.stats.expansions, 1);
  table_violated_ = outcome.violation != Violation::none;
  const StopReason stop = outcome.stop;
  decided = stop != StopReason::state_limit && stop != StopReason::ram;
  way_ = decided ? Way::table : Way::states;
  if (!decided) fill_zero(part);
  return {};
}

void AutoEngine::begin_sets(std::span<u8> memory, const RunControl& control, SearchOutcome& outcome,
                            u32 order) {
  outcome = SearchOutcome();
  search_ = Search();
  search_.model = model_;
  search_.options = options_;
  search_.options.checkpoints = nullptr;  // those of the search of states will do
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
  return sets.first_nodes() * 10'000 <= limits_.irregular * size;
}

// Whether the states that the sets have already would take a search much longer than `spent`.
bool AutoEngine::is_worth_more(u64 spent) {
  if (sets_.stop_reason() != SetDiagram::Stop::work) return false;
  const WideCount states = sets_.sets().count(sets_.sets().states());
  const u64 low = states.words[0];
  if (!states.fits_u64() || low > ~u64{0} / (kShareProved * std::max<u64>(state_ns_, 1)))
    return true;
  return spent * 100 < low * state_ns_ * kShareProved;
}

Status AutoEngine::try_sets(const RunControl& control, SearchOutcome& outcome, bool& decided) {
  const std::span<u8> region = explicit_.region();
  const std::span<u8> part =
      region.first(static_cast<std::size_t>(std::min<u64>(region.size(), kMostFirstBytes)));
  if (part.size() < SymbolicSearch::least_bytes(model_)) return {};
  const u64 before = now();
  begin_sets(part, control, outcome, kNone);
  const bool regular = is_regular();
  if (regular) sets_.look_first();
  sets_violated_ = outcome.violation != Violation::none;
  if (regular) decided = sets_.advance(limits_.set_work);
  while (!decided && regular && is_worth_more(now() - before)) {
    decided = sets_.advance(sets_.sets().diagram().work() / 4);
  }
  const SetDiagram::Stop stop = sets_.stop_reason();
  if (stop == SetDiagram::Stop::asked) {
    outcome.stop = sets_.stop_status().take_stop();
    decided = true;
    if (is_lost(outcome)) return find_again(outcome);
    if (sets_.phase() == SymbolicRun::Phase::tracing) sets_.name_violation();
  }
  sets_.describe(remark_);
  if (decided) {
    way_ = Way::sets;
    take_sets_outcome(outcome);
    return {};
  }
  const u32 order = sets_.sets().order_number();
  fill_zero(part);
  sets_ns_ = now() - before;
  const u64 quarter = round_down(std::min<u64>(region.size() / 4, kMostSetBytes), kPageBytes);
  if (!regular) {
    remark_.add("; left, the first states are irregular");
  } else if (stop != SetDiagram::Stop::work) {
    remark_.add("; left, there is no room for more");
  } else if (options_.owners.empty() && region.size() >= limits_.plenty_bytes &&
             quarter >= SymbolicSearch::least_bytes(model_)) {
    remark_.add("; kept alive beside the states");
    begin_sets(explicit_.take_from_region(quarter), control, beside_, order);
    alive_ = true;
  }
  return {};
}

// With --full the table, or the first levels of sets, may have had a violation that what came next
// was stopped before.
bool AutoEngine::is_lost(const SearchOutcome& outcome) const {
  const bool known = outcome.violation != Violation::none && !outcome.path_missing;
  return (table_violated_ || sets_violated_) && !known && outcome.stop != StopReason::none;
}

// It takes no time to find it there once more.
Status AutoEngine::find_again(SearchOutcome& outcome) {
  const SearchOutcome stopped = outcome;
  const std::span<u8> region = explicit_.region();
  const std::span<u8> part =
      region.first(static_cast<std::size_t>(std::min<u64>(region.size(), kMostFirstBytes)));
  fill_zero(part);
  const RunControl undisturbed;
  if (table_violated_) {
    bool decided = false;
    options_.full = false;
    XMC_TRY(try_table(undisturbed, outcome, decided));
  } else {
    begin_sets(part, undisturbed, outcome, kNone);
    sets_.look_first();
    way_ = Way::sets;
  }
  search_.control = nullptr;
  search_.outcome = nullptr;
  outcome.stop = stopped.stop;
  outcome.complete = false;
  outcome.stats = stopped.stats;
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
  work_ = limits_.portion;
  portion_.submitted = portion_.unwanted = false;
  const RunControl both{this, [](void* self, const Progress& progress) {
                          return static_cast<AutoEngine*>(self)->poll_beside(progress);
                        }};
  const Status status = explicit_.run(alive_ ? both : control, outcome);
  portion_.unwanted = true;
  if (portion_.submitted) options_.parallel->finish(portion_);
  XMC_TRY(status);
  if (!sets_decided_) return is_lost(outcome) ? find_again(outcome) : Status();
  outcome = beside_;
  way_ = Way::sets;
  remark_.clear();
  sets_.describe(remark_);
  remark_.add("; beside the states");
  search_.outcome = &outcome;
  take_sets_outcome(outcome);
  return {};
}

// The search of states asks whether to go on: time for the sets. When they are done, it ends.
StopReason AutoEngine::poll_beside(const Progress& progress) {
  const StopReason stop = (*control_)(progress);
  if (stop != StopReason::none || !alive_ || options_.now_ns == nullptr) return stop;
  if (has_thread()) {
    work_on_thread();
  } else {
    const u64 share = explicit_.set().spills() != 0 ? kShareSpilled : limits_.share_beside;
    if ((now() - started_ns_) * share < sets_ns_ * 100) return stop;
    work_on_sets();
  }
  return sets_decided_ ? StopReason::ram : stop;
}

void AutoEngine::work_on_sets() {
  const u64 before = now();
  sets_decided_ = sets_.advance(work_);
  sets_ns_ += now() - before;
  take_portion();
}

// What comes next, after a portion.
void AutoEngine::take_portion() {
  work_ = std::max(work_, sets_.sets().diagram().work() / 8);
  const SetDiagram::Stop stop = sets_.stop_reason();
  alive_ = stop == SetDiagram::Stop::none || stop == SetDiagram::Stop::work;
}

// The path to a violation is taken on this thread: it needs what the search of states uses.
bool AutoEngine::has_thread() {
  return options_.parallel != nullptr && sets_.sets().levels() <= kMostLevelsOnThread &&
         (portion_.submitted || sets_.phase() < SymbolicRun::Phase::tracing);
}

void AutoEngine::work_on_thread() {
  if (portion_.submitted) {
    if (!options_.parallel->done(portion_)) return;
    options_.parallel->finish(portion_);
    portion_.submitted = false;
    sets_decided_ = sets_.phase() == SymbolicRun::Phase::decided;
    take_portion();
    if (sets_decided_ || !alive_ || !has_thread()) return;
  }
  portion_.owner = this;
  portion_.run = [](Parallel::Job& job, u32) {
    Portion& portion = static_cast<Portion&>(job);
    const GoOn ask{&portion, [](void* self) {
                     const bool unwanted = static_cast<Portion*>(self)->unwanted;
                     return unwanted ? Status::stop(StopReason::ram) : Status();
                   }};
    static_cast<void>(portion.owner->sets_.decide(portion.owner->work_, ask));
  };
  portion_.submitted = true;
  options_.parallel->submit(portion_);
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
