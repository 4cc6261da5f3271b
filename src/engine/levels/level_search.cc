#include "engine/levels/level_search.h"

#include <algorithm>
#include <iterator>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// States that are read from the queue at a time.
constexpr u32 kAhead = 64;

// From this memory on the queue is read ahead and written behind, with a second slot for either.
// Below it the states need the room more (at.3 at 4M: 0.9 of the time).
constexpr u64 kRoomForTwo = 2 << 20;

u64 buffer_states(const Model& model) { return u64{Search::kCollect} + model.max_successors; }

// With this many slots for the reader and the writer of the queue.
u64 common_bytes(const Model& model, u64 slots) {
  return (buffer_states(model) + kAhead) * model.state_words * sizeof(Word) +
         (2 * slots + 1) * KeyFile::kSlotBytes + 3 * kPageBytes + 9 * kLineBytes;
}

}  // namespace

StateTable::Shape LevelSearch::shape_of(const Model& model, bool notes) {
  return {model.state_words, std::max(model.state_bytes, 1u), notes};
}

// A buffer, and the least that aside_bytes() can be taken from.
u64 LevelSearch::finder_bytes() const {
  return finder_ == nullptr ? 0 : 4 * KeyFile::kSlotBytes + kPageBytes;
}

u64 LevelSearch::minimum_bytes(const Model& model, const SearchOptions& options) const {
  return common_bytes(model, 1) + finder_bytes() + BlockExpander::least_bytes(model, options) +
         own_bytes(model, options) + round_up(least_region(model, options), kLineBytes);
}

Status LevelSearch::plan(const Model& model, const SearchOptions& options, Arena& arena) {
  if (model.buchi && !options.full && finder_ == nullptr) {
    return Status::fail(Code::unsupported,
                        "engine '%s' does not look for accepting cycles; use --engine ram, or "
                        "--full to count the states of the product",
                        name());
  }
  XMC_CHECK(options.folder != nullptr);
  XMC_CHECK(arena.free_bytes() >= minimum_bytes(model, options));
  search_ = Search();
  level_ = enqueue_level_ = level_begin_ = level_end_ = next_ = 0;
  fill_ = ahead_ = ahead_end_ = 0;
  last_level_ = left_out_ = on_blocks_ = false;
  look_ = {};
  on_file_ = true;
  found_ = found_complete_ = false;
  path_left_ = kNoPath;
  path_number_ = 0;
  search_.model = model;
  search_.options = options;
  XMC_CHECK(options.signature_bits == 0 || takes_signature());
  signature_ = Signature(options.signature_bits);
  search_.buffer_states = static_cast<u32>(buffer_states(model));
  const u64 buffer_words = buffer_states(model) * model.state_words;
  search_.buffer = arena.carve_array<Word>("successors", buffer_words, kLineBytes).data();
  ahead_states_ =
      arena.carve_array<Word>("successors", u64{kAhead} * model.state_words, kLineBytes).data();
  const u64 slots = arena.free_bytes() >= kRoomForTwo ? 2 : 1;
  write_buffer_ = arena.carve_array<u8>("I/O buffers", slots * KeyFile::kSlotBytes, kPageBytes);
  read_buffer_ = arena.carve_array<u8>("I/O buffers", slots * KeyFile::kSlotBytes, kPageBytes);
  scan_buffer_ = arena.carve_array<u8>("I/O buffers", KeyFile::kSlotBytes, kPageBytes);
  if (finder_ != nullptr) {
    finder_buffer_ = arena.carve_array<u8>("I/O buffers", KeyFile::kSlotBytes, kPageBytes);
  }
  const u64 before_ahead = arena.carved_bytes();
  search_.ahead.plan(model, options, arena);
  const u64 ahead_bytes = arena.carved_bytes() - before_ahead;
  plan_own(arena);
  search_.fixed_bytes = common_bytes(model, slots) + ahead_bytes + own_bytes(model, options);
  const u64 rest =
      round_down(arena.free_bytes() - kPageBytes, finder_ == nullptr ? kLineBytes : kPageBytes);
  region_ = arena.carve_array<u8>("states", rest, kPageBytes);
  const u64 aside = finder_ == nullptr ? 0 : round_down(finder_->aside_bytes(rest), kPageBytes);
  aside_ = region_.last(static_cast<std::size_t>(aside));
  region_ = region_.first(region_.size() - aside_.size());
  return {};
}

// A violation ends the search unless everything is to be explored.
bool LevelSearch::over() const {
  return search_.outcome->violation != Violation::none && !search_.options.full;
}

Status LevelSearch::run(const RunControl& control, SearchOutcome& outcome) {
  Status status = run_to_end(control, outcome);
  if (const Status closed = close_store(); status.ok()) status = closed;
  for (OpenFile& file : open_) {
    if (file.device != nullptr) close_file(file.name);
  }
  search_.note_times(outcome.stats);  // the last blocks may have been waited for
  return status;
}

Result<Device*> LevelSearch::open_file(const char* name, Folder::Open how) {
  const Result<Device*> device = folder().open(name, how);
  if (!device.ok()) return device;
  for (OpenFile& file : open_) {
    if (file.device != nullptr) continue;
    file = {name, device.value()};
    return device;
  }
  XMC_CHECK(false);
  return device;
}

void LevelSearch::close_file(const char* name) {
  for (OpenFile& file : open_) {
    if (file.device == nullptr || std::string_view(file.name) != name) continue;
    folder().close(file.device);
    file = {};
  }
}

Status LevelSearch::run_to_end(const RunControl& control, SearchOutcome& outcome) {
  outcome = SearchOutcome();
  search_.control = &control;
  search_.outcome = &outcome;
  search_.start_clock();
  SearchStats& s = stats();
  s.states = s.transitions = s.deadlocks = s.expansions = s.error_steps = 0;
  if (search_.model.buchi) s.accepting = 0;
  s.state_bytes = search_.model.state_bytes;
  StopReason stop = StopReason::none;
  const bool resumed = search_.options.resume != nullptr;
  XMC_TRY(take_stop(resumed ? restore(*search_.options.resume) : start(stop), stop));
  if (!on_file_) return {};
  if (!found_) XMC_TRY(search_to_end(stop, resumed));
  return outcome.violation == Violation::none ? Status() : take_path(outcome.stop);
}

Status LevelSearch::search_to_end(StopReason stop, bool resumed) {
  SearchOutcome& outcome = *search_.outcome;
  SearchStats& s = stats();
  // The checkpoint that a run came from stands until its set is there again.
  const bool ready = !resumed || stop == StopReason::none;
  if (stop == StopReason::none) XMC_TRY(take_stop(search(stop), stop));
  s.states = states();
  s.ram_used = region_.size();
  if (stop == StopReason::none && !over()) XMC_TRY(take_stop(conclude(), stop));
  outcome.stop = stop;
  outcome.complete = stop == StopReason::none && !over();
  if (outcome.complete && finder_ != nullptr && outcome.violation == Violation::none) {
    XMC_TRY(search_cycles(stop));
    outcome.stop = stop;
    outcome.complete = stop == StopReason::none;
  }
  search_.note_payload(queue_.bytes(), queue_.keys());
  // The search in the table may have been stopped on its path.
  const bool on_path = outcome.path_missing && search_.hand_over.through;
  found_ = stop == StopReason::none || on_path;
  found_complete_ = on_path ? !over() : outcome.complete;
  if (!found_ && stop != StopReason::ram && ready) XMC_TRY(checkpoint());
  if (stop == StopReason::ram) outcome.ram_needed_bytes = search_.fixed_bytes + region_.size() + 1;
  if (!found_complete_ && !counts_are_exact()) forget_counts();
  if (search_.model.buchi && finder_ == nullptr && outcome.complete &&
      outcome.violation == Violation::none) {
    // The states of the product are counted, but nothing is known about its cycles.
    outcome.complete = false;
    outcome.stop = StopReason::cycles;
  }
  return {};
}

void LevelSearch::forget_counts() {
  SearchStats& s = stats();
  s.states = s.transitions = s.deadlocks = s.error_steps = kNoFigure;
  if (search_.model.buchi) s.accepting = kNoFigure;
}

Status LevelSearch::open_queue() {
  XMC_LET(Device* const device, open_file(kQueueFile, Folder::Open::create));
  queue_.start(device, kQueueFile, Purpose::queue, search_.model.state_words, write_buffer_);
  reader_.start(queue_, read_buffer_);
  return {};
}

Status LevelSearch::start(StopReason& stop) {
  XMC_TRY(open_queue());
  XMC_TRY(begin_store());
  SuccessorBuffer out;
  out.states = search_.buffer;
  out.capacity = search_.buffer_states;
  const u32 count = search_.model.initial(search_.model.self, out);
  XMC_CHECK(count >= 1 && count <= search_.buffer_states);
  enqueue_level_ = 0;
  XMC_TRY(take(count, stop));
  if (stop == StopReason::none) XMC_TRY(settle(true, stop));
  level_end_ = queue_.keys();
  mark();
  return {};
}

Status LevelSearch::enqueue(const Word* state, StopReason& stop) {
  // States at the depth limit are judged, nothing is stored behind them.
  if (last_level_) {
    left_out_ = true;
    return {};
  }
  if (queue_.keys() >= search_.options.state_limit) {
    stop = StopReason::state_limit;
    return {};
  }
  return queue_.append(state, enqueue_level_);
}

Status LevelSearch::flush_buffer(StopReason& stop) {
  const u32 count = fill_;
  fill_ = 0;
  if (count == 0 || (last_level_ && left_out_)) return {};
  search_.clock.turn_to(Phase::insertion);
  const Status status = take(count, stop);
  search_.clock.turn_to(Phase::generation);
  return status;
}

Status LevelSearch::read_ahead() {
  search_.clock.next_round();
  search_.clock.turn_to(Phase::queueing);
  ahead_ = 0;
  ahead_end_ = static_cast<u32>(std::min<u64>(kAhead, readable_end() - position()));
  for (u32 i = 0; i < ahead_end_; ++i) {
    XMC_LET(const bool more, reader_.next(ahead_states_ + u64{i} * search_.model.state_words));
    XMC_CHECK(more);
  }
  search_.clock.turn_to(Phase::generation);
  return {};
}

Status LevelSearch::expand_level(StopReason& stop) {
  const Status status = expand_states(stop);
  search_.ahead.discard();
  on_blocks_ = false;
  XMC_TRY(status);
  if (over()) return {};
  if (stop == StopReason::none) XMC_TRY(flush_buffer(stop));
  look_.at = LookAt::next_level;
  if (stop == StopReason::none) XMC_TRY(settle(true, stop));
  look_.at = LookAt::nothing;
  if (stop == StopReason::none && !last_level_) mark();
  return {};
}

// The state at position(), and its successors behind those that wait.
Status LevelSearch::expand_next(const Word*& state, Expansion& expansion) {
  const u32 words = search_.model.state_words;
  if (on_blocks_) {
    BlockExpander& blocks = search_.ahead;
    if (blocks.has_room()) {
      XMC_TRY(blocks.fill(level_end_ - position() - blocks.waiting(), [&](Word* to) {
        const Result<bool> more = reader_.next(to);
        XMC_CHECK(!more.ok() || more.value());
        return more.ok() ? Status() : more.status();
      }));
    }
    state = search_.state;
    expansion = search_.expand_ahead(fill_);
    return {};
  }
  if (ahead_ == ahead_end_) XMC_TRY(read_ahead());
  state = ahead_states_ + u64{ahead_++} * words;
  expansion = search_.expand_state(state, fill_);
  return {};
}

Status LevelSearch::expand_states(StopReason& stop) {
  const u32 words = search_.model.state_words;
  const u64 level_states = level_end_ - next_;
  if (look_.count > 0) {
    absorb();
    look_.at = LookAt::this_level;
    XMC_TRY(take(0, stop));  // the room may have been used up
    look_.at = LookAt::nothing;
  }
  while (next_ < level_end_ && stop == StopReason::none && !over()) {
    // What was read ahead is expanded first.
    if (!on_blocks_ && ahead_ == ahead_end_) on_blocks_ = search_.ahead.pays(level_end_ - next_);
    const Word* state = nullptr;
    Expansion expansion;
    XMC_TRY(expand_next(state, expansion));
    ++next_;
    const Violation violation = search_.judge(state, expansion, fill_);
    fill_ += expansion.count;
    if (violation != Violation::none && search_.outcome->violation == Violation::none) {
      search_.record(violation, expansion, level_);
      std::copy_n(state, words, culprit_);
      if (over()) return {};
    }
    if (fill_ >= Search::kCollect) {
      look_.at = LookAt::this_level;
      XMC_TRY(flush_buffer(stop));
      look_.at = LookAt::nothing;
    }
    if (stop != StopReason::none || --search_.poll_countdown != 0) continue;
    search_.poll_countdown = Search::kPollInterval;
    stop = poll(level_states, false);
    if (stop == StopReason::none) XMC_TRY(checkpoint_if_due(false, stop));
  }
  return {};
}

Status LevelSearch::search(StopReason& stop) {
  const PhaseClock::Scope scope(search_.clock, Phase::expansion);
  bool done = over();
  if (!done && next_ == level_end_) XMC_TRY(next_level(stop, done));
  if (!done) XMC_TRY(reader_.seek_key(next_));
  while (!done && stop == StopReason::none && !over()) {
    stats().levels = level_ + 1;
    enqueue_level_ = level_ + 1;
    last_level_ = level_ >= search_.options.depth_limit;
    const u64 level_states = level_end_ - level_begin_;
    XMC_TRY(expand_level(stop));
    if (stop != StopReason::none || over()) return {};
    stop = poll(level_states, true);
    if (left_out_ && stop == StopReason::none) stop = StopReason::depth_limit;
    if (stop == StopReason::none) XMC_TRY(next_level(stop, done));
  }
  return {};
}

Status LevelSearch::next_level(StopReason& stop, bool& done) {
  done = queue_.keys() == level_end_;
  if (done) return {};
  XMC_TRY(search_prefix(level_end_, stop));
  if (stop != StopReason::none || over()) return {};
  level_begin_ = level_end_;
  level_end_ = queue_.keys();
  ++level_;
  mark();
  return checkpoint_if_due(true, stop);
}

Product LevelSearch::product(u64 expanded, std::span<u8> memory) {
  Product product;
  product.search = &search_;
  product.queue = &queue_;
  product.states = queue_.keys();
  product.expanded = expanded;
  product.folder = &folder();
  product.read_buffer = finder_buffer_;
  product.scan_buffer = scan_buffer_;
  product.memory = memory;
  product.aside = aside_.size();
  product.owner = this;
  product.checkpoint = [](void* self) { return static_cast<LevelSearch*>(self)->checkpoint(); };
  return product;
}

bool LevelSearch::reclaim_aside() {
  if (finder_ == nullptr || !finder_->looks_are_over(aside_.size())) return false;
  const std::size_t least = static_cast<std::size_t>(finder_->least_aside_bytes());
  if (aside_.size() <= least) return false;
  const std::size_t more = aside_.size() - least;
  region_ = {region_.data(), region_.size() + more};
  aside_ = aside_.subspan(more);
  reclaimed_ += more;
  reclaimed_in_all_ += more;
  return true;
}

Status LevelSearch::search_prefix(u64 expanded, StopReason& stop) {
  if (finder_ == nullptr || !finder_->wants(expanded, aside_.size())) return {};
  return finder_->search_prefix(product(expanded, aside_), stop);
}

// The memory of the visited set is free. A cycle is kept in what was set aside.
Status LevelSearch::search_cycles(StopReason& stop) {
  aside_ = {aside_.data() - reclaimed_, aside_.size() + static_cast<std::size_t>(reclaimed_)};
  region_ = region_.first(region_.size() - static_cast<std::size_t>(reclaimed_));
  reclaimed_ = 0;
  Product all = product(queue_.keys(), {region_.data(), region_.size() + aside_.size()});
  all.read_buffer = read_buffer_;
  XMC_TRY(finder_->search_all(all, stop));
  reader_.start(queue_, read_buffer_);
  return {};
}

u64 LevelSearch::now() const {
  return search_.options.now_ns == nullptr ? 0 : search_.options.now_ns();
}

u64 LevelSearch::busy_ns() const {
  return search_.options.now_ns == nullptr ? 0 : now() - search_.options.folder->wait_ns();
}

StopReason LevelSearch::poll(u64 level_states, bool level_done) {
  Progress progress;
  progress.states = states();
  progress.transitions = stats().transitions;
  progress.expanded = stats().expansions;
  progress.level = level_;
  progress.level_states = level_states;
  progress.level_done = level_done;
  progress.ram_used = region_.size();
  return (*search_.control)(progress);
}

GoOn LevelSearch::go_on() {
  return {this, [](void* self) {
            auto& search = *static_cast<LevelSearch*>(self);
            search.stopped_ = search.poll(search.level_end_ - search.next_, false);
            if (search.stopped_ == StopReason::none) return Status();
            return Status::fail(Code::stopped, "the search was told to stop");
          }};
}

Status LevelSearch::take_stop(const Status& status, StopReason& stop) const {
  if (status.code() != Code::stopped) return status;
  stop = stopped_;
  return {};
}

}  // namespace xmc
