#include "engine/diagram/diagram_engine.h"

#include <algorithm>
#include <cstdint>

#include "engine/ram/bfs.h"
#include "engine/ram/nested_dfs.h"
#include "store/keys/sort_keys.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/parallel.h"

namespace xmc {

namespace {

constexpr u64 kFreshBytes = DiagramSet::kChunk / 8;
// What the diagram may have of the memory. Once it has been spilled, small batches cost more than
// small runs: each level reads all runs for every sixteen batches, and merges those. (With 91, 75,
// 60, 45, 30 lamport.6 took 10.2, 9.4, 8.0, 7.5, 7.4 s at 5.5M, lifts.7 5.3, 4.9, 4.8, 4.8, 5.6.)
constexpr u64 kMostPercent = 91;
constexpr u64 kMostSpilledPercent = 45;
constexpr u64 kSmallestRegion = u64{256} << 10;  // what a hand-over can be laid out in

}  // namespace

u64 DiagramEngine::own_bytes(const Model& model, const SearchOptions&) const {
  const u64 indexes = model.buchi ? u64{model.max_successors} * sizeof(StateIndex) : 0;
  return KeyOrder::bytes_for(model, spills_) + indexes + 2 * kLineBytes;
}

u64 DiagramEngine::least_region(const Model& model, const SearchOptions&) const {
  const u64 runs = spills_ ? DiagramSet::kLeastPool + CandidateRuns::kLeastMemory + kPageBytes : 0;
  return std::max(StateTable::minimum_bytes(shape_of(model, model.buchi)), kSmallestRegion + runs);
}

void DiagramEngine::plan_own(Arena& arena) {
  const Model& model = search_.model;
  order_.plan(model, arena, spills_);
  if (model.buchi) {
    search_.indexes =
        arena.carve_array<StateIndex>("successors", model.max_successors, kLineBytes).data();
  }
  search_.hand_over.keep_room = search_.buffer_states + 64;
}

// --- In the table -----------------------------------------------------------------------------

Status DiagramEngine::start(StopReason& stop) {
  SearchOutcome& outcome = *search_.outcome;
  Search::HandOver& hand = search_.hand_over;
  forget_waiting();
  search_.table.init(region_, shape_of(search_.model, search_.model.buchi));
  search_.table.set_state_limit(search_.options.state_limit);
  XMC_TRY(open_queue());
  if (search_.options.checkpoints != nullptr || cycle_finder() != nullptr) {
    hand.owner = this;
    hand.level_end_call = [](void* self) {
      auto* const engine = static_cast<DiagramEngine*>(self);
      *engine->table_status_ = engine->table_level_done();
      return engine->table_status_->ok();
    };
  }
  on_file_ = false;
  Status levels;
  table_status_ = &levels;
  run_bfs(search_);
  if (!levels.ok()) return levels;
  if (search_.model.buchi && cycle_finder() == nullptr && outcome.complete &&
      outcome.violation == Violation::none) {
    run_nested_dfs(search_, false);
  }
  const bool stopped = outcome.stop != StopReason::none && outcome.stop != StopReason::ram;
  const bool save = stopped && search_.options.checkpoints != nullptr &&
                    (!search_.model.buchi || cycle_finder() != nullptr) &&
                    (outcome.violation == Violation::none || outcome.path_missing);
  // Cycles are looked for in the queue.
  const bool cycles = cycle_finder() != nullptr && (outcome.complete || search_.cycle_found());
  if (!hand.happened && !save && !cycles) return {};

  on_file_ = true;
  const StateIndex culprit = outcome.path_missing ? hand.found : hand.culprit;
  if (culprit != kNone) search_.table.load(culprit, culprit_);
  XMC_TRY(save_table());
  if (!hand.happened) {
    stop = outcome.stop;
    return {};
  }
  outcome.stop = StopReason::none;
  return enter_diagram(stop);
}

// All states that the queue does not have yet, in order of discovery, with their levels. What the
// search would go on from is marked.
Status DiagramEngine::save_table() {
  const PhaseClock::Scope scope(search_.clock, Phase::queueing);
  const Search::HandOver& hand = search_.hand_over;
  StateTable& table = search_.table;
  Word state[limits::kStateWords];
  u64 level = 0;
  for (StateIndex i = static_cast<StateIndex>(queue_.keys()); i < table.size(); ++i) {
    const auto begins = [&](u64 l) -> u64 {
      return l <= hand.level ? table.stack(l) : l == hand.level + 1 ? hand.level_end : ~u64{0};
    };
    while (i >= begins(level + 1)) ++level;
    table.load(i, state);
    XMC_TRY(queue_.append(state, level));
  }
  level_ = hand.level;
  level_begin_ = table.stack(hand.level);
  level_end_ = hand.level_end;
  next_ = hand.next;
  mark();
  mark_.stats = hand.stats;
  mark_.violation = hand.culprit == kNone ? Violation::none : search_.outcome->violation;
  return {};
}

// The search in the table goes on after this one, unless a cycle was found.
Status DiagramEngine::table_level_done() {
  const bool plain =
      search_.hand_over.culprit == kNone && (!search_.model.buchi || cycle_finder() != nullptr);
  if (plain && search_.options.checkpoints != nullptr && search_.options.checkpoints->due(true)) {
    XMC_TRY(save_table());
    XMC_TRY(checkpoint());
  }
  const u64 expanded = search_.hand_over.level_end;
  if (cycle_finder() == nullptr || !cycle_finder()->wants(expanded, aside_.size())) return {};
  XMC_TRY(save_table());
  StopReason stop = StopReason::none;
  return search_prefix(expanded, stop);
}

// --- As a diagram -----------------------------------------------------------------------------

Status DiagramEngine::enter_diagram(StopReason& stop) {
  const PhaseClock::Scope scope(search_.clock, Phase::insertion);
  pool_bytes_ = share_of_pool();
  bool ready = lay_out(round_down((region_.size() - pool_bytes_) / 3 * 2, kLineBytes));
  if (ready) {
    std::span<u8> runs = region_.first(static_cast<std::size_t>(pool_bytes_));
    if (spills_) {
      const u64 most = round_down(runs.size() - DiagramSet::kLeastPool, kPageBytes);
      held_memory_ = runs.last(static_cast<std::size_t>(std::min(
          most, std::max(round_down(runs.size() / 3, kPageBytes), CandidateRuns::kLeastMemory))));
      runs = runs.first(runs.size() - held_memory_.size());
    }
    set_.init(diagram_region_, runs, &folder(), &search_.clock, go_on());
    XMC_TRY(measure_orders());
    XMC_TRY(spills_ ? build_joined(stop) : rebuild({keys_, sorted_, batch_states_}, ready));
    // Not before: the second buffer is its memory.
    search_.table.init(batch_region_, shape_of(search_.model, false));
  }
  if (!ready) stop = StopReason::ram;
  if (!ready) return {};
  if (!spills_) return share_out();
  XMC_LET(Device* const device, open_file(kCandidatesFile, Folder::Open::create));
  held_back_.init(device, kCandidatesFile, held_memory_, order_.key_words());
  return share_out();
}

Status DiagramEngine::restore_store(const Manifest& manifest) {
  StopReason stop = StopReason::none;
  XMC_TRY(load_waiting(manifest));
  XMC_TRY(enter_diagram(stop));
  if (stop == StopReason::none) XMC_TRY(restore_waiting(stop));
  if (stop == StopReason::none) return {};
  return Status::fail(Code::budget,
                      "the states of the checkpoint do not fit a diagram in this "
                      "memory; resume with a larger --ram");
}

// | runs | fresh bits | batch table, then sorted keys | keys | diagram |. The diagram begins with
// two thirds, and gets what it needs later on: see share_out().
bool DiagramEngine::lay_out(u64 diagram_bytes) {
  const u64 key_bytes = u64{buffer_words()} * sizeof(Word);
  const u64 state_bytes = std::max(search_.model.state_bytes, 1u);
  const u64 per_state = key_bytes + std::max(state_bytes + 6, key_bytes);
  const u64 fixed = pool_bytes_ + kFreshBytes + 2 * kLineBytes;
  const StateTable::Shape shape = shape_of(search_.model, false);
  if (fixed + diagram_bytes >= region_.size()) return false;
  const u64 batch = region_.size() - fixed - diagram_bytes;
  batch_states_ = static_cast<u32>(std::min<u64>(batch / per_state, u64{1} << 28));
  const u64 keys_bytes = round_up(batch_states_ * key_bytes, kLineBytes);
  if (batch_states_ < search_.buffer_states) return false;
  const u64 table_bytes = round_down(batch + 2 * kLineBytes - keys_bytes, kLineBytes);
  if (table_bytes < StateTable::minimum_bytes(shape)) return false;
  u8* at = region_.data() + pool_bytes_;
  fresh_ = reinterpret_cast<u64*>(at);
  at += kFreshBytes;
  sorted_ = reinterpret_cast<Word*>(at);
  batch_region_ = {at, static_cast<std::size_t>(table_bytes)};
  at += table_bytes;
  keys_ = reinterpret_cast<Word*>(at);
  diagram_region_ = region_.last(static_cast<std::size_t>(diagram_bytes));
  return Diagram::bytes_for(4096, order_.most_digits()) <= diagram_bytes;
}

// A diagram that is built again in another order needs its batch as states meanwhile.
u32 DiagramEngine::buffer_words() const {
  return order_.joined() ? order_.key_words()
         : spills_       ? order_.most_key_words()
                         : std::max(order_.most_key_words(), search_.model.state_words);
}

u64 DiagramEngine::share_of_pool() const {
  if (!spills_) return 0;
  const u64 least = round_up(DiagramSet::kLeastPool + CandidateRuns::kLeastMemory, kPageBytes);
  return std::clamp(round_down(region_.size() / 10, kPageBytes), least, u64{8} << 20);
}

// Speed comes from large batches, and from a diagram that is collected rarely: it gets twice what
// it needs, within limits, and the batches the rest. What the batch table has was looked at ahead.
Status DiagramEngine::share_out() {
  Diagram& diagram = set_.diagram();
  if (set_.spilled()) {
    if (diagram_region_.size() <= most_diagram()) return {};
    const u64 wanted = diagram.bytes_to_hold(diagram.live_words() * 5 / 4 + 4096);
    return wanted < most_diagram() ? resize_diagram(most_diagram()) : Status();
  }
  // Where another batch might not fit, what is garbage has to be known.
  const bool nearly_full = diagram_region_.size() < most_diagram() &&
                           diagram.words_after_any_collection() > diagram.capacity_words() / 10 * 7;
  if (diagram.collections() == shared_at_ && !nearly_full) return {};
  const u64 live = nearly_full ? diagram.live_words() : diagram.words_after_collection();
  shared_at_ = diagram.collections();
  const u64 wanted = diagram.bytes_to_hold(live * 2 + 4096);
  const u64 bytes =
      round_down(std::clamp(wanted, u64{region_.size()} / 8, most_diagram()), kLineBytes);
  const u64 now = diagram_region_.size();
  const bool grow = bytes > now && live * 3 / 2 > diagram.capacity_words();
  const bool shrink = bytes < now / 8 * 7;
  return grow || shrink ? resize_diagram(bytes) : Status();
}

Status DiagramEngine::resize_diagram(u64 bytes) {
  const u64 before = diagram_region_.size();
  XMC_TRY(look_back());
  if (!lay_out(bytes) || !set_.move_diagram(diagram_region_)) XMC_CHECK(lay_out(before));
  search_.table.init(batch_region_, shape_of(search_.model, false));
  shared_at_ = set_.diagram().collections();
  return {};
}

u64 DiagramEngine::most_diagram() const {
  const u64 percent = set_.spilled() ? kMostSpilledPercent : kMostPercent;
  return round_down((region_.size() - pool_bytes_) / 100 * percent, kLineBytes);
}

// --- Batches ----------------------------------------------------------------------------------

// Inserts sorted keys in chunks, until there is no room; new ones go to the queue.
Status DiagramEngine::insert_sorted(const Word* keys, u32 count, u32& done, Insert how,
                                    StopReason& stop) {
  const u32 words = set_.key_words();  // the order may be another one already
  u32 size = set_.chunk();
  while (done < count) {
    const u32 part = std::min(size, count - done);
    const Word* const chunk = keys + u64{done} * words;
    if (!set_.insert(chunk, part, fresh_)) {
      // A smaller chunk makes less garbage; a diagram that can go elsewhere does not wait for that.
      if (part == 1 || (spills_ && set_.diagram().size() > 0)) return {};
      size = std::max(part / 4, 1u);
      continue;
    }
    if (how != Insert::queued) XMC_TRY(enqueue_fresh(chunk, part, stop));
    if (stop != StopReason::none) return {};
    done += part;
    if (spills_ && set_.tight()) return {};
  }
  return {};
}

// Of the keys from `next` on, those whose bit is set, as states: one block at most.
u32 DiagramEngine::decode_fresh(const Word* keys, u32 count, const u64* fresh, u32& next,
                                Word* states) const {
  Word chosen[KeyOrder::kBlockWords];
  const u32 words = order_.key_words();
  u32 part = 0;
  for (const u32 most = order_.block(); next < count && part < most; ++next) {
    if ((fresh[next / 64] >> (next % 64) & 1) == 0) continue;
    std::copy_n(keys + u64{next} * words, words, chosen + part++ * words);
  }
  order_.to_states(chosen, part, states);
  return part;
}

// Those of the keys from `next` on whose bit of fresh_ is set.
Status DiagramEngine::enqueue_fresh(const Word* keys, u32 count, StopReason& stop, u32 next) {
  const PhaseClock::Scope scope(search_.clock, Phase::queueing);
  Word states[KeyOrder::kBlockWords];
  while (next < count && stop == StopReason::none) {
    const u32 part = decode_fresh(keys, count, fresh_, next, states);
    XMC_TRY(enqueue_states(states, part, stop));
  }
  return {};
}

Status DiagramEngine::enqueue_states(const Word* states, u32 count, StopReason& stop) {
  for (u32 k = 0; k < count && stop == StopReason::none; ++k) {
    XMC_TRY(enqueue(states + u64{k} * order_.state_words(), stop));
  }
  return {};
}

// Gives the diagram all it may have while the keys that are not done stay, at the front: neither
// the table nor the second buffer are needed for them.
bool DiagramEngine::grow_around_batch(u32& done, u32& count) {
  const u64 bytes = most_diagram();
  const u64 before = diagram_region_.size();
  const u64 rest = u64{count - done} * order_.key_words();
  const u8* const keys = region_.data() + pool_bytes_ + kFreshBytes;
  if (before >= bytes || keys + rest * sizeof(Word) > region_.data() + region_.size() - bytes) {
    return false;
  }
  const Word* const from = batch_keys_ + u64{done} * order_.key_words();
  std::copy(from, from + rest, sorted_);
  batch_keys_ = sorted_;
  count -= done;
  done = 0;
  if (lay_out(bytes) && set_.move_diagram(diagram_region_)) return true;
  XMC_CHECK(lay_out(before));
  return false;
}

Status DiagramEngine::insert_batch(u32 count, u32 done, StopReason& stop) {
  for (bool compared = false;;) {
    XMC_TRY(compare_rest(batch_keys_, count, done, compared));
    XMC_TRY(insert_sorted(batch_keys_, count, done, Insert::candidates, stop));
    if (done == count || stop != StopReason::none) return {};
    if (grow_around_batch(done, count)) continue;
    if (!spills_) {
      XMC_TRY(rebuild_around_batch(count, stop));
      if (stop != StopReason::none) return {};
      done = 0;
    } else if ((!set_.spilled() && reclaim_aside()) || diagram_region_.size() < most_diagram()) {
      // The rest waits on flash while the memory is shared out anew.
      XMC_TRY(held_back_.add(batch_keys_ + u64{done} * order_.key_words(), count - done));
      return resize_diagram(most_diagram());
    } else {
      XMC_TRY(set_.spill());
    }
  }
}

Status DiagramEngine::settle(bool level_end, StopReason& stop) {
  if (settled_ns_ != 0) {
    wait_.expanded(stats().expansions - expansions_then_, now() - settled_ns_);
  }
  XMC_TRY(flush_batch(true, stop));
  // Without a next level this is the last chance.
  if (level_end && queue_.keys() == level_end_) XMC_TRY(check_waiting());
  marked_ = {unchecked_, proper_levels_};
  expansions_then_ = stats().expansions;
  settled_ns_ = now();
  return {};
}

Status DiagramEngine::flush_batch(bool all, StopReason& stop) {
  const PhaseClock::Scope scope(search_.clock, Phase::insertion);
  const bool waits = all && may_wait(search_.table.size());
  if (all && !waits) XMC_TRY(check_waiting());
  u32 count = 0;
  XMC_TRY(sort_batch(count, stop));
  if (count > 0 && stop == StopReason::none) {
    bool table_lives = false;
    XMC_TRY(waits ? insert_unchecked(count, stop)
                  : insert_and_compare(count, all, table_lives, stop));
    if (!table_lives) search_.table.init(batch_region_, shape_of(search_.model, false), count);
  }
  const bool due = all || held_back_.full() || !set_.spilled();
  if (due && !held_back_.empty() && stop == StopReason::none) XMC_TRY(settle_held_back(stop));
  if (stop != StopReason::none || !held_back_.empty()) return {};
  if (!squeezed_) return share_out();
  squeezed_ = false;
  return resize_diagram(diagram_region_.size());
}

// The sorted batch, now or with the others of its level.
Status DiagramEngine::insert_and_compare(u32 count, bool all, bool& table_lives, StopReason& stop) {
  if (set_.spilled() && (!all || !held_back_.empty())) return hold_back(count);
  if (beside(count)) return insert_beside(count, table_lives, stop);
  const u64 begun = now();
  const u64 before = queue_.keys();
  XMC_TRY(insert_batch(count, 0, stop));
  if (set_.spilled()) wait_.compared(count, now() - begun);
  if (proper_levels_ != 0 && queue_.keys() > before) proper_levels_ = enqueue_level_ + 1;
  return {};
}

Status DiagramEngine::take(u32 count, StopReason& stop) {
  u32 done = 0;
  while (done < count && stop == StopReason::none) {
    const u32 room = batch_states_ - search_.table.size();
    const u32 part = std::min(count - done, room);
    done += search_.table.insert(search_.buffer_at(done), part, nullptr);
    if (done < count) XMC_TRY(flush_batch(false, stop));
  }
  // With the buffer empty: what is expanded beside the insertion may use it.
  while (!inserting_ && stop == StopReason::none && batch_full() && !over()) {
    XMC_TRY(flush_batch(false, stop));
    if (stop == StopReason::none) absorb();
  }
  return {};
}

bool DiagramEngine::room_ahead() const {
  return search_.table.size() + search_.buffer_states <= batch_states_ &&
         search_.table.has_room(search_.buffer_states);
}

// A table that is too small for that is filled until it refuses.
bool DiagramEngine::batch_full() const {
  return search_.table.size() >= search_.buffer_states && !room_ahead();
}

void DiagramEngine::path_state(u64 i, Word* out) {
  if (on_file_) return LevelSearch::path_state(i, out);
  search_.table.load(search_.table.stack(search_.path_begin + i), out);
}

}  // namespace xmc
