#include "engine/delayed/delayed_search.h"

#include <algorithm>

#include "engine/measure/device_cost.h"
#include "engine/search/level_checkpoint.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kMostBlock = 64 << 10;
// Stripes of visited states that are read at once, while as many are looked at. With a sixth of the
// memory for them a detection is faster by more than a larger table would save: 0.81 to 0.99 of
// the CPU time on nine models at 5% or 4M against a sixteenth and stripes of half the size.
constexpr u64 kLeastAhead = 1;
constexpr u64 kMostAhead = 16;

// The lowest bits of a state of one word.
u32 bits_in_use(const Model& model) {
  if (model.state_words > 1 || model.fields.empty()) return std::min(8 * model.state_bytes, 64u);
  u32 bits = 0;
  for (const StateField& field : model.fields)
    bits = std::max(bits, u32{field.shift} + field.width);
  return bits;
}

// More states that are not verified, in units of the table, are not put up with.
constexpr u64 kMostTables = 8;

}  // namespace

// --- Plan -------------------------------------------------------------------------------------

u64 DelayedSearch::own_bytes(const Model&, const SearchOptions&) const {
  return kPartitions * kPageBytes + (1 + 2 * kLeastAhead) * HashedLog::kStripeBytes + kPageBytes +
         kLengths * (sizeof(Length) + sizeof(u64)) +
         (kSampleSlots + kFreshSlots) * 3 / 2 * sizeof(u32) + 384;
}

void DelayedSearch::plan_own(Arena& arena) {
  lengths_ = arena.carve_array<Length>("lengths", kLengths, 64).data();
  level_stripe_ = arena.carve_array<u64>("lengths", kLengths, 64).data();
  sample_slots_ = arena.carve_array<u32>("sample", kSampleSlots, 64);
  sample_spare_ = arena.carve_array<u32>("sample", kSampleSlots / 2, 64);
  fresh_slots_ = arena.carve_array<u32>("sample", kFreshSlots, 64);
  fresh_spare_ = arena.carve_array<u32>("sample", kFreshSlots / 2, 64);
  const u64 stripe = HashedLog::kStripeBytes;
  visited_buffer_ = arena.carve_array<u8>("partition buffers", stripe, kPageBytes);
  const u64 ahead = std::clamp<u64>(arena.free_bytes() / 12 / stripe, kLeastAhead, kMostAhead);
  const u64 wanted = round_down(arena.free_bytes() / 14 / kPartitions, kPageBytes);
  spilled_block_ = static_cast<u32>(std::clamp(wanted, kPageBytes, kMostBlock));
  const u64 spilled = u64{kPartitions} * spilled_block_;
  spilled_buffer_ = arena.carve_array<u8>("partition buffers", spilled, kPageBytes);
  const u64 scan = std::max(2 * ahead * stripe, spilled);
  scan_stripes_ = arena.carve_array<u8>("partition buffers", scan, kPageBytes);
  const Model& model = search_.model;
  shape_ = {StateHash(model.state_words, bits_in_use(model)), model.state_words, model.state_bytes};
}

u64 DelayedSearch::least_region(const Model& model, const SearchOptions&) const {
  const u64 states = u64{4} * Search::buffer_states_for(model);
  return StateTable::minimum_bytes(shape_of(model, true)) + states * (model.state_bytes + 8) * 2;
}

Status DelayedSearch::open_logs(const Manifest* manifest) {
  XMC_LET(Device* const spilled, open_file(kCandidatesFile, Folder::Open::create));
  PartitionLog::Shape candidates;
  candidates.partitions = kPartitions;
  candidates.block_bytes = spilled_block_;
  candidates.key_words = search_.model.state_words;
  spilled_.start(spilled, kCandidatesFile, Purpose::candidates, candidates, spilled_buffer_);
  const Folder::Open how = manifest == nullptr ? Folder::Open::create : Folder::Open::existing;
  XMC_LET(Device* const visited, open_file(kVisitedFile, how));
  if (manifest == nullptr) {
    visited_.start(visited, kVisitedFile, shape_, visited_buffer_);
    return {};
  }
  Manifest::File file;
  XMC_TRY(find_file(*manifest, kVisitedFile, file));
  return visited_.reopen(visited, kVisitedFile, shape_, visited_buffer_, file.bytes, file.chain);
}

// The table, and three bytes of a filter for each state in it.
void DelayedSearch::divide_region() {
  const u64 per_state = search_.model.state_bytes + u64{8};
  const u64 filter = round_up(region_.size() / per_state * 3, 64) + 64;
  const std::size_t table = region_.size() - static_cast<std::size_t>(filter);
  table_region_ = region_.first(table);
  filter_memory_ = {reinterpret_cast<u64*>(region_.data() + table),
                    static_cast<std::size_t>(filter / sizeof(u64))};
  clear_table();
  // What fits with a margin for uneven partitions.
  capacity_ = search_.table.states_in(table_region_.size() / 10 * 9);
}

void DelayedSearch::reset_figures() {
  std::fill_n(verified_, kPartitions, u64{0});
  verified_stripe_ = verified_states_ = verified_levels_ = 0;
  last_size_ = before_last_size_ = since_size_ = 0;
  settled_ns_ = cost_clock();
  expand_ns_ = expanded_ = 0;
  scan_cost_ = {};
  timed_states_ = 0;
  trained_degree_ = 1;
  expanded_before_ = stats().expansions;
  std::fill_n(lengths_, kLengths, Length());
  std::fill_n(level_stripe_, kLengths, u64{0});
  sample_.start(sample_slots_, sample_spare_);
  fresh_.start(fresh_slots_, fresh_spare_);
  sampled_old_ = 0;
  last_enqueued_ = ~u64{0};
  delayed_ = false;
  runs_ = 0;
  distinct_share_ = 1;
  divide_region();
}

Status DelayedSearch::begin_store() {
  reset_figures();
  stats().detections = stats().delayed_detections = stats().partial_detections = 0;
  XMC_TRY(open_logs(nullptr));
  clear_table();
  return {};
}

u64 DelayedSearch::unverified() const {
  u64 sum = 0;
  for (u32 p = 0; p < kPartitions; ++p) sum += visited_.keys(p) - verified_[p];
  return sum;
}

// What devices take is added where a probe has told.
u64 DelayedSearch::cost_clock() const {
  return search_.options.device == nullptr ? now() : busy_ns();
}

DelayPolicy::Costs DelayedSearch::costs() const {
  DelayPolicy::Costs costs;
  if (expand_ns_ == 0 || expanded_ == 0 || !scan_cost_.known()) return costs;
  costs.read = scan_cost_.per_state();
  if (search_.options.device != nullptr) {
    const u64 request = scan_stripes_.size() / 2;
    const double per_byte = search_.options.device->scan_ns(request) / static_cast<double>(request);
    costs.read +=
        per_byte * HashedLog::Layout(shape_, HashedLog::kGroupKeys).end / HashedLog::kGroupKeys;
  }
  // What the device takes for a byte, written against read; where nobody asked it, the paper's two.
  const DeviceCost* const device = search_.options.device;
  const bool known = device != nullptr && device->scan_ns_per_byte > 0;
  costs.write = costs.read * (known ? device->write_ns_per_byte / device->scan_ns_per_byte : 2);
  // A repeated expansion is made twice: the second time to take its counts back. And it is a match
  // of some detection. It leads to other repeats, so all of it counts twice: 0.90 to 1.00 of the
  // time on nine of ten models (lifts.7 6.7 to 5.8 million expansions, cambridge.5 takes 1.04).
  const double once =
      2 * static_cast<double>(expand_ns_) / static_cast<double>(expanded_) + scan_cost_.per_match();
  costs.expand = 2 * once;
  return costs;
}

double DelayedSearch::degree() {
  const SearchStats& s = stats();
  if (s.expansions == 0) return trained_degree_;
  return static_cast<double>(s.transitions) / static_cast<double>(s.expansions);
}

void DelayedSearch::sample_candidate(u32 fingerprint) {
  if (!sample_.covers(fingerprint)) return;
  if (sample_.has(fingerprint)) {
    sampled_old_ += sample_.factor();
  } else {
    fresh_.add(fingerprint);
  }
}

DelayedSearch::Sampled DelayedSearch::sample_candidates() {
  Word state[limits::kStateWords];
  for (StateIndex i = front_begin_; i < search_.table.size(); ++i) {
    search_.table.load(i, state);
    sample_candidate(static_cast<u32>(hash_of(state)));
  }
  // Those in the table are all different: the sample is needed for the old ones only.
  const u32 factor = std::max(sample_.factor(), fresh_.factor());
  const double candidates = static_cast<double>(search_.table.size() - front_begin_);
  const Sampled sampled{sampled_old_,
                        spilled_.keys() == 0 ? std::max(0.0, candidates - sampled_old_)
                                             : static_cast<double>(u64{fresh_.size()} * factor),
                        static_cast<double>(sample_.factor())};
  fresh_.start(fresh_slots_, fresh_spare_);
  sampled_old_ = 0;
  return sampled;
}

void DelayedSearch::clear_table() {
  // An index for all of it, once it has been full.
  const bool large = visited_.keys() > capacity_;
  search_.table.init(table_region_, shape_of(search_.model, true), large ? capacity_ : 0);
  known_ = last_begin_ = front_begin_ = front_end_ = 0;
  whole_ = unverified() == 0;
  all_ = visited_.keys() == 0;
}

// After a detection: everything in the table is enqueued, or was.
void DelayedSearch::keep_table() {
  StateTable& table = search_.table;
  for (StateIndex i = known_; i < table.size(); ++i) table.set_note(i, kOld);
  known_ = front_begin_ = table.size();
  whole_ = true;
}

// --- While a level is expanded ----------------------------------------------------------------

// The fingerprint chooses the class.
bool DelayedSearch::in_part(const Word* state, const Part& part) const {
  if (part.classes == 1) return true;
  return ((hash_of(state) & 0xFFFF'FFFFu) * part.classes >> 32) == part.chosen;
}

Status DelayedSearch::take(u32 count, StopReason&) {
  StateTable& table = search_.table;
  for (u32 done = 0; done < count;) {
    const u32 room = static_cast<u32>(capacity_ - std::min<u64>(capacity_, table.size()));
    done += table.insert(search_.buffer_at(done), std::min(count - done, room), nullptr);
    if (done < count) XMC_TRY(make_room());
  }
  return {};
}

// The older half of the table goes, if that is mostly states that were enqueued.
Status DelayedSearch::make_room() {
  StateTable& table = search_.table;
  const u32 oldest = std::min<u32>(front_begin_, table.size() / 2) / 8 * 8;
  if (oldest < table.size() / 4 || oldest == 0) return spill_table();
  table.drop_first(oldest);
  all_ = false;
  if (oldest > known_) whole_ = false;
  known_ -= std::min<StateIndex>(known_, oldest);
  last_begin_ -= std::min<StateIndex>(last_begin_, oldest);
  front_begin_ -= oldest;
  return {};
}

Status DelayedSearch::spill_table() {
  const PhaseClock::Scope scope(search_.clock, Phase::partitioning);
  Word state[limits::kStateWords];
  for (StateIndex i = front_begin_; i < search_.table.size(); ++i) {
    search_.table.load(i, state);
    const u64 hash = hash_of(state);
    const u32 fingerprint = static_cast<u32>(hash);
    sample_candidate(fingerprint);
    XMC_TRY(spilled_.append(StateHash::partition_of(hash), state, enqueue_level_));
  }
  clear_table();
  return {};
}

// --- At its end -------------------------------------------------------------------------------

Status DelayedSearch::settle(bool level_end, StopReason& stop) {
  const u64 candidates = search_.table.size() - front_begin_ + spilled_.keys();
  if (candidates == 0 && !(level_end && unverified() > 0)) return {};
  expand_ns_ += cost_clock() - settled_ns_;
  expanded_ += stats().expansions - expanded_before_;
  enqueued_ = 0;
  if (level_end) level_stripe_[enqueue_level_ % kLengths] = visited_.stripes();
  bool open = true;
  // The estimate is made in any case, for its error.
  const bool wait = candidates > 0 && delay(candidates);
  const bool bounded = unverified() + candidates <= kMostTables * capacity_;
  if (wait && bounded && !all_ && !at_last_level()) {
    ++stats().delayed_detections;
    delayed_ = true;
    XMC_TRY(go_on_without(stop));
    // Without a next level this is the last chance to see which of the states were repeats.
    open = level_end && queue_.keys() == level_end_ && stop == StopReason::none;
  }
  if (open) XMC_TRY(detect_all(stop));
  fresh_.start(fresh_slots_, fresh_spare_);
  sampled_old_ = 0;
  settled_ns_ = cost_clock();
  expanded_before_ = stats().expansions;
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
  manifest.add_words("verified", {verified_, kPartitions});
  manifest.add("verified-stripe", verified_stripe_);
  manifest.add("verified-states", verified_states_);
  manifest.add("verified-levels", verified_levels_);
  return {};
}

Status DelayedSearch::restore_store(const Manifest& manifest) {
  reset_figures();
  XMC_TRY(open_logs(&manifest));
  XMC_TRY(manifest.words("verified", {verified_, kPartitions}));
  XMC_TRY(restore_number(manifest, "verified-stripe", verified_stripe_));
  XMC_TRY(restore_number(manifest, "verified-states", verified_states_));
  XMC_TRY(restore_number(manifest, "verified-levels", verified_levels_));
  clear_table();
  delayed_ = unverified() > 0;
  return sample_visited();
}

Status DelayedSearch::sample_visited() {
  Word state[limits::kStateWords];
  visited_reader_.start(visited_, scan_stripes_, go_on());
  visited_reader_.seek(0, kPartitions, 0, ~u64{0});
  for (;;) {
    const Result<bool> more = visited_reader_.next({}, state);
    if (more.ok() && more.value()) {
      sample_.add(static_cast<u32>(hash_of(state)));
      continue;
    }
    const Status finished = visited_reader_.finish();
    return more.ok() ? finished : more.status();
  }
}

}  // namespace xmc
