#include "store/runs/run_merge.h"

#include "store/keys/key_compare.h"
#include "xmc/check.h"

namespace xmc {

Status RunMerge::start(std::span<RunReader* const> readers) {
  XMC_CHECK(!readers.empty());
  XMC_CHECK(readers.size() <= kMost);
  words_ = readers[0]->run().words;
  any_ = false;
  count_ = static_cast<u32>(readers.size());
  for (u32 i = 0; i < count_; ++i) {
    XMC_CHECK(readers[i]->run().words == words_);
    sources_[i] = {readers[i], nullptr, nullptr};
  }
  for (u32 i = count_; i-- > 0;) XMC_TRY(refill(i));
  winner_ = rebuild();
  return {};
}

// A source that has ended leaves the field; the last one takes its place.
Status RunMerge::refill(u32 source) {
  Source& s = sources_[source];
  u32 count = 0;
  XMC_TRY(s.reader->next_keys(s.at, count));
  s.end = s.at + static_cast<std::size_t>(count) * words_;
  if (count == 0) s = sources_[--count_];
  return {};
}

// All matches. Leaf i of the tournament is node count_ + i; the winners of two siblings meet in the
// node above.
u32 RunMerge::rebuild() {
  if (count_ == 0) return 0;
  u32 winners[2 * kMost];
  for (u32 i = 0; i < count_; ++i) winners[count_ + i] = i;
  for (u32 node = count_; node-- > 1;) {
    const u32 a = winners[2 * node];
    const u32 b = winners[2 * node + 1];
    const bool first = key_less(sources_[a].at, sources_[b].at, words_);
    const u32 loser = first ? b : a;
    winners[node] = first ? a : b;
    losers_[node] = loser;
    high_[node] = sources_[loser].at[0];
    low_[node] = words_ == 1 ? 0 : sources_[loser].at[1];
  }
  return winners[1];
}

// A source has a new key: plays its matches again, from its leaf to the final, and returns who
// wins. That is as good as random, hence no branch on it.
template <u32 W>
u32 RunMerge::replay(u32 source) {
  const Word* const key = sources_[source].at;
  u32 winner = source;
  Word high = key[0];
  Word low = W == 1 ? 0 : key[1];
  for (u32 node = (count_ + source) / 2; node != 0; node /= 2) {
    const u32 other = losers_[node];
    const Word other_high = high_[node];
    const Word other_low = W == 1 ? 0 : low_[node];
    bool stays = high < other_high;
    if constexpr (W != 1) {
      stays = stays | ((high == other_high) & (low < other_low));
      if (W == 0 && ((high ^ other_high) | (low ^ other_low)) == 0) {
        stays = key_less(sources_[winner].at, sources_[other].at, words_);
      }
      low_[node] = stays ? other_low : low;
      low = stays ? low : other_low;
    }
    high_[node] = stays ? other_high : high;
    high = stays ? high : other_high;
    losers_[node] = stays ? other : winner;
    winner = stays ? winner : other;
  }
  return winner;
}

template <u32 W>
Status RunMerge::merge(Word* into, u32 room, u32& count) {
  const u32 words = W == 0 ? words_ : W;
  count = 0;
  u32 winner = winner_;
  while (count < room && count_ != 0) {
    Source& source = sources_[winner];
    if (!any_ || !key_equal<W>(source.at, last_, words)) {
      copy_key<W>(last_, source.at, words);
      copy_key<W>(into, source.at, words);
      any_ = true;
      into += words;
      ++count;
    }
    source.at += words;
    if (source.at == source.end) {
      const u32 before = count_;
      XMC_TRY(refill(winner));
      if (count_ != before) {
        winner = rebuild();
        continue;
      }
    }
    winner = replay<W>(winner);
  }
  winner_ = winner;
  return {};
}

Status RunMerge::next_keys(Word* into, u32 room, u32& count) {
  if (words_ == 1) return merge<1>(into, room, count);
  if (words_ == 2) return merge<2>(into, room, count);
  return merge<0>(into, room, count);
}

Status merge_runs(std::span<RunReader* const> readers, RunWriter& writer, const GoOn& go_on) {
  Word keys[512];
  const u32 room = 512 / readers[0]->run().words;
  RunMerge merge;
  XMC_TRY(merge.start(readers));
  const LongWork::Scope scope(go_on.work, "merging");
  u64 all = 0;
  for (const RunReader* reader : readers) all += reader->run().keys;
  for (u64 done = 0;;) {
    u32 count = 0;
    XMC_TRY(merge.next_keys(keys, room, count));
    if (count == 0) return {};
    XMC_TRY(writer.append(keys, count));
    XMC_TRY(go_on(done += count, all));
  }
}

}  // namespace xmc
