#include "store/tiered/state_diagram.h"

#include <algorithm>

#include "store/keys/sort_keys.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kLeastWords = 4096;

}  // namespace

u64 StateDiagram::least_bytes(u32 state_bytes) {
  return round_up(Diagram::bytes_for(kLeastWords, u64{state_bytes} * 8), kPageBytes);
}

void StateDiagram::start(std::span<u8> region) {
  region_ = region;
  began_ = false;
}

// States, their keys twice, and a bit each.
StateDiagram::Batches StateDiagram::batches_of(std::span<u8> scratch) const {
  const u64 words = order_.state_words() + u64{2} * order_.most_key_words();
  const u64 most = (scratch.size() - kLineBytes) * 64 / (words * sizeof(Word) * 64 + 8);
  XMC_CHECK(most > 0);
  Batches batches;
  batches.most = static_cast<u32>(std::min<u64>(most, u64{1} << 20));
  batches.states = reinterpret_cast<Word*>(scratch.data());
  batches.keys = batches.states + u64{batches.most} * order_.state_words();
  batches.other = batches.keys + u64{batches.most} * order_.most_key_words();
  batches.fresh = batches.other + u64{batches.most} * order_.most_key_words();
  return batches;
}

bool StateDiagram::add_batch(const Batches& batches, u32 count) {
  if (!began_) choose_order(batches, count);
  return insert(batches, count);
}

bool StateDiagram::insert(const Batches& batches, u32 count) {
  XMC_CHECK(order_.to_keys(batches.states, count, batches.keys));
  const Word* const sorted = sort_keys(batches.keys, batches.other, count, order_.key_words());
  return diagram_.insert(sorted, count, batches.fresh);
}

void StateDiagram::begin(u32 candidate) {
  candidate_ = candidate;
  order_.choose(candidate);
  diagram_.init(region_, order_.digits(), order_.key_words(), order_.has_tails());
  began_ = true;
}

// The one with the smallest diagram of these states.
void StateDiagram::choose_order(const Batches& batches, u32 count) {
  u32 best = 0;
  u64 least = ~u64{0};
  for (u32 candidate = 0; candidate < KeyOrder::kCandidates; ++candidate) {
    if (!order_.differs(candidate)) continue;
    begin(candidate);
    const u64 words = insert(batches, count) ? diagram_.live_words() : ~u64{0} - 1;
    if (words >= least) continue;
    least = words;
    best = candidate;
  }
  begin(best);
}

u32 StateDiagram::walk(Word* states, u32 room) {
  Word keys[KeyOrder::kBlockWords];
  const u32 count = diagram_.walk(keys, std::min(room, order_.block()));
  order_.to_states(keys, count, states);
  return count;
}

std::span<const u32> StateDiagram::nodes(Saved& saved) {
  if (!began_) return {};
  const std::span<const u32> words = diagram_.nodes();
  saved = {candidate_, diagram_.root(), diagram_.size(), words.size()};
  return words;
}

std::span<u32> StateDiagram::room_for(const Saved& saved) {
  begin(static_cast<u32>(saved.order));
  return diagram_.room_for(saved.words);
}

bool StateDiagram::load(const Saved& saved) {
  const std::span<u32> words = diagram_.room_for(saved.words);
  return diagram_.load(words, static_cast<u32>(saved.root), saved.size);
}

}  // namespace xmc
