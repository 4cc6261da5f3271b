#include "engine/symbolic/symbolic_engine.h"

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

u64 buffer_bytes(const Model& model, const SearchOptions& options) {
  const u64 file = options.folder == nullptr ? 0 : SetCheckpoint::kBufferBytes + kPageBytes;
  return u64{Search::buffer_states_for(model)} * model.state_words * sizeof(Word) + kLineBytes +
         file;
}

}  // namespace

u64 SymbolicEngine::minimum_bytes(const Model& model, const SearchOptions& options) const {
  const u64 buffers = buffer_bytes(model, options);
  if (SymbolicSearch::refusal(model) != nullptr) return buffers;
  return buffers + SymbolicSearch::least_bytes(model) + 2 * kLineBytes;
}

Status SymbolicEngine::plan(const Model& model, const SearchOptions& options, Arena& arena) {
  if (const char* why = SymbolicSearch::refusal(model); why != nullptr) {
    return Status::fail(Code::unsupported,
                        "engine 'symbolic' cannot take this model: %s; use --engine auto", why);
  }
  if (options.depth_limit != ~u64{0} || options.state_limit != ~u64{0}) {
    return Status::fail(Code::unsupported,
                        "engine 'symbolic' visits no states, so that --depth and --states are not "
                        "for it; use --engine explicit");
  }
  const bool by_levels = options.levels || options.breadth_first;
  if (by_levels && options.resume != nullptr) {
    return Status::fail(Code::unsupported,
                        "engine 'symbolic' has no levels of a run that it goes on with; begin anew "
                        "with --levels or --strategy bfs");
  }
  if (!SymbolicSearch::can_judge(model, options.deadlock)) {
    return Status::fail(Code::unsupported,
                        "engine 'symbolic' does not know --deadlock stuttering of a product; "
                        "use --engine auto");
  }
  const u64 needed = minimum_bytes(model, options);
  if (arena.free_bytes() < needed) {
    return Status::fail(Code::budget, "the search needs at least %llu bytes, and --ram leaves %llu",
                        wide(needed), wide(arena.free_bytes()));
  }
  search_ = Search();
  search_.model = model;
  search_.options = options;
  // A level that was begun is begun again, and its figures are not saved.
  if (by_levels) search_.options.checkpoints = nullptr;
  search_.buffer_states = Search::buffer_states_for(model);
  search_.buffer = arena
                       .carve_array<Word>(
                           "successors", u64{search_.buffer_states} * model.state_words, kLineBytes)
                       .data();
  buffer_ = {};
  if (options.folder != nullptr) {
    buffer_ = arena.carve_array<u8>("checkpoints", SetCheckpoint::kBufferBytes, kPageBytes);
  }
  const u64 rest = round_down(arena.free_bytes() - kLineBytes, kLineBytes);
  memory_ = arena.carve_array<u8>("sets", rest, kLineBytes);
  return {};
}

Status SymbolicEngine::run(const RunControl& control, SearchOutcome& outcome) {
  outcome = SearchOutcome();
  search_.control = &control;
  search_.outcome = &outcome;
  outcome.stats.state_bytes = search_.model.state_bytes;
  search_.start_clock();
  const Status status = run_to_end();
  search_.note_times(outcome.stats);
  search_.control = nullptr;
  search_.outcome = nullptr;
  return status;
}

Status SymbolicEngine::run_to_end() {
  remark_.clear();
  Status status = begin();
  const bool ready = status.ok();
  if (ready) status = search();
  const StopReason stop = status.take_stop();
  XMC_TRY(status);
  search_.outcome->stop = stop;
  // A checkpoint that did not fit the memory is as good as it was.
  const bool can_go_on = stop != StopReason::none && stop != StopReason::ram;
  if (ready && can_go_on) XMC_TRY(checkpoint());
  if (ready && stop != StopReason::none) run_.name_violation();
  run_.note_figures();
  run_.describe(remark_);
  return {};
}

Status SymbolicEngine::begin() {
  Folder* const folder = search_.options.folder;
  if (folder != nullptr) file_.start(*folder, buffer_);
  if (const Manifest* const resume = search_.options.resume; resume != nullptr) {
    XMC_CHECK(folder != nullptr);
    Lines io = Lines::of(*resume);
    XMC_TRY(run_.restore(search_, memory_, {}, file_, io));
    return run_.stop_status();
  }
  search_.stats().expansions = search_.stats().transitions = 0;
  run_.begin(search_, memory_, {});
  return {};
}

Status SymbolicEngine::search() {
  run_.look_first();
  while (!run_.advance(~u64{0})) {
    if (run_.stop_reason() != SetDiagram::Stop::work) return run_.stop_status();
    if (run_.has_news()) XMC_TRY(checkpoint());
  }
  return {};
}

Status SymbolicEngine::checkpoint() {
  Checkpointer* const checkpoints = search_.options.checkpoints;
  if (checkpoints == nullptr) return {};
  const PhaseClock::Scope scope(search_.clock, Phase::rest);
  Lines io = Lines::into(checkpoints->begin());
  XMC_TRY(run_.save(file_, io));
  return checkpoints->commit();
}

void SymbolicEngine::path_state(u64 i, Word* out) { run_.path_state(i, out); }

}  // namespace xmc
