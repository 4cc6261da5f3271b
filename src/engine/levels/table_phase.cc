#include "engine/levels/table_phase.h"

#include "engine/ram/bfs.h"
#include "engine/ram/nested_dfs.h"

namespace xmc {

void TablePhase::plan(Frontier& frontier, Arena& arena) {
  const Model& model = frontier.search.model;
  frontier_ = &frontier;
  ended_ = false;
  ram_ = RamSearch();
  ram_.search = &frontier.search;
  if (model.buchi) {
    ram_.indexes =
        arena.carve_array<StateIndex>("successors", Search::buffer_states_for(model), kLineBytes)
            .data();
  }
  ram_.hand_over.keep_room = frontier.search.buffer_states + 64;
}

Status TablePhase::start_owned() {
  return frontier_->in_table.start(*frontier_, ram_.table, ram_.indexes,
                                   ram_.hand_over.after_states);
}

Status TablePhase::run() {
  Search& search = frontier_->search;
  SearchOutcome& outcome = *search.outcome;
  const bool with_finder = frontier_->finder != nullptr;
  RamSearch::HandOver& hand = ram_.hand_over;
  ram_.table.init(frontier_->memory.region, frontier_->shape(search.model.buchi));
  ram_.table.set_state_limit(search.options.state_limit);
  XMC_TRY(frontier_->open_queue());
  frontier_->steps_back = !with_finder;
  if (with_finder) ram_.steps_back = &frontier_->steps_back;
  if (frontier_->with_checkpoints() || with_finder) {
    hand.owner = this;
    hand.level_end_call = [](void* self) { return static_cast<TablePhase*>(self)->level_done(); };
  }
  XMC_TRY(run_bfs(ram_));
  const bool clean = search.model.buchi && outcome.complete && outcome.violation == Violation::none;
  if (clean && !with_finder) run_nested_dfs(ram_, false);
  bool proved = false;
  if (clean && with_finder) XMC_TRY(prove_all(proved));
  const bool stopped = outcome.stop != StopReason::none && outcome.stop != StopReason::ram;
  const bool save_it =
      stopped && frontier_->with_checkpoints() && (!search.model.buchi || with_finder);
  // Cycles are looked for in the queue.
  const bool cycles = with_finder && !proved && (outcome.complete || search.cycle_found());
  ended_ = !hand.happened && !save_it && !cycles;
  if (ended_) return {};
  XMC_TRY(save());
  // The path is in the table, and stays there.
  if (save_it && !cycles && outcome.violation != Violation::none && !outcome.path_missing) {
    XMC_TRY(frontier_->checkpoint());
    ended_ = true;
    return {};
  }
  if (!hand.happened) return Status::stop(outcome.stop);
  outcome.stop = StopReason::none;
  return {};
}

// While all states are in the table, a nested search there costs less than to write edges down. A
// cycle that it meets need not be of a shortest lasso, which is found in the queue; so is one that
// the memory was too little for. A run that was stopped goes on there, too.
Status TablePhase::prove(StateIndex expanded, bool& proved) {
  if (!frontier_->finder->any_proof_will_do()) return {};
  proved = frontier_->cycle_free();
  if (proved) return {};
  const PhaseClock::Scope scope(frontier_->search.clock, Phase::cycles);
  const Result<bool> cycle = has_accepting_cycle(ram_, expanded);
  proved = cycle.ok() && !cycle.value();
  return cycle.status();
}

Status TablePhase::prove_all(bool& proved) {
  Status status = prove(ram_.table.size(), proved);
  const StopReason stop = status.take_stop();
  // A stack that does not fit can be taken for a table that may not grow.
  const bool full = stop == StopReason::ram || stop == StopReason::state_limit;
  if (stop == StopReason::none || full) return status;
  SearchOutcome& outcome = *frontier_->search.outcome;
  outcome.stop = stop;
  outcome.complete = false;
  return {};
}

// All states that the queue does not have yet, in order of discovery, with their levels. A resumed
// run would go on where the search in the table does.
Status TablePhase::save() {
  Search& search = frontier_->search;
  const PhaseClock::Scope scope(search.clock, Phase::queueing);
  const RamSearch::HandOver& hand = ram_.hand_over;
  const StateIndex culprit = search.outcome->path_missing ? hand.found : hand.culprit;
  if (culprit != kNone) ram_.table.load(culprit, frontier_->culprit);
  StateTable& table = ram_.table;
  KeyFile& queue = frontier_->queue;
  Word state[limits::kStateWords];
  u64 level = 0;
  for (StateIndex i = static_cast<StateIndex>(queue.keys()); i < table.size(); ++i) {
    const auto begins = [&](u64 l) -> u64 {
      return l <= hand.level ? ram_.mark(l) : l == hand.level + 1 ? hand.level_end : ~u64{0};
    };
    while (i >= begins(level + 1)) ++level;
    table.load(i, state);
    XMC_TRY(queue.append(state, level));
  }
  LevelPlace& at = frontier_->at;
  at.level = hand.level;
  at.begin = ram_.mark(hand.level);
  at.end = hand.level_end;
  at.next = hand.next;
  frontier_->set_resume_point();
  ResumePoint& point = frontier_->point;
  point.stats = hand.stats;
  point.violation = hand.culprit == kNone ? Violation::none : search.outcome->violation;
  return {};
}

// The search in the table goes on after this one, unless a cycle was found.
Status TablePhase::level_done() {
  const Search& search = frontier_->search;
  CycleFinder* const finder = frontier_->finder;
  const bool plain = !search.model.buchi || finder != nullptr;
  if (plain && frontier_->with_checkpoints() && search.options.checkpoints->due(true)) {
    XMC_TRY(save());
    XMC_TRY(frontier_->checkpoint());
  }
  const u64 expanded = ram_.hand_over.level_end;
  if (finder == nullptr) return {};
  if (!finder->wants(frontier_->product(expanded, frontier_->memory.aside))) return {};
  bool proved = false;
  Status status = prove(static_cast<StateIndex>(expanded), proved);
  static_cast<void>(status.take_stop());  // the search is told again when it asks
  XMC_TRY(status);
  if (proved) {
    finder->skip_look(expanded);
    return {};
  }
  XMC_TRY(save());
  status = frontier_->search_prefix(expanded);
  static_cast<void>(status.take_stop());
  return status;
}

}  // namespace xmc
