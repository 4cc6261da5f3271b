// KeyFile: an append-only sequence of keys with their levels, on a device: the queue and the memory
// of a breadth-first search. What is appended at the end is read back from the front, and all of it
// stays for the counterexample. A file is a row of blocks (store/key_block.h, FORMAT.md).
//
// One writer, which keeps the last block in memory until it is full, so that a thousand tiny levels
// cost one write; any number of readers, which find that last block there.
#pragma once

#include <span>

#include "store/key_block.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class KeyFile {
 public:
  static constexpr u32 kBlockBytes = 64 << 10;

  // An empty file. `buffer` holds one block, aligned for the device.
  void start(Device* device, const char* name, Purpose purpose, u32 key_words,
             std::span<u8> buffer);
  // A file as it was after flush(): its first `blocks` blocks. What came later is cut off. `buffer`
  // as for start(); `chain` as it was.
  Status reopen(Device* device, const char* name, Purpose purpose, u32 key_words,
                std::span<u8> buffer, u64 blocks, u64 chain);

  // Levels do not decrease.
  Status append(const Word* key, u64 level);
  // Everything on the device, durable. The next key begins a block of its own.
  Status flush();
  // Empties it, for a file that is filled anew.
  Status clear();

  u64 keys() const { return keys_; }
  u32 key_words() const { return words_; }
  u64 blocks() const { return blocks_ + (writer_.empty() ? 0 : 1); }
  u64 written_blocks() const { return blocks_; }
  u64 chain() const { return chain_; }
  const char* name() const { return name_; }
  bool in_memory(u64 i) const { return i == blocks_; }
  // Block i into `into` (kBlockBytes, aligned), checked; from memory if it is not written yet.
  Status read_block(u64 i, std::span<u8> into, KeyBlockHeader& header);

 private:
  Status write_block();

  Device* device_ = nullptr;
  const char* name_ = "";
  Purpose purpose_ = Purpose::other;
  u32 words_ = 0;
  KeyBlockWriter writer_;
  u64 keys_ = 0;
  u64 blocks_ = 0;  // written
  u64 chain_ = 0;
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
  Position position() const { return {block_, loaded_ ? keys_.done() : 0}; }
  Status seek(Position position);
  // To the first key of a block.
  Status seek_block(u64 block);
  // To the first key of a level that is there.
  Status seek_level(u64 level);
  // To a key by its number, which is there.
  Status seek_key(u64 number);
  // The next key; false at the present end of the file.
  Result<bool> next(Word* key);
  u64 level() const { return keys_.level(); }   // of the key that next() gave last
  u64 index() const { return keys_.number(); }  // its number

 private:
  Status load(u64 block, KeyBlockHeader& header);
  Result<bool> refill();
  template <class Before>
  Status seek_last_block(Before before);

  KeyFile* file_ = nullptr;
  std::span<u8> buffer_;
  KeyBlockReader keys_;
  u64 block_ = 0;
  bool loaded_ = false;
  bool unfinished_ = false;  // the buffer is a copy of the block that is being written
};

}  // namespace xmc
