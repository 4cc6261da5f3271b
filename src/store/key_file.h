// KeyFile: an append-only sequence of keys with level marks, on a device: the queue and the memory
// of a breadth-first search. What is appended at the end is read back from the front, and all of it
// stays for the counterexample. Format (little-endian; FORMAT.md):
//
//   file    = block*                    blocks of kBlockBytes
//   block   = header payload padding
//   header  = checksum u64 (XXH3 of all that follows it), magic u32, version u16, words u16,
//             payload bytes u32, keys u32, number of the first key u64, level of the first key u64
//   payload = record*; the first key of a block is coded against words of all ones
//   record  = per word a byte that says which of its bytes differ from the key before, then these
//             bytes; all masks zero: the next key begins a new level
//
// One writer, which keeps the last block in memory until it is full, so that a thousand tiny levels
// cost one write; any number of readers, which find that last block there.
#pragma once

#include <span>

#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

struct KeyBlockHeader {
  u32 payload_bytes = 0;
  u32 keys = 0;
  u64 first_key = 0;
  u64 first_level = 0;  // level of the first key, its own mark included
};

class KeyFile {
 public:
  static constexpr u32 kBlockBytes = 64 << 10;
  static constexpr u32 kHeaderBytes = 40;

  // `buffer` holds one block, aligned for the device.
  void start(Device* device, u32 key_words, std::span<u8> buffer);

  // The next key begins a new level.
  void mark_level() { pending_mark_ = true; }
  Status append(const Word* key);
  // Everything on the device, for the end of a run.
  Status flush();

  u64 keys() const { return keys_; }
  u32 key_words() const { return words_; }
  u64 blocks() const { return blocks_ + (fill_ > kHeaderBytes ? 1 : 0); }
  bool in_memory(u64 i) const { return i == blocks_; }
  // Block i into `into` (kBlockBytes, aligned), checked; from memory if it is not written yet.
  Status read_block(u64 i, std::span<u8> into, KeyBlockHeader& header);

 private:
  Status write_block();

  Device* device_ = nullptr;
  u32 words_ = 0;
  std::span<u8> buffer_;
  u32 fill_ = kHeaderBytes;
  KeyBlockHeader header_;
  Word previous_[80] = {};
  u64 keys_ = 0;
  u64 levels_ = 0;
  u64 blocks_ = 0;  // written
  bool pending_mark_ = false;
};

// Walks the keys from the first of a block on. The writer may append meanwhile.
class KeyReader {
 public:
  void start(KeyFile& file, std::span<u8> buffer);
  // Where the reader is, and back there.
  struct Position {
    u64 block = 0;
    u32 keys = 0;
  };
  Position position() const { return {block_, done_}; }
  Status seek(Position position);
  // To the first key of a block.
  Status seek_block(u64 block);
  // To the first key of a level that is there.
  Status seek_level(u64 level);
  // The next key; false at the present end of the file.
  Result<bool> next(Word* key);
  u64 level() const { return level_; }  // of the key that next() gave last
  u64 index() const { return index_; }  // its number

 private:
  Status load(u64 block);
  Result<bool> refill();

  KeyFile* file_ = nullptr;
  std::span<u8> buffer_;
  KeyBlockHeader header_;
  u64 block_ = 0;
  u32 at_ = 0;    // in the payload
  u32 done_ = 0;  // keys of this block
  bool loaded_ = false;
  bool unfinished_ = false;  // the buffer is a copy of the block that is being written
  Word previous_[80] = {};
  u64 level_ = 0;
  u64 index_ = 0;
};

}  // namespace xmc
