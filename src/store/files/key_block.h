// A block of keys with their levels, coded one against the other: what queue files and partition
// logs are made of. Format (little-endian; FORMAT.md):
//
//   block   = frame (store/files/block.h), keys u32, zero u32, number of the first key u64, level
//             of the first key u64, record*
//   record  = per word a byte that says which of its bytes differ from the key before, then these
//             bytes of all words xor the old ones; the first key of a block is coded against words
//             of all ones
//           | all masks zero: the next key is one level deeper
//
// Two equal neighbours differ by a byte of zero, so that no key looks like a mark.
#pragma once

#include <algorithm>
#include <span>

#include "store/files/block.h"
#include "xmc/limits.h"
#include "xmc/types.h"

namespace xmc {

struct KeyBlockHeader {
  static constexpr u32 kBytes = BlockFrame::kBytes + 24;

  u32 used_bytes = kBytes;
  u32 keys = 0;
  u64 first_key = 0;
  u64 first_level = 0;
};

class KeyBlockWriter {
 public:
  // `buffer` is one block: a multiple of kPageBytes bytes, aligned for the device.
  void start(std::span<u8> buffer, u32 key_words);

  bool empty() const { return header_.keys == 0; }
  const KeyBlockHeader& header() const { return header_; }
  // Key `number` of its sequence, on `level`, which is not below the one before. False: the block
  // is full, nothing was added.
  bool append(const Word* key, u64 number, u64 level);
  // What is there, complete up to the last key.
  std::span<const u8> contents() const { return buffer_.first(header_.used_bytes); }
  // The block as it goes to the device, the whole buffer or, `early`, the pages of it that are in
  // use. Then start() or reset() begins the next one.
  std::span<const u8> seal(bool early, const BlockPlace& place, u64& checksum);
  void reset();
  // For a block that stays without keys: the number that the next one would have.
  void note_number(u64 number) { header_.first_key = number; }

 private:
  std::span<u8> buffer_;
  u32 words_ = 0;
  KeyBlockHeader header_;
  u64 level_ = 0;
  Word previous_[limits::kKeyWords] = {};
};

class KeyBlockReader {
 public:
  // `block` was checked by open_key_block() or comes from a writer's memory.
  void start(std::span<const u8> block, u32 key_words, const KeyBlockHeader& header);
  // The block may have grown since: the same bytes and more.
  void extend(const KeyBlockHeader& header) { header_ = header; }

  bool next(Word* key);  // false at the end of the block
  void last(Word* key) const { std::copy_n(previous_, words_, key); }  // what next() gave
  u32 done() const { return done_; }
  u64 level() const { return level_; }                          // of the last key
  u64 number() const { return header_.first_key + done_ - 1; }  // of the last key
  u64 next_number() const { return header_.first_key + done_; }
  const KeyBlockHeader& header() const { return header_; }

 private:
  template <u32 W>
  void next_narrow(Word* key);
  void next_wide(Word* key);

  const u8* base_ = nullptr;
  std::size_t size_ = 0;
  u32 words_ = 0;
  u32 at_ = 0;
  u32 done_ = 0;
  u64 level_ = 0;
  KeyBlockHeader header_;
  Word previous_[limits::kKeyWords] = {};
};

// Checks the block at the beginning of `bytes`, which were read at `place`, and takes its header.
// False: damaged, or of another kind or place. `block_bytes` may be null.
bool open_key_block(std::span<const u8> bytes, u32 key_words, const BlockPlace& place,
                    KeyBlockHeader& header, u32* block_bytes);

}  // namespace xmc
