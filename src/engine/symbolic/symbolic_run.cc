#include "engine/symbolic/symbolic_run.h"

#include "xmc/check.h"

namespace xmc {

namespace {

constexpr Node kEmpty = SetDiagram::kEmpty;

// Sets that stay alive.
enum Kept : u32 { kBad, kPart, kKnown, kBadAtOnce };

// A number is in one of the two.
void note(const WideCount& count, u64& figure, WideCount& large) {
  const bool fits = count.fits_u64() && count.words[0] != kNoFigure;
  figure = fits ? count.words[0] : kNoFigure;
  large = fits ? WideCount() : count;
}

}  // namespace

void SymbolicRun::begin(Search& search, std::span<u8> memory,
                        const SymbolicSearch::Choices& choices) {
  search_ = &search;
  sets_.plan(search.model, memory);
  sets_.choose(choices);
  phase_ = Phase::closing;
  level_ = step_ = 0;
  levels_ = 0;
  counts_ = {};
  progress_ = {};
  bad_found_ = false;
  sets_.prepare(search);
}

GoOn SymbolicRun::asking() {
  return {this, [](void* self) {
            SymbolicRun& run = *static_cast<SymbolicRun*>(self);
            run.progress_.ram_used = run.sets_.diagram().used_nodes() * sizeof(u64);
            return run.search_->poll(run.progress_);
          }};
}

bool SymbolicRun::advance(u64 work) {
  sets_.diagram().allow(work, asking());
  if (sets_.diagram().stopped()) return false;
  if (phase_ == Phase::closing && !close()) return false;
  if (phase_ == Phase::judging && !judge()) return false;
  return phase_ == Phase::decided || trace();
}

Status SymbolicRun::stop_status() {
  SetDiagram& d = sets_.diagram();
  if (d.stop_reason() == SetDiagram::Stop::asked) return d.asked();
  return Status::stop(d.stopped() ? StopReason::ram : StopReason::none);
}

void SymbolicRun::note_figures() {
  SearchStats& stats = search_->stats();
  stats.set_work = sets_.diagram().work();
  stats.set_rules = sets_.relations().rules();
  stats.set_groups = sets_.relations().size();
  stats.ram_used = sets_.diagram().used_nodes() * sizeof(u64);
  // What was counted before are the steps of the first states.
  if (phase_ <= Phase::judging) stats.transitions = kNoFigure;
  if (phase_ == Phase::closing) return;
  stats.set_nodes = sets_.diagram().node_count(sets_.states());
  note(sets_.count(sets_.states()), stats.states, search_->outcome->large.states);
}

bool SymbolicRun::close() {
  const bool by_levels = search_->options.levels || search_->options.breadth_first;
  if (!(by_levels ? close_by_levels() : sets_.close())) return false;
  phase_ = Phase::judging;
  return true;
}

bool SymbolicRun::judge() {
  SetDiagram& d = sets_.diagram();
  SearchStats& stats = search_->stats();
  Node& bad = sets_.kept(kBad);
  Node& part = sets_.kept(kPart);
  const SymbolicSearch::Steps steps = sets_.count_steps(sets_.states());
  part = steps.deadlocks;
  if (search_->options.deadlock == DeadlockRule::stuttering) {
    part = sets_.stuttering(sets_.states());
  }
  if (d.stopped()) return false;
  LargeFigures& large = search_->outcome->large;
  note(sets_.count(part), stats.deadlocks, large.deadlocks);
  bad = search_->options.deadlock == DeadlockRule::ignore ? kEmpty : part;
  part = sets_.violating(sets_.states());
  bad = d.unite(bad, part);
  sets_.kept(kBadAtOnce) = bad;
  part = sets_.erroneous(sets_.states());
  if (d.stopped()) return false;
  stats.error_steps = part == kEmpty ? 0 : kNoFigure;
  // In a product, steps of the system were counted, and not its own.
  if (part == kEmpty && search_->model.partial->move_count == 0) {
    note(steps.count, stats.transitions, large.transitions);
  } else {
    stats.transitions = kNoFigure;
  }
  if (search_->options.errors_violate) bad = d.unite(bad, part);
  if (d.stopped()) return false;
  // A stop on the way to the path must not look like a search that found nothing.
  search_->outcome->complete = bad == kEmpty;
  phase_ = bad == kEmpty ? Phase::decided : Phase::tracing;
  return true;
}

bool SymbolicRun::trace() {
  if (!bad_found_ && !look_for_bad()) return false;
  return path_back();
}

// Levels in the row, until one has a bad state.
bool SymbolicRun::look_for_bad() {
  SetDiagram& d = sets_.diagram();
  const std::span<Node> row = sets_.row();
  Node& known = sets_.kept(kKnown);
  if (level_ == 0) known = row[0] = sets_.initial_states();
  while (true) {
    const Node bad = d.intersect(row[level_], sets_.kept(kBad));
    if (d.stopped()) return false;
    if (bad != kEmpty) {
      // An erroneous step is one more.
      const u32 here = d.mark();
      d.push(0, bad);
      const Node at_once = d.intersect(bad, sets_.kept(kBadAtOnce));
      d.release(here);
      if (d.stopped()) return false;
      row[level_] = d.word(sets_.word_of(at_once != kEmpty ? at_once : bad));
      step_ = level_;
      bad_found_ = !d.stopped();
      return bad_found_;
    }
    if (level_ + 1 == row.size()) d.stop(SetDiagram::Stop::full);
    if (d.stopped() || !next_level(row[level_], known, row[level_ + 1])) return false;
    ++level_;
    XMC_CHECK(row[level_] != kEmpty);
  }
}

// Each level of the row is replaced by its state on the path.
bool SymbolicRun::path_back() {
  SetDiagram& d = sets_.diagram();
  const std::span<Node> row = sets_.row();
  while (step_ > 0) {
    const Node from = sets_.sources(row[step_ - 1], sets_.word_of(row[step_]));
    if (d.stopped()) return false;
    XMC_CHECK(from != kEmpty);
    row[step_ - 1] = from;
    const Node one = d.word(sets_.word_of(from));
    if (d.stopped()) return false;
    row[--step_] = one;
  }
  Word state[limits::kStateWords];
  path_state(level_, state);
  record(state, level_);
  search_->outcome->minimal = search_->outcome->complete = true;
  phase_ = Phase::decided;
  return true;
}

void SymbolicRun::name_violation() {
  XMC_CHECK(phase_ == Phase::tracing);
  Word state[limits::kStateWords];
  sets_.to_state(sets_.word_of(sets_.kept(kBad)), state);
  record(state, 0);
  search_->outcome->path_missing = true;
}

// A state's violation is named by its expansion, as in every search.
void SymbolicRun::record(const Word* state, u64 steps) {
  const SearchStats figures = search_->stats();
  const Expansion expansion = search_->expand_state(state, 0);
  const Violation violation = search_->judge(state, expansion, 0);
  search_->stats() = figures;
  XMC_CHECK(violation != Violation::none);
  search_->record(violation, expansion, steps);
}

void SymbolicRun::describe(Text& out) {
  const auto wide = [](u64 n) { return static_cast<unsigned long long>(n); };
  const Relations& relations = sets_.relations();
  out.format(
      "sets: order %u, %llu nodes for the first %u states of %u fields; %llu rules in %u "
      "groups, %u steps projected; %llu nodes asked for, %llu collections",
      sets_.order_number(), wide(sets_.first_nodes()), sets_.first_states(), sets_.levels(),
      wide(relations.rules()), relations.size(), sets_.projections(), wide(sets_.diagram().work()),
      wide(sets_.diagram().collections()));
}

void SymbolicRun::path_state(u64 i, Word* out) {
  sets_.to_state(sets_.word_of(sets_.row()[static_cast<std::size_t>(i)]), out);
}

}  // namespace xmc
