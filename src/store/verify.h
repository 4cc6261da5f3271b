// Verification of block files from outside: any file whose blocks have the frame of store/block.h,
// whatever is in them. fsck reads whole files; resume reads what came after the checkpoint before,
// which is the part that a card may have lost in spite of a sync.
#pragma once

#include <span>

#include "store/manifest.h"
#include "xmc/device.h"
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

// Reads the blocks of [from.bytes, to.bytes); from.chain is the chain before them. A file whose
// first part is not known to be sound starts from File{}. What lies before to.start may be gone and
// is not read; then there is no chain to compare. `buffer` is aligned for the device and
// holds the largest block. Fails only when the file cannot be read at all.
Result<BlockReport> verify_blocks(Device& device, const Manifest::File& from,
                                  const Manifest::File& to, std::span<u8> buffer);

// Of the first `bytes` bytes of a file that is not made of blocks. They are hashed (XXH3) in pieces
// of 4096 bytes, each with the sum so far as its seed, starting with 0. Reads all of them, or those
// behind what `from` has; `buffer` as above.
Result<u64> plain_checksum(Device& device, u64 bytes, std::span<u8> buffer,
                           const Manifest::File& from = {});
// The sum with some pieces more.
u64 extend_plain_checksum(u64 sum, std::span<const u8> pieces);

// Verifies the files of a root. `older`, if not null, is the root before: files that it has too
// are taken for sound up to where it ends. The first damage is Code::corrupt.
Status verify_files(Folder& folder, const Manifest& manifest, const Manifest* older,
                    std::span<u8> buffer);

}  // namespace xmc
