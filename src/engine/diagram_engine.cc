#include "engine/diagram_engine.h"

#include <algorithm>
#include <cstdint>

#include "engine/bfs.h"
#include "engine/nested_dfs.h"
#include "store/sort_keys.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/parallel.h"

namespace xmc {

namespace {

constexpr u64 kAlignment = 64;
constexpr u64 kPageBytes = 4096;
constexpr u32 kLeastPart = 4096;                 // keys that are worth another thread
constexpr u64 kSmallestRegion = u64{256} << 10;  // what a hand-over can be laid out in

}  // namespace

u64 DiagramEngine::own_bytes(const Model& model) const {
  u64 bits = 0;
  for (const StateField& f : model.fields) bits += f.width;
  const u64 order = (model.fields.size() + bits + 64) * 24 + u64{model.state_bytes} * 16;
  const u64 indexes = model.buchi ? u64{model.max_successors} * sizeof(StateIndex) : 0;
  return order + indexes + kAlignment;
}

u64 DiagramEngine::least_region(const Model& model) const {
  const u64 runs = spills_ ? DiagramSet::kLeastPool + CandidateRuns::kLeastMemory + kPageBytes : 0;
  return std::max(StateTable::minimum_bytes(shape_of(model, model.buchi)), kSmallestRegion + runs);
}

void DiagramEngine::plan_own(Arena& arena) {
  const Model& model = search_.model;
  order_.plan(model, arena);
  if (model.buchi) {
    search_.indexes =
        arena.carve_array<StateIndex>("successors", model.max_successors, kAlignment).data();
  }
  search_.hand_over.keep_room = search_.buffer_states + 64;
}

// --- In the table -----------------------------------------------------------------------------

Status DiagramEngine::start(StopReason& stop) {
  SearchOutcome& outcome = *search_.outcome;
  Search::HandOver& hand = search_.hand_over;
  search_.table.init(region_, shape_of(search_.model, search_.model.buchi));
  search_.table.set_state_limit(search_.options.state_limit);
  XMC_TRY(open_queue());
  if (search_.options.checkpoints != nullptr) {
    hand.owner = this;
    hand.level_end_call = [](void* self) {
      auto* const engine = static_cast<DiagramEngine*>(self);
      *engine->table_status_ = engine->checkpoint_table();
      return engine->table_status_->ok();
    };
  }
  on_file_ = false;
  Status checkpoints;
  table_status_ = &checkpoints;
  run_bfs(search_);
  if (!checkpoints.ok()) return checkpoints;
  if (search_.model.buchi && outcome.complete && outcome.violation == Violation::none) {
    run_nested_dfs(search_, false);
  }
  const bool stopped = outcome.stop != StopReason::none && outcome.stop != StopReason::ram;
  const bool save = stopped && search_.options.checkpoints != nullptr && !search_.model.buchi &&
                    outcome.violation == Violation::none;
  if (!hand.happened && !save) return {};

  on_file_ = true;
  if (hand.culprit != kNone) search_.table.load(hand.culprit, culprit_);
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
  level_end_ = hand.level_end;
  next_ = hand.next;
  mark();
  mark_.stats = hand.stats;
  mark_.violation = hand.culprit == kNone ? Violation::none : search_.outcome->violation;
  return {};
}

// The search in the table goes on after this one.
Status DiagramEngine::checkpoint_table() {
  if (search_.hand_over.culprit != kNone || search_.model.buchi) return {};
  if (!search_.options.checkpoints->due(true)) return {};
  XMC_TRY(save_table());
  return checkpoint();
}

// --- As a diagram -----------------------------------------------------------------------------

Status DiagramEngine::enter_diagram(StopReason& stop) {
  bool ready = lay_out();
  if (ready) {
    XMC_TRY(measure_orders());
    XMC_TRY(rebuild(ready));
  }
  if (!ready) stop = StopReason::ram;
  if (!spills_ || !ready) return {};
  const Result<Device*> device = open_file(kCandidatesFile, Folder::Open::create);
  if (!device.ok()) return device.status();
  held_back_.init(device.value(), kCandidatesFile, held_memory_, order_.key_words());
  return {};
}

Status DiagramEngine::restore_store(const Manifest&) {
  StopReason stop = StopReason::none;
  XMC_TRY(enter_diagram(stop));
  if (stop == StopReason::none) return {};
  return Status::fail(Code::budget,
                      "the states of the checkpoint do not fit a diagram in this "
                      "memory; resume with a larger --ram");
}

// A third of the memory for batches, an eighth for runs if there may be any, the rest for the
// diagram.
bool DiagramEngine::lay_out() {
  const u64 key_bytes = u64{order_.most_key_words()} * sizeof(Word);
  const u64 state_bytes = std::max(search_.model.state_bytes, 1u);
  const u64 per_state = state_bytes + 6 + 2 * key_bytes + 1;
  const u64 share = region_.size() / 3;
  const StateTable::Shape shape = shape_of(search_.model, false);
  const u64 table_minimum = round_up(StateTable::minimum_bytes(shape), kAlignment);
  batch_states_ = static_cast<u32>(std::min<u64>(share / per_state, u64{1} << 28));
  const u64 table_bytes =
      std::max(table_minimum, round_up(batch_states_ * (state_bytes + 6), kAlignment));
  const u64 keys_bytes = round_up(batch_states_ * key_bytes, kAlignment);
  const u64 fresh_bytes = round_up(divide_up(DiagramSet::kChunk, 64) * 8, kAlignment);
  // Buffers of runs are pages.
  const u64 used = table_bytes + 2 * keys_bytes + fresh_bytes;
  u8* const base = region_.data();
  const u64 skew = (kPageBytes - (reinterpret_cast<std::uintptr_t>(base) + used) % kPageBytes);
  const u64 pool = pool_bytes();
  const u64 before_diagram = used + (spills_ ? skew + pool : 0);
  if (batch_states_ < search_.buffer_states || before_diagram >= region_.size()) return false;
  batch_region_ = {base, static_cast<std::size_t>(table_bytes)};
  keys_ = reinterpret_cast<Word*>(base + table_bytes);
  sorted_ = reinterpret_cast<Word*>(base + table_bytes + keys_bytes);
  fresh_ = reinterpret_cast<u64*>(base + table_bytes + 2 * keys_bytes);
  const std::span<u8> diagram = region_.subspan(static_cast<std::size_t>(before_diagram));
  if (Diagram::bytes_for(4096, order_.most_digits()) > diagram.size()) return false;
  std::span<u8> runs;
  if (spills_) {
    const std::span<u8> both =
        region_.subspan(static_cast<std::size_t>(used + skew), static_cast<std::size_t>(pool));
    const std::size_t held = static_cast<std::size_t>(
        std::max<u64>(round_down(pool / 3, kPageBytes), CandidateRuns::kLeastMemory));
    held_memory_ = both.first(held);
    runs = both.subspan(held);
  }
  set_.init(diagram, runs, &folder());
  search_.table.init(batch_region_, shape);
  return true;
}

u64 DiagramEngine::pool_bytes() const {
  const u64 least = round_up(DiagramSet::kLeastPool + CandidateRuns::kLeastMemory, kPageBytes);
  return std::clamp(round_down(region_.size() / 8, kPageBytes), least, u64{8} << 20);
}

// --- Orders -----------------------------------------------------------------------------------

// Builds the diagram of the first states in every order and notes the sizes.
Status DiagramEngine::measure_orders() {
  const u32 sample =
      static_cast<u32>(std::min<u64>({u64{kSampleStates}, batch_states_, queue_.keys()}));
  for (u32 candidate = 0; candidate < KeyOrder::kCandidates; ++candidate) {
    XMC_TRY(use_order(candidate));
    XMC_TRY(reader_.seek_slot(0));
    StopReason stop = StopReason::none;
    XMC_TRY(insert_from_queue(sample, stop));
    const bool whole = stop == StopReason::none && !set_.spilled();
    order_words_[candidate] = whole ? set_.diagram().live_words() : kUseless - 1;
  }
  return {};
}

Status DiagramEngine::use_order(u32 candidate) {
  order_.choose(candidate);
  return set_.restart(order_.digits(), order_.key_words());
}

// The next `count` states of the queue into the set.
Status DiagramEngine::insert_from_queue(u64 count, StopReason& stop) {
  Word state[limits::kStateWords];
  for (u64 done = 0; done < count && stop == StopReason::none;) {
    const u32 part = static_cast<u32>(std::min<u64>(batch_states_, count - done));
    for (u32 i = 0; i < part; ++i) {
      const Result<bool> more = reader_.next(state);
      if (!more.ok()) return more.status();
      XMC_CHECK(more.value());
      order_.to_key(state, keys_ + u64{i} * order_.key_words());
    }
    const Word* const sorted = sort_keys(keys_, sorted_, part, order_.key_words());
    XMC_TRY(insert_sorted(sorted, part, false, stop));
    done += part;
  }
  return {};
}

// The whole set anew, in the order with the smallest diagram so far that can hold it with some room
// to grow. The first states do not always tell which that is; nothing is lost by trying the next
// one, because the queue has all states. A set that may spill takes the first one.
Status DiagramEngine::rebuild(bool& done) {
  done = false;
  ++rebuilds_;
  for (;;) {
    const auto best = std::min_element(order_words_, order_words_ + KeyOrder::kCandidates);
    if (*best == kUseless) return {};
    *best = kUseless;  // if it fails now, or later, it is not tried again
    XMC_TRY(use_order(static_cast<u32>(best - order_words_)));
    XMC_TRY(reader_.seek_slot(0));
    StopReason stop = StopReason::none;
    XMC_TRY(insert_from_queue(queue_.keys(), stop));
    if (!spills_) {
      if (stop != StopReason::none) continue;
      const u64 most = set_.diagram().capacity_words() / 10 * 8;
      if (set_.diagram().live_words() > most) continue;
    }
    done = true;
    return {};
  }
}

// --- Batches ----------------------------------------------------------------------------------

// Inserts sorted keys in chunks; smaller ones when memory is short. New ones go to the queue.
Status DiagramEngine::insert_sorted(const Word* keys, u32 count, bool queue_new, StopReason& stop) {
  const u32 words = order_.key_words();
  u32 size = set_.chunk();
  for (u32 done = 0; done < count;) {
    const u32 part = std::min(size, count - done);
    const Word* const chunk = keys + u64{done} * words;
    bool fits = true;
    XMC_TRY(queue_new ? set_.add(chunk, part, fresh_, fits)
                      : set_.add_new(chunk, part, fresh_, fits));
    if (!fits) {
      if (part == 1) {
        stop = StopReason::ram;
        return {};
      }
      size = std::max(part / 4, 1u);
      set_.begin_pass();
      continue;
    }
    if (queue_new) XMC_TRY(enqueue_fresh(chunk, part, fresh_, stop));
    if (stop != StopReason::none) return {};
    done += part;
  }
  return {};
}

Status DiagramEngine::enqueue_fresh(const Word* keys, u32 count, const u64* fresh,
                                    StopReason& stop) {
  const u32 words = order_.key_words();
  Word state[limits::kStateWords];
  for (u32 i = 0; i < count; ++i) {
    if ((fresh[i / 64] >> (i % 64) & 1) == 0) continue;
    order_.to_state(keys + u64{i} * words, state);
    XMC_TRY(enqueue(state, stop));
    if (stop != StopReason::none) return {};
  }
  return {};
}

// The states of the batch table as sorted keys, in batch_keys_.
u32 DiagramEngine::sort_batch() {
  StateTable& table = search_.table;
  const u32 count = table.size();
  Parallel* const parallel = search_.options.parallel;
  for_parts(parallel, parts_of(parallel, count, kLeastPart), count, [&](u32 begin, u32 end, u32) {
    Word state[limits::kStateWords];
    for (u32 i = begin; i < end; ++i) {
      table.load(i, state);
      order_.to_key(state, keys_ + u64{i} * order_.key_words());
    }
  });
  batch_keys_ = sort_keys(keys_, sorted_, count, order_.key_words(), parallel);
  return count;
}

Status DiagramEngine::insert_batch(u32 count, StopReason& stop) {
  for (;;) {
    set_.begin_pass();
    XMC_TRY(insert_sorted(batch_keys_, count, true, stop));
    if (stop != StopReason::ram) return {};
    // What of the batch went to the queue already is known in the new diagram.
    const KeyReader::Position position = reader_.position();
    bool rebuilt = false;
    XMC_TRY(rebuild(rebuilt));
    XMC_TRY(reader_.seek(position));
    if (!rebuilt) return {};
    stop = StopReason::none;
    sort_batch();
  }
}

Status DiagramEngine::settle(bool, StopReason& stop) {
  return beside() ? flush_beside(0, 0, stop) : flush_batch(true, stop);
}

Status DiagramEngine::flush_batch(bool all, StopReason& stop) {
  const u32 count = sort_batch();
  if (count > 0) {
    const bool wait = set_.spilled() && (!all || !held_back_.empty());
    XMC_TRY(wait ? hold_back(count) : insert_batch(count, stop));
    search_.table.init(batch_region_, shape_of(search_.model, false));
  }
  const bool due = all || held_back_.full();
  return due && !held_back_.empty() && stop == StopReason::none ? settle_held_back(stop) : Status();
}

// Writes the batch as a run, without the keys that the diagram has.
Status DiagramEngine::hold_back(u32 count) {
  const u32 words = order_.key_words();
  auto* const keys = const_cast<Word*>(batch_keys_);
  u32 left = 0;
  for (u32 done = 0; done < count; done += DiagramSet::kChunk) {
    const u32 part = std::min(count - done, DiagramSet::kChunk);
    std::fill_n(fresh_, divide_up(part, 64), ~u64{0});
    set_.drop_recent(keys + u64{done} * words, part, fresh_);
    for (u32 i = 0; i < part; ++i) {
      if ((fresh_[i / 64] >> (i % 64) & 1) == 0) continue;
      std::copy_n(keys + u64{done + i} * words, words, keys + u64{left++} * words);
    }
  }
  return left == 0 ? Status() : held_back_.add(keys, left);
}

// The keys buffer is free: the batch is among the runs.
Status DiagramEngine::settle_held_back(StopReason& stop) {
  set_.begin_pass();
  XMC_TRY(held_back_.begin_merge());
  for (;;) {
    u32 count = 0;
    XMC_TRY(held_back_.next_keys(keys_, std::min(batch_states_, set_.chunk()), count));
    if (count == 0) break;
    XMC_TRY(insert_sorted(keys_, count, true, stop));
    if (stop != StopReason::none) return {};
  }
  return held_back_.clear();
}

Status DiagramEngine::take(u32 count, StopReason& stop) {
  u32 done = 0;
  while (done < count && stop == StopReason::none) {
    const u32 room = batch_states_ - search_.table.size();
    const u32 part = std::min(count - done, room);
    done += search_.table.insert(search_.buffer_at(done), part, nullptr);
    if (done == count) break;
    if (beside()) return flush_beside(done, count, stop);
    XMC_TRY(flush_batch(false, stop));
  }
  return {};
}

void DiagramEngine::path_state(u64 i, Word* out) {
  if (on_file_) return LevelSearch::path_state(i, out);
  search_.table.load(search_.table.stack(search_.path_begin + i), out);
}

}  // namespace xmc
