#include "engine/part/part.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// A model without variables has one state of no bits.
StateTable::Shape shape_of(const Model& model) {
  return {model.state_words, std::max(model.state_bytes, 1u), false};
}

// Buffers whose size the model decides.
u64 buffer_bytes(const Model& model) {
  const u64 states = Search::buffer_states_for(model);
  const u64 own = states + Search::kCollect + CacheTable::kBatch;
  return own * (model.state_words * sizeof(Word) + sizeof(u64)) +
         (states + 1) * (sizeof(u32) + sizeof(u16)) + 7 * kLineBytes;
}

u64 least_region(const Model& model) {
  const u64 states = u64{4} * Search::buffer_states_for(model);
  return StateTable::minimum_bytes(shape_of(model)) + states * (model.state_bytes + 24) * 2;
}

}  // namespace

// --- Plan -------------------------------------------------------------------------------------

u64 PartEngine::minimum_bytes(const Model& model, const SearchOptions& options) const {
  return BlockExpander::least_bytes(model, options) + buffer_bytes(model) +
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
  XMC_CHECK(options.folder != nullptr);
  XMC_CHECK(arena.free_bytes() >= minimum_bytes(model, options));
  search_ = Search();
  search_.model = model;
  search_.options = options;
  search_.buffer_states = Search::buffer_states_for(model);
  search_.fixed_bytes = minimum_bytes(model, options) - least_region(model);
  plan_buffers(arena);
  split_choice_.plan(model, arena);
  const u64 before_ahead = arena.carved_bytes();
  search_.ahead.plan(model, options, arena);
  search_.fixed_bytes +=
      arena.carved_bytes() - before_ahead - BlockExpander::least_bytes(model, options);
  logs_.plan(model, options, arena);
  plan_regions(arena);
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
}

// A byte for the origin of each state: enough if half of them wait. Where there is no room,
// candidates go to the file that could have been expanded at once: elevator_planning.2 takes 1.7
// times the time when an eighth of the states may wait.
void PartEngine::plan_regions(Arena& arena) {
  const u64 rest = round_down(arena.free_bytes() - 4 * kLineBytes, kLineBytes);
  const u64 per_state = u64{search_.model.state_bytes} + 5 + 1;
  const u64 ring =
      std::max<u64>(rest / per_state, 4 * StateTable::kBatch * OriginQueue::kMostBytes);
  regions_.origins = arena.carve_array<u8>("origins", ring, kLineBytes);
  const u64 cache = round_down(rest / 12, kLineBytes);
  regions_.cache = arena.carve_array<u8>("queued lately", cache, kLineBytes);
  const u64 table = round_down(arena.free_bytes() - kLineBytes, kLineBytes);
  regions_.table = arena.carve_array<u8>("states", table, kLineBytes);
}

// --- Run --------------------------------------------------------------------------------------

bool PartEngine::over() const {
  return search_.outcome->violation != Violation::none && !search_.options.full;
}

Status PartEngine::run(const RunControl& control, SearchOutcome& outcome) {
  outcome = SearchOutcome();
  search_.control = &control;
  search_.outcome = &outcome;
  search_.start_clock();
  const Status status = run_to_end();
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
  s.ram_used = regions_.table.size() + regions_.cache.size() + regions_.origins.size();
  start_memory();
  XMC_TRY(logs_.open(search_.options));
  const Manifest* const resume = search_.options.resume;
  XMC_TRY(resume != nullptr ? restore_checkpoint(*resume) : begin());
  Status status = search();
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
  SearchOutcome& outcome = *search_.outcome;
  outcome.path_missing = true;
  outcome.complete = false;
  if (outcome.stop != StopReason::none) return {};
  XMC_TRY(checkpoint());
  outcome.stop = late;
  return {};
}

StateTable::Shape PartEngine::table_shape() const { return shape_of(search_.model); }

void PartEngine::start_memory() {
  table_ = StateTable();
  table_.init(regions_.table, table_shape());
  capacity_ = table_.states_in(regions_.table.size() / 50 * 49);
  origins_.start(regions_.origins);
  lately_queued_.init(regions_.cache, search_.model.state_words, search_.model.state_bytes);
  successors_.fill = successors_.moved_count = away_.count = 0;
  activations_ = 0;
  culprit_ = kNoState;
}

Status PartEngine::search() {
  while (!over()) {
    const Residents residents = choose();
    if (residents.count == 0) break;
    if (residents.classes > 1 && logs_.may_split()) {
      XMC_TRY(split_image(residents.leaf[0]));
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
  const u32 count = search_.initial();
  for (u32 i = 0; i < count; ++i) {
    XMC_TRY(logs_.append_pending(0, search_.buffer_at(i), kNoState << kStepBits | i));
  }
  return {};
}

// The partition with the longest queue for its size, since it has to be loaded; and as many of the
// next ones as fit beside it.
PartEngine::Residents PartEngine::choose() const {
  Residents r;
  bool taken[PartitionTree::kMostNodes] = {};
  const u32 nodes = logs_.tree.nodes();
  const ChainLog& pending = logs_.pending;
  const ImageLog::Chain* const images = logs_.images;
  const auto pays_more = [&](u32 a, u32 b) {
    const u64 least = capacity_ / 16;
    return pending.keys(a) * (images[b].states + least) >
           pending.keys(b) * (images[a].states + least);
  };
  u64 states = 0;
  while (r.count < kMostResidents) {
    u32 best = nodes;
    for (u32 p = 0; p < nodes; ++p) {
      if (pending.keys(p) == 0 || taken[p]) continue;
      if (best == nodes || pays_more(p, best)) best = p;
    }
    if (best == nodes) return r;
    // Room for what will be new.
    const u64 more = images[best].states + std::min(pending.keys(best), capacity_ / 4);
    if (r.count > 0 && states + more > capacity_ / 10 * 8) return r;
    taken[best] = true;
    r.leaf[r.count++] = best;
    states += more;
    const bool fits = images[best].states <= capacity_;
    if (r.count == 1 && (!fits || (!logs_.may_split() && states > capacity_ / 10 * 8))) {
      r.classes = static_cast<u32>(divide_up(images[best].states * 2, capacity_)) + 1;
      return r;
    }
  }
  return r;
}

Status PartEngine::poll() {
  Progress progress;
  progress.states = logs_.journal.keys();
  progress.level = activations_;
  progress.level_states = logs_.journal.keys();
  progress.ram_used = regions_.table.size();
  return search_.poll(progress);
}

}  // namespace xmc
