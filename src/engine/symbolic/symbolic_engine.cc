#include "engine/symbolic/symbolic_engine.h"

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

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
  if (options.depth_limit != ~u64{0} || options.state_limit != ~u64{0}) {
    return Status::fail(Code::unsupported,
                        "engine 'symbolic' visits no states, so that --depth and --states are not "
                        "for it; use --engine explicit");
  }
  if (!SymbolicSearch::can_judge(model, options.deadlock)) {
    return Status::fail(Code::unsupported,
                        "engine 'symbolic' does not know --deadlock stuttering of a product; "
                        "use --engine auto");
  }
  const u64 needed = minimum_bytes(model, options);
  if (arena.free_bytes() < needed) {
    return Status::fail(Code::budget, "the search needs at least %llu bytes, and --ram leaves %llu",
                        static_cast<unsigned long long>(needed),
                        static_cast<unsigned long long>(arena.free_bytes()));
  }
  search_ = Search();
  search_.model = model;
  search_.options = options;
  search_.buffer_states = Search::buffer_states_for(model);
  search_.buffer = arena
                       .carve_array<Word>(
                           "successors", u64{search_.buffer_states} * model.state_words, kLineBytes)
                       .data();
  const u64 rest = round_down(arena.free_bytes() - kLineBytes, kLineBytes);
  memory_ = arena.carve_array<u8>("sets", rest, kLineBytes);
  return {};
}

Status SymbolicEngine::run(const RunControl& control, SearchOutcome& outcome) {
  outcome = SearchOutcome();
  search_.control = &control;
  search_.outcome = &outcome;
  SearchStats& stats = outcome.stats;
  stats.expansions = stats.transitions = 0;
  stats.state_bytes = search_.model.state_bytes;
  search_.start_clock();
  run_.begin(search_, memory_, {});
  Status status;
  if (!run_.advance(~u64{0})) status = run_.stop_status();
  outcome.stop = status.take_stop();
  if (run_.phase() == SymbolicRun::Phase::tracing) run_.name_violation();
  run_.note_figures();
  remark_.clear();
  run_.describe(remark_);
  search_.note_times(stats);
  search_.control = nullptr;
  search_.outcome = nullptr;
  return status;
}

void SymbolicEngine::path_state(u64 i, Word* out) { run_.path_state(i, out); }

}  // namespace xmc
