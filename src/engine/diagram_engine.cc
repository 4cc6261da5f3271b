#include "engine/diagram_engine.h"

#include <algorithm>

#include "engine/bfs.h"
#include "engine/nested_dfs.h"
#include "store/sort_keys.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kAlignment = 64;
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
  return std::max(StateTable::minimum_bytes(shape_of(model, model.buchi)), kSmallestRegion);
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

// A third of the memory for batches, the rest for the diagram.
bool DiagramEngine::lay_out() {
  const u64 key_bytes = u64{order_.most_key_words()} * sizeof(Word);
  const u64 state_bytes = std::max(search_.model.state_bytes, 1u);
  const u64 per_state = state_bytes + 6 + 2 * key_bytes + 1;
  const u64 share = region_.size() / 3;
  const u64 table_minimum =
      round_up(StateTable::minimum_bytes(shape_of(search_.model, false)), kAlignment);
  batch_states_ = static_cast<u32>(std::min<u64>(share / per_state, u64{1} << 28));
  const u64 table_bytes =
      std::max(table_minimum, round_up(batch_states_ * (state_bytes + 6), kAlignment));
  const u64 keys_bytes = round_up(batch_states_ * key_bytes, kAlignment);
  const u64 fresh_bytes = round_up(divide_up(kChunk, 64) * 8, kAlignment);
  const u64 used = table_bytes + 2 * keys_bytes + fresh_bytes;
  if (batch_states_ < search_.buffer_states || used >= region_.size()) return false;
  u8* at = region_.data();
  batch_region_ = {at, static_cast<std::size_t>(table_bytes)};
  keys_ = reinterpret_cast<Word*>(at + table_bytes);
  sorted_ = reinterpret_cast<Word*>(at + table_bytes + keys_bytes);
  fresh_ = reinterpret_cast<u64*>(at + table_bytes + 2 * keys_bytes);
  diagram_region_ = region_.subspan(static_cast<std::size_t>(used));
  search_.table.init(batch_region_, shape_of(search_.model, false));
  return Diagram::bytes_for(4096, order_.most_digits()) <= diagram_region_.size();
}

// Builds the diagram of the first states in every order and notes the sizes.
Status DiagramEngine::measure_orders() {
  const u32 sample =
      static_cast<u32>(std::min<u64>({u64{kSampleStates}, batch_states_, queue_.keys()}));
  for (u32 candidate = 0; candidate < KeyOrder::kCandidates; ++candidate) {
    use_order(candidate);
    XMC_TRY(reader_.seek_slot(0));
    StopReason stop = StopReason::none;
    XMC_TRY(insert_from_queue(sample, stop));
    order_words_[candidate] = stop == StopReason::none ? diagram_.live_words() : kUseless;
  }
  return {};
}

void DiagramEngine::use_order(u32 candidate) {
  order_.choose(candidate);
  diagram_.init(diagram_region_, order_.digits(), order_.key_words());
}

// The next `count` states of the queue into the diagram.
Status DiagramEngine::insert_from_queue(u64 count, StopReason& stop) {
  Word state[limits::kStateWords];
  for (u64 done = 0; done < count && stop == StopReason::none;) {
    const u32 part = static_cast<u32>(std::min<u64>(batch_states_, count - done));
    for (u32 i = 0; i < part; ++i) {
      Result<bool> more = reader_.next(state);
      if (!more.ok()) return more.status();
      XMC_CHECK(more.value());
      order_.to_key(state, keys_ + u64{i} * order_.key_words());
    }
    const Word* sorted = sort_keys(keys_, sorted_, part, order_.key_words());
    XMC_TRY(insert_sorted(sorted, part, false, stop));
    done += part;
  }
  return {};
}

// The whole set anew, in the order with the smallest diagram so far that can hold it with some room
// to grow. The first states do not always tell which that is; nothing is lost by trying the next
// one, because the queue has all states.
Status DiagramEngine::rebuild(bool& done) {
  done = false;
  ++rebuilds_;
  for (;;) {
    const auto best = std::min_element(order_words_, order_words_ + KeyOrder::kCandidates);
    if (*best == kUseless) return {};
    *best = kUseless;  // if it fails now, or later, it is not tried again
    use_order(static_cast<u32>(best - order_words_));
    XMC_TRY(reader_.seek_slot(0));
    StopReason stop = StopReason::none;
    XMC_TRY(insert_from_queue(queue_.keys(), stop));
    if (stop != StopReason::none) continue;
    if (diagram_.live_words() > diagram_.capacity_words() / 10 * 8) continue;
    done = true;
    return {};
  }
}

// Inserts sorted keys in chunks; smaller ones when memory is short. New ones go to the queue.
Status DiagramEngine::insert_sorted(const Word* keys, u32 count, bool queue_new, StopReason& stop) {
  const u32 words = order_.key_words();
  Word state[limits::kStateWords];
  u32 size = kChunk;
  for (u32 done = 0; done < count;) {
    const u32 part = std::min(size, count - done);
    if (!diagram_.insert(keys + u64{done} * words, part, fresh_)) {
      if (part == 1) {
        stop = StopReason::ram;
        return {};
      }
      size = std::max(part / 4, 1u);
      continue;
    }
    for (u32 i = 0; i < part && queue_new; ++i) {
      if ((fresh_[i / 64] >> (i % 64) & 1) == 0) continue;
      order_.to_state(keys + u64{done + i} * words, state);
      XMC_TRY(enqueue(state, stop));
      if (stop != StopReason::none) return {};
    }
    done += part;
  }
  return {};
}

Status DiagramEngine::settle(bool, StopReason& stop) {
  StateTable& table = search_.table;
  const u32 count = table.size();
  if (count == 0) return {};
  Word state[limits::kStateWords];
  for (;;) {
    for (u32 i = 0; i < count; ++i) {
      table.load(i, state);
      order_.to_key(state, keys_ + u64{i} * order_.key_words());
    }
    const Word* sorted = sort_keys(keys_, sorted_, count, order_.key_words());
    XMC_TRY(insert_sorted(sorted, count, true, stop));
    if (stop != StopReason::ram) break;
    // What of the batch went to the queue already is known in the new diagram.
    const KeyReader::Position position = reader_.position();
    bool rebuilt = false;
    XMC_TRY(rebuild(rebuilt));
    XMC_TRY(reader_.seek(position));
    if (!rebuilt) break;
    stop = StopReason::none;
  }
  table.init(batch_region_, shape_of(search_.model, false));
  return {};
}

Status DiagramEngine::take(u32 count, StopReason& stop) {
  u32 done = 0;
  while (done < count && stop == StopReason::none) {
    const u32 room = batch_states_ - search_.table.size();
    const u32 part = std::min(count - done, room);
    done += search_.table.insert(search_.buffer_at(done), part, nullptr);
    if (done < count) XMC_TRY(settle(false, stop));
  }
  return {};
}

void DiagramEngine::path_state(u64 i, Word* out) {
  if (on_file_) return LevelSearch::path_state(i, out);
  search_.table.load(search_.table.stack(search_.path_begin + i), out);
}

}  // namespace xmc
