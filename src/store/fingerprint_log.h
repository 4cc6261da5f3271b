// FingerprintLog: fingerprints of the keys of a partition log, in a file of their own, so that keys
// that are looked for are found without reading and decoding the others: 4.75 bytes for a key
// instead of all of it. Format (little-endian; FORMAT.md):
//
//   file   = stripe*
//   stripe = one block of 4096 bytes for each partition, in order
//   block  = frame (store/block.h), groups u32, zero u32, group{26}
//   group  = stripe u32, level u32, offset u32: where decoding of its keys begins in the partition
//            log (KeyPlace); number of that key in its block, over 32, u16; keys between it and the
//            first fingerprint u8; fingerprints u8; how far behind the offset decoding can begin
//            again for keys 8, 16 and 24, u16 {3}; zero u16; fingerprint u32 {32}
//
// A stripe is appended when one of its blocks is full.
#pragma once

#include <span>

#include "store/fingerprint_filter.h"
#include "store/key_block.h"
#include "store/partition_log.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class FingerprintLog {
 public:
  static constexpr u32 kBlockBytes = 4096;
  static constexpr u32 kHeaderBytes = BlockFrame::kBytes + 8;
  static constexpr u32 kGroupKeys = 32;
  static constexpr u32 kRestarts = kGroupKeys / kRestartKeys;
  static constexpr u32 kGroupHeader = 24;
  static constexpr u32 kGroupBytes = kGroupHeader + 4 * kGroupKeys;
  static constexpr u32 kGroups = (kBlockBytes - kHeaderBytes) / kGroupBytes;

  // An empty log. `buffer` holds a block for each partition, aligned for the device.
  void start(Device* device, const char* name, u32 partitions, std::span<u8> buffer);
  // As it was after flush(), and so was the partition log.
  Status reopen(Device* device, const char* name, u32 partitions, std::span<u8> buffer, u64 bytes,
                u64 chain);

  // Of the key that was added last to this partition of `keys`, which has restarts.
  Status append(const PartitionLog& keys, u32 partition, u32 fingerprint);
  // Everything on the device, durable.
  Status flush();
  Status clear();

  u64 stripe_bytes() const { return u64{partitions_} * kBlockBytes; }
  u64 stripes() const { return stripes_; }  // on the device; the one in memory has the next number
  u64 bytes() const { return stripes_ * stripe_bytes(); }
  u64 chain() const { return chain_; }
  const char* name() const { return name_; }

  // The blocks of partitions first to last - 1 of `count` stripes, one stripe behind the other. The
  // stripe in memory is read alone. open_block() checks one of them.
  Status read_blocks(u32 first, u32 last, u64 stripe, u64 count, std::span<u8> into);
  // How many groups a block has; those in memory change.
  Status open_block(u32 partition, u64 stripe, std::span<const u8> block, u32& groups) const;

 private:
  u8* block(u32 partition) { return buffer_.data() + std::size_t{partition} * kBlockBytes; }
  Status write_stripe();
  struct Start;
  static void store_restarts(u8* group, const Start& start);

  // Where decoding begins for the next keys of a partition.
  struct Start {
    u64 stripe = 0;
    KeyPlace place;
    u32 behind[kRestarts] = {};  // of the restarts
  };

  Device* device_ = nullptr;
  const char* name_ = "";
  u32 partitions_ = 0;
  std::span<u8> buffer_;
  u32 groups_[PartitionLog::kMostPartitions] = {};
  u32 fill_[PartitionLog::kMostPartitions] = {};  // of the last group
  Start start_[PartitionLog::kMostPartitions];
  u64 stripes_ = 0;
  u64 chain_ = 0;
  bool dirty_ = false;
};

// Walks the keys of some neighbouring partitions whose fingerprints a filter may have, in about the
// order in which they were added.
class MatchReader {
 public:
  static constexpr u32 kMostPartitions = 16;
  static constexpr u32 kNone = ~u32{0};

  // `prints_buffer` holds a stripe of fingerprints or more, `keys_buffer` a block of keys or more.
  void start(FingerprintLog& prints, std::span<u8> prints_buffer, PartitionLog& keys,
             std::span<u8> keys_buffer);
  // Partitions first to last - 1, stripes of fingerprints first_stripe to last_stripe.
  void seek(u32 first, u32 last, u64 first_stripe, u64 last_stripe);
  // `filters` has one for each of the partitions.
  Result<bool> next(std::span<const FingerprintFilter> filters, Word* key);

  u32 partition() const { return partition_; }
  u64 level() const { return reader_.level(); }    // or a few keys before
  u64 number() const { return reader_.number(); }  // in its partition, from 0
  u64 blocks() const { return blocks_; }           // so far

 private:
  struct Match {
    u32 stripe = 0;
    u32 partition = 0;
    KeyPlace place;
    u32 behind[FingerprintLog::kRestarts] = {};
    u32 keys = 0;  // bits of those behind `place`
  };

  std::span<u8> held_block(u32 partition, u64 stripe) const;
  Status load_stripes(std::span<const FingerprintFilter> filters);
  Status scan_block(const FingerprintFilter& filter, u32 partition, u64 stripe);
  Status gather_matches(std::span<const FingerprintFilter> filters);
  void add_match(u32 partition, const u8* group);
  void add_matches(u64 stripe);
  Status open_match(const Match& match);
  Status load_keys(u32 next);
  u32 blocks_to_read(u32 next, u32 room) const;
  u32 held_key_block(const Match& match) const;

  FingerprintLog* prints_ = nullptr;
  PartitionLog* keys_ = nullptr;
  std::span<u8> prints_buffer_;
  std::span<u8> keys_buffer_;
  KeyBlockReader reader_;
  Match matches_[kMostPartitions * FingerprintLog::kGroups];
  u32 match_count_ = 0;
  u32 next_match_ = 0;
  u32 bits_ = 0;  // of the match before that are not given yet
  u32 first_ = 0;
  u32 last_ = 0;
  u32 partition_ = 0;
  u64 stripe_ = 0;
  u64 end_ = 0;
  u64 blocks_ = 0;
  u64 held_first_ = 0;  // stripes in the buffer
  u64 held_last_ = 0;
  // Blocks of keys in the buffer, in the order of the keys.
  struct KeyBlock {
    u32 stripe = 0;
    u32 partition = 0;
    bool checked = false;  // once, though it may have matches of several stripes
    KeyBlockHeader header;
  };
  KeyBlock key_blocks_[kMostPartitions];
  u32 key_block_count_ = 0;
  u32 open_block_ = kNone;
};

}  // namespace xmc
