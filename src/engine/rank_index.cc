#include "engine/rank_index.h"

#include <algorithm>

#include "engine/search_mark.h"
#include "engine/work_poll.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kAlignment = 64;
constexpr u64 kPageBytes = 4096;
constexpr u64 kMostBatch = u64{1} << 20;  // keys: more are not sorted or inserted faster

}  // namespace

// | order, batch | fresh bits | keys | keys | diagram |
bool RankIndex::lay_out(const Product& product) {
  const Model& model = product.search->model;
  const u64 order_bytes = round_up(KeyOrder::bytes_for(model), kAlignment);
  const u64 key_bytes = u64{KeyOrder::most_key_words(model)} * sizeof(Word);
  fixed_bytes_ = order_bytes + round_up(kBatch * key_bytes, kAlignment);
  const u64 head = fixed_bytes_ + kChunk / 8;
  const u64 all = product.memory.size();
  if (all < head + 2 * kAlignment) return false;
  const u64 wanted =
      std::min<u64>({product.expanded, kMostBatch, (all - head) / 4 / 2 / key_bytes});
  const u64 keys = std::max<u64>(wanted, 64);
  const u64 buffer = round_up(keys * key_bytes, kAlignment);
  if (all < head + 2 * buffer) return false;

  u8* const at = product.memory.data();
  const std::span<u8> tables = product.memory.first(static_cast<std::size_t>(order_bytes));
  fill_zero(tables);
  Arena arena(tables);
  order_ = KeyOrder();
  order_.plan(model, arena);
  batch_ = reinterpret_cast<Word*>(at + order_bytes);
  fresh_ = reinterpret_cast<u64*>(at + fixed_bytes_);
  buffers_ = {reinterpret_cast<Word*>(at + head), reinterpret_cast<Word*>(at + head + buffer),
              static_cast<u32>(keys)};
  region_ = product.memory.subspan(static_cast<std::size_t>(head + 2 * buffer));
  return Diagram::bytes_for(1024, order_.most_digits()) <= region_.size();
}

// Smaller chunks make less garbage: they may fit where a large one does not.
bool RankIndex::insert_sorted(const Word* keys, u32 count) {
  u32 size = kChunk;
  for (u32 done = 0; done < count;) {
    const u32 part = std::min(size, count - done);
    if (diagram_.insert(keys + u64{done} * order_.key_words(), part, fresh_)) {
      done += part;
    } else if (part <= 16) {
      return false;
    } else {
      size = part / 4;
    }
  }
  return true;
}

// The first `count` states of the queue into an empty diagram.
Status RankIndex::insert(const Product& product, u64 count, bool& fits, StopReason& stop) {
  WorkPoll poll(product);
  diagram_.init(region_, order_.digits(), order_.key_words());
  reader_.start(*product.queue, product.read_buffer);
  fits = true;
  for (u64 done = 0; done < count && fits && stop == StopReason::none;) {
    const u32 part = static_cast<u32>(std::min<u64>(buffers_.keys, count - done));
    const Result<Word*> keys = read_sorted_keys(reader_, order_, buffers_, part);
    if (!keys.ok()) return keys.status();
    fits = insert_sorted(keys.value(), part);
    done += part;
    stop = poll(0);
  }
  return {};
}

// Sizes of the diagram of the first states in every order.
Status RankIndex::measure_orders(const Product& product) {
  const u64 sample = std::min<u64>({kSampleStates, buffers_.keys, product.expanded});
  for (u32 candidate = 0; candidate < KeyOrder::kCandidates; ++candidate) {
    order_.choose(candidate);
    bool fits = false;
    StopReason stop = StopReason::none;
    XMC_TRY(insert(product, sample, fits, stop));
    order_words_[candidate] = fits ? diagram_.live_words() : kUseless - 1;
  }
  return {};
}

Status RankIndex::build(const Product& product, u64 left, IndexResult& result) {
  if (product.expanded > Rank::kMostKeys || !lay_out(product)) return {};
  XMC_TRY(measure_orders(product));
  for (u32 i = 0; i < kTries; ++i) {
    const auto best = std::min_element(order_words_, order_words_ + KeyOrder::kCandidates);
    candidate_ = static_cast<u32>(best - order_words_);
    order_.choose(candidate_);
    *best = kUseless;
    bool fits = false;
    XMC_TRY(insert(product, product.expanded, fits, result.stop));
    if (result.stop != StopReason::none) return {};
    if (!fits || !rank_.take(diagram_)) continue;
    XMC_CHECK(rank_.size() == product.expanded);
    const u64 bytes = round_up(fixed_bytes_ + rank_.bytes(), kPageBytes);
    if (bytes + left > product.memory.size()) continue;
    rank_.move_to(product.memory.data() + fixed_bytes_);
    result.index = this;
    result.memory = product.memory.subspan(static_cast<std::size_t>(bytes));
    return {};
  }
  return {};
}

Status RankIndex::find(const Word* states, u32 count, u64* numbers, u32*) {
  find_with(batch_, states, count, numbers);
  return {};
}

void RankIndex::find_beside(std::span<u8> scratch, const Word* states, u32 count, u64* numbers,
                            u32*) const {
  XMC_DASSERT(scratch.size() >= scratch_bytes());
  find_with(reinterpret_cast<Word*>(scratch.data()), states, count, numbers);
}

void RankIndex::find_with(Word* batch, const Word* states, u32 count, u64* numbers) const {
  const u32 words = order_.state_words();
  for (u32 done = 0; done < count; done += kBatch) {
    const u32 part = std::min(kBatch, count - done);
    order_.find_keys(states + u64{done} * words, part, batch);
    rank_.find(batch, part, numbers + done);
  }
}

void RankIndex::state_of(u64 number, Word* state) const {
  Word key[kKeyWords];
  rank_.key_of(number, key);
  order_.to_state(key, state);
}

Status RankIndex::note(SearchMark& mark, std::span<u8>) {
  mark.index = SearchMark::Index::rank;
  mark.order = candidate_;
  return {};
}

}  // namespace xmc
