// The keys of DiagramVisited: made of the states of a batch, with digits that stand for the values
// of several fields where a set may spill. Such a digit may run out of numbers; it is split then.
#include <algorithm>

#include "engine/diagram/diagram_visited.h"
#include "store/keys/sort_keys.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/parallel.h"

namespace xmc {

namespace {

constexpr u32 kLeastPart = 4096;  // keys that are worth another thread

}  // namespace

Status DiagramVisited::join_digits() {
  XMC_TRY(reader().seek_slot(0));
  XMC_LET(const u32 count,
          read_some_keys(reader(), order_, queue().keys(),
                         std::min(kJoinSample, layout_.batch_states), layout_.keys));
  // The diagram has not begun.
  if (KeyOrder::join_scratch(count) <= layout_.diagram.size()) {
    order_.join(layout_.keys, count, layout_.diagram);
  }
  return {};
}

// An empty set for the keys of now.
Status DiagramVisited::begin_set() {
  return set_.restart(order_.digits(), order_.key_words(), order_.has_tails());
}

// The set of all states in the queue, in the best order. No batch is waiting.
Status DiagramVisited::build_joined() {
  ++orders_.rebuilds;
  const auto best = std::min_element(orders_.words, orders_.words + KeyOrder::kCandidates);
  XMC_TRY(use_order(static_cast<u32>(best - orders_.words)));
  XMC_TRY(join_digits());
  for (bool coded = false; !coded;) {
    XMC_CHECK(layout_.lay_out(layout_.diagram.size()));
    XMC_TRY(begin_set());
    XMC_TRY(reader().seek_slot(0));
    XMC_LET(const Filling filling, insert_from_queue(waiting_.checked(), layout_.buffers()));
    coded = filling == Filling::done;
    if (coded) XMC_TRY(waiting_.number(layout_.buffers(), coded));
    if (!coded) order_.split({layout_.batch.data(), region().data() + region().size()});
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
bool DiagramVisited::make_keys(u32 count) {
  Parallel* const parallel = search().options.parallel;
  const u32 parts = parts_of(parallel, count, kLeastPart);
  if (parts > 1) {
    // New values are numbered in the order of the batch, below: threads look known ones up.
    bool known[limits::kThreads] = {};
    for_parts(parallel, parts, count, [&](u32 begin, u32 end, u32 part) {
      known[part] =
          make_part(table_, order_, begin, end, layout_.keys,
                    [&](const Word* s, u32 n, Word* keys) { return order_.find_keys(s, n, keys); });
    });
    if (std::all_of(known, known + parts, [](bool k) { return k; })) return true;
  }
  return make_part(table_, order_, 0, count, layout_.keys,
                   [&](const Word* s, u32 n, Word* keys) { return order_.to_keys(s, n, keys); });
}

// The states of the batch table as sorted keys, in batch_keys_; the table is gone.
Status DiagramVisited::sort_batch(u32& count) {
  const PhaseClock::Scope scope(search().clock, Phase::partitioning);
  count = table_.size();
  if (!make_keys(count)) XMC_TRY(split_around_batch(count));
  batch_keys_ =
      sort_keys(layout_.keys, layout_.sorted, count, order_.key_words(), search().options.parallel);
  return {};
}

// Room for the keys of a batch that is in the table still, behind that, and for sorting them. The
// diagram has nothing to lose: it is built again. False: there is not enough.
bool DiagramVisited::make_room(u32 count) {
  const u64 bytes = round_up(u64{count} * order_.key_words() * sizeof(Word), kLineBytes);
  u8* const begin = layout_.batch.data();
  u8* const keys = begin + std::max<u64>(layout_.batch.size(), bytes);
  u8* const region_end = region().data() + region().size();
  u8* const diagram = std::max(keys + bytes, layout_.diagram.data());
  if (diagram > region_end) return false;
  const u64 left = static_cast<u64>(region_end - diagram);
  if (Diagram::bytes_for(4096, order_.most_digits()) > left) return false;
  layout_.keys = reinterpret_cast<Word*>(keys);
  layout_.diagram = {diagram, static_cast<std::size_t>(left)};
  set_.set_diagram_region(layout_.diagram);
  layout_.squeezed = true;
  return true;
}

// Splits digits until all states, those of the batch too, have keys. The diagram is made into one
// of the new digits; where that is not possible, it is built again.
Status DiagramVisited::split_around_batch(u32 count) {
  // What waits on flash are keys of the old kind.
  XMC_TRY(compare_waiting());
  if (!held_back_.empty()) XMC_TRY(settle_held_back());
  const KeyReader::Position position = reader().position();
  back_.forget();
  for (bool coded = false; !coded;) {
    ++orders_.splits;
    // The memory between the table and the diagram is free, and if need be that of the diagram.
    u8* const behind = layout_.batch.data() + layout_.batch.size();
    const std::span<u8> between(behind, layout_.diagram.data());
    const bool enough = between.size() >= order_.careful_scratch();
    const Diagram::Apart apart =
        order_.split(enough ? between : std::span<u8>(behind, region().data() + region().size()));
    if (!make_room(count)) return Status::stop(StopReason::ram);
    const u32 words = order_.key_words();
    held_back_.set_key_words(words);
    if (enough) {
      XMC_LET(const bool kept, set_.take_apart(order_.digits(), words, apart));
      if (kept) {
        coded = make_keys(count);
        continue;
      }
    }
    ++orders_.rebuilds;
    XMC_TRY(begin_set());
    XMC_TRY(reader().seek_slot(0));
    const u64 room = static_cast<u64>(layout_.diagram.data() - reinterpret_cast<u8*>(layout_.keys));
    const u32 half = static_cast<u32>(std::max<u64>(room / 2 / (words * sizeof(Word)), 1));
    const KeyBuffers buffers{layout_.keys, layout_.keys + u64{half} * words, half};
    XMC_LET(const Filling filling, insert_from_queue(queue().keys(), buffers));
    coded = filling == Filling::done && make_keys(count);
  }
  return reader().seek(position);
}

}  // namespace xmc
