#include "engine/part/part.h"

#include <algorithm>
#include <numeric>

#include "store/checkpoint/manifest.h"
#include "store/keys/hash_class.h"
#include "store/keys/key_compare.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kMostBlock = 32 << 10;
constexpr u32 kGather = 4;      // blocks that are written at once
constexpr u32 kLeastOpen = 16;  // partitions with a block of candidates in memory
// With so much memory all buffers are there twice, and the device works while the search does.
constexpr u64 kRoomForTwo = 4 << 20;

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

// The blocks of candidates are as large as the memory lets them be, and those of a run that goes on
// stay as they are. 0: this is no such run.
u64 block_before(const SearchOptions& options) {
  if (options.resume == nullptr) return 0;
  const Result<u64> bytes = options.resume->number("candidate-block");
  const bool sound = bytes.ok() && bytes.value() % kPageBytes == 0 && bytes.value() >= kPageBytes &&
                     bytes.value() <= kMostBlock;
  return sound ? bytes.value() : 0;
}

u64 least_region(const Model& model) {
  const u64 states = u64{4} * Search::buffer_states_for(model);
  return StateTable::minimum_bytes(shape_of(model)) + states * (model.state_bytes + 24) * 2;
}

}  // namespace

// --- Plan -------------------------------------------------------------------------------------

u64 PartEngine::minimum_bytes(const Model& model, const SearchOptions& options) const {
  const u64 blocks = kLeastOpen + kGather + 1;
  const u64 block = std::max(kPageBytes, block_before(options));
  const u64 splits = model.fields.size() * kPivots * sizeof(Split) + kLineBytes;
  return BlockExpander::least_bytes(model, options) + buffer_bytes(model) + splits +
         blocks * block + 3 * ImageLog::kBlockBytes + kPageBytes +
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
  table_ = StateTable();
  search_.model = model;
  search_.options = options;
  search_.buffer_states = Search::buffer_states_for(model);
  search_.fixed_bytes = minimum_bytes(model, options) - least_region(model);
  const u64 states = search_.buffer_states;
  const u32 words = model.state_words;
  search_.buffer = arena.carve_array<Word>("successors", states * words, 64).data();
  buffer_origins_ = arena.carve_array<u64>("successors", states, 64).data();
  moved_ = arena.carve_array<u32>("successors", states + 1, 64).data();
  moved_leaf_ = arena.carve_array<u16>("successors", states + 1, 64).data();
  batch_ = arena.carve_array<Word>("successors", u64{Search::kCollect} * words, 64).data();
  batch_origins_ = arena.carve_array<u64>("successors", Search::kCollect, 64).data();
  away_ = arena.carve_array<Word>("successors", u64{kAway} * words, 64).data();
  splits_ = arena.carve_array<Split>("splits", model.fields.size() * kPivots, 64);
  const u64 before_ahead = arena.carved_bytes();
  search_.ahead.plan(model, options, arena);
  search_.fixed_bytes +=
      arena.carved_bytes() - before_ahead - BlockExpander::least_bytes(model, options);
  plan_logs(arena);

  // A byte for the origin of each state: enough if half of them wait. Where there is no room,
  // candidates go to the file that could have been expanded at once: elevator_planning.2 takes 1.7
  // times the time when an eighth of the states may wait.
  const u64 rest = round_down(arena.free_bytes() - 4 * kLineBytes, kLineBytes);
  const u64 per_state = u64{model.state_bytes} + 5 + 1;
  const u64 ring =
      std::max<u64>(rest / per_state, 4 * StateTable::kBatch * OriginQueue::kMostBytes);
  origins_region_ = arena.carve_array<u8>("origins", ring, kLineBytes);
  const u64 cache = round_down(rest / 12, kLineBytes);
  cache_region_ = arena.carve_array<u8>("queued lately", cache, kLineBytes);
  const u64 table = round_down(arena.free_bytes() - kLineBytes, kLineBytes);
  region_ = arena.carve_array<u8>("states", table, kLineBytes);
  return {};
}

void PartEngine::plan_logs(Arena& arena) {
  const auto carve = [&](u64 bytes) {
    return arena.carve_array<u8>("partition buffers", bytes, kPageBytes);
  };
  static_assert(ImageLog::kBlockBytes == KeyFile::kSlotBytes);
  const u64 copies = arena.free_bytes() >= kRoomForTwo ? 2 : 1;
  visited_buffer_ = carve(copies * ImageLog::kBlockBytes);
  visited_block_ = carve(copies * ImageLog::kBlockBytes);
  journal_buffer_ = carve(copies * KeyFile::kSlotBytes);
  const u64 share = arena.free_bytes() / 16;
  pending_shape_.partitions = PartitionTree::kMostNodes;
  pending_shape_.key_words = search_.model.state_words + 1;
  pending_shape_.gather_blocks = kGather;
  pending_shape_.behind = copies == 2;
  const u64 before = block_before(search_.options);
  const u64 open = share / std::max(kPageBytes, before);
  pending_shape_.open = static_cast<u32>(std::clamp<u64>(open, kLeastOpen, ChainLog::kMostOpen));
  const u64 block = round_down(share / (pending_shape_.open + kGather + 1), kPageBytes);
  pending_shape_.block_bytes =
      static_cast<u32>(before != 0 ? before : std::clamp(block, kPageBytes, kMostBlock));
  pending_buffer_ = carve(pending_shape_.buffer_bytes());
  pending_block_ = carve(copies * pending_shape_.block_bytes);
}

Status PartEngine::open_logs() {
  table_.init(region_, shape_of(search_.model));
  capacity_ = table_.states_in(region_.size() / 50 * 49);
  origins_.start(origins_region_);
  lately_queued_.init(cache_region_, search_.model.state_words, search_.model.state_bytes);
  tree_.start(search_.model.state_words);
  Folder& folder = *search_.options.folder;
  const bool resumed = search_.options.resume != nullptr;
  const Folder::Open how = resumed ? Folder::Open::existing : Folder::Open::create;
  const auto open = [&](const char* name, Device*& device) -> Status {
    const Result<Device*> opened = folder.open(name, how);
    if (opened.ok()) device = opened.value();
    return opened.ok() ? Status() : opened.status();
  };
  XMC_TRY(open(kVisitedFile, visited_device_));
  XMC_TRY(open(kPendingFile, pending_device_));
  return open(kOriginsFile, journal_device_);
}

// --- Run --------------------------------------------------------------------------------------

bool PartEngine::over() const {
  return search_.outcome->violation != Violation::none && !search_.options.full;
}

Status PartEngine::run(const RunControl& control, SearchOutcome& outcome) {
  outcome = SearchOutcome();
  search_.control = &control;
  search_.outcome = &outcome;
  visited_device_ = pending_device_ = journal_device_ = nullptr;
  search_.start_clock();
  const Status status = run_to_end();
  search_.note_times(outcome.stats);
  for (Device* device : {visited_device_, pending_device_, journal_device_}) {
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
  s.ram_used = region_.size() + cache_region_.size() + origins_region_.size();
  culprit_ = kNoState;
  fill_ = away_count_ = moved_count_ = 0;
  activations_ = 0;
  XMC_TRY(open_logs());
  XMC_TRY(search_.options.resume != nullptr ? restore(*search_.options.resume) : begin());
  Status status = search();
  const StopReason stop = status.take_stop();
  XMC_TRY(status);
  s.states = journal_.keys();
  search_.note_payload(journal_.keys() * s.state_bytes, journal_.keys());
  outcome.stop = stop;
  outcome.complete = stop == StopReason::none && !over();
  if (stop != StopReason::none) XMC_TRY(checkpoint());
  if (outcome.violation != Violation::none) {
    Status path = find_path();
    const StopReason late = path.take_stop();
    XMC_TRY(path);
    if (late != StopReason::none) {
      outcome.path_missing = true;
      outcome.complete = false;
      if (stop == StopReason::none) XMC_TRY(checkpoint());
      outcome.stop = stop == StopReason::none ? late : stop;
    }
  }
  if (search_.model.buchi && outcome.complete && outcome.violation == Violation::none) {
    outcome.complete = false;
    outcome.stop = StopReason::cycles;
  }
  return {};
}

Status PartEngine::search() {
  while (!over()) {
    const Residents residents = choose();
    if (residents.count == 0) break;
    if (residents.classes > 1 && may_split()) {
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
  const Model& model = search_.model;
  visited_.start(visited_device_, kVisitedFile, model.state_words, shape_of(model).state_bytes,
                 visited_buffer_);
  pending_.start(pending_device_, kPendingFile, Purpose::candidates, pending_shape_,
                 pending_buffer_);
  journal_.start(journal_device_, kOriginsFile, Purpose::other, 1, journal_buffer_);
  std::fill_n(images_, PartitionTree::kMostNodes, ImageLog::Chain());
  const u32 count = search_.initial();
  for (u32 i = 0; i < count; ++i) {
    XMC_TRY(append_pending(0, search_.buffer_at(i), kNoState << kStepBits | i));
  }
  return {};
}

// The partition with the longest queue for its size, since it has to be loaded; and as many of the
// next ones as fit beside it.
PartEngine::Residents PartEngine::choose() const {
  Residents r;
  bool taken[PartitionTree::kMostNodes] = {};
  const auto pays_more = [&](u32 a, u32 b) {
    const u64 least = capacity_ / 16;
    return pending_.keys(a) * (images_[b].states + least) >
           pending_.keys(b) * (images_[a].states + least);
  };
  u64 states = 0;
  while (r.count < kMostResidents) {
    u32 best = tree_.nodes();
    for (u32 p = 0; p < tree_.nodes(); ++p) {
      if (pending_.keys(p) == 0 || taken[p]) continue;
      if (best == tree_.nodes() || pays_more(p, best)) best = p;
    }
    if (best == tree_.nodes()) return r;
    // Room for what will be new.
    const u64 more = images_[best].states + std::min(pending_.keys(best), capacity_ / 4);
    if (r.count > 0 && states + more > capacity_ / 10 * 8) return r;
    taken[best] = true;
    r.leaf[r.count++] = best;
    states += more;
    const bool fits = images_[best].states <= capacity_;
    if (r.count == 1 && (!fits || (!may_split() && states > capacity_ / 10 * 8))) {
      r.classes = static_cast<u32>(divide_up(images_[best].states * 2, capacity_)) + 1;
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
  std::fill_n(unsaved_, kMostResidents, false);
  std::fill_n(resident_, PartitionTree::kMostNodes, false);
  std::fill_n(mask_, search_.model.state_words, Word{0});
  for (u32 r = 0; r < residents.count; ++r) {
    resident_[residents.leaf[r]] = true;
    tree_.add_mask(residents.leaf[r], {mask_, search_.model.state_words});
  }
  // Every bit counts for the class.
  if (residents.classes > 1) std::fill_n(mask_, search_.model.state_words, ~Word{0});
}

// After a stop, too, everything goes where it waits.
Status PartEngine::activate(const Residents& residents) {
  const PhaseClock::Scope scope(search_.clock, Phase::expansion);
  ++activations_;
  enter(residents);
  if (residents.classes > 1) return activate_classes();
  ChainReader reader;
  StopReason stop = StopReason::none;
  for (u32 r = 0; r < residents.count && stop == StopReason::none && !full_; ++r) {
    XMC_TRY(pending_.take(residents.leaf[r], reader, pending_block_));
    // Candidates are on their way meanwhile.
    if (r == 0) XMC_TRY(load_all());
    Status status = drain(reader);
    stop = status.take_stop();
    XMC_TRY(status);
    if (over()) return Status::stop(stop);
    // What is left after a stop, or when there is no room.
    XMC_TRY(put_back(reader));
  }
  XMC_TRY(put_back_new());
  XMC_TRY(save());
  return Status::stop(stop);
}

// A partition that does not fit, and cannot be split: one class of its states after the other.
Status PartEngine::activate_classes() {
  ChainLog::Chain waiting;
  StopReason stop = StopReason::none;
  XMC_TRY(pending_.detach(residents_.leaf[0], waiting));
  ChainReader reader;
  for (; residents_.chosen < residents_.classes && stop == StopReason::none; ++residents_.chosen) {
    XMC_TRY(load_all());
    XMC_TRY(reader.start(pending_, pending_block_, waiting));
    Status status = drain(reader);
    stop = status.take_stop();
    XMC_TRY(status);
    if (over()) return Status::stop(stop);
    XMC_TRY(put_back_new());
    XMC_TRY(save());
  }
  if (stop == StopReason::none) return {};
  // Everything waits again; states that were expanded meanwhile are known when it comes to them.
  XMC_TRY(reader.start(pending_, pending_block_, waiting));
  XMC_TRY(put_back(reader));
  return Status::stop(stop);
}

Status PartEngine::load_all() {
  const PhaseClock::Scope scope(search_.clock, Phase::detection);
  u64 known = 0;
  u64 heads[kMostResidents] = {};
  for (u32 r = 0; r < residents_.count; ++r) {
    known += images_[residents_.leaf[r]].states;
    heads[r] = images_[residents_.leaf[r]].head;
  }
  ImageReader reader;
  XMC_TRY(reader.start(visited_, visited_block_, {heads, residents_.count}));
  table_.init(region_, shape_of(search_.model), known == 0 ? 0 : capacity_);
  for (;;) {
    ImageLog::Block block;
    XMC_LET(const bool more, reader.next(block));
    if (!more) break;
    if (residents_.classes > 1) {
      load_class(block);
    } else {
      table_.append_packed(block.packed, block.states);
    }
  }
  if (residents_.classes == 1) table_.end_packed();
  origins_.clear();
  saved_ = next_ = table_.size();
  return {};
}

Status PartEngine::put_back(ChainReader& reader) {
  const PhaseClock::Scope scope(search_.clock, Phase::partitioning);
  Word key[kKeyWords];
  for (;;) {
    XMC_LET(const bool more, reader.next(key));
    if (!more) return {};
    XMC_TRY(append_pending(tree_.leaf_of(key), key, key[search_.model.state_words]));
  }
}

void PartEngine::unpack(const ImageLog::Block& block, u32 i, Word* state) const {
  const u32 bytes = table_.state_bytes();
  std::fill_n(state, search_.model.state_words, Word{0});
  for (u32 b = 0; b < bytes; ++b) {
    state[b / 8] |= Word{block.packed[std::size_t{i} * bytes + b]} << (b % 8 * 8);
  }
}

void PartEngine::load_class(const ImageLog::Block& block) {
  Word state[limits::kStateWords];
  for (u32 i = 0; i < block.states; ++i) {
    unpack(block, i, state);
    if (!in_class(class_hash(state, search_.model.state_words))) continue;
    const bool fits = table_.insert(state, 1, nullptr) == 1;
    XMC_CHECK(fits);
  }
}

// The new states of each partition become part of its image. One in many small blocks is written
// anew.
Status PartEngine::save() {
  const PhaseClock::Scope scope(search_.clock, Phase::partitioning);
  const StateTable& table = table_;
  for (u32 r = 0; r < residents_.count; ++r) {
    ImageLog::Chain& image = images_[residents_.leaf[r]];
    const u64 needed = image.states * table.state_bytes() / ImageLog::kBlockBytes;
    if (residents_.classes == 1 && image.blocks > 2 * needed + 16) unsaved_[r] = true;
    if (unsaved_[r]) image = {};
    XMC_TRY(save_one(residents_.leaf[r], unsaved_[r] ? 0 : saved_));
    XMC_TRY(visited_.finish(image));
  }
  return {};
}

// The states of one partition, from `first` on.
Status PartEngine::save_one(u32 leaf, StateIndex first) {
  StateTable& table = table_;
  const u32 words = search_.model.state_words;
  u32 picks[Search::kCollect];
  u16 leaves[Search::kCollect];
  std::iota(picks, picks + Search::kCollect, 0u);
  for (StateIndex i = first; i < next_;) {
    const u32 count = std::min(Search::kCollect, next_ - i);
    if (residents_.count > 1) {
      for (u32 k = 0; k < count; ++k) table.load(i + k, batch_ + u64{k} * words);
      tree_.leaves_of(batch_, {picks, count}, leaves);
    }
    for (u32 k = 0; k < count; ++k, ++i) {
      if (residents_.count > 1 && leaves[k] != leaf) continue;
      XMC_TRY(visited_.append(images_[leaf], table.packed_at(i)));
    }
  }
  return {};
}

// Of the candidates in the batch those that belong here stay, and their number is the result. The
// others wait for their class, or go to the partition that has them since it was split.
Result<u32> PartEngine::sort_batch(u32 count) {
  if (residents_.classes == 1 && !split_) return count;
  const u32 words = search_.model.state_words;
  u32 picks[Search::kCollect];
  u16 leaves[Search::kCollect];
  std::iota(picks, picks + count, 0u);
  if (residents_.classes == 1) tree_.leaves_of(batch_, {picks, count}, leaves);
  u32 kept = 0;
  for (u32 i = 0; i < count; ++i) {
    const Word* const state = batch_ + u64{i} * words;
    if (residents_.classes > 1 ? in_class(class_hash(state, words)) : resident_[leaves[i]]) {
      if (kept != i) copy_key(batch_ + u64{kept} * words, state, words);
      batch_origins_[kept++] = batch_origins_[i];
    } else if (residents_.classes == 1) {
      XMC_TRY(append_pending(leaves[i], state, batch_origins_[i]));
    }
  }
  return kept;
}

// Candidates that waited.
Status PartEngine::drain(ChainReader& reader) {
  const u32 words = search_.model.state_words;
  Word key[kKeyWords];
  for (bool more = true; !over();) {
    if (full_ && residents_.classes == 1) {
      bool done = false;
      XMC_TRY(split_full(done));
      if (!done) return {};
      XMC_TRY(expand_new());
      continue;
    }
    if (!more) return {};
    search_.clock.next_round();
    search_.clock.turn_to(Phase::queueing);
    u32 count = 0;
    while (count < Search::kCollect) {
      XMC_LET(const bool next, reader.next(key));
      more = next;
      if (!more) break;
      copy_key(batch_ + u64{count} * words, key, words);
      batch_origins_[count++] = key[words];
    }
    XMC_LET(const u32 here, sort_batch(count));
    search_.clock.turn_to(Phase::insertion);
    XMC_TRY(take_in(batch_, batch_origins_, here));
    search_.clock.turn_to(Phase::generation);
    XMC_TRY(expand_new());
    // Most candidates may be known: there is little to expand then, and much to read.
    XMC_TRY(poll());
  }
  return {};
}

Status PartEngine::poll() {
  Progress progress;
  progress.states = journal_.keys();
  progress.level = activations_;
  progress.level_states = journal_.keys();
  progress.ram_used = region_.size();
  return search_.poll(progress);
}

}  // namespace xmc
