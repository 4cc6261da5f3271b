// PageCache: pages in RAM by their number, in sets of eight, or in one set where there are few; in
// a set the one that was not used for a while goes first (clock). As many frames as pages hold
// every page.
#pragma once

#include <span>

#include "xmc/types.h"

namespace xmc::phf {

class PageCache {
 public:
  // What `frames` frames take.
  static u64 bytes_for(u64 frames, u32 page_bytes);
  static u64 frames_in(u64 bytes, u32 page_bytes);

  // Memory aligned to the device's blocks; none is a cache of nothing.
  void start(std::span<u8> memory, u32 page_bytes);
  u64 frames() const { return frames_; }
  bool has(u64 page) const { return frame_of(page) != kNone; }
  // The page, or nothing.
  std::span<const u8> find(u64 page);
  // A frame for a page that is not there; the caller fills it, or drops it when that fails.
  std::span<u8> replace(u64 page);
  void drop(u64 page);

 private:
  static constexpr u32 kWays = 8;
  static constexpr u32 kFew = 64;  // frames that are looked through one by one

  u32 frame_of(u64 page) const;
  std::span<u8> memory_of(u32 frame) const {
    return memory_.subspan(std::size_t{frame} * page_bytes_, page_bytes_);
  }
  u32 first_of(u64 page) const { return static_cast<u32>(page % sets_) * ways_; }

  std::span<u8> memory_;
  std::span<u32> page_;  // of each frame, plus one; 0 is none
  std::span<u8> used_;   // since the clock last came by
  u32 page_bytes_ = 0;
  u32 frames_ = 0;
  u32 sets_ = 1;
  u32 ways_ = 0;
  u32 hand_ = 0;
};

}  // namespace xmc::phf
