#include "engine/part/part.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// Buffers whose size the model decides.
u64 buffer_bytes(const Model& model) {
  const u64 states = Search::buffer_states_for(model);
  const u64 own = states + Search::kCollect + CacheTable::kBatch;
  return own * (model.state_words * sizeof(Word) + sizeof(u64)) +
         (states + 1) * (sizeof(u32) + sizeof(u16)) + 7 * kLineBytes;
}

// What comes from other owners, if there are any.
u64 came_bytes(const Model& model, const SearchOptions& options) {
  return options.owners.empty()
             ? 0
             : u64{2} * CacheTable::kBatch * model.state_words * sizeof(Word) + 2 * kLineBytes;
}

u64 least_region(const Model& model) {
  const u64 states = u64{4} * Search::buffer_states_for(model);
  return StateTable::minimum_bytes(PartMemory::shape_of(model)) +
         states * (model.state_bytes + 24) * 2;
}

}  // namespace

// --- Plan -------------------------------------------------------------------------------------

// A limit of states is for one who counts all of them.
bool PartEngine::divides(const Model& model, const SearchOptions& options) const {
  return !model.buchi && model.live_count == 0 && model.state_words > 0 &&
         options.state_limit == ~u64{0};
}

u64 PartEngine::minimum_bytes(const Model& model, const SearchOptions& options) const {
  return Crew::is_needed(options) ? Crew::minimum_bytes(*this, model, options)
                                  : minimum_alone(model, options);
}

u64 PartEngine::minimum_alone(const Model& model, const SearchOptions& options) const {
  return PartOwners::bytes_for(options) + came_bytes(model, options) +
         BlockExpander::least_bytes(model, options) + buffer_bytes(model) +
         SplitChoice::bytes(model) + PartLogs::least_bytes(options) + kPageBytes +
         round_up(least_region(model) * 3 / 2, kLineBytes) + 8 * kLineBytes;
}

Status PartEngine::plan(const Model& model, const SearchOptions& options, Arena& arena) {
  if (model.buchi && !options.full) {
    return Status::fail(Code::unsupported,
                        "engine 'part' does not look for accepting cycles; use --engine ram, or "
                        "--full to count the states of the product");
  }
  if (options.depth_limit != ~u64{0}) {
    return Status::fail(Code::unsupported,
                        "engine 'part' has no levels, so --depth has no meaning for it; use "
                        "another engine");
  }
  crew_ = nullptr;
  if (!Crew::is_needed(options)) return plan_alone(model, options, arena);
  crew_ = Crew::make(*this, model, options, arena);
  return crew_->plan();  // this one as well, for its own part
}

Status PartEngine::plan_alone(const Model& model, const SearchOptions& options, Arena& arena) {
  XMC_CHECK(options.folder != nullptr);
  XMC_CHECK(arena.free_bytes() >= minimum_alone(model, options));
  const u64 given = arena.free_bytes();
  search_ = Search();
  search_.model = model;
  search_.options = options;
  search_.buffer_states = Search::buffer_states_for(model);
  search_.fixed_bytes = minimum_alone(model, options) - least_region(model);
  memory_.search = &search_;
  memory_.logs = &logs_;
  const auto take = [](void* self, Word* keys, u32 count) {
    return static_cast<PartEngine*>(self)->take_sent(keys, count);
  };
  owners_.plan(search_, logs_, {this, take}, arena);
  plan_buffers(arena);
  memory_.split_choice.plan(model, arena);
  const u64 before_ahead = arena.carved_bytes();
  search_.ahead.plan(model, options, arena);
  search_.fixed_bytes +=
      arena.carved_bytes() - before_ahead - BlockExpander::least_bytes(model, options);
  logs_.plan(model, options, arena);
  if (owners_.on()) logs_.keep_contents();
  plan_regions(arena);
  // One owner of several has buffers for the others as well.
  if (owners_.on()) search_.fixed_bytes = given - memory_.table_region.size();
  return {};
}

void PartEngine::plan_buffers(Arena& arena) {
  const u64 states = search_.buffer_states;
  const u32 words = search_.model.state_words;
  successors_ = {};
  batch_ = {};
  away_ = {};
  search_.buffer = arena.carve_array<Word>("successors", states * words, 64).data();
  successors_.origins = arena.carve_array<u64>("successors", states, 64).data();
  successors_.moved = arena.carve_array<u32>("successors", states + 1, 64).data();
  successors_.moved_leaf = arena.carve_array<u16>("successors", states + 1, 64).data();
  batch_.states = arena.carve_array<Word>("successors", u64{Search::kCollect} * words, 64).data();
  batch_.origins = arena.carve_array<u64>("successors", Search::kCollect, 64).data();
  away_.states = arena.carve_array<Word>("successors", u64{kAway} * words, 64).data();
  came_ = {};
  if (!owners_.on()) return;
  came_.here = arena.carve_array<Word>("successors", u64{kAway} * words, 64).data();
  came_.away = arena.carve_array<Word>("successors", u64{kAway} * words, 64).data();
}

// A byte for the origin of each state: enough if half of them wait. Where there is no room,
// candidates go to the file that could have been expanded at once: elevator_planning.2 takes 1.7
// times the time when an eighth of the states may wait.
void PartEngine::plan_regions(Arena& arena) {
  const u64 rest = round_down(arena.free_bytes() - 4 * kLineBytes, kLineBytes);
  const u64 per_state = u64{search_.model.state_bytes} + 5 + 1;
  const u64 ring =
      std::max<u64>(rest / per_state, 4 * StateTable::kBatch * OriginQueue::kMostBytes);
  memory_.origins_region = arena.carve_array<u8>("origins", ring, kLineBytes);
  const u64 cache = round_down(rest / 12, kLineBytes);
  cache_region_ = arena.carve_array<u8>("queued lately", cache, kLineBytes);
  const u64 table = round_down(arena.free_bytes() - kLineBytes, kLineBytes);
  memory_.table_region = arena.carve_array<u8>("states", table, kLineBytes);
}

// --- Run --------------------------------------------------------------------------------------

bool PartEngine::over() const {
  return search_.outcome->violation != Violation::none && !search_.options.full;
}

Status PartEngine::run(const RunControl& control, SearchOutcome& outcome) {
  return crew_ != nullptr ? crew_->run(control, outcome) : run_alone(control, outcome);
}

Status PartEngine::run_alone(const RunControl& control, SearchOutcome& outcome) {
  outcome = SearchOutcome();
  search_.control = &control;
  search_.outcome = &outcome;
  search_.start_clock();
  Status status = run_to_end();
  if (owners_.on()) status = owners_.finish(status);
  search_.note_times(outcome.stats);
  logs_.close();
  return status;
}

Status PartEngine::run_to_end() {
  SearchOutcome& outcome = *search_.outcome;
  SearchStats& s = outcome.stats;
  s.states = s.transitions = s.deadlocks = s.expansions = s.error_steps = 0;
  if (search_.model.buchi) s.accepting = 0;
  s.state_bytes = search_.model.state_bytes;
  s.ram_used = memory_.table_region.size() + cache_region_.size() + memory_.origins_region.size();
  start_memory();
  XMC_TRY(logs_.open(search_.options));
  const Manifest* const resume = search_.options.resume;
  XMC_TRY(resume != nullptr ? restore_checkpoint(*resume) : begin());
  Status status = search();
  if (owners_.on()) {
    owners_.leave(status);
    if (owners_.broken()) return status;
  }
  const StopReason stop = status.take_stop();
  XMC_TRY(status);
  s.states = logs_.journal.keys();
  search_.note_payload(logs_.journal.keys() * s.state_bytes, logs_.journal.keys());
  outcome.stop = stop;
  outcome.complete = stop == StopReason::none && !over();
  if (stop != StopReason::none) XMC_TRY(checkpoint());
  if (outcome.violation != Violation::none) XMC_TRY(take_path());
  if (search_.model.buchi && outcome.complete && outcome.violation == Violation::none) {
    outcome.complete = false;
    outcome.stop = StopReason::cycles;
  }
  return {};
}

// One that was stopped is found again by a run that goes on.
Status PartEngine::take_path() {
  Status status = find_path();
  const StopReason late = status.take_stop();
  XMC_TRY(status);
  if (late == StopReason::none) return {};
  if (owners_.on() && owners_.broken()) return Status::stop(late);
  SearchOutcome& outcome = *search_.outcome;
  outcome.path_missing = true;
  outcome.complete = false;
  if (outcome.stop != StopReason::none) return {};
  XMC_TRY(checkpoint());
  outcome.stop = late;
  return {};
}

void PartEngine::start_memory() {
  memory_.start();
  lately_queued_.init(cache_region_, search_.model.state_words, search_.model.state_bytes);
  successors_.fill = successors_.moved_count = away_.count = 0;
  activations_ = 0;
  culprit_ = kNoState;
  draining_ = dividing_ = false;
}

Status PartEngine::search() {
  if (owners_.on()) return search_divided();
  while (!over()) {
    const PartMemory::Residents residents = memory_.choose();
    if (residents.count == 0) break;
    if (residents.classes > 1 && logs_.may_split()) {
      XMC_TRY(memory_.split_image(residents.leaf[0]));
      XMC_TRY(poll());
      continue;
    }
    XMC_TRY(activate(residents));
    Checkpointer* const checkpoints = search_.options.checkpoints;
    if (checkpoints != nullptr && checkpoints->due(true)) XMC_TRY(checkpoint());
  }
  return {};
}

Status PartEngine::begin() {
  logs_.begin();
  if (owners_.on()) XMC_TRY(owners_.choose_fields(memory_.table_region));
  const u32 count = search_.initial();
  for (u32 i = 0; i < count; ++i) {
    if (owners_.on() && !owners_.is_mine(search_.buffer_at(i))) continue;
    XMC_TRY(logs_.append_pending(0, search_.buffer_at(i), kNoState << kStepBits | i));
  }
  return {};
}

Status PartEngine::poll() {
  if (owners_.on()) return owners_.poll(activations_);
  Progress progress;
  progress.states = logs_.journal.keys();
  progress.level = activations_;
  progress.level_states = logs_.journal.keys();
  progress.ram_used = memory_.table_region.size();
  return search_.poll(progress);
}

}  // namespace xmc
