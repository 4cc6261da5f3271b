#include "engine/delayed/delayed_visited.h"

#include <algorithm>

#include "engine/measure/device_cost.h"
#include "engine/search/file_names.h"
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

u64 DelayedVisited::own_bytes(const Model&, const SearchOptions&) const {
  return kPartitions * kPageBytes + (1 + 2 * kLeastAhead) * HashedLog::kStripeBytes + kPageBytes +
         kLengths * (sizeof(Length) + sizeof(u64)) + CandidateSample::kBytes + 384;
}

void DelayedVisited::plan(Arena& arena) {
  back_.lengths = arena.carve_array<Length>("lengths", kLengths, 64).data();
  back_.level_stripe = arena.carve_array<u64>("lengths", kLengths, 64).data();
  sample_.plan(arena);
  const u64 stripe = HashedLog::kStripeBytes;
  buffers_.visited = arena.carve_array<u8>("partition buffers", stripe, kPageBytes);
  const u64 ahead = std::clamp<u64>(arena.free_bytes() / 12 / stripe, kLeastAhead, kMostAhead);
  const u64 wanted = round_down(arena.free_bytes() / 14 / kPartitions, kPageBytes);
  buffers_.spilled_block = static_cast<u32>(std::clamp(wanted, kPageBytes, kMostBlock));
  const u64 spilled = u64{kPartitions} * buffers_.spilled_block;
  buffers_.spilled = arena.carve_array<u8>("partition buffers", spilled, kPageBytes);
  const u64 scan = std::max(2 * ahead * stripe, spilled);
  buffers_.stripes = arena.carve_array<u8>("partition buffers", scan, kPageBytes);
  const Model& model = search().model;
  shape_ = {StateHash(model.state_words, bits_in_use(model)), model.state_words, model.state_bytes};
}

u64 DelayedVisited::least_region(const Model& model, const SearchOptions&) const {
  const u64 states = u64{4} * Search::buffer_states_for(model);
  return StateTable::minimum_bytes(Frontier::shape_of(model, true)) +
         states * (model.state_bytes + 8) * 2;
}

Status DelayedVisited::open_logs(const FileMark* mark) {
  XMC_LET(Device* const spilled, frontier_->files.open(kCandidatesFile, Folder::Open::create));
  PartitionLog::Shape candidates;
  candidates.partitions = kPartitions;
  candidates.block_bytes = buffers_.spilled_block;
  candidates.key_words = search().model.state_words;
  spilled_.start(spilled, kCandidatesFile, Purpose::candidates, candidates, buffers_.spilled);
  const Folder::Open how = mark == nullptr ? Folder::Open::create : Folder::Open::existing;
  XMC_LET(Device* const visited, frontier_->files.open(kVisitedFile, how));
  if (mark == nullptr) {
    visited_.start(visited, kVisitedFile, shape_, buffers_.visited);
    return {};
  }
  return visited_.reopen(visited, kVisitedFile, shape_, buffers_.visited, mark->bytes, mark->chain);
}

// The table, and three bytes of a filter for each state in it.
void DelayedVisited::divide_region() {
  const u64 per_state = search().model.state_bytes + u64{8};
  const u64 filter = round_up(region().size() / per_state * 3, 64) + 64;
  const std::size_t table = region().size() - static_cast<std::size_t>(filter);
  memory_.table = region().first(table);
  memory_.filters = {reinterpret_cast<u64*>(region().data() + table),
                     static_cast<std::size_t>(filter / sizeof(u64))};
  clear_table();
  // What fits with a margin for uneven partitions.
  memory_.capacity = table_.states_in(memory_.table.size() / 10 * 9);
}

void DelayedVisited::reset() {
  verified_ = {};
  sizes_ = {};
  timing_ = {};
  timing_.settled_ns = cost_clock();
  timing_.expanded_before = stats().expansions;
  std::fill_n(back_.lengths, kLengths, Length());
  std::fill_n(back_.level_stripe, kLengths, u64{0});
  sample_.start();
  last_enqueued_ = ~u64{0};
  delayed_ = false;
  runs_.count = 0;
  distinct_share_ = 1;
  divide_region();
}

Status DelayedVisited::begin() {
  reset();
  stats().detections = stats().delayed_detections = stats().partial_detections = 0;
  XMC_TRY(open_logs(nullptr));
  clear_table();
  return {};
}

u64 DelayedVisited::unverified() const {
  u64 sum = 0;
  for (u32 p = 0; p < kPartitions; ++p) sum += visited_.keys(p) - verified_.keys[p];
  return sum;
}

// What devices take is added where a probe has told.
u64 DelayedVisited::cost_clock() const {
  return search().options.device == nullptr ? frontier_->now() : frontier_->busy_ns();
}

DelayPolicy::Costs DelayedVisited::costs() const {
  DelayPolicy::Costs costs;
  if (timing_.expand_ns == 0 || timing_.expanded == 0 || !timing_.scan.known()) return costs;
  costs.read = timing_.scan.per_state();
  if (search().options.device != nullptr) {
    const u64 request = buffers_.stripes.size() / 2;
    const double per_byte =
        search().options.device->scan_ns(request) / static_cast<double>(request);
    costs.read +=
        per_byte * HashedLog::Layout(shape_, HashedLog::kGroupKeys).end / HashedLog::kGroupKeys;
  }
  // What the device takes for a byte, written against read; where nobody asked it, the paper's two.
  const DeviceCost* const device = search().options.device;
  const bool known = device != nullptr && device->scan_ns_per_byte > 0;
  costs.write = costs.read * (known ? device->write_ns_per_byte / device->scan_ns_per_byte : 2);
  // A repeated expansion is made twice: the second time to take its counts back. And it is a match
  // of some detection. It leads to other repeats, so all of it counts twice: 0.90 to 1.00 of the
  // time on nine of ten models (lifts.7 6.7 to 5.8 million expansions, cambridge.5 takes 1.04).
  const double once =
      2 * static_cast<double>(timing_.expand_ns) / static_cast<double>(timing_.expanded) +
      timing_.scan.per_match();
  costs.expand = 2 * once;
  return costs;
}

double DelayedVisited::degree() {
  const SearchStats& s = stats();
  if (s.expansions == 0) return timing_.degree;
  return static_cast<double>(s.transitions) / static_cast<double>(s.expansions);
}

CandidateSample::Estimate DelayedVisited::estimate_candidates() {
  Word state[limits::kStateWords];
  for (StateIndex i = in_table_.front_begin; i < table_.size(); ++i) {
    table_.load(i, state);
    sample_.add_candidate(static_cast<u32>(hash_of(state)));
  }
  return sample_.estimate(table_.size() - in_table_.front_begin, spilled_.keys() == 0);
}

void DelayedVisited::clear_table() {
  // An index for all of it, once it has been full.
  const bool large = visited_.keys() > memory_.capacity;
  table_.init(memory_.table, frontier_->shape(true), large ? memory_.capacity : 0);
  in_table_.known = in_table_.last_begin = in_table_.front_begin = in_table_.front_end = 0;
  in_table_.whole = unverified() == 0;
  in_table_.all = visited_.keys() == 0;
}

// After a detection: everything in the table is enqueued, or was.
void DelayedVisited::keep_table() {
  for (StateIndex i = in_table_.known; i < table_.size(); ++i) table_.set_note(i, kOld);
  in_table_.known = in_table_.front_begin = table_.size();
  in_table_.whole = true;
}

// --- While a level is expanded ----------------------------------------------------------------

// The fingerprint chooses the class.
bool DelayedVisited::in_pass(const Word* state, const Pass& pass) const {
  if (pass.classes == 1) return true;
  return ((hash_of(state) & 0xFFFF'FFFFu) * pass.classes >> 32) == pass.chosen;
}

Status DelayedVisited::take(u32 count) {
  for (u32 done = 0; done < count;) {
    const u32 room =
        static_cast<u32>(memory_.capacity - std::min<u64>(memory_.capacity, table_.size()));
    done += table_.insert(search().buffer_at(done), std::min(count - done, room), nullptr);
    if (done < count) XMC_TRY(make_room());
  }
  return {};
}

// The older half of the table goes, if that is mostly states that were enqueued.
Status DelayedVisited::make_room() {
  const u32 oldest = std::min<u32>(in_table_.front_begin, table_.size() / 2) / 8 * 8;
  if (oldest < table_.size() / 4 || oldest == 0) return spill_table();
  table_.drop_first(oldest);
  in_table_.all = false;
  if (oldest > in_table_.known) in_table_.whole = false;
  in_table_.known -= std::min<StateIndex>(in_table_.known, oldest);
  in_table_.last_begin -= std::min<StateIndex>(in_table_.last_begin, oldest);
  in_table_.front_begin -= oldest;
  return {};
}

Status DelayedVisited::spill_table() {
  const PhaseClock::Scope scope(search().clock, Phase::partitioning);
  Word state[limits::kStateWords];
  for (StateIndex i = in_table_.front_begin; i < table_.size(); ++i) {
    table_.load(i, state);
    const u64 hash = hash_of(state);
    const u32 fingerprint = static_cast<u32>(hash);
    sample_.add_candidate(fingerprint);
    XMC_TRY(spilled_.append(StateHash::partition_of(hash), state, at().enqueue_level));
  }
  clear_table();
  return {};
}

// --- At its end -------------------------------------------------------------------------------

Status DelayedVisited::settle(bool level_end) {
  const u64 candidates = table_.size() - in_table_.front_begin + spilled_.keys();
  if (candidates == 0 && !(level_end && unverified() > 0)) return {};
  timing_.expand_ns += cost_clock() - timing_.settled_ns;
  timing_.expanded += stats().expansions - timing_.expanded_before;
  sizes_.enqueued = 0;
  if (level_end) back_.level_stripe[at().enqueue_level % kLengths] = visited_.stripes();
  bool open = true;
  // The estimate is made in any case, for its error.
  const bool wait = candidates > 0 && delay(candidates);
  const bool bounded = unverified() + candidates <= kMostTables * memory_.capacity;
  if (wait && bounded && !in_table_.all && !at().last) {
    ++stats().delayed_detections;
    delayed_ = true;
    XMC_TRY(go_on_without());
    // Without a next level this is the last chance to see which of the states were repeats.
    open = level_end && queue().keys() == at().end;
  }
  if (open) XMC_TRY(detect_all());
  sample_.start_candidates();
  timing_.settled_ns = cost_clock();
  timing_.expanded_before = stats().expansions;
  return {};
}

// --- Ends -------------------------------------------------------------------------------------

Status DelayedVisited::conclude() {
  stats().states = verified_.states;
  stats().levels = verified_.levels;
  return {};
}

void DelayedVisited::lines(Lines& io) {
  FileMark visited;
  if (!io.reads()) {
    io.need(visited_.flush());
    visited = mark_of(visited_);
  }
  io.file(kVisitedFile, visited);
  if (io.reads() && io.status().ok()) io.need(open_logs(&visited));
  io.words("verified", {verified_.keys, kPartitions});
  io.number("verified-stripe", verified_.stripe);
  io.number("verified-states", verified_.states);
  io.number("verified-levels", verified_.levels);
}

Status DelayedVisited::restore(Lines& io) {
  reset();
  lines(io);
  XMC_TRY(io.status());
  clear_table();
  delayed_ = unverified() > 0;
  return sample_visited();
}

Status DelayedVisited::sample_visited() {
  Word state[limits::kStateWords];
  const LongWork::Scope scope(&search().work, "restoring");
  visited_reader_.start(visited_, buffers_.stripes, frontier_->go_on());
  visited_reader_.seek(0, kPartitions, 0, ~u64{0});
  for (;;) {
    const Result<bool> more = visited_reader_.next({}, state);
    if (more.ok() && more.value()) {
      sample_.add_visited(static_cast<u32>(hash_of(state)));
      continue;
    }
    const Status finished = visited_reader_.finish();
    return more.ok() ? finished : more.status();
  }
}

}  // namespace xmc
