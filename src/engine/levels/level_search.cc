#include "engine/levels/level_search.h"

#include <algorithm>

#include "store/checkpoint/manifest.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// From this memory on the queue is read ahead and written behind, with a second slot for either.
// Below it the states need the room more (at.3 at 4M: 0.9 of the time).
constexpr u64 kRoomForTwo = 2 << 20;

// With this many slots for the reader and the writer of the queue.
u64 common_bytes(const Model& model, u64 slots) {
  return u64{Search::buffer_states_for(model)} * model.state_words * sizeof(Word) +
         LevelExpander::bytes_for(model) + (2 * slots + 1) * KeyFile::kSlotBytes + 3 * kPageBytes +
         9 * kLineBytes;
}

}  // namespace

// --- Plan -------------------------------------------------------------------------------------

// A buffer, and the least that aside_bytes() can be taken from.
u64 LevelSearch::finder_bytes() const {
  return frontier_.finder == nullptr ? 0 : 4 * KeyFile::kSlotBytes + kPageBytes;
}

u64 LevelSearch::minimum_bytes(const Model& model, const SearchOptions& options) const {
  return Crew::is_needed(options) ? Crew::minimum_bytes(*this, model, options)
                                  : minimum_alone(model, options);
}

u64 LevelSearch::minimum_alone(const Model& model, const SearchOptions& options) const {
  return common_bytes(model, 1) + LevelOwners::bytes_for(options) + finder_bytes() +
         BlockExpander::least_bytes(model, options) + set_.own_bytes(model, options) +
         (table_ == nullptr ? 0 : TablePhase::bytes_for(model)) +
         round_up(set_.least_region(model, options), kLineBytes);
}

Status LevelSearch::plan(const Model& model, const SearchOptions& options, Arena& arena) {
  if (model.buchi && !options.full && frontier_.finder == nullptr) {
    return Status::fail(Code::unsupported,
                        "engine '%s' does not look for accepting cycles; use --engine ram, or "
                        "--full to count the states of the product",
                        name());
  }
  crew_ = nullptr;
  if (!Crew::is_needed(options)) return plan_alone(model, options, arena);
  crew_ = Crew::make(*this, model, options, arena);
  return crew_->plan();  // this one as well, for its own part
}

void LevelSearch::join(const CrewMember& first, Arena& arena) {
  CycleFinder* const finder = static_cast<const LevelSearch&>(first).frontier_.finder;
  if (finder == nullptr) return;
  frontier_.finder =
      finder->make_another(arena.carve("owners", finder->object_bytes(), kLineBytes));
}

Status LevelSearch::plan_alone(const Model& model, const SearchOptions& options, Arena& arena) {
  XMC_CHECK(options.folder != nullptr);
  XMC_CHECK(arena.free_bytes() >= minimum_alone(model, options));
  XMC_CHECK(options.signature_bits == 0 || traits().takes_signature);
  const u64 given = arena.free_bytes();
  Search& search = frontier_.search;
  search = Search();
  search.model = model;
  search.options = options;
  frontier_.signature = Signature(options.signature_bits);
  frontier_.memory = {};
  frontier_.at = {};
  frontier_.files.start(options.folder);
  frontier_.set = &set_;
  frontier_.ahead = &look_;
  frontier_.path = &path_;
  set_.attach(frontier_);
  frontier_.owners.plan(
      frontier_,
      {this, [](void* self, Word* states,
                u32 count) { return static_cast<LevelSearch*>(self)->take(states, count); }},
      arena);
  search.buffer_states = Search::buffer_states_for(model);
  const u64 words = u64{search.buffer_states} * model.state_words;
  search.buffer = arena.carve_array<Word>("successors", words, kLineBytes).data();
  expander_.plan(frontier_, arena);
  look_.plan(frontier_, expander_);
  path_.plan(frontier_);
  const u64 slots = arena.free_bytes() >= kRoomForTwo ? 2 : 1;
  carve_buffers(arena, slots);
  search.ahead.plan(model, options, arena);
  set_.plan(arena);
  if (table_ != nullptr) table_->plan(frontier_, arena);
  carve_region(arena);
  search.fixed_bytes = given - frontier_.memory.all().size();
  return {};
}

void LevelSearch::carve_buffers(Arena& arena, u64 slots) {
  const auto carve = [&](u64 count) {
    return arena.carve_array<u8>("I/O buffers", count * KeyFile::kSlotBytes, kPageBytes);
  };
  LevelMemory& memory = frontier_.memory;
  memory.write_buffer = carve(slots);
  memory.read_buffer = carve(slots);
  memory.scan_buffer = carve(1);
  if (frontier_.finder != nullptr) memory.finder_buffer = carve(1);
}

// What the finder wants of the memory, but that the set has the least that it needs.
u64 LevelSearch::aside_of(u64 memory) const {
  const CycleFinder& finder = *frontier_.finder;
  const Search& search = frontier_.search;
  const u64 region = round_up(set_.least_region(search.model, search.options), kPageBytes);
  const u64 most = std::max(memory - std::min(memory, region), finder.least_aside_bytes());
  return std::min(finder.aside_bytes(memory), most);
}

void LevelSearch::carve_region(Arena& arena) {
  const CycleFinder* const finder = frontier_.finder;
  LevelMemory& memory = frontier_.memory;
  const u64 rest =
      round_down(arena.free_bytes() - kPageBytes, finder == nullptr ? kLineBytes : kPageBytes);
  memory.region = arena.carve_array<u8>("states", rest, kPageBytes);
  const u64 aside = finder == nullptr ? 0 : round_down(aside_of(rest), kPageBytes);
  memory.aside = memory.region.last(static_cast<std::size_t>(aside));
  memory.region = memory.region.first(memory.region.size() - memory.aside.size());
}

// --- Run --------------------------------------------------------------------------------------

// A limit of states is for one who counts all of them. Who looks for cycles in a divided product
// says so (cycle_engine.h).
bool LevelSearch::divides(const Model& model, const SearchOptions& options) const {
  return can_divide() && !model.buchi && model.live_count == 0 && frontier_.finder == nullptr &&
         options.state_limit == ~u64{0};
}

Status LevelSearch::run(const RunControl& control, SearchOutcome& outcome) {
  return crew_ != nullptr ? crew_->run(control, outcome) : run_alone(control, outcome);
}

Status LevelSearch::run_alone(const RunControl& control, SearchOutcome& outcome) {
  outcome = SearchOutcome();
  frontier_.search.control = &control;
  frontier_.search.outcome = &outcome;
  frontier_.search.start_clock();
  Status status = run_to_end(outcome);
  if (frontier_.owners.on()) status = frontier_.owners.finish(status);
  if (frontier_.finder != nullptr) {
    const Status closed = frontier_.finder->close(frontier_.folder());
    if (status.ok()) status = closed;
  }
  frontier_.files.close_all();
  frontier_.search.note_times(outcome.stats);  // the last blocks may have been waited for
  return status;
}

Status LevelSearch::run_to_end(SearchOutcome& outcome) {
  SearchStats& s = outcome.stats;
  s.states = s.transitions = s.deadlocks = s.expansions = s.error_steps = 0;
  if (frontier_.search.model.buchi) s.accepting = 0;
  s.state_bytes = frontier_.search.model.state_bytes;
  frontier_.in_table.forget();
  if (table_ != nullptr) table_->forget();
  const Manifest* const resume = frontier_.search.options.resume;
  Status status = resume != nullptr ? restore_checkpoint(*resume) : start();
  const StopReason stop = status.take_stop();
  XMC_TRY(status);
  if (ended_in_table()) return {};
  if (!path_.found()) XMC_TRY(search_to_end(stop, resume != nullptr));
  return outcome.violation == Violation::none ? Status() : path_.take(outcome.stop);
}

Status LevelSearch::start() {
  LevelOwners& owners = frontier_.owners;
  if (owners.on()) XMC_TRY(owners.choose_fields(frontier_.memory.region));
  if (table_ == nullptr) return start_set();
  if (owners.on()) return table_->start_owned();
  XMC_TRY(table_->run());
  return !table_->ended() && table_->handed_over() ? set_.begin() : Status();
}

Status LevelSearch::start_set() {
  XMC_TRY(frontier_.open_queue());
  XMC_TRY(set_.begin());
  const u32 count = frontier_.initial_states();
  frontier_.at.enqueue_level = 0;
  Status status = set_.take(count);
  if (status.ok()) status = set_.settle(true);
  frontier_.at.end = frontier_.queue.keys();
  frontier_.set_resume_point();
  return status;
}

Status LevelSearch::search_to_end(StopReason stop, bool resumed) {
  Search& search = frontier_.search;
  SearchOutcome& outcome = *search.outcome;
  // The checkpoint that a run came from stands until its set is there again.
  bool ready = !resumed || stop == StopReason::none;
  Status status = Status::stop(stop);
  if (status.ok()) status = this->search();
  if (frontier_.owners.on()) {
    frontier_.owners.leave(status);
    ready = ready && !frontier_.owners.broken();
  }
  outcome.stats.states = set_.states();
  outcome.stats.ram_used = frontier_.memory.region.size();
  if (status.ok() && !frontier_.over()) status = set_.conclude();
  const bool to_the_end = status.ok() && !frontier_.over();
  if (frontier_.owners.on()) frontier_.owners.leave(status);
  if (to_the_end && frontier_.finder != nullptr && outcome.violation == Violation::none) {
    outcome.complete = true;
    status = frontier_.search_cycles();
    if (frontier_.owners.on()) {
      frontier_.owners.leave(status);
      ready = ready && !frontier_.owners.broken();
    }
  }
  outcome.stop = stop = status.take_stop();
  XMC_TRY(status);
  outcome.complete = to_the_end && stop == StopReason::none;
  search.note_payload(frontier_.queue.bytes(), frontier_.queue.keys());
  if (outcome.path_missing && table_ != nullptr && table_->only_path_left()) {
    path_.set_found(!frontier_.over());
  } else if (stop == StopReason::none) {
    path_.set_found(outcome.complete);
  }
  if (!path_.found() && stop != StopReason::ram && ready) XMC_TRY(frontier_.checkpoint());
  if (stop == StopReason::ram) {
    outcome.ram_needed_bytes =
        std::max(outcome.ram_needed_bytes, search.fixed_bytes + frontier_.memory.all().size() + 1);
  }
  if (!path_.found_complete() && !set_.counts_are_exact()) forget_counts();
  if (search.model.buchi && frontier_.finder == nullptr && outcome.complete &&
      outcome.violation == Violation::none) {
    // The states of the product are counted, but nothing is known about its cycles.
    outcome.complete = false;
    outcome.stop = StopReason::cycles;
  }
  return {};
}

void LevelSearch::forget_counts() {
  SearchStats& s = frontier_.search.stats();
  s.states = s.transitions = s.deadlocks = s.error_steps = kNoFigure;
  if (frontier_.search.model.buchi) s.accepting = kNoFigure;
}

void LevelSearch::path_state(u64 i, Word* out) {
  ended_in_table() ? table_->path_state(i, out) : path_.state(i, out);
}

// --- Levels -----------------------------------------------------------------------------------

Status LevelSearch::search() {
  if (frontier_.owners.on()) return search_divided();
  const PhaseClock::Scope scope(frontier_.search.clock, Phase::expansion);
  LevelPlace& at = frontier_.at;
  bool done = frontier_.over();
  if (!done && at.next == at.end) XMC_TRY(next_level(done));
  if (!done) XMC_TRY(frontier_.reader.seek_key(at.next));
  while (!done && !frontier_.over()) {
    frontier_.search.stats().levels = at.level + 1;
    at.enqueue_level = at.level + 1;
    at.last = at.level >= frontier_.search.options.depth_limit;
    const u64 level_states = at.end - at.begin;
    XMC_TRY(expand_level());
    if (frontier_.over()) return {};
    XMC_TRY(frontier_.poll(level_states, true));
    if (at.left_out) return Status::stop(StopReason::depth_limit);
    XMC_TRY(next_level(done));
  }
  return {};
}

Status LevelSearch::next_level(bool& done) {
  LevelPlace& at = frontier_.at;
  at.judged = true;
  done = frontier_.queue.keys() == at.end || frontier_.over();
  if (done) return {};
  XMC_TRY(frontier_.search_prefix(at.end));
  if (frontier_.over()) return {};
  at.begin = at.end;
  at.end = frontier_.queue.keys();
  ++at.level;
  at.judged = false;
  frontier_.set_resume_point();
  return checkpoint_if_due(true);
}

Status LevelSearch::expand_level() {
  const Status status = expand_states();
  expander_.end_level();
  XMC_TRY(status);
  frontier_.at.judged = frontier_.at.next == frontier_.at.end;
  if (frontier_.over()) return {};
  XMC_TRY(flush_buffer());
  XMC_TRY(path_.keep());
  const LookAhead::Scope look(look_, LookAhead::At::next_level);
  XMC_TRY(set_.settle(true));
  if (!frontier_.at.last) frontier_.set_resume_point();
  return {};
}

Status LevelSearch::expand_states() {
  Search& search = frontier_.search;
  LevelPlace& at = frontier_.at;
  const u32 words = search.model.state_words;
  const u64 level_states = at.end - at.next;
  if (look_.count() > 0) {
    look_.absorb();
    const LookAhead::Scope look(look_, LookAhead::At::this_level);
    XMC_TRY(set_.take(0));  // the room may have been used up
  }
  while (at.next < at.end && !frontier_.over() && !frontier_.owners.wants_round()) {
    expander_.choose_threads(at.end - at.next);
    const Word* state = nullptr;
    Expansion expansion;
    if (const Status next = expander_.next(at.next, at.end, state, expansion); !next.ok()) {
      const bool meets = frontier_.owners.on() && next.stop_reason() != StopReason::none;
      return meets ? meet_before(next, level_states) : next;
    }
    ++at.next;
    const Violation violation = search.judge(state, expansion, expander_.fill());
    expander_.add_fill(expansion.count);
    if (search.is_nearer(violation, at.level)) {
      if (frontier_.owners.on()) {
        frontier_.owners.culprit.take_violation(state, words, violation, expansion);
      } else {
        search.record(violation, expansion, at.level);
        std::copy_n(state, words, frontier_.culprit);
      }
      if (frontier_.over()) return {};
    }
    if (expander_.fill() >= Search::kCollect) {
      const LookAhead::Scope look(look_, LookAhead::At::this_level);
      XMC_TRY(flush_buffer());
    }
    if (--search.poll_countdown != 0) continue;
    search.poll_countdown = Search::kPollInterval;
    XMC_TRY(frontier_.poll(level_states, false));
    if (!frontier_.owners.on()) XMC_TRY(checkpoint_if_due(false));
  }
  return {};
}

// The run is to stop in front of a state that does not end: owner 0 has all of them stop together.
// It does not know the limit that another process has come to.
Status LevelSearch::meet_before(const Status& stop, u64 level_states) {
  if (frontier_.owners.talks()) return frontier_.poll(level_states, false);
  return stop.stop_reason() == StopReason::step_limit ? stop : Status();
}

Status LevelSearch::flush_buffer() {
  const u32 count = expander_.take_fill();
  if (frontier_.owners.on()) return share_out(count);
  if (count == 0 || frontier_.search.only_judges()) return {};
  if (frontier_.at.last && frontier_.at.left_out) return {};
  frontier_.search.clock.turn_to(Phase::insertion);
  const Status status = set_.take(count);
  frontier_.search.clock.turn_to(Phase::generation);
  return status;
}

// --- Checkpoints ------------------------------------------------------------------------------

Status LevelSearch::checkpoint_if_due(bool level_end) {
  Checkpointer* const checkpoints = frontier_.search.options.checkpoints;
  if (checkpoints == nullptr || frontier_.at.last || !checkpoints->due(level_end)) return {};
  if (!level_end) {
    XMC_TRY(flush_buffer());
    XMC_TRY(set_.settle(false));
    frontier_.set_resume_point();
  }
  return frontier_.checkpoint();
}

Status LevelSearch::restore_checkpoint(const Manifest& manifest) {
  Lines io = Lines::of(manifest);
  const bool on_path = LevelPath::is_in(io);
  if (on_path) forget_counts();
  if (frontier_.search.options.divide_anew) {
    XMC_TRY(divide_anew());
    const bool path = on_path && !forget_cycle();
    return path ? path_.begin_anew(io) : set_.restore(io);
  }
  XMC_TRY(frontier_.restore_place(io, on_path));
  if (on_path) return path_.restore(io);
  CycleFinder* const finder = frontier_.finder;
  const u64 expanded = frontier_.at.next;
  if (finder != nullptr) {
    XMC_TRY(finder->restore(io, frontier_.product(expanded, frontier_.memory.aside)));
  }
  // A search that is through needs its set no more, but perhaps for figures.
  bool through = finder != nullptr && expanded == frontier_.queue.keys() && !set_.concludes();
  if (frontier_.owners.on()) {
    u64 busy[] = {through ? u64{0} : 1};
    XMC_TRY(add_up(frontier_.owners.peers(), busy));
    through = busy[0] == 0;
  }
  return through ? Status() : set_.restore(io);
}

}  // namespace xmc
