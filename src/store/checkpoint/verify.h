// Verification of block files from outside: any file whose blocks have the frame of
// store/files/block.h, whatever is in them. Both fsck and resume read all that a checkpoint names:
// that an older checkpoint had a block says nothing about what a card has of it now.
#pragma once

#include <span>

#include "store/checkpoint/manifest.h"
#include "xmc/device.h"
#include "xmc/go_on.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

struct BlockReport {
  u64 blocks = 0;   // looked at, from number 0 on
  u64 damaged = 0;  // of them
  u64 first_damaged = 0;
  u64 first_offset = 0;       // of that block in the file
  bool lost = false;          // the end of a damaged block is not known, so the rest was not read
  bool chain_broken = false;  // every block is sound, but they are not those of the checkpoint

  bool sound() const { return damaged == 0 && !chain_broken; }
};

// Reads the blocks of the first file.bytes bytes. `buffer` is aligned for the device and holds the
// largest block. Fails only when the file cannot be read at all, or with what `go_on` says, which
// is asked for every buffer full.
Result<BlockReport> verify_blocks(Device& device, const Manifest::File& file, std::span<u8> buffer,
                                  const GoOn& go_on = {});

// Of the first `bytes` bytes of a file that is not made of blocks. They are hashed (XXH3) in pieces
// of 4096 bytes, each with the sum so far as its seed, starting with 0; `buffer` as above. A file
// that grows is summed on from what `from` says of its first part.
Result<u64> plain_checksum(Device& device, u64 bytes, std::span<u8> buffer,
                           const Manifest::File& from = {}, const GoOn& go_on = {});
// The sum with some pieces more.
u64 extend_plain_checksum(u64 sum, std::span<const u8> pieces);

// Verifies all files of a root. The first damage is Code::corrupt.
Status verify_files(Folder& folder, const Manifest& manifest, std::span<u8> buffer,
                    const GoOn& go_on = {});

}  // namespace xmc
