// How `part` goes on with less memory than it had: a partition that does not fit is split on flash.
#include <algorithm>

#include "engine/part/part.h"

namespace xmc {

// A partition of a run that had more memory before. Nothing of it is in the table, which takes a
// sample of its states.
Status PartEngine::split_image(u32 leaf) {
  const PhaseClock::Scope scope(search_.clock, Phase::partitioning);
  XMC_TRY(sample_image(leaf));
  const u32 low = tree_.split(leaf, choose_test(leaf));
  const ImageLog::Chain whole = images_[leaf];
  images_[leaf] = {};
  for (const u32 half : {low, low + 1}) XMC_TRY(copy_half(whole, leaf, half));
  ChainReader queued;
  XMC_TRY(pending_.take(leaf, queued, pending_block_));
  return put_back(queued);
}

Status PartEngine::sample_image(u32 leaf) {
  const u64 stride = std::max<u64>(1, images_[leaf].states / (u64{4} * kSample));
  const Model& model = search_.model;
  table_.init(region_, {model.state_words, std::max(model.state_bytes, 1u), false});
  ImageReader reader;
  XMC_TRY(reader.start(visited_, visited_block_, {&images_[leaf].head, 1}));
  Word state[limits::kStateWords];
  u64 next = 0;  // of the sample, behind the block's first state
  for (;;) {
    ImageLog::Block block;
    XMC_LET(const bool more, reader.next(block));
    if (!more) return {};
    for (; next < block.states && table_.size() < capacity_; next += stride) {
      unpack(block, static_cast<u32>(next), state);
      static_cast<void>(table_.insert(state, 1, nullptr));
    }
    next -= std::min<u64>(next, block.states);
  }
}

// One block at a time: what is read ahead would be in the way of what is written.
Status PartEngine::copy_half(const ImageLog::Chain& whole, u32 parent, u32 half) {
  const bool high = half % 2 == 0;
  images_[half] = {};
  ImageReader reader;
  XMC_TRY(reader.start(visited_, visited_block_.first(ImageLog::kBlockBytes), {&whole.head, 1}));
  Word state[limits::kStateWords];
  for (;;) {
    ImageLog::Block block;
    XMC_LET(const bool more, reader.next(block));
    if (!more) return visited_.finish(images_[half]);
    const u32 bytes = table_.state_bytes();
    for (u32 i = 0; i < block.states; ++i) {
      unpack(block, i, state);
      if (tree_.is_high(parent, state) != high) continue;
      XMC_TRY(visited_.append(images_[half], block.packed.data() + std::size_t{i} * bytes));
    }
  }
}

}  // namespace xmc
