#include "engine/part.h"

#include <algorithm>

#include "engine/level_checkpoint.h"
#include "store/hash_class.h"
#include "store/manifest.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kAlignment = 64;
constexpr u64 kPageBytes = 4096;
constexpr u64 kLeastBlock = 4096;
constexpr u64 kMostBlock = 64 << 10;
constexpr u32 kGather = 8;       // blocks that are written at once
constexpr u32 kNumberBits = 48;  // of a state's number, below its partition

StateTable::Shape shape_of(const Model& model) {
  return {model.state_words, std::max(model.state_bytes, 1u), false};
}

u64 number_of(u32 partition, u64 place) { return u64{partition} << kNumberBits | place; }

// Buffers whose size the model decides.
u64 buffer_bytes(const Model& model) {
  const u64 states = Search::buffer_states_for(model);
  return states * (2 * model.state_words * sizeof(Word) + 2 * sizeof(u64)) + 4 * kAlignment;
}

u64 least_region(const Model& model) {
  const u64 states = u64{4} * Search::buffer_states_for(model);
  return StateTable::minimum_bytes(shape_of(model)) + states * (model.state_bytes + 24) * 2;
}

}  // namespace

// --- Plan -------------------------------------------------------------------------------------

u64 PartEngine::minimum_bytes(const Model& model, const SearchOptions&) const {
  const u64 logs = (2 * (kPartitions + kGather) + 1) * kLeastBlock + 2 * kPageBytes;
  return buffer_bytes(model) + logs + round_up(least_region(model) * 5 / 4, kAlignment) +
         8 * kAlignment;
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
  const u64 states = search_.buffer_states;
  search_.buffer = arena.carve_array<Word>("successors", states * model.state_words, 64).data();
  batch_ = arena.carve_array<Word>("successors", states * model.state_words, 64).data();
  buffer_origins_ = arena.carve_array<u64>("successors", states, 64).data();
  batch_origins_ = arena.carve_array<u64>("successors", states, 64).data();

  const u64 blocks = 2 * (kPartitions + kGather);
  const u64 wanted = round_down(arena.free_bytes() / 8 / blocks, kPageBytes);
  shape_.partitions = kPartitions;
  shape_.gather_blocks = kGather;
  shape_.block_bytes = static_cast<u32>(std::clamp(wanted, kLeastBlock, kMostBlock));
  shape_.key_words = model.state_words + 1;
  visited_buffer_ = arena.carve_array<u8>("partition buffers", shape_.buffer_bytes(), kPageBytes);
  pending_buffer_ = arena.carve_array<u8>("partition buffers", shape_.buffer_bytes(), kPageBytes);
  read_buffer_ = arena.carve_array<u8>("partition buffers", shape_.block_bytes, kPageBytes);

  const u64 rest = round_down(arena.free_bytes() - 2 * kAlignment, kAlignment);
  const u64 cache = round_down(rest / 8, kAlignment);
  cache_region_ = arena.carve_array<u8>("queued lately", cache, kAlignment);
  region_ = arena.carve_array<u8>("states", rest - cache, kAlignment);
  search_.fixed_bytes = minimum_bytes(model, options) - least_region(model);
  return {};
}

// The upper part of the region takes the origins of new states: for a third of the states.
Status PartEngine::open_logs() {
  const u64 per_state = u64{search_.model.state_bytes} + 5 + sizeof(u64) / 3 + 1;
  most_new_ = static_cast<u32>(region_.size() / per_state / 3);
  const u64 origins = round_up(u64{most_new_} * sizeof(u64), kAlignment);
  const std::span<u8> table = region_.first(static_cast<std::size_t>(region_.size() - origins));
  origins_ = reinterpret_cast<u64*>(table.data() + table.size());
  region_ = table;
  search_.table.init(table, shape_of(search_.model));
  capacity_ = 0;
  for (u64 step = u64{1} << 31; step > 0; step /= 2) {
    if (search_.table.bytes_for(capacity_ + step) < table.size() / 10 * 9) capacity_ += step;
  }
  lately_queued_.init(cache_region_, search_.model.state_words, search_.model.state_bytes);
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
  search_.start_clock();
  const Status status = run_to_end();
  search_.note_times(outcome.stats);
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
  s.ram_used = region_.size() + cache_region_.size();
  culprit_ = kNoState;
  fill_ = 0;
  activations_ = 0;
  XMC_TRY(open_logs());
  XMC_TRY(search_.options.resume != nullptr ? restore(*search_.options.resume) : begin());
  StopReason stop = StopReason::none;
  while (stop == StopReason::none && !over()) {
    const Residents residents = choose();
    if (residents.partitions == 0) break;
    XMC_TRY(activate(residents, stop));
    Checkpointer* const checkpoints = search_.options.checkpoints;
    if (stop == StopReason::none && checkpoints != nullptr && checkpoints->due(true)) {
      XMC_TRY(checkpoint());
    }
    // An older checkpoint may want what is in the file.
    if (checkpoints == nullptr) XMC_TRY(pending_.clear_if_empty());
  }
  s.states = visited_.keys();
  search_.note_payload(visited_.bytes(), visited_.keys());
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
  visited_.start(visited_device_, kVisitedFile, Purpose::states, shape_, visited_buffer_);
  pending_.start(pending_device_, kPendingFile, Purpose::candidates, shape_, pending_buffer_);
  SuccessorBuffer out;
  out.states = search_.buffer;
  out.capacity = search_.buffer_states;
  const u32 count = search_.model.initial(search_.model.self, out);
  XMC_CHECK(count >= 1 && count <= search_.buffer_states);
  const u32 words = search_.model.state_words;
  for (u32 i = 0; i < count; ++i) {
    const Word* const state = search_.buffer_at(i);
    XMC_TRY(put_off(state, class_hash(state, words), kNoState));
  }
  return {};
}

// The partition with the longest queue, and as many of the next ones as fit beside it.
PartEngine::Residents PartEngine::choose() const {
  Residents r;
  u64 states = 0;
  for (;;) {
    u32 longest = kPartitions;
    for (u32 p = 0; p < kPartitions; ++p) {
      if (pending_.keys(p) == 0 || (r.partitions >> p & 1) != 0) continue;
      if (longest == kPartitions || pending_.keys(p) > pending_.keys(longest)) longest = p;
    }
    if (longest == kPartitions) return r;
    // Half of the room for what will be new.
    const u64 more = visited_.keys(longest) + std::min<u64>(pending_.keys(longest), most_new_ / 2);
    if (r.partitions == 0) {
      r.partitions = u64{1} << longest;
      states = more;
      if (states <= capacity_ / 10 * 8) continue;
      r.classes = static_cast<u32>(divide_up(visited_.keys(longest) * 2, capacity_)) + 1;
      return r;
    }
    if (states + more > capacity_ / 10 * 8) return r;
    r.partitions |= u64{1} << longest;
    states += more;
  }
}

bool PartEngine::in_class(u64 hash) const {
  return ((hash & 0xFFFF'FFFFu) * residents_.classes >> 32) == residents_.chosen;
}

bool PartEngine::resident(u64 hash) const {
  return (residents_.partitions >> class_of(hash, kPartitions) & 1) != 0 && in_class(hash);
}

// --- One activation ---------------------------------------------------------------------------

Status PartEngine::activate(const Residents& residents, StopReason& stop) {
  const PhaseClock::Scope scope(search_.clock, Phase::expansion);
  ++activations_;
  residents_ = residents;
  ChainLog::Chain waiting[kPartitions];
  const auto chosen = [&](u32 p) { return (residents.partitions >> p & 1) != 0; };
  for (u32 p = 0; p < kPartitions; ++p) {
    if (chosen(p)) XMC_TRY(pending_.detach(p, waiting[p]));
  }
  for (; residents_.chosen < residents_.classes && stop == StopReason::none; ++residents_.chosen) {
    search_.table.init(region_, shape_of(search_.model));
    for (u32 p = 0; p < kPartitions; ++p) {
      if (chosen(p)) XMC_TRY(load(p));
    }
    loaded_ = next_ = search_.table.size();
    for (u32 p = 0; p < kPartitions && stop == StopReason::none; ++p) {
      if (chosen(p)) XMC_TRY(drain(waiting[p], stop));
      if (over()) return {};
    }
    XMC_TRY(leave(stop));
  }
  // What was taken out of the queue waits again after a stop; states that were expanded meanwhile
  // are known when it comes to them.
  for (u32 p = 0; p < kPartitions && stop != StopReason::none; ++p) {
    if (chosen(p)) XMC_TRY(put_back(waiting[p]));
  }
  return {};
}

Status PartEngine::put_back(const ChainLog::Chain& chain) {
  const PhaseClock::Scope scope(search_.clock, Phase::partitioning);
  const u32 words = search_.model.state_words;
  Word key[kKeyWords];
  ChainReader reader;
  reader.start(pending_, read_buffer_, chain);
  for (;;) {
    const Result<bool> more = reader.next(key);
    if (!more.ok()) return more.status();
    if (!more.value()) return {};
    XMC_TRY(append_pending(key, class_hash(key, words), key[words]));
  }
}

Status PartEngine::load(u32 partition) {
  const PhaseClock::Scope scope(search_.clock, Phase::detection);
  const u32 words = search_.model.state_words;
  constexpr u32 kBatch = StateTable::kBatch;
  Word states[kBatch * (limits::kStateWords + 1)];
  XMC_TRY(visited_.close_block(partition));
  reader_.start(visited_, read_buffer_, visited_.chain_of(partition));
  Word key[kKeyWords];
  for (bool more = true; more;) {
    u32 count = 0;
    while (count < kBatch) {
      const Result<bool> next = reader_.next(key);
      if (!next.ok()) return next.status();
      more = next.value();
      if (!more) break;
      if (residents_.classes > 1 && !in_class(class_hash(key, words))) continue;
      std::copy_n(key, words, states + u64{count++} * words);
    }
    const bool fits = search_.table.insert(states, count, nullptr) == count;
    XMC_CHECK(fits);
  }
  return {};
}

// Candidates that waited.
Status PartEngine::drain(const ChainLog::Chain& chain, StopReason& stop) {
  const u32 words = search_.model.state_words;
  Word key[kKeyWords];
  ChainReader reader;
  reader.start(pending_, read_buffer_, chain);
  for (bool more = true; more && stop == StopReason::none && !over();) {
    search_.clock.next_round();
    search_.clock.turn_to(Phase::queueing);
    u32 count = 0;
    while (count < Search::kCollect) {
      const Result<bool> next = reader.next(key);
      if (!next.ok()) return next.status();
      more = next.value();
      if (!more) break;
      if (residents_.classes > 1 && !in_class(class_hash(key, words))) continue;
      std::copy_n(key, words, batch_ + u64{count} * words);
      batch_origins_[count++] = key[words];
    }
    search_.clock.turn_to(Phase::insertion);
    XMC_TRY(take_in(count, true));
    search_.clock.turn_to(Phase::generation);
    XMC_TRY(expand_new(stop));
  }
  return {};
}

Status PartEngine::expand_new(StopReason& stop) {
  while (next_ < search_.table.size() && stop == StopReason::none) {
    XMC_TRY(expand_one(next_, stop));
    if (stop != StopReason::none || over()) return {};
    ++next_;
    if (fill_ >= Search::kCollect || next_ == search_.table.size()) XMC_TRY(flush_buffer());
    XMC_TRY(poll(stop));
  }
  return {};
}

Status PartEngine::expand_one(StateIndex index, StopReason& stop) {
  const u32 words = search_.model.state_words;
  if (visited_.keys() >= search_.options.state_limit) {
    stop = StopReason::state_limit;
    return {};
  }
  Word key[kKeyWords];
  search_.table.load(index, key);
  key[words] = origins_[index - loaded_];
  std::copy_n(key, words, search_.state);
  const u32 partition = class_of(class_hash(key, words), kPartitions);
  const u64 number = number_of(partition, visited_.keys(partition));
  XMC_TRY(visited_.append(partition, key));
  const Expansion expansion = search_.expand_state(search_.state, fill_);
  const Violation violation = search_.judge(expansion, fill_);
  std::fill_n(buffer_origins_ + fill_, expansion.count, number);
  fill_ += expansion.count;
  if (violation != Violation::none && search_.outcome->violation == Violation::none) {
    search_.record(violation, expansion, 0);
    culprit_ = number;
  }
  return {};
}

// Successors in resident partitions go to the table, the others wait.
Status PartEngine::flush_buffer() {
  const u32 words = search_.model.state_words;
  u32 count = 0;
  search_.clock.turn_to(Phase::partitioning);
  for (u32 i = 0; i < fill_; ++i) {
    const Word* const state = search_.buffer_at(i);
    const u64 hash = class_hash(state, words);
    if (!resident(hash)) {
      XMC_TRY(put_off(state, hash, buffer_origins_[i]));
      continue;
    }
    std::copy_n(state, words, batch_ + u64{count} * words);
    batch_origins_[count++] = buffer_origins_[i];
  }
  fill_ = 0;
  search_.clock.turn_to(Phase::insertion);
  XMC_TRY(take_in(count, false));
  search_.clock.next_round();
  search_.clock.turn_to(Phase::generation);
  return {};
}

// The batch into the table. What is new there and finds no room waits; what `waited` is not in the
// pending log any more, whatever the cache says.
Status PartEngine::take_in(u32 count, bool waited) {
  const u32 words = search_.model.state_words;
  StateIndex found[StateTable::kBatch];
  for (u32 done = 0; done < count;) {
    const u32 part = std::min(count - done, StateTable::kBatch);
    u32 known = search_.table.size();
    u32 taken = 0;
    if (known + part - loaded_ <= most_new_) {
      taken = search_.table.insert(batch_ + u64{done} * words, part, found);
    }
    for (u32 i = 0; i < taken; ++i) {
      if (found[i] == known) origins_[known++ - loaded_] = batch_origins_[done + i];
    }
    done += taken;
    if (taken == part) continue;
    const Word* const state = batch_ + u64{done} * words;
    search_.table.find(state, 1, found);
    if (found[0] == kNone) {
      const u64 hash = class_hash(state, words);
      XMC_TRY(waited ? append_pending(state, hash, batch_origins_[done])
                     : put_off(state, hash, batch_origins_[done]));
    }
    ++done;
  }
  return {};
}

// A state that was queued lately is in the pending log, or visited by now.
Status PartEngine::put_off(const Word* state, u64 hash, u64 origin) {
  return lately_queued_.insert(state, 1) == 0 ? Status() : append_pending(state, hash, origin);
}

Status PartEngine::append_pending(const Word* state, u64 hash, u64 origin) {
  const u32 words = search_.model.state_words;
  Word key[kKeyWords];
  std::copy_n(state, words, key);
  key[words] = origin;
  return pending_.append(class_of(hash, kPartitions), key);
}

// Everything new in the table is expanded and in the visited log, or waits.
Status PartEngine::leave(StopReason stop) {
  XMC_TRY(flush_buffer());
  if (stop == StopReason::none) {
    StopReason inner = StopReason::none;
    XMC_TRY(expand_new(inner));
    if (inner == StopReason::none || over()) return {};
  }
  Word state[limits::kStateWords];
  for (; next_ < search_.table.size(); ++next_) {
    search_.table.load(next_, state);
    const u64 hash = class_hash(state, search_.model.state_words);
    XMC_TRY(append_pending(state, hash, origins_[next_ - loaded_]));
  }
  return {};
}

Status PartEngine::poll(StopReason& stop) {
  if (--search_.poll_countdown != 0) return {};
  search_.poll_countdown = Search::kPollInterval;
  Progress progress;
  progress.states = visited_.keys();
  progress.transitions = search_.stats().transitions;
  progress.expanded = search_.stats().expansions;
  progress.level = activations_;
  progress.level_states = visited_.keys();
  progress.ram_used = region_.size();
  stop = (*search_.control)(progress);
  return {};
}

}  // namespace xmc
