// How `part` goes on with less memory than it had: a partition that does not fit is split on flash.
#include <algorithm>

#include "engine/part/part_memory.h"

namespace xmc {

// The table takes a sample of its states.
Status PartMemory::split_image(u32 leaf) {
  const PhaseClock::Scope scope(search->clock, Phase::partitioning);
  XMC_TRY(sample_image(leaf));
  const u32 low = logs->tree.split(leaf, split_choice.choose(*search, table, logs->tree, leaf));
  const ImageLog::Chain whole = logs->images[leaf];
  logs->images[leaf] = {};
  for (const u32 half : {low, low + 1}) XMC_TRY(copy_half(whole, leaf, half));
  ChainReader queued;
  XMC_TRY(logs->pending.take(leaf, queued, logs->pending_block));
  return logs->put_back(queued);
}

Status PartMemory::sample_image(u32 leaf) {
  const u64 stride = std::max<u64>(1, logs->images[leaf].states / (u64{4} * SplitChoice::kSample));
  table.init(table_region, shape_of(search->model));
  ImageReader reader;
  XMC_TRY(reader.start(logs->visited, logs->visited_block, {&logs->images[leaf].head, 1}));
  Word state[limits::kStateWords];
  u64 next = 0;  // of the sample, behind the block's first state
  for (;;) {
    ImageLog::Block block;
    XMC_LET(const bool more, reader.next(block));
    if (!more) return {};
    for (; next < block.states && table.size() < capacity; next += stride) {
      logs->unpack(block, static_cast<u32>(next), state);
      static_cast<void>(table.insert(state, 1, nullptr));
    }
    next -= std::min<u64>(next, block.states);
  }
}

// One block at a time: what is read ahead would be in the way of what is written.
Status PartMemory::copy_half(const ImageLog::Chain& whole, u32 parent, u32 half) {
  const bool high = half % 2 == 0;
  logs->images[half] = {};
  ImageReader reader;
  XMC_TRY(reader.start(logs->visited, logs->visited_block.first(ImageLog::kBlockBytes),
                       {&whole.head, 1}));
  Word state[limits::kStateWords];
  for (;;) {
    ImageLog::Block block;
    XMC_LET(const bool more, reader.next(block));
    if (!more) return logs->visited.finish(logs->images[half]);
    const u32 bytes = table.state_bytes();
    for (u32 i = 0; i < block.states; ++i) {
      logs->unpack(block, i, state);
      if (logs->tree.is_high(parent, state) != high) continue;
      XMC_TRY(
          logs->visited.append(logs->images[half], block.packed.data() + std::size_t{i} * bytes));
    }
  }
}

}  // namespace xmc
