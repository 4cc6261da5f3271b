// How `part` goes on with less memory than it had: a partition that does not fit is split on flash.
#include <algorithm>

#include "engine/part/part.h"

namespace xmc {

// A partition of a run that had more memory before. Nothing of it is in the table, which takes a
// sample of its states.
Status PartEngine::split_image(u32 leaf) {
  const PhaseClock::Scope scope(search_.clock, Phase::partitioning);
  XMC_TRY(sample_image(leaf));
  const u32 low = logs_.tree.split(leaf, split_choice_.choose(search_, table_, logs_.tree, leaf));
  const ImageLog::Chain whole = logs_.images[leaf];
  logs_.images[leaf] = {};
  for (const u32 half : {low, low + 1}) XMC_TRY(copy_half(whole, leaf, half));
  ChainReader queued;
  XMC_TRY(logs_.pending.take(leaf, queued, logs_.pending_block));
  return put_back(queued);
}

Status PartEngine::sample_image(u32 leaf) {
  const u64 stride = std::max<u64>(1, logs_.images[leaf].states / (u64{4} * SplitChoice::kSample));
  table_.init(regions_.table, table_shape());
  ImageReader reader;
  XMC_TRY(reader.start(logs_.visited, logs_.visited_block, {&logs_.images[leaf].head, 1}));
  Word state[limits::kStateWords];
  u64 next = 0;  // of the sample, behind the block's first state
  for (;;) {
    ImageLog::Block block;
    XMC_LET(const bool more, reader.next(block));
    if (!more) return {};
    for (; next < block.states && table_.size() < capacity_; next += stride) {
      logs_.unpack(block, static_cast<u32>(next), state);
      static_cast<void>(table_.insert(state, 1, nullptr));
    }
    next -= std::min<u64>(next, block.states);
  }
}

// One block at a time: what is read ahead would be in the way of what is written.
Status PartEngine::copy_half(const ImageLog::Chain& whole, u32 parent, u32 half) {
  const bool high = half % 2 == 0;
  logs_.images[half] = {};
  ImageReader reader;
  XMC_TRY(reader.start(logs_.visited, logs_.visited_block.first(ImageLog::kBlockBytes),
                       {&whole.head, 1}));
  Word state[limits::kStateWords];
  for (;;) {
    ImageLog::Block block;
    XMC_LET(const bool more, reader.next(block));
    if (!more) return logs_.visited.finish(logs_.images[half]);
    const u32 bytes = table_.state_bytes();
    for (u32 i = 0; i < block.states; ++i) {
      logs_.unpack(block, i, state);
      if (logs_.tree.is_high(parent, state) != high) continue;
      XMC_TRY(
          logs_.visited.append(logs_.images[half], block.packed.data() + std::size_t{i} * bytes));
    }
  }
}

}  // namespace xmc
