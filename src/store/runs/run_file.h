// Runs: sorted sets of keys on flash, written once and only read after that. What does not fit the
// diagram in memory goes here, one run after the other in few files (a run is a range of blocks),
// because a card keeps only a handful of places open for writing. Format (little-endian;
// FORMAT.md):
//
//   run   = block*                     blocks of kRunBlockBytes, each readable alone
//   block = frame (store/files/block.h), number u32, keys u16, codec u8, zero u8, first key, minis
//   mini  = [head] u16 length, records head of the first mini is the block's first key; others are
//                                      coded against the head before. The length is that of the
//                                      records, each coded against the key before it: one may hop
//                                      from head to head and decode only where it matters
//
// The last kDecodeSlack bytes of a block stay unused, so that a decoder may load whole words.
// In memory a run has the first keys of its blocks, or of every 2nd, 4th... when these are too
// many.
#pragma once

#include <algorithm>
#include <span>

#include "store/keys/key_codec.h"
#include "xmc/device.h"
#include "xmc/limits.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

inline constexpr u32 kRunBlockBytes = kPageBytes;
inline constexpr u32 kRunHeaderBytes = 32;  // before the first key

// Keys of a mini, its head included: 32, or what 1 KiB holds of wide keys. Every reader has room
// for one, and there are dozens of readers. Of the widest keys it is one.
inline constexpr u32 kMiniWords = 128;
constexpr u32 run_mini_keys(u32 words) {
  return words <= 4 ? 32 : std::max(kMiniWords / words, 1u);
}

// First keys of blocks in memory of the caller. Block i << shift() has entry i.
class RunIndex {
 public:
  RunIndex() = default;
  RunIndex(std::span<Word> memory, u32 words);

  // Blocks per entry: 1 << shift().
  u32 shift() const { return shift_; }
  u32 size() const { return size_; }
  const Word* key(u32 i) const { return memory_.data() + static_cast<std::size_t>(i) * words_; }
  // The last entry from `from` on whose key is not greater; `from` when there is none.
  u32 find(const Word* key, u32 from) const;

  // The first key of a block, for all blocks in order.
  void add(u64 block, const Word* key);
  // Empty, with the shift that add() would arrive at for so many blocks.
  void reset(u64 blocks);

 private:
  std::span<Word> memory_;
  u32 words_ = 1;
  u32 capacity_ = 0;
  u32 size_ = 0;
  u32 shift_ = 0;
};

// A finished run. Everything but the device and the index goes into a checkpoint.
struct Run {
  Device* device = nullptr;
  const char* file = "";  // for messages
  u32 words = 0;
  KeyCodec codec = KeyCodec::delta;
  Purpose purpose = Purpose::states;  // of accesses
  u64 first_block = 0;                // in the file
  u64 blocks = 0;
  u64 keys = 0;
  u64 chain = 0;  // of its blocks' checksums (extend_chain)
  RunIndex index;

  u64 offset(u64 block) const { return (first_block + block) * kRunBlockBytes; }
};

// What a reader finds at the beginning of a block.
struct RunBlock {
  u32 used_bytes = 0;
  u32 keys = 0;
};
// Checks block `number` of a run: frame, checksum, and that it is the one that was asked for.
bool check_run_block(const Run& run, u64 number, const u8* block, RunBlock& out, u64* checksum);
void load_first_key(const u8* block, u32 words, Word* key);

// Writes one run at the end of a device, on which nobody else writes meanwhile.
class RunWriter {
 public:
  // `buffer` holds whole blocks, aligned for the device, and is appended when it is full. Memory
  // for at least two keys of the index; it belongs to the run afterwards.
  void start(Device* device, const char* file, u32 words, KeyCodec codec, std::span<u8> buffer,
             std::span<Word> index, Purpose purpose = Purpose::states);
  // Keys in strictly ascending order.
  Status append(const Word* keys, u32 count);
  // The rest goes to the device, without a sync. The writer may then start another run.
  Status finish(Run& out);

  u64 keys() const { return run_.keys; }

 private:
  bool put(const Word* key);  // false: the block is full
  Status begin_block(const Word* key);
  void end_mini();
  void end_block();
  Status flush();

  Run run_;
  std::span<u8> buffer_;
  u32 gathered_ = 0;     // bytes of finished blocks in the buffer
  u8* block_ = nullptr;  // the one that is being written, null: none
  u32 fill_ = 0;
  u32 block_keys_ = 0;
  u32 mini_keys_ = 0;  // in the mini that is being written
  u32 mini_at_ = 0;    // where its length goes
  Word previous_[limits::kKeyWords] = {};
  Word head_[limits::kKeyWords] = {};
};

enum class RunCheck : u8 {
  all,    // every block, the number of keys and the chain: after a crash
  index,  // only blocks that have an entry in the index
};
// Makes a run that was given by its numbers usable again: builds the index in the memory given.
// `buffer`: whole blocks, aligned. Damage, or a device that is too short, is Code::corrupt.
Status open_run(Run& run, std::span<Word> index, std::span<u8> buffer, RunCheck check);

}  // namespace xmc
