// OldQueues: the queues that several owners of a search have left at a checkpoint, read level by
// level by one who divides the states anew.
#pragma once

#include <span>

#include "engine/search/search.h"
#include "store/files/key_file.h"
#include "xmc/device.h"
#include "xmc/engine.h"

namespace xmc {

class OldQueues {
 public:
  // The memory is theirs until close().
  Status open(std::span<const OwnerPart> parts, std::span<u8> memory, const Search& search);
  // The next state of this level that was expanded, or was not; false: there are no more.
  Result<bool> next(u64 level, bool expanded, Word* state);
  void close();

 private:
  struct Queue {
    KeyFile file;
    KeyReader reader;
    Device* device = nullptr;
    u64 expanded = 0;      // its first states, by number
    bool waiting = false;  // `key` has not been given yet
    Word key[limits::kStateWords] = {};

    Status look();
  };
  // One of them and its buffers.
  static constexpr u64 kBuffers = 2 * KeyFile::kSlotBytes;
  static constexpr u64 kBytes = (sizeof(Queue) / kPageBytes + 1) * kPageBytes + kBuffers;

  std::span<u8> memory_of(std::size_t i) const;
  Queue& queue(std::size_t i) const { return *reinterpret_cast<Queue*>(memory_of(i).data()); }
  Status open_queue(std::size_t i);

  std::span<const OwnerPart> parts_;
  std::span<u8> memory_;
  u32 words_ = 0;
  std::size_t opened_ = 0;
};

}  // namespace xmc
