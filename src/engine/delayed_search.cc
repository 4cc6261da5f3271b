#include "engine/delayed_search.h"

#include <algorithm>

#include "engine/device_cost.h"
#include "engine/level_checkpoint.h"
#include "store/hash_class.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kPageBytes = 4096;
constexpr u64 kLeastBlock = 4096;
constexpr u64 kMostBlock = 64 << 10;
constexpr u64 kUnknownSlot = ~u64{0};

// Notes of a state in the table.
constexpr u32 kOld = 1;       // in V
constexpr u32 kExpanded = 2;  // in C
constexpr u32 kCounted = 4;   // its first occurrence in C was met

}  // namespace

// --- Plan -------------------------------------------------------------------------------------

u64 DelayedSearch::own_bytes(const Model&, const SearchOptions&) const {
  return (2 * kPartitions + 1) * kLeastBlock + kPageBytes + kLengths * sizeof(Length) +
         kLengths * sizeof(KeyReader::Position) + 128;
}

void DelayedSearch::plan_own(Arena& arena) {
  lengths_ = arena.carve_array<Length>("lengths", kLengths, 64).data();
  level_begin_ = arena.carve_array<KeyReader::Position>("lengths", kLengths, 64).data();
  const u64 wanted = round_down(arena.free_bytes() / 8 / (2 * kPartitions), kPageBytes);
  shape_.partitions = kPartitions;
  shape_.block_bytes = static_cast<u32>(std::clamp(wanted, kLeastBlock, kMostBlock));
  shape_.key_words = search_.model.state_words;
  visited_buffer_ = arena.carve_array<u8>("partition buffers", shape_.stripe_bytes(), kPageBytes);
  spilled_buffer_ = arena.carve_array<u8>("partition buffers", shape_.stripe_bytes(), kPageBytes);
  log_buffer_ = arena.carve_array<u8>("partition buffers", shape_.block_bytes, kPageBytes);
}

u64 DelayedSearch::least_region(const Model& model, const SearchOptions&) const {
  const u64 states = u64{4} * Search::buffer_states_for(model);
  return StateTable::minimum_bytes(shape_of(model, true)) + states * (model.state_bytes + 8) * 2;
}

Status DelayedSearch::open_logs(const Manifest* manifest) {
  const Result<Device*> spilled = open_file(kCandidatesFile, Folder::Open::create);
  if (!spilled.ok()) return spilled.status();
  spilled_.start(spilled.value(), kCandidatesFile, Purpose::candidates, shape_, spilled_buffer_);
  const Folder::Open how = manifest == nullptr ? Folder::Open::create : Folder::Open::existing;
  const Result<Device*> visited = open_file(kVisitedFile, how);
  if (!visited.ok()) return visited.status();
  if (manifest == nullptr) {
    visited_.start(visited.value(), kVisitedFile, Purpose::states, shape_, visited_buffer_);
    return {};
  }
  Manifest::File file;
  XMC_TRY(find_file(*manifest, kVisitedFile, file));
  return visited_.reopen(visited.value(), kVisitedFile, Purpose::states, shape_, visited_buffer_,
                         file.bytes, file.chain);
}

void DelayedSearch::reset_figures() {
  std::fill_n(verified_, kPartitions, u64{0});
  verified_stripe_ = verified_states_ = verified_levels_ = 0;
  last_size_ = before_last_size_ = since_size_ = 0;
  settled_ns_ = now();
  expand_ns_ = expanded_ = detect_ns_ = detect_keys_ = 0;
  expanded_before_ = stats().expansions;
  std::fill_n(lengths_, kLengths, Length());
  std::fill_n(level_begin_, kLengths, KeyReader::Position{kUnknownSlot, 0});
  clear_table();
  // What fits with a margin for uneven partitions.
  const u64 room = region_.size() / 10 * 9;
  capacity_ = 0;
  for (u64 step = u64{1} << 31; step > 0; step /= 2) {
    if (search_.table.bytes_for(capacity_ + step) < room) capacity_ += step;
  }
}

Status DelayedSearch::begin_store() {
  reset_figures();
  stats().detections = stats().delayed_detections = stats().partial_detections = 0;
  return open_logs(nullptr);
}

u64 DelayedSearch::unverified() const {
  u64 sum = 0;
  for (u32 p = 0; p < kPartitions; ++p) sum += visited_.keys(p) - verified_[p];
  return sum;
}

u64 DelayedSearch::now() const {
  return search_.options.now_ns == nullptr ? 0 : search_.options.now_ns();
}

DelayPolicy::Costs DelayedSearch::costs() const {
  DelayPolicy::Costs costs;
  if (expand_ns_ == 0 || detect_ns_ == 0 || expanded_ == 0 || detect_keys_ == 0) return costs;
  costs.read = static_cast<double>(detect_ns_) / static_cast<double>(detect_keys_);
  // What the device takes for a byte, written against read; where nobody asked it, the paper's two.
  const DeviceCost* const device = search_.options.device;
  const bool known = device != nullptr && device->scan_ns_per_byte > 0;
  costs.write = costs.read * (known ? device->write_ns_per_byte / device->scan_ns_per_byte : 2);
  costs.expand = static_cast<double>(expand_ns_) / static_cast<double>(expanded_);
  return costs;
}

void DelayedSearch::clear_table() {
  search_.table.init(region_, shape_of(search_.model, true));
  front_ = 0;
}

// --- While a level is expanded ----------------------------------------------------------------

u32 DelayedSearch::partition_of(const Word* state) const {
  return class_of(class_hash(state, search_.model.state_words), kPartitions);
}

bool DelayedSearch::in_part(const Word* state, const Part& part) const {
  if (part.classes == 1) return true;
  const u64 hash = class_hash(state, search_.model.state_words);
  return ((hash & 0xFFFF'FFFFu) * part.classes >> 32) == part.chosen;
}

Status DelayedSearch::take(u32 count, StopReason&) {
  StateTable& table = search_.table;
  for (u32 done = 0; done < count;) {
    const u32 room = static_cast<u32>(capacity_ - std::min<u64>(capacity_, table.size()));
    done += table.insert(search_.buffer_at(done), std::min(count - done, room), nullptr);
    if (done < count) XMC_TRY(spill_table());
  }
  return {};
}

Status DelayedSearch::spill_table() {
  const PhaseClock::Scope scope(search_.clock, Phase::partitioning);
  Word state[limits::kStateWords];
  for (StateIndex i = 0; i < search_.table.size(); ++i) {
    search_.table.load(i, state);
    XMC_TRY(spilled_.append(partition_of(state), state, enqueue_level_));
  }
  clear_table();
  return {};
}

// --- At its end -------------------------------------------------------------------------------

Status DelayedSearch::settle(bool level_end, StopReason& stop) {
  const u64 candidates = search_.table.size() + spilled_.keys();
  if (candidates == 0 && !(level_end && unverified() > 0)) return {};
  expand_ns_ += now() - settled_ns_;
  expanded_ += stats().expansions - expanded_before_;
  enqueued_ = 0;
  if (level_end) {
    const u64 slots = queue_.slots();
    level_begin_[enqueue_level_ % kLengths] = {slots == 0 ? 0 : slots - 1, 0};
  }
  bool open = true;
  if (candidates > 0 && !at_last_level() && delay(candidates)) {
    ++stats().delayed_detections;
    XMC_TRY(go_on_without(stop));
    // Without a next level this is the last chance to see which of the states were repeats.
    open = level_end && queue_.keys() == level_end_ && stop == StopReason::none;
  }
  if (open) XMC_TRY(detect_all(stop));
  settled_ns_ = now();
  expanded_before_ = stats().expansions;
  return {};
}

template <class F>
Status DelayedSearch::for_parts(bool with_expanded, F f) {
  const auto weight = [&](u32 p) {
    return spilled_.keys(p) + (with_expanded ? visited_.keys(p) - verified_[p] : 0);
  };
  for (Part part{0, 0}; part.last < kPartitions;) {
    part = {part.last, part.last + 1};
    u64 sum = weight(part.first);
    while (part.last < kPartitions && sum + weight(part.last) <= capacity_) {
      sum += weight(part.last++);
    }
    part.classes = static_cast<u32>(divide_up(std::max<u64>(sum, 1), capacity_));
    if (part.classes > 1) part.classes = part.classes * 5 / 4 + 1;  // classes are not quite even
    for (; part.chosen < part.classes; ++part.chosen) XMC_TRY(f(part));
  }
  return {};
}

Status DelayedSearch::detect_all(StopReason& stop) {
  const PhaseClock::Scope scope(search_.clock, Phase::detection);
  const u64 states_before = verified_states_;
  const u64 levels_before = verified_levels_;
  const u64 began = now();
  ++stats().detections;
  before_last_size_ = unverified() == 0 ? last_size_ : 0;
  since_size_ = 0;
  detect_keys_ += visited_.keys();
  XMC_TRY(detect_parts(stop));
  clear_table();
  detect_ns_ += now() - began;
  if (stop != StopReason::none) {
    // The run goes on from an earlier point, where this detection is made again.
    verified_states_ = states_before;
    verified_levels_ = levels_before;
    return {};
  }
  for (u32 p = 0; p < kPartitions; ++p) verified_[p] = visited_.keys(p);
  verified_stripe_ = visited_.stripes();
  verified_states_ += enqueued_;
  if (enqueued_ > 0) verified_levels_ = std::max(verified_levels_, enqueue_level_ + 1);
  since_size_ += enqueued_;
  detected(before_last_size_, enqueued_, since_size_);
  last_size_ = enqueued_;
  return {};
}

Status DelayedSearch::detect_parts(StopReason& stop) {
  if (spilled_.keys() == 0 && search_.table.size() + unverified() <= capacity_) {
    // Everything fits at once, with the candidates where they are.
    front_ = search_.table.size();
    return detect(Part(), stop);
  }
  XMC_TRY(spill_table());
  const auto detect_part = [&](const Part& part) -> Status {
    clear_table();
    XMC_TRY(insert_spilled(part));
    return stop == StopReason::none ? detect(part, stop) : Status();
  };
  XMC_TRY(for_parts(true, detect_part));
  return stop == StopReason::none ? spilled_.clear() : Status();
}

Status DelayedSearch::insert_spilled(const Part& part) {
  const PhaseClock::Scope scope(search_.clock, Phase::insertion);
  Word state[limits::kStateWords];
  log_reader_.start(spilled_, log_buffer_);
  log_reader_.seek(part.first, part.last, 0);
  for (;;) {
    const Result<bool> more = log_reader_.next(state);
    if (!more.ok()) return more.status();
    if (!more.value()) break;
    if (!in_part(state, part)) continue;
    const bool fits = search_.table.insert(state, 1, nullptr) == 1;
    XMC_CHECK(fits);
  }
  front_ = search_.table.size();
  return {};
}

Status DelayedSearch::detect(const Part& part, StopReason& stop) {
  XMC_TRY(insert_expanded(part));
  XMC_TRY(look_up_verified(part));
  XMC_TRY(settle_expanded(part));
  return enqueue_unmarked(stop);
}

Status DelayedSearch::insert_expanded(const Part& part) {
  StateTable& table = search_.table;
  Word state[limits::kStateWords];
  log_reader_.start(visited_, log_buffer_);
  log_reader_.seek(part.first, part.last, verified_stripe_);
  for (;;) {
    const Result<bool> more = log_reader_.next(state);
    if (!more.ok()) return more.status();
    if (!more.value()) return {};
    if (log_reader_.number() < verified_[log_reader_.partition()]) continue;
    if (!in_part(state, part)) continue;
    StateIndex index = 0;
    const bool fits = table.insert(state, 1, &index) == 1;
    XMC_CHECK(fits);
    table.set_note(index, kExpanded);
  }
}

Status DelayedSearch::look_up_verified(const Part& part) {
  StateTable& table = search_.table;
  constexpr u32 kBatch = StateTable::kBatch;
  const u32 words = search_.model.state_words;
  Word states[kBatch * limits::kStateWords];
  u64 levels[kBatch];
  StateIndex found[kBatch];
  log_reader_.start(visited_, log_buffer_);
  log_reader_.seek(part.first, part.last, 0);
  for (bool more = true; more;) {
    u32 count = 0;
    while (count < kBatch) {
      const Result<bool> next = log_reader_.next(states + u64{count} * words);
      if (!next.ok()) return next.status();
      more = next.value() && log_reader_.stripe() <= verified_stripe_;
      if (!more) break;
      if (log_reader_.number() >= verified_[log_reader_.partition()]) continue;
      levels[count++] = log_reader_.level();
    }
    table.find(states, count, found);
    for (u32 i = 0; i < count; ++i) {
      if (found[i] == kNone || (table.note(found[i]) & kOld) != 0) continue;
      table.set_note(found[i], table.note(found[i]) | kOld);
      const u64 length = enqueue_level_ - 1 - levels[i];
      if (found[i] < front_ && length < kLengths) ++lengths_[length].hits;
    }
  }
  for (u64 b = 0; b < kLengths && b < enqueue_level_; ++b) ++lengths_[b].looks;
  return {};
}

// Everything in C was expanded and counted. Of each new state the first occurrence stands.
Status DelayedSearch::settle_expanded(const Part& part) {
  StateTable& table = search_.table;
  Word state[limits::kStateWords];
  log_reader_.start(visited_, log_buffer_);
  log_reader_.seek(part.first, part.last, verified_stripe_);
  for (;;) {
    const Result<bool> more = log_reader_.next(state);
    if (!more.ok()) return more.status();
    if (!more.value()) return {};
    if (log_reader_.number() < verified_[log_reader_.partition()]) continue;
    if (!in_part(state, part)) continue;
    StateIndex index = 0;
    table.find(state, 1, &index);
    const u32 note = table.note(index);
    if ((note & (kOld | kCounted)) != 0) {
      take_back(state);
      continue;
    }
    table.set_note(index, note | kCounted);
    ++verified_states_;
    ++since_size_;
    if (log_reader_.level() + 1 == enqueue_level_) ++before_last_size_;
    verified_levels_ = std::max(verified_levels_, log_reader_.level() + 1);
  }
}

Status DelayedSearch::enqueue_unmarked(StopReason& stop) {
  const PhaseClock::Scope scope(search_.clock, Phase::queueing);
  StateTable& table = search_.table;
  Word state[limits::kStateWords];
  for (StateIndex i = 0; i < front_; ++i) {
    if (table.note(i) != 0) continue;
    table.load(i, state);
    const u64 before = queue_.keys();
    XMC_TRY(enqueue(state, stop));
    if (stop != StopReason::none) return {};
    if (queue_.keys() == before) continue;  // beyond the depth limit
    XMC_TRY(visited_.append(partition_of(state), state, enqueue_level_));
    ++enqueued_;
  }
  return {};
}

// --- Without a detection ----------------------------------------------------------------------

Status DelayedSearch::go_on_without(StopReason& stop) {
  if (spilled_.keys() == 0) {
    front_ = search_.table.size();
    XMC_TRY(look_up_lengths());
    XMC_TRY(enqueue_unmarked(stop));
  } else {
    XMC_TRY(spill_table());
    const auto pass = [&](const Part& part) -> Status {
      clear_table();
      XMC_TRY(insert_spilled(part));
      XMC_TRY(look_up_lengths());
      return stop == StopReason::none ? enqueue_unmarked(stop) : Status();
    };
    XMC_TRY(for_parts(false, pass));
    if (stop == StopReason::none) XMC_TRY(spilled_.clear());
  }
  clear_table();
  return {};
}

// The lengths by which most old states were found, so far as they are likely to pay now.
Status DelayedSearch::look_up_lengths() {
  const PhaseClock::Scope scope(search_.clock, Phase::detection);
  const u32 most = partial_lengths();
  const auto rate = [&](u64 b) {
    const Length& l = lengths_[b];
    return l.looks == 0 ? 0.0 : static_cast<double>(l.hits) / static_cast<double>(l.looks);
  };
  double below = 1e300;
  for (u32 i = 0; i < most; ++i) {
    u64 best = kLengths;
    for (u64 b = 0; b < kLengths && b < enqueue_level_; ++b) {
      if (rate(b) > 0 && rate(b) < below && (best == kLengths || rate(b) > rate(best))) best = b;
    }
    if (best == kLengths) return {};
    below = rate(best);
    ++stats().partial_detections;
    u64 hits = 0;
    XMC_TRY(look_up_level(enqueue_level_ - 1 - best, hits));
    lengths_[best].hits += static_cast<u32>(hits);
    ++lengths_[best].looks;
  }
  return {};
}

Status DelayedSearch::look_up_level(u64 level, u64& hits) {
  StateTable& table = search_.table;
  KeyReader reader;
  reader.start(queue_, scan_buffer_);
  const KeyReader::Position begin = level_begin_[level % kLengths];
  XMC_TRY(begin.slot == kUnknownSlot ? reader.seek_level(level) : reader.seek(begin));
  constexpr u32 kBatch = StateTable::kBatch;
  const u32 words = search_.model.state_words;
  Word states[kBatch * limits::kStateWords];
  StateIndex found[kBatch];
  for (bool more = true; more;) {
    u32 count = 0;
    while (count < kBatch) {
      const Result<bool> next = reader.next(states + u64{count} * words);
      if (!next.ok()) return next.status();
      more = next.value() && reader.level() <= level;
      if (!more) break;
      if (reader.level() == level) ++count;
    }
    table.find(states, count, found);
    for (u32 i = 0; i < count; ++i) {
      if (found[i] == kNone || table.note(found[i]) != 0) continue;
      table.set_note(found[i], kOld);
      ++hits;
    }
  }
  return {};
}

// --- Ends -------------------------------------------------------------------------------------

Status DelayedSearch::conclude() {
  stats().states = verified_states_;
  stats().levels = verified_levels_;
  return {};
}

Status DelayedSearch::save_store(Manifest& manifest) {
  XMC_TRY(visited_.flush());
  manifest.add_file(visited_.name(), visited_.bytes(), visited_.chain());
  manifest.add("visited-block", shape_.block_bytes);
  manifest.add_words("verified", {verified_, kPartitions});
  manifest.add("verified-stripe", verified_stripe_);
  manifest.add("verified-states", verified_states_);
  manifest.add("verified-levels", verified_levels_);
  return {};
}

Status DelayedSearch::restore_store(const Manifest& manifest) {
  u64 block_bytes = 0;
  XMC_TRY(restore_number(manifest, "visited-block", block_bytes));
  if (block_bytes != shape_.block_bytes) {
    return Status::fail(Code::budget,
                        "the partitions of this run have blocks of %llu bytes, and this --ram "
                        "wants %u; resume with the --ram and the --threads it had",
                        static_cast<unsigned long long>(block_bytes), shape_.block_bytes);
  }
  reset_figures();
  XMC_TRY(open_logs(&manifest));
  XMC_TRY(manifest.words("verified", {verified_, kPartitions}));
  XMC_TRY(restore_number(manifest, "verified-stripe", verified_stripe_));
  XMC_TRY(restore_number(manifest, "verified-states", verified_states_));
  return restore_number(manifest, "verified-levels", verified_levels_);
}

}  // namespace xmc
