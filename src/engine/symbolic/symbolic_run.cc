#include "engine/symbolic/symbolic_run.h"

#include <algorithm>

#include "xmc/check.h"

namespace xmc {

namespace {

// Sets that stay alive.
enum KeptByRun : u32 { kBad, kPart, kKnown, kBadAtOnce, kOfCycles };
// While there are no levels.
constexpr u32 kWithoutStep = kKnown;
// Nodes that look_first() asks for: some tenths of a second.
constexpr u64 kFirstWork = 2'000'000;

// A number is in one of the two.
void note(const WideCount& count, u64& figure, WideCount& large) {
  const bool fits = count.fits_u64() && count.words[0] != kNoFigure;
  figure = fits ? count.words[0] : kNoFigure;
  large = fits ? WideCount() : count;
}

}  // namespace

void SymbolicRun::begin(Search& search, std::span<u8> memory,
                        const SymbolicSearch::Choices& choices) {
  begin_with(search, memory);
  sets_.choose(choices);
  sets_.prepare(search);
}

void SymbolicRun::begin_with(Search& search, std::span<u8> memory) {
  search_ = &search;
  sets_.plan(search.model, memory);
  phase_ = Phase::closing;
  level_ = step_ = asked_ = entry_ = 0;
  levels_ = 0;
  counts_ = {};
  progress_ = {};
  bad_found_ = false;
  known_ = {};
  cycles_.begin(sets_, kOfCycles);
  work_before_ = 0;
  saved_ = {};
}

GoOn SymbolicRun::asking() {
  return {this, [](void* self) {
            SymbolicRun& run = *static_cast<SymbolicRun*>(self);
            run.progress_.ram_used = run.sets_.diagram().used_nodes() * sizeof(u64);
            XMC_TRY(run.search_->poll(run.progress_));
            // Closures can be left anywhere. What comes after them has places of its own for that.
            const bool closes = run.phase_ == Phase::closing || run.phase_ == Phase::cycling;
            if (closes && !run.sets_.diagram().stopped() && run.is_due(false)) run.end_portion();
            return Status();
          }};
}

bool SymbolicRun::advance(u64 work) {
  return decide(work) && (phase_ == Phase::decided || trace());
}

bool SymbolicRun::decide(u64 work) { return decide(work, asking()); }

bool SymbolicRun::decide(u64 work, const GoOn& ask) {
  sets_.diagram().allow(work, ask);
  if (sets_.diagram().stopped()) return false;
  if (phase_ == Phase::closing && !close()) return false;
  if (phase_ != Phase::decided && !sets_.know_rules()) return false;
  if (phase_ == Phase::judging && !judge()) return false;
  return phase_ != Phase::cycling || decide_cycles();
}

Status SymbolicRun::stop_status() {
  SetDiagram& d = sets_.diagram();
  if (d.stop_reason() == SetDiagram::Stop::asked) return d.asked();
  return Status::stop(d.stopped() ? StopReason::ram : StopReason::none);
}

void SymbolicRun::note_figures() {
  SearchStats& stats = search_->stats();
  stats.set_work = work_before_ + sets_.diagram().work();
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
  return !is_due(true) || end_portion();
}

bool SymbolicRun::judge() {
  SetDiagram& d = sets_.diagram();
  SearchStats& stats = search_->stats();
  Node& bad = sets_.kept(kBad);
  Node& part = sets_.kept(kPart);
  if (!count_steps()) return false;
  part = sets_.without_halted(sets_.kept(kWithoutStep));
  if (search_->options.deadlock == DeadlockRule::stuttering) {
    part = sets_.stuttering(sets_.states());
  }
  if (d.stopped()) return false;
  LargeFigures& large = search_->outcome->large;
  note(sets_.count(part), stats.deadlocks, large.deadlocks);
  bad = search_->options.deadlock == DeadlockRule::ignore ? kEmptySet : part;
  part = sets_.violating(sets_.states());
  if (part != kEmptySet) {
    WideCount more;
    note(sets_.count(part), stats.bad_states, more);
  }
  bad = d.unite(bad, part);
  sets_.kept(kBadAtOnce) = bad;
  part = sets_.erroneous(sets_.states());
  if (d.stopped()) return false;
  stats.error_steps = part == kEmptySet ? 0 : kNoFigure;
  // In a product, steps of the system were counted, and not its own.
  if (part == kEmptySet && search_->model.partial->move_count == 0) {
    note(counted_, stats.transitions, large.transitions);
  } else {
    stats.transitions = kNoFigure;
  }
  if (search_->options.errors_violate) bad = d.unite(bad, part);
  if (d.stopped()) return false;
  const bool traced = search_->outcome->violation != Violation::none;
  phase_ = bad != kEmptySet && !traced ? Phase::tracing
           : search_->model.buchi      ? Phase::cycling
                                       : Phase::decided;
  // A stop before the verdict or on the way to the path must not look like a search that found
  // nothing.
  search_->outcome->complete = phase_ == Phase::decided;
  return phase_ == Phase::decided || !is_due(true) || end_portion();
}

// Most of the work of judging. It goes on behind the last step that was asked for.
bool SymbolicRun::count_steps() {
  SetDiagram& d = sets_.diagram();
  Node& left = sets_.kept(kWithoutStep);
  if (asked_ == 0) left = sets_.states();
  if (asked_ == 0) counted_ = {};
  while (asked_ < sets_.step_count()) {
    WideCount count = counted_;
    const Node rest =
        sets_.without_step(left, sets_.states(), PartialQuestion::enabled, asked_, &count);
    if (d.stopped()) return false;
    left = rest;
    counted_ = count;
    ++asked_;
    if (is_due(false)) return end_portion();
  }
  return true;
}

bool SymbolicRun::decide_cycles() {
  if (!cycles_.decide()) return false;
  WideCount none;
  note(cycles_.accepting(), search_->stats().accepting, none);
  phase_ = cycles_.exist() ? Phase::tracing : Phase::decided;
  search_->outcome->complete = phase_ == Phase::decided;
  return true;
}

// The cycle is at the end of the row, and leaves the rest of it for the path.
bool SymbolicRun::trace() {
  if (cycles_.exist() && sets_.kept(kBad) == kEmptySet) {
    if (!cycles_.find_one()) return false;
    SetDiagram& d = sets_.diagram();
    const u32 base = d.mark();
    d.push(0, kEmptySet);
    for (u32 i = 0; i < cycles_.steps(); ++i) d.add_to(base, cycles_.word(i));
    const Node all = d.at(base).down;
    d.release(base);
    if (d.stopped()) return false;
    sets_.kept(kBad) = sets_.kept(kBadAtOnce) = all;
  }
  if (!bad_found_ && !look_for_bad()) return false;
  if (!path_back()) return false;
  record_path();
  search_->outcome->complete = true;
  phase_ = Phase::decided;
  return true;
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
    if (bad != kEmptySet) {
      const u32 here = d.mark();
      d.push(0, bad);
      const Node at_once = d.intersect(bad, sets_.kept(kBadAtOnce));
      d.release(here);
      return !d.stopped() && take_bad(bad, at_once);
    }
    if (level_ + 1 + cycles_.steps() == row.size()) d.stop(SetDiagram::Stop::full);
    if (d.stopped() || !next_level(row[level_], known, row[level_ + 1])) return false;
    ++level_;
    XMC_CHECK(row[level_] != kEmptySet);
    if (is_due(true)) return end_portion();
  }
}

// An erroneous step is one more.
bool SymbolicRun::take_bad(Node bad, Node at_once) {
  SetDiagram& d = sets_.diagram();
  sets_.row()[level_] = d.word(sets_.word_of(at_once != kEmptySet ? at_once : bad));
  step_ = level_;
  bad_found_ = !d.stopped();
  return bad_found_;
}

void SymbolicRun::look_first() {
  const SearchOptions& options = search_->options;
  const bool levels = options.levels || options.breadth_first;
  const bool begins = phase_ == Phase::closing || (phase_ == Phase::judging && asked_ == 0);
  if (!options.full || search_->model.buchi || levels || !begins) return;
  sets_.diagram().allow(~u64{0}, asking());  // the closure needs the rules, too
  if (sets_.diagram().stopped() || !sets_.make_rules()) return;
  const u64 end = sets_.diagram().work() + kFirstWork;
  const bool found = look_in_levels(end) && allow_first(end) && path_back();
  sets_.kept(kKnown) = kEmptySet;
  if (found) return record_path();
  forget_path();
  std::fill(sets_.row().begin(), sets_.row().end(), kEmptySet);
}

// Each node that is made is work: what is allowed cannot fill the memory.
bool SymbolicRun::allow_first(u64 end) {
  SetDiagram& d = sets_.diagram();
  if (d.work() >= end) return false;
  if (d.used_nodes() > d.node_capacity() / 2) d.collect();
  d.allow(std::min(end - d.work(), d.node_capacity() - d.used_nodes()), asking());
  return !d.stopped();
}

// As look_for_bad(), but what is bad is not known before: each level is judged. Its steps come
// first, which have to be known for that.
bool SymbolicRun::look_in_levels(u64 end) {
  const std::span<Node> row = sets_.row();
  Node& known = sets_.kept(kKnown);
  known = row[0] = sets_.initial_states();
  while (level_ + 1 < row.size() && row[level_] != kEmptySet) {
    if (!allow_first(end) || !next_level(row[level_], known, row[level_ + 1])) return false;
    if (!judge_level(row[level_])) return false;
    const Node bad = sets_.kept(kBad);
    if (bad != kEmptySet) return take_bad(bad, sets_.kept(kBadAtOnce));
    ++level_;
  }
  return false;
}

bool SymbolicRun::judge_level(Node level) {
  SetDiagram& d = sets_.diagram();
  const SearchOptions& options = search_->options;
  Node& bad = sets_.kept(kBad);
  Node& part = sets_.kept(kPart);
  bad = sets_.violating(level);
  if (options.deadlock != DeadlockRule::ignore) {
    part = options.deadlock == DeadlockRule::stuttering ? sets_.stuttering(level)
                                                        : sets_.count_steps(level).deadlocks;
    if (!d.stopped()) bad = d.unite(bad, part);
  }
  sets_.kept(kBadAtOnce) = bad;
  if (options.errors_violate && !d.stopped()) {
    part = sets_.erroneous(level);
    if (!d.stopped()) bad = d.unite(bad, part);
  }
  return !d.stopped();
}

// Each level of the row is replaced by its state on the path.
bool SymbolicRun::path_back() {
  SetDiagram& d = sets_.diagram();
  const std::span<Node> row = sets_.row();
  while (step_ > 0) {
    const Node from = sets_.predecessors(row[step_], row[step_ - 1]);
    if (d.stopped()) return false;
    XMC_CHECK(from != kEmptySet);
    row[step_ - 1] = from;
    const Node one = d.word(sets_.word_of(from));
    if (d.stopped()) return false;
    row[--step_] = one;
    if (step_ > 0 && is_due(false)) return end_portion();
  }
  return true;
}

void SymbolicRun::record_path() {
  if (cycles_.exist()) {
    while (cycles_.word(entry_) != sets_.row()[level_]) ++entry_;
    search_->record(Violation::accepting_cycle, Expansion(), level_);
    search_->outcome->cycle_steps = cycles_.steps();
  } else {
    Word state[limits::kStateWords];
    path_state(level_, state);
    record(state, level_);
  }
  search_->outcome->minimal = !cycles_.exist();
}

void SymbolicRun::forget_path() {
  level_ = step_ = 0;
  bad_found_ = false;
  sets_.kept(kBad) = sets_.kept(kBadAtOnce) = kEmptySet;
}

void SymbolicRun::name_violation() {
  SearchOutcome& outcome = *search_->outcome;
  if (phase_ != Phase::tracing) {
    if (outcome.violation != Violation::none || known_.kind == Violation::none) return;
    outcome.violation = known_.kind;
    outcome.predicate = known_.predicate;
    outcome.error_label = known_.error_label;
  } else if (cycles_.exist()) {
    search_->record(Violation::accepting_cycle, Expansion(), 0);
  } else {
    Word state[limits::kStateWords];
    sets_.to_state(sets_.word_of(sets_.kept(kBad)), state);
    record(state, 0);
  }
  outcome.path_missing = true;
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
  const Relations& relations = sets_.relations();
  out.format(
      "sets: order %u, %llu nodes for the first %u states of %u fields; %llu rules in %u "
      "groups, %u steps projected; %llu nodes asked for, %llu collections",
      sets_.order_number(), wide(sets_.first_nodes()), sets_.first_states(), sets_.levels(),
      wide(relations.rules()), relations.size(), sets_.projections(), wide(sets_.diagram().work()),
      wide(sets_.diagram().collections()));
  if (cycles_.rounds() != 0) out.format("; %llu rounds for cycles", wide(cycles_.rounds()));
}

void SymbolicRun::path_state(u64 i, Word* out) {
  const bool of_cycle = i > level_;
  const Node one = of_cycle ? cycles_.word(entry_ + static_cast<u32>(i - level_))
                            : sets_.row()[static_cast<std::size_t>(i)];
  sets_.to_state(sets_.word_of(one), out);
}

}  // namespace xmc
