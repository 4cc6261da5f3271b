// PartitionLog: keys in partitions, all in one file that only grows at its end. Hundreds of output
// files would make a card write all over the place; here the partitions share one stream:
//
//   file   = stripe*
//   stripe = one block of keys (store/files/key_block.h) for each partition, in order
//
// Each partition's next block is kept in memory; when one is full, the whole stripe is appended.
// Partitions by a hash fill evenly, so little of a stripe is empty (2 to 3 per cent for blocks of
// 64 KiB), and where a partition's blocks are needs no index: it is computed. Reading one partition
// takes every n-th block, which flash does not mind; neighbouring ones are read together.
#pragma once

#include <span>

#include "store/files/key_block.h"
#include "store/partitions/stripe_rows.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class PartitionLog {
 public:
  static constexpr u32 kMostPartitions = 16;

  struct Shape {
    u32 partitions = 1;
    u32 block_bytes = kPageBytes;  // a multiple of kPageBytes
    u32 key_words = 1;

    u64 stripe_bytes() const { return u64{partitions} * block_bytes; }
  };

  // An empty log, behind what the file has. `buffer` holds a stripe, aligned for the device.
  void start(Device* device, const char* name, Purpose purpose, const Shape& shape,
             std::span<u8> buffer);

  Status append(u32 partition, const Word* key, u64 level);
  Status clear();

  const Shape& shape() const { return shape_; }
  u64 keys() const;
  u64 keys(u32 partition) const { return keys_[partition]; }
  // Stripes on the device, by their numbers in the file; the one in memory has the next number.
  u64 first_stripe() const { return first_stripe_; }
  u64 stripes() const { return stripes_; }
  Device* device() const { return device_; }

  Purpose purpose() const { return purpose_; }

  // The blocks of partitions first, first + 1, ... of the stripe in memory, as many as `into`
  // holds.
  void copy_blocks(u32 first, std::span<u8> into);
  // Checks a block of a stripe, the one in memory included.
  Status open_block(u32 partition, u64 stripe, std::span<const u8> block, KeyBlockHeader& header);

 private:
  Status write_stripe();
  BlockPlace place_of(u32 partition, u64 stripe) const {
    return device_->place(stripe * shape_.stripe_bytes() + u64{partition} * shape_.block_bytes);
  }

  Device* device_ = nullptr;
  const char* name_ = "";
  Purpose purpose_ = Purpose::other;
  Shape shape_;
  std::span<u8> buffer_;
  KeyBlockWriter writers_[kMostPartitions];
  u64 keys_[kMostPartitions] = {};
  u64 first_stripe_ = 0;
  u64 stripes_ = 0;
};

// Walks the keys of some neighbouring partitions, stripe after stripe, a few of each partition in
// turn: what is made of them comes in no order of partitions either. Stripes are read ahead.
// Nothing is appended meanwhile.
class PartitionReader {
 public:
  static constexpr u32 kMostPartitions = PartitionLog::kMostPartitions;

  // `buffer` holds a block for each partition that is walked; in twice that the next ones are read
  // meanwhile. Between stripes it asks whether to go on.
  void start(PartitionLog& log, std::span<u8> buffer, const GoOn& go_on = {});
  // Partitions first to last - 1 of the log as it is now.
  void seek(u32 first, u32 last);
  Result<bool> next(Word* key);
  // The buffer belongs to nobody else before this or the end.
  Status finish() { return rows_.finish(); }

  u32 partition() const { return partition_; }
  u64 level() const { return reader().level(); }
  u64 number() const { return reader().number(); }  // in its partition, from 0

 private:
  static constexpr u32 kTurnKeys = 32;

  const KeyBlockReader& reader() const { return readers_[partition_ - first_]; }
  Status load_stripe();

  PartitionLog* log_ = nullptr;
  StripeRows rows_;
  KeyBlockReader readers_[kMostPartitions];
  u32 first_ = 0;
  u32 last_ = 0;
  u32 partition_ = 0;
  u32 turn_ = 0;    // keys that are left of it
  u64 left_ = 0;    // keys of the stripe
  u64 stripe_ = 0;  // the next
  u64 end_ = 0;     // stripes
};

}  // namespace xmc
