#include "engine/cycles/index/rank_index.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/search/work_poll.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

constexpr u64 kOrderShare = 16;           // of the memory, for tables that make keys shorter
constexpr u64 kMostBatch = u64{1} << 20;  // keys: more are not sorted or inserted faster

}  // namespace

u64 RankIndex::plan_fixed(const Product& product) {
  const Model& model = product.search->model;
  const u64 order_bytes = round_up(KeyOrder::bytes_for(model, joins_), kLineBytes);
  const u64 key_bytes = u64{KeyOrder::most_key_words(model)} * sizeof(Word);
  fixed_bytes_ = order_bytes + round_up(kBatch * key_bytes, kLineBytes);
  return order_bytes;
}

void RankIndex::plan_order(const Product& product, u64 bytes) {
  const std::span<u8> tables = product.memory.first(static_cast<std::size_t>(bytes));
  fill_zero(tables);
  Arena arena(tables);
  order_ = KeyOrder();
  order_.plan(product.search->model, arena, joins_);
  batch_ = reinterpret_cast<Word*>(product.memory.data() + bytes);
}

// | order, batch | fresh bits | keys | keys | diagram |
bool RankIndex::lay_out(const Product& product) {
  const Model& model = product.search->model;
  joins_ = KeyOrder::bytes_for(model, true) <= product.memory.size() / kOrderShare;
  const u64 order_bytes = plan_fixed(product);
  const u64 key_bytes = u64{KeyOrder::most_key_words(model)} * sizeof(Word);
  const u64 head = fixed_bytes_ + kChunk / 8;
  const u64 all = product.memory.size();
  if (all < head + 2 * kLineBytes) return false;
  const u64 wanted =
      std::min<u64>({product.expanded, kMostBatch, (all - head) / 4 / 2 / key_bytes});
  const u64 keys = std::max<u64>(wanted, 64);
  const u64 buffer = round_up(keys * key_bytes, kLineBytes);
  if (all < head + 2 * buffer) return false;

  u8* const at = product.memory.data();
  plan_order(product, order_bytes);
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

void RankIndex::begin_diagram(const Product& product) {
  diagram_.init(region_, order_.digits(), order_.key_words(), order_.has_tails());
  reader_.start(*product.queue, product.read_buffer);
  inserted_ = 0;
}

Status RankIndex::insert_some(u64 count, bool& fits, bool& coded) {
  const u32 part = static_cast<u32>(std::min<u64>(buffers_.keys, count - inserted_));
  XMC_LET(Word* const keys, read_sorted_keys(reader_, order_, buffers_, part));
  coded = keys != nullptr;
  fits = coded && insert_sorted(keys, part);
  if (fits) inserted_ += part;
  return {};
}

// Sizes of the diagram of the first states in every order.
Status RankIndex::measure_orders(const Product& product) {
  const u64 sample = std::min<u64>({kSampleStates, buffers_.keys, product.expanded});
  WorkPoll poll(product);
  for (u32 candidate = 0; candidate < KeyOrder::kCandidates; ++candidate) {
    order_words_[candidate] = kUseless - 1;
    if (!order_.differs(candidate)) continue;
    order_.choose(candidate);
    bool fits = true;
    bool coded = true;
    begin_diagram(product);
    if (sample > 0) XMC_TRY(insert_some(sample, fits, coded));
    XMC_CHECK(coded);  // nothing is joined
    if (fits) order_words_[candidate] = diagram_.live_words();
    XMC_TRY(poll(0));
  }
  return {};
}

// Digits that stand for the values of several fields: a descent has fewer steps then.
Status RankIndex::join(const Product& product) {
  const u32 most = std::min(kJoinSample, buffers_.keys);
  if (KeyOrder::join_scratch(most) > region_.size()) return {};
  reader_.start(*product.queue, product.read_buffer);
  XMC_LET(const u32 count, read_some_keys(reader_, order_, product.expanded, most, buffers_.first));
  order_.join(buffers_.first, count, region_);
  return {};
}

// Into an empty diagram, or behind what a checkpoint had.
Status RankIndex::insert_all(const Product& product, bool& fits) {
  WorkPoll poll(product);
  const LongWork::Scope scope(poll.work(), "numbering");
  fits = true;
  while (inserted_ < product.expanded && fits) {
    const u64 before = inserted_;
    bool coded = false;
    XMC_TRY(insert_some(product.expanded, fits, coded));
    if (!coded) {
      order_.split(region_);
      begin_diagram(product);
      fits = true;
      continue;
    }
    if (!fits) return {};
    insertions_ += inserted_ - before;
    poll.set(inserted_, product.expanded);
    const Status stop = poll(0);
    if (!stop.ok()) XMC_TRY(save_part(product));
    XMC_TRY(stop);
    XMC_TRY(checkpoint_if_due(product));
  }
  return {};
}

u32 RankIndex::tried() const {
  return static_cast<u32>(std::count(order_words_, order_words_ + KeyOrder::kCandidates, kUseless));
}

// The best one that has not been tried.
Status RankIndex::begin_order(const Product& product) {
  const auto best = std::min_element(order_words_, order_words_ + KeyOrder::kCandidates);
  candidate_ = static_cast<u32>(best - order_words_);
  order_.choose(candidate_);
  *best = kUseless;
  if (joins_) XMC_TRY(join(product));
  begin_diagram(product);
  return {};
}

Status RankIndex::build(const Product& product, u64 left, IndexResult& result) {
  bool begun = std::exchange(goes_on_, false);
  if (!begun) {
    const bool hopeless = product.expanded > Rank::kMostKeys || left >= product.memory.size();
    if (hopeless || !lay_out(product)) return {};
    XMC_TRY(measure_orders(product));
  }
  for (; begun || tried() < kTries; begun = false) {
    if (!begun) XMC_TRY(begin_order(product));
    bool fits = false;
    XMC_TRY(insert_all(product, fits));
    if (!fits || !rank_.take(diagram_)) continue;
    XMC_CHECK(rank_.size() == product.expanded);
    const u64 bytes = round_up(fixed_bytes_ + rank_.bytes(), kPageBytes);
    if (bytes + left > product.memory.size()) continue;
    rank_.move_to(product.memory.data() + fixed_bytes_);
    folder_ = product.folder;
    written_ = false;
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
    const Word* const first = states + u64{done} * words;
    u64 strange = 0;  // states with a value that no state of the index has
    if (!order_.find_keys(first, part, batch)) {
      for (u32 i = 0; i < part; ++i) {
        Word* const key = batch + u64{i} * order_.key_words();
        if (!order_.find_key(first + u64{i} * words, key)) strange |= u64{1} << i;
      }
    }
    rank_.find(batch, part, numbers + done);
    for (; strange != 0; strange &= strange - 1) {
      numbers[done + static_cast<u32>(std::countr_zero(strange))] = Rank::kNotThere;
    }
  }
}

void RankIndex::state_of(u64 number, Word* state) const {
  Word key[limits::kKeyWords];
  rank_.key_of(number, key);
  order_.to_state(key, state);
}

}  // namespace xmc
