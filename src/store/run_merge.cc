#include "store/run_merge.h"

#include <utility>

#include "store/key_compare.h"
#include "xmc/check.h"

namespace xmc {

Status RunMerge::start(std::span<RunReader* const> readers) {
  XMC_CHECK(!readers.empty());
  XMC_CHECK(readers.size() <= kMost);
  count_ = static_cast<u32>(readers.size());
  words_ = readers[0]->run().words;
  any_ = false;
  for (u32 i = 0; i < count_; ++i) {
    XMC_CHECK(readers[i]->run().words == words_);
    sources_[i] = {readers[i], nullptr, nullptr};
    XMC_TRY(refill(sources_[i]));
  }
  // Leaf i of the tournament is node count_ + i; the winner of a node meets its sibling's.
  u32 winners[2 * kMost];
  for (u32 i = 0; i < count_; ++i) winners[count_ + i] = i;
  for (u32 node = count_; node-- > 1;) {
    const u32 a = winners[2 * node];
    const u32 b = winners[2 * node + 1];
    const bool first = wins<0>(a, b);
    winners[node] = first ? a : b;
    losers_[node] = first ? b : a;
  }
  winner_ = count_ == 1 ? 0 : winners[1];
  return {};
}

Status RunMerge::refill(Source& source) {
  u32 count = 0;
  XMC_TRY(source.reader->next_keys(source.at, count));
  source.end = source.at + static_cast<std::size_t>(count) * words_;
  if (count == 0) source.at = nullptr;
  return {};
}

template <u32 W>
bool RunMerge::wins(u32 a, u32 b) const {
  const Word* const x = sources_[a].at;
  const Word* const y = sources_[b].at;
  if (x == nullptr || y == nullptr) return y == nullptr;
  return key_less<W>(x, y, words_);
}

// The source has a new key: plays its matches again, from its leaf to the final.
template <u32 W>
void RunMerge::replay(u32 source) {
  u32 winner = source;
  for (u32 node = (count_ + source) / 2; node != 0; node /= 2) {
    if (!wins<W>(winner, losers_[node])) std::swap(winner, losers_[node]);
  }
  winner_ = winner;
}

template <u32 W>
Status RunMerge::merge(Word* into, u32 room, u32& count) {
  const u32 words = W == 0 ? words_ : W;
  count = 0;
  while (count < room) {
    Source& source = sources_[winner_];
    if (source.at == nullptr) break;
    if (!any_ || !key_equal<W>(source.at, last_, words)) {
      copy_key<W>(last_, source.at, words);
      copy_key<W>(into, source.at, words);
      any_ = true;
      into += words;
      ++count;
    }
    source.at += words;
    if (source.at == source.end) XMC_TRY(refill(source));
    replay<W>(winner_);
  }
  return {};
}

Status RunMerge::next_keys(Word* into, u32 room, u32& count) {
  if (words_ == 1) return merge<1>(into, room, count);
  if (words_ == 2) return merge<2>(into, room, count);
  return merge<0>(into, room, count);
}

Status merge_runs(std::span<RunReader* const> readers, RunWriter& writer) {
  Word keys[512];
  const u32 room = 512 / readers[0]->run().words;
  RunMerge merge;
  XMC_TRY(merge.start(readers));
  for (;;) {
    u32 count = 0;
    XMC_TRY(merge.next_keys(keys, room, count));
    if (count == 0) return {};
    XMC_TRY(writer.append(keys, count));
  }
}

}  // namespace xmc
