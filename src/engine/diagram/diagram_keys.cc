// The keys of DiagramEngine: made of the states of a batch, with digits that stand for the values
// of several fields where a set may spill. Such a digit may run out of numbers; it is split then.
#include <algorithm>

#include "engine/diagram/diagram_engine.h"
#include "store/keys/sort_keys.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/parallel.h"

namespace xmc {

namespace {

constexpr u32 kLeastPart = 4096;  // keys that are worth another thread

}  // namespace

Status DiagramEngine::join_digits() {
  XMC_TRY(reader_.seek_slot(0));
  XMC_LET(const u32 count, read_some_keys(reader_, order_, queue_.keys(),
                                          std::min(kJoinSample, batch_states_), keys_));
  // The diagram has not begun.
  if (KeyOrder::join_scratch(count) <= diagram_region_.size()) {
    order_.join(keys_, count, diagram_region_);
  }
  return {};
}

// An empty set for the keys of now.
Status DiagramEngine::begin_set() {
  return set_.restart(order_.digits(), order_.key_words(), order_.has_tails());
}

// The set of all states in the queue, in the best order. No batch is waiting.
Status DiagramEngine::build_joined(StopReason& stop) {
  ++rebuilds_;
  const auto best = std::min_element(order_words_, order_words_ + KeyOrder::kCandidates);
  XMC_TRY(use_order(static_cast<u32>(best - order_words_)));
  XMC_TRY(join_digits());
  for (bool coded = false; !coded;) {
    XMC_CHECK(lay_out(diagram_region_.size()));
    XMC_TRY(begin_set());
    XMC_TRY(reader_.seek_slot(0));
    const u64 states = unchecked() ? unchecked_ : queue_.keys();
    XMC_TRY(insert_from_queue(states, {keys_, sorted_, batch_states_}, coded, stop));
    if (coded && unchecked()) XMC_TRY(number_waiting(coded));
    if (!coded) order_.split({batch_region_.data(), region_.data() + region_.size()});
  }
  return {};
}

// Keys of the states [begin, end) of a table. False: one of them cannot be made.
template <class ToKeys>
bool make_part(const StateTable& table, const KeyOrder& order, u32 begin, u32 end, Word* keys,
               ToKeys to_keys) {
  Word states[KeyOrder::kBlockWords];
  for (u32 part = 0; begin < end; begin += part) {
    part = std::min(order.block(), end - begin);
    for (u32 i = 0; i < part; ++i) table.load(begin + i, states + i * order.state_words());
    if (!to_keys(states, part, keys + u64{begin} * order.key_words())) return false;
  }
  return true;
}

// The states of the batch table as keys. False: one of them cannot be made.
bool DiagramEngine::make_keys(u32 count) {
  Parallel* const parallel = search_.options.parallel;
  const u32 parts = parts_of(parallel, count, kLeastPart);
  if (parts > 1) {
    // New values are numbered in the order of the batch, below: threads look known ones up.
    bool known[limits::kThreads] = {};
    for_parts(parallel, parts, count, [&](u32 begin, u32 end, u32 part) {
      known[part] =
          make_part(search_.table, order_, begin, end, keys_,
                    [&](const Word* s, u32 n, Word* keys) { return order_.find_keys(s, n, keys); });
    });
    if (std::all_of(known, known + parts, [](bool k) { return k; })) return true;
  }
  return make_part(search_.table, order_, 0, count, keys_,
                   [&](const Word* s, u32 n, Word* keys) { return order_.to_keys(s, n, keys); });
}

// The states of the batch table as sorted keys, in batch_keys_; the table is gone.
Status DiagramEngine::sort_batch(u32& count, StopReason& stop) {
  const PhaseClock::Scope scope(search_.clock, Phase::partitioning);
  count = search_.table.size();
  if (!make_keys(count)) XMC_TRY(split_around_batch(count, stop));
  if (stop != StopReason::none) return {};
  batch_keys_ = sort_keys(keys_, sorted_, count, order_.key_words(), search_.options.parallel);
  return {};
}

// Room for the keys of a batch that is in the table still, behind that, and for sorting them. The
// diagram has nothing to lose: it is built again. False: there is not enough.
bool DiagramEngine::make_room(u32 count) {
  const u64 bytes = round_up(u64{count} * order_.key_words() * sizeof(Word), kLineBytes);
  u8* const begin = batch_region_.data();
  u8* const keys = begin + std::max<u64>(batch_region_.size(), bytes);
  u8* const region_end = region_.data() + region_.size();
  u8* const diagram = std::max(keys + bytes, diagram_region_.data());
  if (diagram > region_end) return false;
  const u64 left = static_cast<u64>(region_end - diagram);
  if (Diagram::bytes_for(4096, order_.most_digits()) > left) return false;
  keys_ = reinterpret_cast<Word*>(keys);
  diagram_region_ = {diagram, static_cast<std::size_t>(left)};
  set_.set_diagram_region(diagram_region_);
  squeezed_ = true;
  return true;
}

// Splits digits until all states, those of the batch too, have keys. The diagram is made into one
// of the new digits; where that is not possible, it is built again.
Status DiagramEngine::split_around_batch(u32 count, StopReason& stop) {
  // What waits on flash are keys of the old kind.
  XMC_TRY(check_waiting());
  if (!held_back_.empty()) XMC_TRY(settle_held_back(stop));
  if (stop != StopReason::none) return {};
  const KeyReader::Position position = reader_.position();
  for (bool coded = false; !coded;) {
    ++splits_;
    // The memory between the table and the diagram is free, and if need be that of the diagram.
    u8* const behind = batch_region_.data() + batch_region_.size();
    const std::span<u8> between(behind, diagram_region_.data());
    const bool enough = between.size() >= order_.careful_scratch();
    const Diagram::Apart apart =
        order_.split(enough ? between : std::span<u8>(behind, region_.data() + region_.size()));
    if (!make_room(count)) stop = StopReason::ram;
    if (stop != StopReason::none) break;
    const u32 words = order_.key_words();
    held_back_.set_key_words(words);
    if (enough) {
      XMC_LET(const bool kept, set_.take_apart(order_.digits(), words, apart));
      if (kept) {
        coded = make_keys(count);
        continue;
      }
    }
    ++rebuilds_;
    XMC_TRY(begin_set());
    XMC_TRY(reader_.seek_slot(0));
    const u64 room = static_cast<u64>(diagram_region_.data() - reinterpret_cast<u8*>(keys_));
    const u32 half = static_cast<u32>(std::max<u64>(room / 2 / (words * sizeof(Word)), 1));
    XMC_TRY(
        insert_from_queue(queue_.keys(), {keys_, keys_ + u64{half} * words, half}, coded, stop));
    if (stop != StopReason::none) break;
    coded = coded && make_keys(count);
  }
  return reader_.seek(position);
}

}  // namespace xmc
