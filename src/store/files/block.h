// The frame of every block that a store writes, so that one reader can check any file of a work
// directory (FORMAT.md; xmc-lite fsck).
//
//   frame = checksum u64, magic u32, version u8, kind u8, words u16, used bytes u32,
//           pages u16, life u16
//
// The checksum is the XXH3 of all that follows it, up to `used`, xor the seed of the place
// (xmc/device.h): a block is sound in this run, this file and at this offset only. Its life tells a
// block that was written from what an earlier use of the same place left, when the write itself was
// lost. A block's bytes behind `used` are zero and not covered. `words` are the 64-bit words of a
// key, `pages` the 4096 bytes that a block has.
#pragma once

#include <span>

#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

enum class BlockKind : u8 {
  keys = 1,
  run = 3,
  image = 4,
  edges = 5,
  stack = 6,
  words = 8,
  hashed = 9,
  page = 10
};

struct BlockFrame {
  static constexpr u32 kBytes = 24;

  BlockKind kind = BlockKind::keys;
  u16 words = 0;
  u32 used_bytes = 0;   // frame included
  u32 block_bytes = 0;  // a multiple of kPageBytes
};

// Fills in the frame of `block`, whose contents are complete, and clears its tail. Returns the
// checksum, from which a file's chain is made. The block is sound at `place` only.
u64 seal_block(std::span<u8> block, const BlockFrame& frame, const BlockPlace& place);

// Reads a frame and checks everything about it but kind and words. `at_least` bytes of the block
// are there: 4096 tell the block's size, all of them are needed for the checksum.
bool read_frame(std::span<const u8> block, BlockFrame& frame);
// The whole block is there and as it was sealed for this place. `checksum` may be null.
bool check_block(std::span<const u8> block, BlockFrame& frame, const BlockPlace& place,
                 u64* checksum);

// A damaged block of a file, as an error.
Status damaged_block(const char* file, u64 number);
// A file that is sound as it is, or may be, but does not fit what a checkpoint says of it.
Status not_of_checkpoint(const char* file);

// The chain of a file: a checksum of the checksums of its blocks in order. Starts at 0.
u64 extend_chain(u64 chain, u64 checksum);

}  // namespace xmc
