// Checkpoints of a search with sets: what is said beside the sets themselves, and how a search gets
// its rules back.
#include <algorithm>

#include "engine/search/level_checkpoint.h"
#include "engine/symbolic/symbolic_run.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kMostLevels = u64{1} << 31;

}  // namespace

// --- Rules ------------------------------------------------------------------------------------

void SymbolicSearch::begin_values() {
  values_.init(value_memory_, order_.levels());
  restored_ = true;
}

// Rules of the values that are known, once. Those that turned up one by one before a checkpoint are
// explored all at once after it, and have as many runs for that.
bool SymbolicSearch::make_rules() {
  if (explored_) return !diagram_.stopped();
  Exploration::Bounds bounds = choices_.bounds;
  if (restored_) bounds.runs_at_once = std::max(bounds.runs_at_once, bounds.runs_in_all);
  exploration_.set_bounds(bounds);
  exploration_.explore_all();
  exploration_.set_bounds(choices_.bounds);
  explored_ = !diagram_.stopped();
  return explored_;
}

// A closure that was reached here has had projected steps learn from all of its states.
bool SymbolicSearch::know_rules() {
  if (!restored_) return true;
  static_cast<void>(make_rules());
  for (u32 p = 0; p < exploration_.projections(); ++p) saturation_.learn(p, states(), 0);
  restored_ = diagram_.stopped();
  stuck_known_ = true;  // they came with the other sets
  return !restored_;
}

// --- When -------------------------------------------------------------------------------------

bool SymbolicRun::is_due(bool level_end) {
  Checkpointer* const checkpoints = search_->options.checkpoints;
  return checkpoints != nullptr && sets_.diagram().work() >= saved_.next_work &&
         checkpoints->due(level_end);
}

bool SymbolicRun::end_portion() {
  sets_.diagram().stop(SetDiagram::Stop::work);
  return false;
}

bool SymbolicRun::has_news() {
  const u64 work = sets_.diagram().work();
  const Saved now{phase_, level_, step_, asked_, sets_.states(), cycles_.place(), work, work};
  const bool news = now.phase != saved_.phase || now.level != saved_.level ||
                    now.step != saved_.step || now.asked != saved_.asked ||
                    now.states != saved_.states || now.cycles != saved_.cycles;
  const u64 spent = work - saved_.work;
  saved_ = now;
  if (!news) saved_.next_work = work + 2 * spent;
  return news;
}

// --- What -------------------------------------------------------------------------------------

void SymbolicRun::lines(Lines& io, Said& said) {
  io.version("sets", 1);
  if (!io.reads()) {
    const WideCount states = sets_.count(sets_.states());
    if (states.fits_u64()) io.shown("states", states.words[0]);
  }
  xmc::lines(io, search_->stats());
  if (io.there("sets-violation", known_.kind != Violation::none)) {
    io.shown("violation", static_cast<u64>(known_.kind));
    io.row("sets-violation", known_.kind, known_.predicate, known_.error_label);
  }
  SymbolicSearch::First& first = sets_.first();
  io.row("sets-order", first.order, first.states, first.nodes);
  io.row("sets-place", phase_, said.level, said.step, said.bad_found, said.row);
  io.row("sets-cycles", said.cycles.begun, said.cycles.growing, said.cycles.exist,
         said.cycles.rounds);
  Word asked[2 + WideCount::kWords] = {asked_, counted_.over ? 1u : 0u};
  std::copy_n(counted_.words, WideCount::kWords, asked + 2);
  io.words("sets-asked", asked);
  asked_ = static_cast<u32>(asked[0]);
  counted_.over = asked[1] != 0;
  std::copy_n(asked + 2, WideCount::kWords, counted_.words);
}

Status SymbolicRun::save(SetCheckpoint& file, Lines& io) {
  XMC_CHECK(phase_ != Phase::decided);
  search_->note_times(search_->stats());
  note_figures();
  // A run that goes on looks for its path again.
  const SearchOutcome& found = *search_->outcome;
  if (found.violation != Violation::none)
    known_ = {found.violation, found.predicate, found.error_label};
  Said said;
  said.cycles = cycles_.place();
  // Of a cycle that is looked for and the path to it there is nothing but that it exists.
  if (phase_ == Phase::tracing && !cycles_.exist()) {
    said.level = level_;
    said.step = step_;
    said.bad_found = bad_found_;
    said.row = level_ + 1;
  }
  lines(io, said);
  return file.save(sets_, said.row, io);
}

Status SymbolicRun::restore(Search& search, std::span<u8> memory,
                            const SymbolicSearch::Choices& choices, SetCheckpoint& file,
                            Lines& io) {
  begin_with(search, memory);
  sets_.choose(choices);
  Said said;
  lines(io, said);
  XMC_TRY(io.status());
  const SearchStats& stats = search.stats();
  search.times_before = stats;
  if (phase_ >= Phase::decided || said.level >= kMostLevels || said.step > said.level ||
      said.row > said.level + 1 || asked_ > search.model.partial->step_count) {
    phase_ = Phase::closing;
    return Status::fail(Code::corrupt, "the checkpoint has a place where no search is");
  }
  level_ = said.level;
  step_ = said.step;
  bad_found_ = said.bad_found;
  work_before_ = stats.set_work == kNoFigure ? 0 : stats.set_work;
  XMC_TRY(file.restore(sets_, said.row, io));
  cycles_.set_place(
      {said.cycles.begun, said.cycles.growing, said.cycles.exist, said.cycles.rounds, {}});
  if (cycles_.exist()) forget_path();
  saved_ = {phase_, level_, step_, asked_, sets_.states(), cycles_.place(), 0, 0};
  return {};
}

}  // namespace xmc
