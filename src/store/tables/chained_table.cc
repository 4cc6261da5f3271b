#include "store/tables/chained_table.h"

#include <algorithm>

#include "xmc/hash.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

constexpr u32 kFirstChains = 4096;

}  // namespace

// The hot code, for a number of words known at compile time; W = 0 is the version for any number.
template <u32 W>
struct ChainedTableCode {
  ChainedTable& t;

  u32 words() const { return W == 0 ? t.words_ : W; }

  u32 chain(const Word* state) const {
    const u64 hash = hash_words(state, words());
    return static_cast<u32>(((hash >> 32) * t.chains_) >> 32);
  }

  bool same(const u8* at, const Word* state) const {
    const u32 last = words() - 1;
    for (u32 w = 0; w < last; ++w) {
      if (load_le<u64>(at + 8 * w) != state[w]) return false;
    }
    return (load_le<u64>(at + 8 * last) & t.last_mask_) == state[last];
  }

  StateIndex locate(const Word* state, u32 chain) const {
    for (u32 link = t.heads_[chain]; link != 0;) {
      const u8* const at = t.entry(link - 1);
      if (same(at + ChainedTable::kLinkBytes, state)) return link - 1;
      link = load_le<u32>(at) & ChainedTable::kLinkMask;
    }
    return kNone;
  }

  // The newest state is the first of its chain: it is the likeliest to be met again.
  StateIndex append(const Word* state, u32 chain) const {
    u8* const at = t.entry(t.size_);
    store_le<u32>(at, t.heads_[chain]);
    for (u32 w = 0; w < words(); ++w) {
      store_le<u64>(at + ChainedTable::kLinkBytes + 8 * w, state[w]);
    }
    t.heads_[chain] = ++t.size_;
    return t.size_ - 1;
  }

  // Three stages, so that the cache misses of a batch overlap: heads, then states, then the work.
  template <bool kInsert>
  u32 run(const Word* states, u32 count, StateIndex* indexes) const {
    u32 chains[ChainedTable::kBatch];
    for (u32 i = 0; i < count; ++i) {
      chains[i] = chain(states + u64{i} * words());
      __builtin_prefetch(t.heads_ + chains[i]);
    }
    for (u32 i = 0; i < count; ++i) {
      const u32 head = t.heads_[chains[i]];
      if (head != 0) __builtin_prefetch(t.entry(head - 1));
    }
    for (u32 i = 0; i < count; ++i) {
      const Word* const state = states + u64{i} * words();
      StateIndex index = locate(state, chains[i]);
      if (kInsert && index == kNone) {
        if (t.size_ == t.most_) return i;
        index = append(state, chains[i]);
      }
      if (indexes != nullptr) indexes[i] = index;
    }
    return count;
  }

  // Chains all states anew; their notes stay.
  void rebuild() const {
    Word state[W == 0 ? limits::kStateWords : W];
    for (StateIndex i = 0; i < t.size_; ++i) {
      t.load(i, state);
      u32& head = t.heads_[chain(state)];
      const u32 note = load_le<u32>(t.entry(i)) & ~ChainedTable::kLinkMask;
      store_le<u32>(t.entry(i), note | head);
      head = i + 1;
    }
  }
};

namespace {

template <class Code>
inline u32 with_code(ChainedTable& table, u32 words, const Code& code) {
  switch (words) {
    case 1:
      return code(ChainedTableCode<1>{table});
    case 2:
      return code(ChainedTableCode<2>{table});
    case 3:
      return code(ChainedTableCode<3>{table});
    default:
      return code(ChainedTableCode<0>{table});
  }
}

}  // namespace

void ChainedTable::init(std::span<u8> region, const StateTable::Shape& shape) {
  XMC_CHECK(shape.state_words >= 1 && shape.state_words <= limits::kStateWords);
  XMC_CHECK(shape.state_bytes > 8 * (shape.state_words - 1));
  XMC_CHECK(shape.state_bytes <= 8 * shape.state_words);
  XMC_CHECK(reinterpret_cast<std::uintptr_t>(region.data()) % sizeof(u32) == 0);
  XMC_CHECK(region.size() % sizeof(u32) == 0);
  base_ = region.data();
  words_ = shape.state_words;
  stride_ = kLinkBytes + shape.state_bytes;
  last_mask_ = ~u64{0} >> (64 - 8 * (shape.state_bytes - 8 * (words_ - 1)));
  const u64 fitting = (region.size() - kSlack) / (stride_ + sizeof(u32));
  most_ = static_cast<u32>(std::min(fitting, kMostStates));
  XMC_CHECK(most_ > 0);
  heads_ = reinterpret_cast<u32*>(region.data() + region.size()) - most_;
  size_ = 0;
  chains_ = std::min(kFirstChains, most_);
  fill_zero(std::span(heads_, chains_));
}

void ChainedTable::grow() {
  chains_ = static_cast<u32>(std::min<u64>(u64{chains_} * 2, most_));
  fill_zero(std::span(heads_, chains_));
  with_code(*this, words_, [](const auto& code) { return code.rebuild(), 0u; });
}

u32 ChainedTable::insert(const Word* states, u32 count, StateIndex* indexes) {
  for (u32 done = 0; done < count;) {
    const u32 batch = std::min(kBatch, count - done);
    if (size_ >= chains_ && chains_ < most_) grow();
    const Word* const from = states + u64{done} * words_;
    StateIndex* const to = indexes == nullptr ? nullptr : indexes + done;
    const u32 processed = with_code(
        *this, words_, [&](const auto& code) { return code.template run<true>(from, batch, to); });
    done += processed;
    if (processed < batch) return done;
  }
  return count;
}

void ChainedTable::find(const Word* states, u32 count, StateIndex* indexes) const {
  ChainedTable& self = const_cast<ChainedTable&>(*this);  // the search code is shared with insert
  for (u32 done = 0; done < count;) {
    const u32 batch = std::min(kBatch, count - done);
    with_code(self, words_, [&](const auto& code) {
      return code.template run<false>(states + u64{done} * words_, batch, indexes + done);
    });
    done += batch;
  }
}

}  // namespace xmc
