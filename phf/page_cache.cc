#include "phf/page_cache.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc::phf {

namespace {

constexpr u64 kFrameWords = sizeof(u32) + sizeof(u8);

}  // namespace

u64 PageCache::bytes_for(u64 frames, u32 page_bytes) {
  return frames * page_bytes + round_up(frames * kFrameWords, 16);
}

u64 PageCache::frames_in(u64 bytes, u32 page_bytes) {
  u64 frames = bytes / (page_bytes + kFrameWords);
  while (frames > 0 && bytes_for(frames, page_bytes) > bytes) --frames;
  return frames > kFew ? round_down(frames, kWays) : frames;
}

void PageCache::start(std::span<u8> memory, u32 page_bytes) {
  *this = PageCache();
  page_bytes_ = page_bytes;
  frames_ = static_cast<u32>(frames_in(memory.size(), page_bytes));
  if (frames_ == 0) return;
  ways_ = frames_ > kFew ? kWays : frames_;
  sets_ = frames_ / ways_;
  memory_ = memory.first(std::size_t{frames_} * page_bytes);
  u8* const tail = memory.data() + memory_.size();
  page_ = {reinterpret_cast<u32*>(tail), frames_};
  used_ = {tail + std::size_t{frames_} * sizeof(u32), frames_};
  fill_zero(page_);
  fill_zero(used_);
}

u32 PageCache::frame_of(u64 page) const {
  if (frames_ == 0) return kNone;
  const u32 first = first_of(page);
  for (u32 frame = first; frame < first + ways_; ++frame) {
    if (page_[frame] == page + 1) return frame;
  }
  return kNone;
}

std::span<const u8> PageCache::find(u64 page) {
  const u32 frame = frame_of(page);
  if (frame == kNone) return {};
  used_[frame] = 1;
  return memory_of(frame);
}

std::span<u8> PageCache::replace(u64 page) {
  XMC_CHECK(frames_ != 0);
  XMC_DASSERT(!has(page));
  const u32 first = first_of(page);
  u32 frame = first + hand_ % ways_;
  while (used_[frame] != 0) {
    used_[frame] = 0;
    frame = first + ++hand_ % ways_;
  }
  ++hand_;
  page_[frame] = static_cast<u32>(page + 1);
  used_[frame] = 1;
  return memory_of(frame);
}

void PageCache::drop(u64 page) {
  const u32 frame = frame_of(page);
  XMC_CHECK(frame != kNone);
  page_[frame] = 0;
  used_[frame] = 0;
}

}  // namespace xmc::phf
