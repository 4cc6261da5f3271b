// ImageLog: packed states of partitions as a StateTable has them, in one file that only grows. A
// partition is a chain of blocks, read backwards; loading one is copying it. Nothing is coded: a
// state is written a few times and loaded several times, and decoding was half of the loading.
//
//   file  = block*
//   block = frame (store/files/block.h), states u32, zero u32, the block before in its chain u64,
//           packed states; a block has the pages that it needs, up to kBlockBytes
//   a block is named by its first page times 256 and its pages, plus one; zero is none
//
// With memory for two blocks the device writes one while the next is being filled, and reads the
// next one of a chain while the owner looks at the one before it.
#pragma once

#include <span>

#include "store/files/block.h"
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

  // `buffer` holds a block or two, aligned for the device.
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
  // The same in two steps; `into` is the device's in between.
  Status begin_read(u64 name, std::span<u8> into);
  Status finish_read(u64 name, std::span<u8> into, Block& block);

  u64 bytes() const { return pages_ * kPageBytes; }
  u64 chain() const { return chain_; }
  const char* name() const { return name_; }

 private:
  static constexpr u32 kHeaderBytes = BlockFrame::kBytes + 16;

  Status write_block(Chain& chain);
  Status locate(u64 name, std::span<u8> into, ReadRequest& request) const;
  Status check(u64 name, std::span<u8> into, Block& block) const;

  Device* device_ = nullptr;
  const char* name_ = "";
  u32 words_ = 0;
  u32 state_bytes_ = 0;
  std::span<u8> buffer_;
  std::span<u8> other_;  // of the block that is being written; empty: there is one buffer only
  u32 fill_ = kHeaderBytes;
  u32 states_ = 0;  // in the buffer
  u64 pages_ = 0;   // on the device
  u64 chain_ = 0;
};

// Walks chains one behind the other, each from its last block to its first.
class ImageReader {
 public:
  // `buffer` holds a block or two. `heads` of the chains stay where they are meanwhile.
  Status start(ImageLog& log, std::span<u8> buffer, std::span<const u64> heads);
  // The next block, which is there until the next call; false at the end.
  Result<bool> next(ImageLog::Block& block);

 private:
  void pass_ends();
  Status read_ahead();

  ImageLog* log_ = nullptr;
  std::span<u8> buffer_;
  std::span<u8> other_;  // for the block ahead; empty: there is one buffer only
  std::span<const u64> heads_;
  u64 next_ = 0;        // 0: the end
  bool ahead_ = false;  // it is being read into other_
};

}  // namespace xmc
