#include "engine/part.h"

#include <algorithm>
#include <bit>

#include "store/hash_class.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kAlignment = 64;
constexpr u64 kPageBytes = 4096;
constexpr u64 kLeastBlock = 4096;
constexpr u64 kMostBlock = 32 << 10;
constexpr u32 kGather = 4;        // blocks that are written at once
constexpr u32 kLeastLeaves = 16;  // partitions that there is room for
constexpr u32 kNumberBits = 48;   // of a state's number, below its partition

StateTable::Shape shape_of(const Model& model) {
  return {model.state_words, std::max(model.state_bytes, 1u), false};
}

u64 number_of(u32 leaf, u64 place) { return u64{leaf} << kNumberBits | place; }

// Buffers whose size the model decides.
u64 buffer_bytes(const Model& model) {
  const u64 states = Search::buffer_states_for(model);
  const u64 own = states + Search::kCollect + CacheTable::kBatch;
  return own * (model.state_words * sizeof(Word) + sizeof(u64)) + 5 * kAlignment;
}

u64 least_region(const Model& model) {
  const u64 states = u64{4} * Search::buffer_states_for(model);
  return StateTable::minimum_bytes(shape_of(model)) + states * (model.state_bytes + 24) * 2;
}

}  // namespace

// --- Plan -------------------------------------------------------------------------------------

u64 PartEngine::minimum_bytes(const Model& model, const SearchOptions&) const {
  const u64 blocks = kLeastLeaves + kMostResidents + 2 + 2 * kGather + 2;
  const u64 splits = model.fields.size() * kPivots * sizeof(Split) + kAlignment;
  return buffer_bytes(model) + splits + blocks * kLeastBlock + 2 * kPageBytes +
         round_up(least_region(model) * 3 / 2, kAlignment) + 8 * kAlignment;
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
  const u64 states = search_.buffer_states;
  const u32 words = model.state_words;
  search_.buffer = arena.carve_array<Word>("successors", states * words, 64).data();
  buffer_origins_ = arena.carve_array<u64>("successors", states, 64).data();
  batch_ = arena.carve_array<Word>("successors", u64{Search::kCollect} * words, 64).data();
  batch_origins_ = arena.carve_array<u64>("successors", Search::kCollect, 64).data();
  away_ = arena.carve_array<Word>("successors", u64{kAway} * words, 64).data();
  splits_ = arena.carve_array<Split>("splits", model.fields.size() * kPivots, 64);
  plan_logs(arena);

  // The ring of origins has room for an eighth of the states.
  const u64 rest = round_down(arena.free_bytes() - 4 * kAlignment, kAlignment);
  const u64 per_state = u64{model.state_bytes} + 5 + 1;
  const u64 ring = std::bit_floor(std::max<u64>(rest / per_state / 8, 2 * StateTable::kBatch));
  origins_ = arena.carve_array<u64>("origins", ring, kAlignment);
  const u64 cache = round_down(rest / 12, kAlignment);
  cache_region_ = arena.carve_array<u8>("queued lately", cache, kAlignment);
  const u64 table = round_down(arena.free_bytes() - kAlignment, kAlignment);
  region_ = arena.carve_array<u8>("states", table, kAlignment);
  return {};
}

// Every partition has a block of candidates in memory, and those that are loaded one of states.
void PartEngine::plan_logs(Arena& arena) {
  const u64 free = arena.free_bytes();
  const u64 leaves = free / 16 / kLeastBlock;
  const u32 most_leaves =
      static_cast<u32>(std::clamp<u64>(leaves, kLeastLeaves, PartitionTree::kMostLeaves));
  const auto block_for = [&](u32 blocks) {
    const u64 wanted = round_down(free / 24 / blocks, kPageBytes);
    return static_cast<u32>(std::clamp(wanted, kLeastBlock, kMostBlock));
  };
  pending_shape_.partitions = visited_shape_.partitions = PartitionTree::kMostNodes;
  pending_shape_.key_words = visited_shape_.key_words = search_.model.state_words + 1;
  pending_shape_.gather_blocks = visited_shape_.gather_blocks = kGather;
  pending_shape_.open = most_leaves;
  pending_shape_.block_bytes = block_for(most_leaves + kGather + 1);
  visited_shape_.open = kMostResidents + 2;
  visited_shape_.block_bytes = block_for(visited_shape_.open + kGather + 1);
  const auto carve = [&](u64 bytes) {
    return arena.carve_array<u8>("partition buffers", bytes, kPageBytes);
  };
  visited_buffer_ = carve(visited_shape_.buffer_bytes());
  pending_buffer_ = carve(pending_shape_.buffer_bytes());
  visited_block_ = carve(visited_shape_.block_bytes);
  pending_block_ = carve(pending_shape_.block_bytes);
}

Status PartEngine::open_logs() {
  search_.table.init(region_, shape_of(search_.model));
  capacity_ = 0;
  for (u64 step = u64{1} << 31; step > 0; step /= 2) {
    if (search_.table.bytes_for(capacity_ + step) < region_.size() / 50 * 49) capacity_ += step;
  }
  lately_queued_.init(cache_region_, search_.model.state_words, search_.model.state_bytes);
  tree_.start(search_.model.state_words, pending_shape_.open);
  Folder& folder = *search_.options.folder;
  const bool resumed = search_.options.resume != nullptr;
  const Folder::Open how = resumed ? Folder::Open::existing : Folder::Open::create;
  const Result<Device*> visited = folder.open(kVisitedFile, how);
  if (!visited.ok()) return visited.status();
  visited_device_ = visited.value();
  const Result<Device*> pending = folder.open(kPendingFile, how);
  if (!pending.ok()) return pending.status();
  pending_device_ = pending.value();
  return {};
}

// --- Run --------------------------------------------------------------------------------------

bool PartEngine::over() const {
  return search_.outcome->violation != Violation::none && !search_.options.full;
}

Status PartEngine::run(const RunControl& control, SearchOutcome& outcome) {
  outcome = SearchOutcome();
  search_.control = &control;
  search_.outcome = &outcome;
  visited_device_ = pending_device_ = nullptr;
  const Status status = run_to_end();
  for (Device* device : {visited_device_, pending_device_}) {
    if (device != nullptr) search_.options.folder->close(device);
  }
  return status;
}

Status PartEngine::run_to_end() {
  SearchOutcome& outcome = *search_.outcome;
  SearchStats& s = outcome.stats;
  s.states = s.transitions = s.deadlocks = s.expansions = s.error_steps = 0;
  if (search_.model.buchi) s.accepting = 0;
  s.state_bytes = search_.model.state_bytes;
  s.ram_used = region_.size() + cache_region_.size() + origins_.size_bytes();
  culprit_ = kNoState;
  fill_ = away_count_ = 0;
  activations_ = states_ = 0;
  XMC_TRY(open_logs());
  XMC_TRY(search_.options.resume != nullptr ? restore(*search_.options.resume) : begin());
  StopReason stop = StopReason::none;
  while (stop == StopReason::none && !over()) {
    const Residents residents = choose();
    if (residents.count == 0) break;
    XMC_TRY(activate(residents, stop));
    Checkpointer* const checkpoints = search_.options.checkpoints;
    if (stop == StopReason::none && checkpoints != nullptr && checkpoints->due(true)) {
      XMC_TRY(checkpoint());
    }
  }
  s.states = states_;
  outcome.stop = stop;
  outcome.complete = stop == StopReason::none && !over();
  if (stop != StopReason::none) XMC_TRY(checkpoint());
  if (outcome.violation != Violation::none) XMC_TRY(find_path());
  if (search_.model.buchi && outcome.complete && outcome.violation == Violation::none) {
    outcome.complete = false;
    outcome.stop = StopReason::cycles;
  }
  return {};
}

Status PartEngine::begin() {
  visited_.start(visited_device_, kVisitedFile, Purpose::states, visited_shape_, visited_buffer_);
  pending_.start(pending_device_, kPendingFile, Purpose::candidates, pending_shape_,
                 pending_buffer_);
  pending_.open(0);
  SuccessorBuffer out;
  out.states = search_.buffer;
  out.capacity = search_.buffer_states;
  const u32 count = search_.model.initial(search_.model.self, out);
  XMC_CHECK(count >= 1 && count <= search_.buffer_states);
  for (u32 i = 0; i < count; ++i) XMC_TRY(append_pending(0, search_.buffer_at(i), kNoState));
  return {};
}

// The partition with the longest queue, and as many of the next ones as fit beside it.
PartEngine::Residents PartEngine::choose() const {
  Residents r;
  bool taken[PartitionTree::kMostNodes] = {};
  u64 states = 0;
  while (r.count < kMostResidents) {
    u32 longest = tree_.nodes();
    for (u32 p = 0; p < tree_.nodes(); ++p) {
      if (pending_.keys(p) == 0 || taken[p]) continue;
      if (longest == tree_.nodes() || pending_.keys(p) > pending_.keys(longest)) longest = p;
    }
    if (longest == tree_.nodes()) return r;
    // Room for what will be new.
    const u64 more = visited_.keys(longest) + std::min(pending_.keys(longest), capacity_ / 4);
    if (r.count > 0 && states + more > capacity_ / 10 * 8) return r;
    taken[longest] = true;
    r.leaf[r.count++] = longest;
    states += more;
    if (r.count == 1 && !tree_.can_split() && states > capacity_ / 10 * 8) {
      r.classes = static_cast<u32>(divide_up(visited_.keys(longest) * 2, capacity_)) + 1;
      return r;
    }
  }
  return r;
}

bool PartEngine::in_class(u64 hash) const {
  return ((hash & 0xFFFF'FFFFu) * residents_.classes >> 32) == residents_.chosen;
}

// --- One activation ---------------------------------------------------------------------------

void PartEngine::enter(const Residents& residents) {
  residents_ = residents;
  full_ = split_ = false;
  std::fill_n(resident_, PartitionTree::kMostNodes, false);
  std::fill_n(mask_, search_.model.state_words, Word{0});
  for (u32 r = 0; r < residents.count; ++r) {
    resident_[residents.leaf[r]] = true;
    tree_.add_mask(residents.leaf[r], {mask_, search_.model.state_words});
    visited_.open(residents.leaf[r]);
  }
}

Status PartEngine::exit() {
  for (u32 r = 0; r < residents_.count; ++r) {
    if (visited_.is_open(residents_.leaf[r])) XMC_TRY(visited_.close(residents_.leaf[r]));
  }
  return {};
}

Status PartEngine::activate(const Residents& residents, StopReason& stop) {
  ++activations_;
  enter(residents);
  ChainLog::Chain waiting[kMostResidents];
  for (u32 r = 0; r < residents.count; ++r) {
    XMC_TRY(pending_.detach(residents.leaf[r], waiting[r]));
  }
  ChainReader readers[kMostResidents];
  const auto rewind = [&] {
    for (u32 r = 0; r < residents.count; ++r) {
      readers[r].start(pending_, pending_block_, waiting[r]);
    }
  };
  for (; residents_.chosen < residents_.classes && stop == StopReason::none; ++residents_.chosen) {
    rewind();
    u64 expected = 0;
    for (u32 r = 0; r < residents.count; ++r) expected += visited_.keys(residents.leaf[r]);
    const bool large = expected / residents_.classes > capacity_ / 8;
    search_.table.init(region_, shape_of(search_.model), large ? capacity_ : 0);
    for (u32 r = 0; r < residents.count; ++r) XMC_TRY(load(residents.leaf[r]));
    next_ = search_.table.size();
    for (u32 r = 0; r < residents.count && stop == StopReason::none && !full_; ++r) {
      XMC_TRY(drain(readers[r], stop));
      if (over()) return {};
    }
    XMC_TRY(put_back_new());
  }
  // What was taken out of the queue waits again after a stop; states that were expanded meanwhile
  // are known when it comes to them.
  if (residents_.classes > 1 && stop != StopReason::none) rewind();
  for (u32 r = 0; r < residents.count; ++r) XMC_TRY(put_back(readers[r]));
  return exit();
}

Status PartEngine::put_back(ChainReader& reader) {
  Word key[kKeyWords];
  for (;;) {
    const Result<bool> more = reader.next(key);
    if (!more.ok()) return more.status();
    if (!more.value()) return {};
    XMC_TRY(append_pending(tree_.leaf_of(key), key, key[search_.model.state_words]));
  }
}

Status PartEngine::load(u32 leaf) {
  const u32 words = search_.model.state_words;
  constexpr u32 kBatch = StateTable::kBatch;
  Word states[kBatch * limits::kStateWords + 1];
  ChainReader reader;
  reader.start(visited_, visited_block_, visited_.chain_of(leaf));
  for (bool more = true; more;) {
    u32 count = 0;
    while (count < kBatch) {
      // The origin goes where the next state will.
      const Result<bool> next = reader.next(states + u64{count} * words);
      if (!next.ok()) return next.status();
      more = next.value();
      if (!more) break;
      const Word* const state = states + u64{count} * words;
      if (residents_.classes == 1 || in_class(class_hash(state, words))) ++count;
    }
    const bool fits = search_.table.insert(states, count, nullptr) == count;
    XMC_CHECK(fits);
  }
  return {};
}

bool PartEngine::belongs_here(const Word* state) const {
  if (residents_.classes > 1) return in_class(class_hash(state, search_.model.state_words));
  return !split_ || resident_[tree_.leaf_of(state)];
}

// Candidates that waited.
Status PartEngine::drain(ChainReader& reader, StopReason& stop) {
  const u32 words = search_.model.state_words;
  Word key[kKeyWords];
  for (bool more = true; more && stop == StopReason::none && !over();) {
    if (full_ && residents_.classes == 1) {
      bool done = false;
      XMC_TRY(split_full(done));
      if (!done) return {};
      XMC_TRY(expand_new(stop));
      continue;
    }
    u32 count = 0;
    while (count < Search::kCollect) {
      const Result<bool> next = reader.next(key);
      if (!next.ok()) return next.status();
      more = next.value();
      if (!more) break;
      if (!belongs_here(key)) {
        if (residents_.classes == 1) XMC_TRY(append_pending(tree_.leaf_of(key), key, key[words]));
        continue;
      }
      std::copy_n(key, words, batch_ + u64{count} * words);
      batch_origins_[count++] = key[words];
    }
    XMC_TRY(take_in(batch_, batch_origins_, count));
    XMC_TRY(expand_new(stop));
  }
  return {};
}

Status PartEngine::expand_new(StopReason& stop) {
  while (next_ < search_.table.size() && stop == StopReason::none) {
    if (full_ && residents_.classes == 1) return flush_buffer();
    XMC_TRY(expand_one(next_, stop));
    if (stop != StopReason::none || over()) return flush_buffer();
    ++next_;
    if (fill_ >= Search::kCollect || next_ == search_.table.size()) XMC_TRY(flush_buffer());
    XMC_TRY(poll(stop));
  }
  return flush_buffer();
}

Status PartEngine::expand_one(StateIndex index, StopReason& stop) {
  const u32 words = search_.model.state_words;
  if (states_ >= search_.options.state_limit) {
    stop = StopReason::state_limit;
    return {};
  }
  Word key[kKeyWords];
  search_.table.load(index, key);
  key[words] = origin_of(index);
  std::copy_n(key, words, search_.state);
  const u32 leaf = residents_.count == 1 ? residents_.leaf[0] : tree_.leaf_of(key);
  const u64 number = number_of(leaf, visited_.keys(leaf));
  XMC_TRY(visited_.append(leaf, key));
  ++states_;
  const Expansion expansion = search_.expand_state(search_.state, fill_);
  const Violation violation = search_.judge(expansion, fill_);
  if (violation != Violation::none && search_.outcome->violation == Violation::none) {
    search_.record(violation, expansion, 0);
    culprit_ = number;
  }
  return sort_out(expansion.count, number);
}

// Of the successors behind fill_ those in memory stay in the buffer, the others are away.
Status PartEngine::sort_out(u32 count, u64 number) {
  const u32 words = search_.model.state_words;
  const Word* const from = search_.state;
  const u32 end = fill_ + count;
  for (u32 i = fill_; i < end; ++i) {
    const Word* const state = search_.buffer_at(i);
    Word moved = 0;
    for (u32 w = 0; w < words; ++w) moved |= (state[w] ^ from[w]) & mask_[w];
    const u32 leaf = moved == 0 ? residents_.leaf[0] : tree_.leaf_of(state);
    if (resident_[leaf] && (residents_.classes == 1 || in_class(class_hash(state, words)))) {
      if (fill_ != i) std::copy_n(state, words, search_.buffer_at(fill_));
      buffer_origins_[fill_++] = number;
      continue;
    }
    std::copy_n(state, words, away_ + u64{away_count_} * words);
    away_leaf_[away_count_] = static_cast<u16>(leaf);
    away_origins_[away_count_++] = number;
    if (away_count_ == kAway) XMC_TRY(flush_away());
  }
  return {};
}

Status PartEngine::flush_buffer() {
  const u32 count = fill_;
  fill_ = 0;
  return take_in(search_.buffer, buffer_origins_, count);
}

// A state that was queued lately is in the pending log, or visited by now.
Status PartEngine::flush_away() {
  u64 fresh = lately_queued_.insert(away_, away_count_);
  away_count_ = 0;
  for (; fresh != 0; fresh &= fresh - 1) {
    const u32 i = static_cast<u32>(std::countr_zero(fresh));
    const Word* const state = away_ + u64{i} * search_.model.state_words;
    XMC_TRY(append_pending(away_leaf_[i], state, away_origins_[i]));
  }
  return {};
}

// Into the table. What is new there and finds no room waits.
Status PartEngine::take_in(const Word* states, const u64* origins, u32 count) {
  const u32 words = search_.model.state_words;
  StateIndex found[StateTable::kBatch];
  for (u32 done = 0; done < count;) {
    const u32 part = std::min(count - done, StateTable::kBatch);
    u32 known = search_.table.size();
    u32 taken = 0;
    if (known + part - next_ <= origins_.size()) {
      taken = search_.table.insert(states + u64{done} * words, part, found);
      full_ = full_ || taken < part || search_.table.size() >= capacity_;
    }
    for (u32 i = 0; i < taken; ++i) {
      if (found[i] == known) origin_of(known++) = origins[done + i];
    }
    done += taken;
    if (taken == part) continue;
    const Word* const state = states + u64{done} * words;
    search_.table.find(state, 1, found);
    if (found[0] == kNone) {
      XMC_TRY(append_pending(tree_.leaf_of(state), state, origins[done]));
    }
    ++done;
  }
  return {};
}

Status PartEngine::append_pending(u32 leaf, const Word* state, u64 origin) {
  const u32 words = search_.model.state_words;
  Word key[kKeyWords];
  std::copy_n(state, words, key);
  key[words] = origin;
  return pending_.append(leaf, key);
}

// What is new in the table and not expanded waits.
Status PartEngine::put_back_new() {
  XMC_TRY(flush_away());
  Word state[limits::kStateWords];
  for (; next_ < search_.table.size(); ++next_) {
    search_.table.load(next_, state);
    XMC_TRY(append_pending(tree_.leaf_of(state), state, origin_of(next_)));
  }
  return {};
}

Status PartEngine::poll(StopReason& stop) {
  if (--search_.poll_countdown != 0) return {};
  search_.poll_countdown = Search::kPollInterval;
  Progress progress;
  progress.states = states_;
  progress.transitions = search_.stats().transitions;
  progress.expanded = search_.stats().expansions;
  progress.level = activations_;
  progress.level_states = states_;
  progress.ram_used = region_.size();
  stop = (*search_.control)(progress);
  return {};
}

}  // namespace xmc
