#include "engine/diagram_engine.h"

#include <algorithm>

#include "engine/bfs.h"
#include "store/sort_keys.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kAlignment = 64;
constexpr u64 kPageBytes = 4096;
constexpr u64 kSmallestRegion = u64{256} << 10;  // what a hand-over can be laid out in

StateTable::Shape shape_of(const Model& model) {
  return {model.state_words, std::max(model.state_bytes, 1u), false};
}

u64 buffer_states(const Model& model) { return u64{Search::kCollect} + model.max_successors; }

u64 fixed_bytes(const Model& model) {
  u64 bits = 0;
  for (const StateField& f : model.fields) bits += f.width;
  const u64 order = (model.fields.size() + bits + 64) * 24 + u64{model.state_bytes} * 16;
  return buffer_states(model) * model.state_words * sizeof(Word) + order +
         2 * KeyFile::kBlockBytes + 2 * kPageBytes + 8 * kAlignment;
}

}  // namespace

u64 DiagramEngine::minimum_bytes(const Model& model, const SearchOptions&) const {
  return fixed_bytes(model) + std::max(StateTable::minimum_bytes(shape_of(model)), kSmallestRegion);
}

Status DiagramEngine::plan(const Model& model, const SearchOptions& options, Arena& arena) {
  if (model.buchi) {
    return Status::fail(Code::unsupported,
                        "engine 'diagram' does not look for accepting cycles; use --engine ram");
  }
  XMC_CHECK(options.folder != nullptr);
  XMC_CHECK(arena.free_bytes() >= minimum_bytes(model, options));
  *this = DiagramEngine();
  search_.model = model;
  search_.options = options;
  search_.buffer_states = static_cast<u32>(buffer_states(model));
  const u64 buffer_words = buffer_states(model) * model.state_words;
  search_.buffer = arena.carve_array<Word>("successors", buffer_words, kAlignment).data();
  order_.plan(model, arena);
  write_buffer_ = arena.carve_array<u8>("I/O buffers", KeyFile::kBlockBytes, kPageBytes);
  read_buffer_ = arena.carve_array<u8>("I/O buffers", KeyFile::kBlockBytes, kPageBytes);
  const u64 rest = round_down(arena.free_bytes() - kAlignment, kAlignment);
  region_ = arena.carve_array<u8>("states", rest, kAlignment);
  search_.fixed_bytes = fixed_bytes(model);
  search_.table.init(region_, shape_of(model));
  search_.table.set_state_limit(options.state_limit);
  search_.hand_over.keep_room = search_.buffer_states + 64;
  return {};
}

bool DiagramEngine::over() const {
  return search_.outcome->violation != Violation::none && !search_.options.full;
}

Status DiagramEngine::run(const RunControl& control, SearchOutcome& outcome) {
  outcome = SearchOutcome();
  search_.control = &control;
  search_.outcome = &outcome;
  SearchStats& stats = outcome.stats;
  stats.states = stats.transitions = stats.deadlocks = stats.expansions = stats.error_steps = 0;
  stats.state_bytes = search_.model.state_bytes;
  run_bfs(search_);
  if (!search_.hand_over.happened) return {};

  outcome.stop = StopReason::none;
  on_file_ = true;
  StopReason stop = StopReason::none;
  XMC_TRY(open_queue());
  XMC_TRY(save_table());
  bool ready = lay_out();
  if (ready) {
    XMC_TRY(measure_orders());
    XMC_TRY(rebuild(ready));
  }
  if (ready) {
    XMC_TRY(go_on(stop));
  } else {
    stop = StopReason::ram;
  }
  outcome.stop = stop;
  outcome.complete = stop == StopReason::none && !over();
  if (stop == StopReason::ram) outcome.ram_needed_bytes = search_.fixed_bytes + region_.size() + 1;
  stats.states = queue_.keys();
  stats.ram_used = region_.size();
  if (outcome.violation != Violation::none) XMC_TRY(find_path());
  return {};
}

Status DiagramEngine::open_queue() {
  Result<Device*> device = search_.options.folder->open(kQueueFile, Folder::Open::create);
  if (!device.ok()) return device.status();
  device_ = device.value();
  queue_.start(device_, search_.model.state_words, write_buffer_);
  reader_.start(queue_, read_buffer_);
  return {};
}

// All states in order of discovery, with their levels; then the table's memory is free.
Status DiagramEngine::save_table() {
  const Search::HandOver& hand = search_.hand_over;
  StateTable& table = search_.table;
  if (hand.culprit != kNone) table.load(hand.culprit, culprit_);
  u64 level = 0;
  Word state[limits::kStateWords];
  for (StateIndex i = 0; i < table.size(); ++i) {
    const u64 next_begin = level < hand.level ? table.stack(level + 1) : hand.level_end;
    if (i == next_begin) {
      queue_.mark_level();
      ++level;
    }
    table.load(i, state);
    XMC_TRY(queue_.append(state));
  }
  level_ = hand.level;
  hand_level_begin_ = table.stack(hand.level);
  next_states_ = table.size() - hand.level_end;
  if (next_states_ == 0) queue_.mark_level();
  return {};
}

// A third of the memory for batches, the rest for the diagram.
bool DiagramEngine::lay_out() {
  const u64 key_bytes = u64{order_.most_key_words()} * sizeof(Word);
  const u64 state_bytes = std::max(search_.model.state_bytes, 1u);
  const u64 per_state = state_bytes + 6 + 2 * key_bytes + 1;
  const u64 share = region_.size() / 3;
  const u64 table_minimum =
      round_up(StateTable::minimum_bytes(shape_of(search_.model)), kAlignment);
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
  search_.table.init(batch_region_, shape_of(search_.model));
  return Diagram::bytes_for(4096, order_.most_digits()) <= diagram_region_.size();
}

// Builds the diagram of the first states in every order and notes the sizes.
Status DiagramEngine::measure_orders() {
  const u32 sample =
      static_cast<u32>(std::min<u64>({u64{kSampleStates}, batch_states_, queue_.keys()}));
  for (u32 candidate = 0; candidate < KeyOrder::kCandidates; ++candidate) {
    use_order(candidate);
    XMC_TRY(reader_.seek_block(0));
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
    XMC_TRY(reader_.seek_block(0));
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
      if (queue_.keys() >= search_.options.state_limit) {
        stop = StopReason::state_limit;
        return {};
      }
      order_.to_state(keys + u64{done + i} * words, state);
      XMC_TRY(queue_.append(state));
      ++next_states_;
    }
    done += part;
  }
  return {};
}

Status DiagramEngine::flush_batch(StopReason& stop) {
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
  table.init(batch_region_, shape_of(search_.model));
  return {};
}

// The states at the depth limit are judged, nothing is stored behind them.
bool DiagramEngine::look_beyond(u32 count) {
  Word key[80];
  for (u32 i = 0; i < count && !left_out_; ++i) {
    order_.to_key(search_.buffer_at(i), key);
    left_out_ = !diagram_.contains(key);
  }
  return left_out_;
}

Status DiagramEngine::flush_buffer(StopReason& stop) {
  u32 done = 0;
  const u32 count = fill_;
  fill_ = 0;
  if (last_level_) {
    look_beyond(count);
    return {};
  }
  while (done < count && stop == StopReason::none) {
    const u32 room = batch_states_ - search_.table.size();
    const u32 part = std::min(count - done, room);
    const u32 taken = search_.table.insert(search_.buffer_at(done), part, nullptr);
    done += taken;
    if (done < count) XMC_TRY(flush_batch(stop));
  }
  return {};
}

Status DiagramEngine::expand_level(u64 count, StopReason& stop) {
  Word* state = search_.state;
  for (u64 i = 0; i < count && stop == StopReason::none; ++i) {
    Result<bool> more = reader_.next(state);
    if (!more.ok()) return more.status();
    XMC_CHECK(more.value());
    const Expansion expansion = search_.expand_state(state, fill_);
    const Violation violation = search_.judge(expansion, fill_);
    fill_ += expansion.count;
    if (violation != Violation::none && search_.outcome->violation == Violation::none) {
      search_.record(violation, expansion, level_);
      std::copy_n(state, search_.model.state_words, culprit_);
      if (over()) return {};
    }
    if (fill_ >= Search::kCollect) XMC_TRY(flush_buffer(stop));
    if (stop == StopReason::none) stop = poll(count, false);
  }
  if (stop == StopReason::none) XMC_TRY(flush_buffer(stop));
  if (stop == StopReason::none) XMC_TRY(flush_batch(stop));
  return {};
}

Status DiagramEngine::go_on(StopReason& stop) {
  // To the first state of this level that is not expanded.
  const Search::HandOver& hand = search_.hand_over;
  XMC_TRY(reader_.seek_level(level_));
  Word skipped[limits::kStateWords];
  for (u64 i = hand_level_begin_; i < hand.next; ++i) {
    Result<bool> more = reader_.next(skipped);
    if (!more.ok()) return more.status();
  }
  u64 count = hand.level_end - hand.next;
  for (;;) {
    search_.stats().levels = level_ + 1;
    last_level_ = level_ >= search_.options.depth_limit;
    XMC_TRY(expand_level(count, stop));
    if (stop != StopReason::none || over()) return {};
    stop = poll(count, true);
    if (stop == StopReason::none && left_out_) stop = StopReason::depth_limit;
    if (stop != StopReason::none || next_states_ == 0) return {};
    queue_.mark_level();
    count = next_states_;
    next_states_ = 0;
    ++level_;
  }
}

StopReason DiagramEngine::poll(u64 level_states, bool level_done) {
  if (!level_done && --search_.poll_countdown != 0) return StopReason::none;
  search_.poll_countdown = Search::kPollInterval;
  Progress progress;
  progress.states = queue_.keys();
  progress.transitions = search_.stats().transitions;
  progress.expanded = search_.stats().expansions;
  progress.level = level_;
  progress.level_states = level_states;
  progress.level_done = level_done;
  progress.ram_used = region_.size();
  return (*search_.control)(progress);
}

// A state of this level that has the target among its successors.
Status DiagramEngine::find_before(u64 level, const Word* target, Word* out) {
  XMC_TRY(reader_.seek_level(level));
  for (;;) {
    Result<bool> more = reader_.next(out);
    if (!more.ok()) return more.status();
    if (!more.value() || reader_.level() != level) {
      return Status::fail(Code::internal, "no predecessor in the level before");
    }
    if (search_.leads_to(out, target)) return {};
  }
}

// Backwards through the levels, each expanded until the predecessor is found. The diagram's memory
// is free by now and takes the path.
Status DiagramEngine::find_path() {
  SearchOutcome& outcome = *search_.outcome;
  const u32 words = search_.model.state_words;
  const u64 steps = outcome.prefix_steps;
  if ((steps + 1) * words * sizeof(Word) > region_.size()) {
    return Status::fail(Code::budget,
                        "a violation was found after %llu steps, but its path does not fit the "
                        "memory; use a larger --ram",
                        static_cast<unsigned long long>(steps));
  }
  path_ = reinterpret_cast<Word*>(region_.data());
  std::copy_n(culprit_, words, path_ + steps * words);
  for (u64 d = steps; d > 0; --d) {
    XMC_TRY(find_before(d - 1, path_ + d * words, path_ + (d - 1) * words));
  }
  outcome.minimal = true;
  return {};
}

void DiagramEngine::path_state(u64 i, Word* out) {
  if (on_file_) {
    std::copy_n(path_ + i * search_.model.state_words, search_.model.state_words, out);
    return;
  }
  search_.table.load(search_.table.stack(search_.path_begin + i), out);
}

}  // namespace xmc
