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

Status SymbolicRun::save(SetCheckpoint& file, Manifest& manifest) {
  XMC_CHECK(phase_ != Phase::decided);
  search_->note_times(search_->stats());
  if (const WideCount states = sets_.count(sets_.states()); states.fits_u64()) {
    manifest.add("states", states.words[0]);
  }
  note_figures();
  save_stats(manifest, search_->stats());
  // A run that goes on looks for its path again.
  const SearchOutcome& found = *search_->outcome;
  if (found.violation != Violation::none)
    known_ = {found.violation, found.predicate, found.error_label};
  if (known_.kind != Violation::none) {
    const Word known[] = {static_cast<Word>(known_.kind), known_.predicate, known_.error_label};
    manifest.add("violation", known[0]);
    manifest.add_words("sets-violation", known);
  }
  const SymbolicSearch::First& first = sets_.first();
  const Word chosen[] = {first.order, first.states, first.nodes};
  manifest.add_words("sets-order", chosen);
  // Of a cycle that is looked for and the path to it there is nothing but that it exists.
  const bool path = phase_ == Phase::tracing && !cycles_.exist();
  const u32 row = path ? level_ + 1 : 0;
  const Word place[] = {static_cast<Word>(phase_), path ? level_ : 0, path ? step_ : 0,
                        path && bad_found_ ? 1u : 0u, row};
  manifest.add_words("sets-place", place);
  const AcceptingCycles::Place at = cycles_.place();
  const Word cycles[] = {at.begun ? 1u : 0u, at.growing ? 1u : 0u, at.exist ? 1u : 0u, at.rounds};
  manifest.add_words("sets-cycles", cycles);
  Word asked[2 + WideCount::kWords] = {asked_, counted_.over ? 1u : 0u};
  std::copy_n(counted_.words, WideCount::kWords, asked + 2);
  manifest.add_words("sets-asked", asked);
  return file.save(sets_, row, manifest);
}

Status SymbolicRun::restore(Search& search, std::span<u8> memory,
                            const SymbolicSearch::Choices& choices, SetCheckpoint& file,
                            const Manifest& manifest) {
  begin_with(search, memory);
  sets_.choose(choices);
  SearchStats& stats = search.stats();
  XMC_TRY(restore_stats(manifest, stats));
  search.times_before = stats;
  Word chosen[3] = {};
  Word place[5] = {};
  XMC_TRY(manifest.words("sets-order", chosen));
  XMC_TRY(manifest.words("sets-place", place));
  Word asked[2 + WideCount::kWords] = {};
  XMC_TRY(manifest.words("sets-asked", asked));
  Word cycles[4] = {};
  XMC_TRY(manifest.words("sets-cycles", cycles));
  Word known[3] = {};
  if (manifest.has("sets-violation")) {
    XMC_TRY(manifest.words("sets-violation", known));
    known_ = {static_cast<Violation>(known[0]), static_cast<u32>(known[1]),
              static_cast<u32>(known[2])};
  }
  if (place[0] >= static_cast<Word>(Phase::decided) || place[1] >= kMostLevels ||
      place[2] > place[1] || place[4] > place[1] + 1 ||
      asked[0] > search.model.partial->step_count) {
    return Status::fail(Code::corrupt, "the checkpoint has a place where no search is");
  }
  sets_.first() = {static_cast<u32>(chosen[0]), static_cast<u32>(chosen[1]), chosen[2]};
  phase_ = static_cast<Phase>(place[0]);
  level_ = static_cast<u32>(place[1]);
  step_ = static_cast<u32>(place[2]);
  bad_found_ = place[3] != 0;
  asked_ = static_cast<u32>(asked[0]);
  counted_.over = asked[1] != 0;
  std::copy_n(asked + 2, WideCount::kWords, counted_.words);
  work_before_ = stats.set_work == kNoFigure ? 0 : stats.set_work;
  XMC_TRY(file.restore(sets_, static_cast<u32>(place[4]), manifest));
  cycles_.set_place({cycles[0] != 0, cycles[1] != 0, cycles[2] != 0, cycles[3], {}});
  if (cycles_.exist()) forget_path();
  saved_ = {phase_, level_, step_, asked_, sets_.states(), cycles_.place(), 0, 0};
  return {};
}

}  // namespace xmc
