#include "engine/cycles/edges/queue_numbers.h"

#include "xmc/bytes.h"

namespace xmc {

namespace {

constexpr u64 kFilterShare = 16;
constexpr u64 kLeastFilter = 512;
constexpr u64 kMostFilter = u64{1} << 20;

}  // namespace

u64 QueueNumbers::filter_bytes(u64 memory) {
  return round_down(std::clamp(memory / kFilterShare, kLeastFilter, kMostFilter), kLineBytes);
}

u64 QueueNumbers::most_filter_beside(u64 rest) { return rest / (kFilterShare - 1) + kLeastFilter; }

void QueueNumbers::start(const Product& product, std::span<u8> filter_memory) {
  product_ = product;
  filter_memory_ = {reinterpret_cast<u64*>(filter_memory.data()),
                    filter_memory.size() / sizeof(u64)};
}

Status QueueNumbers::look_for(const StateTable& table, u64 level) {
  table_ = &table;
  XMC_TRY(last_slot(level));
  make_filter();
  return {};
}

// The last slot that has states up to this level, and the number behind its last one.
Status QueueNumbers::last_slot(u64 level) {
  KeyFile& queue = *product_.queue;
  u64 low = 0;
  u64 high = queue.slots();
  states_left_ = product_.states;
  while (low + 1 < high) {
    const u64 middle = (low + high) / 2;
    KeyBlockHeader header;
    XMC_TRY(queue.read_header(middle, product_.scan_buffer, header));
    const bool here = header.first_level <= level && header.first_key < product_.states;
    if (!here) states_left_ = std::min(states_left_, header.first_key);
    (here ? low : high) = middle;
  }
  slots_left_ = low + 1;
  return {};
}

void QueueNumbers::make_filter() {
  const u32 words = product_.search->model.state_words;
  Word state[limits::kStateWords];
  filter_.start(filter_memory_, table_->size());
  for (StateIndex i = 0; i < table_->size(); ++i) {
    table_->load(i, state);
    filter_.add(FingerprintFilter::of(state, words));
  }
}

}  // namespace xmc
