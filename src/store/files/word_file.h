// Words in a file of blocks, written once and read at any place: what a search has in memory, for a
// checkpoint. Writing and reading take one buffer of a block.
//
//   block = frame (store/files/block.h), words; all but the last one are full, which has as many
//           pages as it needs
#pragma once

#include <span>

#include "store/files/block.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

struct WordFile {
  static constexpr u32 kBlockBytes = 64 << 10;
  static constexpr u32 kBlockWords = (kBlockBytes - BlockFrame::kBytes) / sizeof(Word);
};

class WordWriter {
 public:
  // An empty file. `buffer` holds a block, aligned for the device.
  void start(Device* device, std::span<u8> buffer);
  Status add(std::span<const Word> words);
  // Everything on the device, durable. The buffer is free.
  Status finish();

  u64 bytes() const { return bytes_; }
  u64 chain() const { return chain_; }

 private:
  Status write_block();

  Device* device_ = nullptr;
  std::span<u8> buffer_;
  u32 fill_ = 0;  // words of the block
  u64 bytes_ = 0;
  u64 chain_ = 0;
};

class WordReader {
 public:
  // A file with so many words. `buffer` as for writing.
  void start(Device* device, const char* name, u64 words, std::span<u8> buffer);
  // The words from number `at` on.
  Status read(u64 at, std::span<Word> into);

 private:
  static constexpr u64 kNoBlock = ~u64{0};

  Status load(u64 block);

  Device* device_ = nullptr;
  const char* name_ = "";
  std::span<u8> buffer_;
  u64 words_ = 0;
  u64 block_ = kNoBlock;  // in the buffer
};

}  // namespace xmc
