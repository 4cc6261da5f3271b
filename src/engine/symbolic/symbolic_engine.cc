#include "engine/symbolic/symbolic_engine.h"

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr Node kEmpty = SetDiagram::kEmpty;

enum Kept : u32 { kBad, kLevel, kKnown };

u64 buffer_bytes(const Model& model) {
  return u64{Search::buffer_states_for(model)} * model.state_words * sizeof(Word) + kLineBytes;
}

}  // namespace

u64 SymbolicEngine::minimum_bytes(const Model& model, const SearchOptions&) const {
  if (SymbolicSearch::refusal(model) != nullptr) return buffer_bytes(model);
  return buffer_bytes(model) + SymbolicSearch::least_bytes(model) + 2 * kLineBytes;
}

Status SymbolicEngine::plan(const Model& model, const SearchOptions& options, Arena& arena) {
  if (const char* why = SymbolicSearch::refusal(model); why != nullptr) {
    return Status::fail(Code::unsupported,
                        "engine 'symbolic' cannot take this model: %s; use --engine auto", why);
  }
  if (model.buchi) {
    return Status::fail(Code::unsupported,
                        "engine 'symbolic' does not look for accepting cycles; use --engine auto");
  }
  const u64 needed = minimum_bytes(model, options);
  if (arena.free_bytes() < needed) {
    return Status::fail(Code::budget,
                        "the search needs at least %llu bytes, and --ram leaves %llu",
                        static_cast<unsigned long long>(needed),
                        static_cast<unsigned long long>(arena.free_bytes()));
  }
  search_ = Search();
  search_.model = model;
  search_.options = options;
  search_.buffer_states = Search::buffer_states_for(model);
  search_.buffer = arena
                       .carve_array<Word>("successors",
                                          u64{search_.buffer_states} * model.state_words,
                                          kLineBytes)
                       .data();
  const u64 rest = round_down(arena.free_bytes() - kLineBytes, kLineBytes);
  symbolic_.plan(model, arena.carve_array<u8>("sets", rest, kLineBytes));
  return {};
}

Status SymbolicEngine::run(const RunControl& control, SearchOutcome& outcome) {
  outcome = SearchOutcome();
  search_.control = &control;
  search_.outcome = &outcome;
  SearchStats& stats = outcome.stats;
  stats.expansions = 0;
  stats.transitions = stats.error_steps = stats.deadlocks = 0;
  stats.state_bytes = search_.model.state_bytes;
  search_.start_clock();
  Status status = search_states();
  if (status.ok()) status = judge_states();
  const StopReason stop = status.take_stop();
  if (stop != StopReason::none) {
    outcome.stop = stop;
    outcome.path_missing = outcome.violation != Violation::none;
  }
  stats.ram_used = symbolic_.diagram().used_nodes() * sizeof(u64);
  search_.note_times(stats);
  search_.control = nullptr;
  search_.outcome = nullptr;
  return status;
}

Status SymbolicEngine::go_on() {
  Progress progress;
  progress.states = 0;
  progress.ram_used = symbolic_.diagram().used_nodes() * sizeof(u64);
  return search_.poll(progress);
}

bool SymbolicEngine::allow() {
  symbolic_.diagram().allow(~u64{0}, {this, [](void* self) {
                                        return static_cast<SymbolicEngine*>(self)->go_on();
                                      }});
  return !symbolic_.diagram().stopped();
}

// Why the diagram does not go on.
Status SymbolicEngine::stop_status() {
  SetDiagram& d = symbolic_.diagram();
  if (d.stop_reason() == SetDiagram::Stop::asked) return d.asked();
  return Status::stop(d.stopped() ? StopReason::ram : StopReason::none);
}

Status SymbolicEngine::search_states() {
  symbolic_.prepare(search_);
  const GoOn ask{this, [](void* self) { return static_cast<SymbolicEngine*>(self)->go_on(); }};
  if (!symbolic_.advance(~u64{0}, ask)) return stop_status();
  const WideCount states = symbolic_.count(symbolic_.states());
  search_.stats().states = states.fits_u64() ? states.low : ~u64{0} - 1;
  return {};
}

// A state's violation is named by its expansion, as in every search.
Status SymbolicEngine::judge_states() {
  SearchOutcome& outcome = *search_.outcome;
  if (!allow()) return stop_status();
  SetDiagram& d = symbolic_.diagram();
  Node& bad = symbolic_.kept(kBad);
  Node& part = symbolic_.kept(kLevel);
  part = symbolic_.deadlocks(symbolic_.states());
  if (d.stopped()) return stop_status();
  const WideCount deadlocks = symbolic_.count(part);
  search_.stats().deadlocks = deadlocks.low;
  bad = search_.options.deadlock == DeadlockRule::ignore ? kEmpty : part;
  part = symbolic_.violating(symbolic_.states());
  bad = d.unite(bad, part);
  if (search_.options.errors_violate) {
    part = symbolic_.erroneous(symbolic_.states());
    bad = d.unite(bad, part);
  }
  if (d.stopped()) return stop_status();
  outcome.complete = true;
  search_.stats().transitions = kNoFigure;
  search_.stats().error_steps = kNoFigure;
  return bad == kEmpty ? Status() : find_path();
}

Status SymbolicEngine::find_path() {
  SetDiagram& d = symbolic_.diagram();
  const std::span<Node> row = symbolic_.row();
  Node& known = symbolic_.kept(kKnown);
  Node& found = symbolic_.kept(kLevel);
  known = row[0] = symbolic_.initial_states();
  u32 level = 0;
  while (true) {
    // What is bad of this level.
    const Node good = d.subtract(row[level], symbolic_.kept(kBad));
    const u32 base = d.mark();
    d.push(0, good);
    found = d.subtract(row[level], good);
    d.release(base);
    if (d.stopped()) return stop_status();
    if (found != kEmpty) return path_back(level);
    if (level + 1 == row.size()) return Status::stop(StopReason::ram);
    const Node next = symbolic_.successors(row[level]);
    row[level + 1] = next;
    row[level + 1] = d.subtract(next, known);
    known = d.unite(known, row[level + 1]);
    if (d.stopped()) return stop_status();
    XMC_CHECK(row[level + 1] != kEmpty);
    ++level;
  }
}

// Each level of the row is replaced by the one state of the path.
Status SymbolicEngine::path_back(u32 level) {
  SetDiagram& d = symbolic_.diagram();
  const std::span<Node> row = symbolic_.row();
  row[level] = d.word(symbolic_.word_of(symbolic_.kept(kLevel)));
  for (u32 i = level; i > 0 && !d.stopped(); --i) {
    const Node from = symbolic_.sources(row[i - 1], symbolic_.word_of(row[i]));
    XMC_CHECK(from != kEmpty || d.stopped());
    if (d.stopped()) break;
    row[i - 1] = from;
    row[i - 1] = d.word(symbolic_.word_of(from));
  }
  if (d.stopped()) return stop_status();
  Word state[limits::kStateWords];
  path_state(level, state);
  const SearchStats figures = search_.stats();
  const Expansion expansion = search_.expand_state(state, 0);
  const Violation violation = search_.judge(state, expansion, 0);
  search_.stats() = figures;
  XMC_CHECK(violation != Violation::none);
  search_.record(violation, expansion, level);
  search_.outcome->minimal = true;
  return {};
}

void SymbolicEngine::path_state(u64 i, Word* out) {
  symbolic_.to_state(symbolic_.word_of(symbolic_.row()[static_cast<std::size_t>(i)]), out);
}

}  // namespace xmc
