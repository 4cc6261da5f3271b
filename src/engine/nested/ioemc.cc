#include "engine/nested/ioemc.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/step_work.h"

namespace xmc {

namespace {

constexpr u64 kStackBlock = 64 << 10;  // so that any memory can go on with any stack
constexpr u64 kMostWindow = u64{8} << 20;
constexpr u64 kLeastTransfer = 2 * u64{PageRuns::kLeastTransfer};
constexpr u64 kMostTransfer = u64{4} << 20;
constexpr u64 kMostPages = 64;
constexpr u32 kBatch = CachedStates::kBatch;

// Shares that go at a time, in per cent: those that the paper found best, and for runs in tiers
// what costs least. There the states are on flash already when they go.
constexpr u32 kRho1Lhs = 2;
constexpr u32 kRho1Tiers = 25;
constexpr u32 kRho2Lhs = 90;
constexpr u32 kRho2Tiers = 50;

u64 aligned(u64 bytes) { return round_up(bytes, kPageBytes); }

u64 fixed_bytes(const Model& model) {
  const u64 successors = Search::buffer_states_for(model);
  return successors * model.state_words * sizeof(Word) + model.max_successors * sizeof(StateIndex) +
         kBatch * (u64{model.state_words} + 1) * sizeof(Word) +
         (model.fields.size() + 1) * sizeof(StateField) + 5 * kLineBytes;
}

}  // namespace

// --- Plan -------------------------------------------------------------------------------------

u32 IoemcEngine::used_bits(const Model& model) {
  u32 used = model.fields.empty() ? model.state_bytes * 8 : 0;
  for (const StateField& field : model.fields) {
    used = std::max(used, field.word * 64u + field.shift + field.width);
  }
  return used;
}

// In the last byte of a state, if that has a bit to spare. The fields are the caller's to add.
Model IoemcEngine::key_model(const Model& model) {
  Model key;
  const u32 bytes = used_bits(model) / 8 + 1;
  key.state_words = std::max(static_cast<u32>(divide_up(bytes, sizeof(Word))), model.state_words);
  key.state_bytes = std::max(bytes, 8 * (key.state_words - 1) + 1);
  key.fields = model.fields;
  return key;
}

CachedStates::Shape IoemcEngine::visited_shape() const {
  const CycleOptions& options = search_.options.cycles;
  const bool linear = options.old_states == OldStates::linear;
  CachedStates::Shape shape;
  shape.key_words = key_.state_words;
  shape.key_bytes = key_.state_bytes;
  shape.form = linear                                   ? CachedStates::Form::linear
               : options.old_states == OldStates::tiers ? CachedStates::Form::tiers
                                                        : CachedStates::Form::diagram;
  shape.percent = options.rho1 != 0 ? options.rho1 : linear ? kRho1Lhs : kRho1Tiers;
  return shape;
}

FlashStack::Division IoemcEngine::division() const {
  const CycleOptions& options = search_.options.cycles;
  const bool linear = options.old_states == OldStates::linear;
  return {kStackBlock, options.rho2 != 0 ? options.rho2 : linear ? kRho2Lhs : kRho2Tiers};
}

u64 IoemcEngine::minimum_bytes(const Model& model, const SearchOptions&) const {
  const Model key = key_model(model);
  const u64 region = aligned(CachedStates::question_bytes(key.state_words)) +
                     u64{PageRuns::kLeastPages} * kPageBytes + kLeastTransfer + 2 * kStackBlock +
                     WordFile::kBlockBytes + 2 * aligned(CachedStates::least_bytes(key));
  return fixed_bytes(model) + CachedStates::order_bytes(key) + region + 3 * kPageBytes;
}

// A tenth of the memory is for the stack and for buffers to merge with each, as far as these can
// use it; the states have the rest.
IoemcEngine::Memory IoemcEngine::lay_out() const {
  std::span<u8> rest = region_;
  const auto take = [&](u64 bytes) {
    const std::span<u8> piece = rest.first(static_cast<std::size_t>(bytes));
    rest = rest.subspan(static_cast<std::size_t>(bytes));
    return piece;
  };
  const u64 all = region_.size();
  Memory memory;
  memory.words = take(WordFile::kBlockBytes);
  memory.visited.questions = take(aligned(CachedStates::question_bytes(key_.state_words)));
  const u64 pages = std::clamp<u64>(all / 64 / kPageBytes, PageRuns::kLeastPages, kMostPages);
  memory.visited.pages = take(pages * kPageBytes);
  memory.visited.transfer =
      take(round_down(std::clamp<u64>(all / 10, kLeastTransfer, kMostTransfer), kPageBytes));
  memory.window =
      take(round_down(std::clamp<u64>(all / 10, 2 * kStackBlock, kMostWindow), kStackBlock));
  memory.visited.states = take(round_down(rest.size(), kLineBytes));
  return memory;
}

Status IoemcEngine::plan(const Model& model, const SearchOptions& options, Arena& arena) {
  XMC_CHECK(options.folder != nullptr);
  XMC_CHECK(arena.free_bytes() >= minimum_bytes(model, options));
  key_ = key_model(model);
  second_bit_ = used_bits(model);
  if (key_.state_words > limits::kStateWords) {
    return Status::fail(Code::unsupported,
                        "engine 'ioemc' needs a bit beside each state, and states have at most %u "
                        "bytes; use another engine",
                        limits::kStateWords * 8);
  }
  search_ = Search();
  search_.model = model;
  search_.options = options;
  search_.buffer_states = Search::buffer_states_for(model);
  search_.fixed_bytes = fixed_bytes(model);
  const u64 words = model.state_words;
  search_.buffer =
      arena.carve_array<Word>("successors", search_.buffer_states * words, kLineBytes).data();
  keys_ = arena.carve_array<Word>("successors", u64{kBatch} * key_.state_words, kLineBytes).data();
  ram_ = RamSearch();
  ram_.search = &search_;
  ram_.indexes =
      arena.carve_array<StateIndex>("successors", model.max_successors, kLineBytes).data();
  plan_key(arena);
  const u64 rest = round_down(arena.free_bytes() - kPageBytes, kPageBytes);
  region_ = arena.carve_array<u8>("recent states, stack", rest, kPageBytes);
  memory_ = lay_out();
  return {};
}

// A model that does not tell its fields has keys without: their bytes will do.
void IoemcEngine::plan_key(Arena& arena) {
  const std::span<const StateField> fields = search_.model.fields;
  if (!fields.empty()) {
    const std::span<StateField> own = arena.carve_array<StateField>("order", fields.size() + 1);
    std::copy(fields.begin(), fields.end(), own.begin());
    StateField& bit = own.back();
    bit = {};
    bit.word = static_cast<u16>(second_bit_ / 64);
    bit.shift = static_cast<u8>(second_bit_ % 64);
    bit.width = 1;
    key_.fields = own;
  }
  visited_.plan(key_, arena);
}

// --- Run --------------------------------------------------------------------------------------

Status IoemcEngine::run(const RunControl& control, SearchOutcome& outcome) {
  outcome = SearchOutcome();
  search_.control = &control;
  search_.outcome = &outcome;
  search_.start_clock();
  const Status status = run_to_end();
  search_.note_times(outcome.stats);
  visited_.close();
  close(stack_device_);
  // A path that is in memory needs its file no more.
  if (path_.in_table || !status.ok()) close(path_.device);
  return status;
}

void IoemcEngine::close(Device*& device) {
  if (device != nullptr) search_.options.folder->close(device);
  device = nullptr;
}

Status IoemcEngine::run_to_end() {
  SearchOutcome& outcome = *search_.outcome;
  SearchStats& s = outcome.stats;
  s.states = s.transitions = s.deadlocks = s.expansions = s.error_steps = s.accepting = 0;
  s.state_bytes = search_.model.state_bytes;
  const Manifest* const resume = search_.options.resume;
  XMC_TRY(open());
  XMC_TRY(resume != nullptr ? restore_checkpoint(*resume) : begin());
  Status status = search();
  const StopReason stop = status.take_stop();
  XMC_TRY(status);
  note_figures();
  outcome.stop = stop;
  outcome.complete = stop == StopReason::none && !over();
  if (stop != StopReason::none && !outcome.path_missing) XMC_TRY(checkpoint());
  if (outcome.violation == Violation::none || outcome.path_missing) return {};
  XMC_TRY(shorten());
  path_.prefix_steps = outcome.prefix_steps;
  path_.cycle_steps = outcome.cycle_steps;
  return {};
}

Status IoemcEngine::open() {
  place_ = {};
  path_ = {};
  stack_number_ = window_number_ = 0;
  const GoOn go_on{this, [](void* self) { return static_cast<IoemcEngine*>(self)->poll(); },
                   &search_.work};
  CachedStates::Memory memory = memory_.visited;
  if (most_bytes_ != 0) {
    const u64 bytes = std::max(CachedStates::least_bytes(key_), most_bytes_);
    memory.states = memory.states.first(
        static_cast<std::size_t>(std::min<u64>(round_up(bytes, kLineBytes), memory.states.size())));
  }
  visited_.init(*search_.options.folder, kHistoryFile, visited_shape(), memory, go_on);
  return {};
}

Status IoemcEngine::begin() {
  stack_name_ = FileName(kStackFile, stack_number_);
  XMC_LET(stack_device_, search_.options.folder->open(stack_name_.c_str(), Folder::Open::create));
  stack_.start(stack_device_, stack_name_.c_str(), 1 + search_.model.state_words, memory_.window,
               division());
  return push_successors(search_.initial());
}

Status IoemcEngine::poll() {
  Progress progress;
  progress.states = place_.states;
  progress.level = place_.depth;
  progress.level_states = stack_.size();
  progress.ram_used = region_.size();
  return search_.poll(progress);
}

Status IoemcEngine::search() {
  const PhaseClock::Scope scope(search_.clock, Phase::expansion);
  Word entry[1 + limits::kStateWords];
  while (!stack_.empty()) {
    XMC_TRY(stack_.pop(entry));
    XMC_TRY(take(entry[0], entry + 1));
    if (over()) return {};
    XMC_TRY(Status::stop(visited_.take_stop()));
    if (!search_.is_time()) continue;
    search_.clock.next_round();
    XMC_TRY(poll());
    Checkpointer* const checkpoints = search_.options.checkpoints;
    if (checkpoints != nullptr && checkpoints->due(false)) XMC_TRY(checkpoint());
  }
  return place_.cut ? Status::stop(StopReason::depth_limit) : Status();
}

// --- Nested depth-first search ----------------------------------------------------------------

void IoemcEngine::make_key(const Word* state, bool second, Word* key) const {
  std::copy_n(state, search_.model.state_words, key);
  if (key_.state_words > search_.model.state_words) key[key_.state_words - 1] = 0;
  if (second) key[second_bit_ / 64] |= Word{1} << (second_bit_ % 64);
}

Status IoemcEngine::is_known(const Word* state, bool second, u64 since, bool& known) {
  make_key(state, second, keys_);
  return visited_.ask(keys_, 1, since, &known);
}

Status IoemcEngine::push(Kind kind, bool accepting, const Word* state) {
  Word entry[1 + limits::kStateWords];
  entry[0] = Entry::head(kind, accepting, visited_.age());
  std::copy_n(state, search_.model.state_words, entry + 1);
  return stack_.push(entry);
}

Status IoemcEngine::take(Word head, const Word* state) {
  const Kind kind = Entry::kind(head);
  bool known = false;
  switch (kind) {
    case Kind::visit:
    case Kind::visit_second: {
      const bool second = kind == Kind::visit_second;
      XMC_TRY(is_known(state, second, Entry::since(head), known));
      if (known) return {};
      return second ? enter_second(state, false) : enter(state);
    }
    case Kind::left:
      --place_.depth;
      return Entry::accepting(head) ? begin_second(state) : Status();
    case Kind::seed:
      place_.second = false;
      return {};
    case Kind::left_second:
      break;
  }
  return {};
}

// The key of a state that is entered is in `keys_`.
Status IoemcEngine::enter(const Word* state) {
  if (place_.states >= search_.options.state_limit) {
    XMC_TRY(push(Kind::visit, false, state));
    return Status::stop(StopReason::state_limit);
  }
  const Expansion expansion = search_.try_state(state, 0);
  if (Search::is_unfinished(expansion)) {
    XMC_TRY(push(Kind::visit, false, state));
    return stop_of_steps();
  }
  XMC_TRY(visited_.insert(keys_));
  ++place_.states;
  const Violation violation = search_.judge(state, expansion, 0);
  const bool accepting = (expansion.flags & kAccepting) != 0;
  XMC_TRY(push(Kind::left, accepting, state));
  ++place_.depth;
  if (violation != Violation::none && search_.outcome->violation == Violation::none) {
    search_.record(violation, expansion, place_.depth - 1);
    XMC_TRY(take_path());
    if (over()) return {};
    search_.expand_state(state, 0);  // the path took the buffer
    --search_.stats().expansions;
  }
  if (place_.depth > search_.options.depth_limit) {
    place_.cut = place_.cut || expansion.count > 0;
    return {};
  }
  return push_successors(expansion.count);
}

// A way back to the state that the first search has left. If a second search has come by, its own
// state has no way back, and from here none leads to it.
Status IoemcEngine::begin_second(const Word* state) {
  const u32 component = search_.model.cycle_class_of(state);
  // One violation is enough, of whatever kind: after it states are only counted.
  if (component == 0 || search_.outcome->violation != Violation::none) return {};
  bool known = false;
  XMC_TRY(is_known(state, true, 0, known));
  if (known) return {};
  place_.second = true;
  place_.component = component;
  std::copy_n(state, search_.model.state_words, place_.seed);
  XMC_TRY(push(Kind::seed, true, state));
  return enter_second(state, true);
}

Status IoemcEngine::enter_second(const Word* state, bool is_seed) {
  XMC_TRY(visited_.insert(keys_));
  const Expansion expansion = search_.expand_state(state, 0);
  if (!is_seed) XMC_TRY(push(Kind::left_second, false, state));
  const u32 words = search_.model.state_words;
  for (u32 i = 0; i < expansion.count; ++i) {
    if (!std::equal(place_.seed, place_.seed + words, search_.buffer_at(i))) continue;
    search_.record(Violation::accepting_cycle, expansion, 0);
    return take_path();
  }
  return push_successors(expansion.count);
}

// The first one comes to the top.
Status IoemcEngine::push_successors(u32 count) {
  for (u32 end = count; end > 0;) {
    const u32 begin = end > kBatch ? end - kBatch : 0;
    XMC_TRY(push_some(begin, end));
    end = begin;
  }
  return {};
}

// Those of the buffer that are not known.
Status IoemcEngine::push_some(u32 begin, u32 end) {
  u32 which[kBatch];
  u32 fill = 0;
  for (u32 i = begin; i < end; ++i) {
    const Word* const state = search_.buffer_at(i);
    if (place_.second && search_.model.cycle_class_of(state) != place_.component) continue;
    make_key(state, place_.second, keys_ + u64{fill} * key_.state_words);
    which[fill++] = i;
  }
  bool known[kBatch];
  XMC_TRY(visited_.ask(keys_, fill, 0, known));
  const Kind kind = place_.second ? Kind::visit_second : Kind::visit;
  for (u32 k = fill; k-- > 0;) {
    if (!known[k]) XMC_TRY(push(kind, false, search_.buffer_at(which[k])));
  }
  return {};
}

void IoemcEngine::note_figures() {
  SearchStats& s = search_.stats();
  s.states = place_.states;
  s.ram_used = region_.size();
  const CachedStates::Counts& counts = visited_.counts();
  s.known_asked = counts.known;
  s.known_read = counts.known_read;
  s.new_asked = counts.fresh;
  s.new_read = counts.fresh_read;
  s.stack_peak = stack_.peak();
  search_.note_payload(visited_.runs().bytes(), visited_.runs().keys());
}

}  // namespace xmc
