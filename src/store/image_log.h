// ImageLog: packed states of partitions as a StateTable has them, in one file that only grows. A
// partition is a chain of blocks, read backwards; loading one is copying it. Nothing is coded: a
// state is written a few times and loaded several times, and decoding was half of the loading.
//
//   file  = block*
//   block = frame (store/block.h), states u32, zero u32, the block before in its chain u64, packed
//           states; a block has the pages that it needs, up to kBlockBytes
//   a block is named by its first page times 256 and its pages, plus one; zero is none
#pragma once

#include <span>

#include "store/block.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class ImageLog {
 public:
  static constexpr u32 kBlockBytes = 64 << 10;

  struct Chain {
    u64 head = 0;
    u64 states = 0;
    u32 blocks = 0;  // since it was begun or reopened
  };

  // `buffer` holds a block, aligned for the device.
  void start(Device* device, const char* name, u32 state_words, u32 state_bytes,
             std::span<u8> buffer);
  // As it was after flush().
  Status reopen(Device* device, const char* name, u32 state_words, u32 state_bytes,
                std::span<u8> buffer, u64 bytes, u64 chain);

  // Any number of states for one chain, then finish() it before others.
  Status append(Chain& to, const u8* packed);
  Status finish(Chain& chain) { return fill_ == kHeaderBytes ? Status() : write_block(chain); }
  Status flush() { return device_->sync(); }

  struct Block {
    std::span<const u8> packed;
    u32 states = 0;
    u64 before = 0;
  };
  // A block by its name, checked.
  Status read(u64 name, std::span<u8> into, Block& block);

  u64 bytes() const { return pages_ * kPageBytes; }
  u64 chain() const { return chain_; }
  const char* name() const { return name_; }

 private:
  static constexpr u32 kPageBytes = 4096;
  static constexpr u32 kHeaderBytes = BlockFrame::kBytes + 16;

  Status write_block(Chain& chain);

  Device* device_ = nullptr;
  const char* name_ = "";
  u32 words_ = 0;
  u32 state_bytes_ = 0;
  std::span<u8> buffer_;
  u32 fill_ = kHeaderBytes;
  u32 states_ = 0;  // in the buffer
  u64 pages_ = 0;   // on the device
  u64 chain_ = 0;
};

}  // namespace xmc
