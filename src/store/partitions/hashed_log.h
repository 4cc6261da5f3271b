// HashedLog: states in hash partitions, each as its hash (store/keys/state_hash.h), in one file
// that only grows at its end. Fingerprints lie together, so that states that are looked for are
// found without decoding the others; what else a state needs is near, and nothing is read
// elsewhere. Format (little-endian; FORMAT.md):
//
//   file   = stripe*
//   stripe = one block of 8192 bytes for each of 16 partitions, in order
//   block  = frame (store/files/block.h), keys u32, zero u32, number of the first key u64, group*
//   group  = level u32, keys u32 (at most 64), fingerprint u32 {keys}, rest of the hash
//            {keys} in rest_bits() bits each, to the end of a byte, the words behind the
//            first {keys} in the bytes that states have for them
//
// A group has states of one level. A stripe is appended when one of its blocks is full. A pass over
// a few partitions reads their blocks of every stripe: smaller ones make more requests, larger ones
// more states beside those of a level that is looked at.
#pragma once

#include <span>

#include "store/files/block.h"
#include "store/keys/state_hash.h"
#include "store/partitions/stripe_rows.h"
#include "store/tables/fingerprint_filter.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class HashedLog {
 public:
  static constexpr u32 kPartitions = StateHash::kPartitions;
  static constexpr u32 kBlockBytes = 8192;
  static constexpr u32 kStripeBytes = kPartitions * kBlockBytes;
  static constexpr u32 kHeaderBytes = BlockFrame::kBytes + 16;
  static constexpr u32 kGroupHeader = 8;
  static constexpr u32 kGroupKeys = 64;
  static constexpr u32 kSlack = 8;  // loads of a rest may pass its end

  struct Shape {
    StateHash hash;
    u32 words = 1;
    u32 state_bytes = 8;
  };
  // What a group of this many keys has where; `end` is also its length.
  struct Layout {
    Layout(const Shape& shape, u32 keys)
        : rest(kGroupHeader + 4 * keys),
          tail(rest + (keys * shape.hash.rest_bits() + 7) / 8),
          end(tail + keys * tail_bytes(shape)) {}
    u32 rest;
    u32 tail;
    u32 end;
  };
  static u32 tail_bytes(const Shape& shape) {
    return shape.words == 1 ? 0 : shape.state_bytes - u32{sizeof(Word)};
  }

  // An empty log. `buffer` holds a stripe, aligned for the device.
  void start(Device* device, const char* name, const Shape& shape, std::span<u8> buffer);
  // As it was after flush().
  Status reopen(Device* device, const char* name, const Shape& shape, std::span<u8> buffer,
                u64 bytes, u64 chain);

  // Levels of a partition do not descend.
  Status append(const Word* state, u64 hash, u64 level);
  // Everything on the device, durable: a stripe that may not be full.
  Status flush();
  Status clear();

  const Shape& shape() const { return shape_; }
  u64 keys() const;
  u64 keys(u32 partition) const { return first_[partition] + keys_[partition]; }
  u64 stripes() const { return stripes_; }  // on the device; the one in memory has the next number
  u64 bytes() const { return stripes_ * kStripeBytes; }
  u64 chain() const { return chain_; }
  const char* name() const { return name_; }
  Device* device() const { return device_; }

  // The blocks of partitions first, first + 1, ... of the stripe in memory, as many as `into`
  // holds.
  void copy_blocks(u32 first, std::span<u8> into);
  // Checks a block of a stripe, the one in memory included.
  struct Contents {
    u64 first_key = 0;
    u32 used_bytes = 0;
  };
  Status open_block(u32 partition, u64 stripe, std::span<const u8> block, Contents& contents) const;

 private:
  u8* block(u32 partition) { return buffer_.data() + std::size_t{partition} * kBlockBytes; }
  u32 room_for(u32 partition) const;
  Status open_group(u32 partition, u64 level);
  void close_group(u32 partition);
  Status write_stripe();
  BlockPlace place_of(u32 partition, u64 stripe) const {
    return device_->place(stripe * kStripeBytes + u64{partition} * kBlockBytes);
  }

  Device* device_ = nullptr;
  const char* name_ = "";
  Shape shape_;
  std::span<u8> buffer_;
  u64 first_[kPartitions] = {};  // number of the first key in memory
  u32 keys_[kPartitions] = {};   // in memory
  u32 used_[kPartitions] = {};   // bytes, without the open group
  // The open group: its layout is for `most` keys until it is closed.
  struct Group {
    u32 keys = 0;
    u32 most = 0;  // 0: none is open
    u64 level = 0;
  };
  Group groups_[kPartitions];
  u64 stripes_ = 0;
  u64 chain_ = 0;
  bool dirty_ = false;
};

// Walks the states of some neighbouring partitions, those of a partition in the order in which they
// were added: all, or those that a filter may have. Stripes are read ahead.
class HashedReader {
 public:
  // `buffer` holds a stripe or more; in two the next piece is read meanwhile. Between pieces it
  // asks whether to go on.
  void start(HashedLog& log, std::span<u8> buffer, const GoOn& go_on = {});
  // Partitions first to last - 1, stripes first_stripe to last_stripe.
  void seek(u32 first, u32 last, u64 first_stripe, u64 last_stripe);
  // `filters` has one for each of the partitions, or none: then all states are given.
  Result<bool> next(std::span<const FingerprintFilter> filters, Word* state);
  // The buffer belongs to nobody else before this or the end.
  Status finish() { return rows_.finish(); }

  u32 partition() const { return partition_; }
  u64 level() const { return level_; }
  u64 number() const { return number_; }  // in its partition, from 0

 private:
  Status load_stripes();
  Result<bool> next_block();
  Status open_group(std::span<const FingerprintFilter> filters);
  void load_state(u32 index, Word* state);

  HashedLog* log_ = nullptr;
  StripeRows rows_;
  u32 first_ = 0;
  u32 last_ = 0;
  u64 end_ = 0;  // stripes
  // The block, and the group in it.
  u32 partition_ = 0;
  u64 stripe_ = 0;
  const u8* at_ = nullptr;  // the next group
  const u8* block_end_ = nullptr;
  const u8* group_ = nullptr;
  u64 next_key_ = 0;  // number of the next group's first key
  u64 first_key_ = 0;
  u32 rest_at_ = 0;
  u32 tail_at_ = 0;
  u64 bits_ = 0;  // keys of the group that are not given yet
  u64 level_ = 0;
  u64 number_ = 0;
};

}  // namespace xmc
