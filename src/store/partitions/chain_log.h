// ChainLog: keys in partitions, all in one file that only grows at its end, for partitions that
// fill unevenly (store/partitions/partition_log.h is for even ones). Some partitions have a block
// in memory; a full one is appended with others as a large write, and knows where the block before
// it of its partition is. A partition is read backwards along that chain. When one more partition
// needs a block, the fullest of the others goes to the file as it is: little of it is wasted.
//
// Blocks are written in the background where there is memory to gather the next ones meanwhile, and
// a reader with memory for two blocks has the next one read while the first is taken.
//
//   file  = block*                      blocks of keys (store/files/key_block.h) of any partition
//   block = as there; the level of its keys is the number of the block before it in its partition,
//           plus one, and zero in the first
#pragma once

#include <span>

#include "store/files/key_block.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class ChainReader;

class ChainLog {
 public:
  static constexpr u32 kMostPartitions = 320;
  static constexpr u32 kMostOpen = 96;

  static constexpr u64 writer_bytes(u32 open) { return open * sizeof(KeyBlockWriter); }

  struct Shape {
    u32 partitions = 1;
    u32 open = 1;                  // blocks in memory
    u32 block_bytes = kPageBytes;  // a multiple of kPageBytes
    u32 gather_blocks = 4;         // that are appended together
    bool behind = false;           // memory for these twice
    u32 key_words = 1;

    u32 all_gathered() const { return behind ? 2 * gather_blocks : gather_blocks; }
    u64 block_buffer_bytes() const { return u64{open + all_gathered()} * block_bytes; }
    // The writers of the blocks, which have a key each, are behind these.
    u64 buffer_bytes() const { return block_buffer_bytes() + writer_bytes(open); }
  };

  void start(Device* device, const char* name, Purpose purpose, const Shape& shape,
             std::span<u8> buffer);
  // As it was after flush(). `heads` as heads() gave them.
  Status reopen(Device* device, const char* name, Purpose purpose, const Shape& shape,
                std::span<u8> buffer, std::span<u8> read_buffer, u64 bytes, u64 chain,
                std::span<const u64> heads);

  Status append(u32 partition, const Word* key);
  // Everything on the device, durable.
  Status flush();

  const Shape& shape() const { return shape_; }
  u64 keys(u32 partition) const { return keys_[partition]; }
  // Room in blocks that had to go to the file before they were full.
  u64 wasted_bytes() const { return wasted_bytes_; }
  u64 bytes() const { return blocks_ * shape_.block_bytes; }
  u64 chain() const { return chain_; }
  const char* name() const { return name_; }
  // After flush(): for each partition its last block, plus one.
  std::span<const u64> heads() const { return {heads_, shape_.partitions}; }

  // A partition's keys as they are now, to be read while others are appended.
  struct Chain {
    u64 head = 0;  // block, plus one
    u64 keys = 0;
  };
  Chain chain_of(u32 partition) const { return {heads_[partition], keys_[partition]}; }
  // Makes the block in memory part of the chain, if there is one.
  Status close_block(u32 partition);
  // The partition begins anew, empty; its chain is the caller's.
  Status detach(u32 partition, Chain& out);
  // The same for one reading: the block in memory is read from there and never written.
  Status take(u32 partition, ChainReader& reader, std::span<u8> buffer);

  // Block `number` into `into`, checked.
  Status read_block(u64 number, std::span<u8> into, KeyBlockHeader& header);
  // The same in two steps; `into` is the device's in between.
  Status begin_block(u64 number, std::span<u8> into);
  Status finish_block(u64 number, std::span<u8> into, KeyBlockHeader& header);
  // Nothing is being read any more.
  Status settle() { return device_->finish_read(); }

 private:
  bool is_open(u32 partition) const { return writer_of_[partition] != kClosed; }
  Status open(u32 partition);
  void close(u32 partition);
  Status gather(u32 partition);
  Status write_gathered();
  void copy_gathered(u64 number, std::span<u8> into) const;
  Status check(u64 number, std::span<const u8> block, KeyBlockHeader& header) const;

  Device* device_ = nullptr;
  const char* name_ = "";
  Purpose purpose_ = Purpose::other;
  Shape shape_;
  std::span<u8> gathering_;
  std::span<u8> writing_;  // empty: the device is waited for
  static constexpr u8 kClosed = 0xFF;
  static constexpr u16 kNobody = 0xFFFF;
  KeyBlockWriter* writers_ = nullptr;
  u16 partition_of_[kMostOpen] = {};
  u8 writer_of_[kMostPartitions] = {};
  u64 heads_[kMostPartitions] = {};
  u64 keys_[kMostPartitions] = {};
  u64 blocks_ = 0;    // on the device
  u32 gathered_ = 0;  // behind them, in memory
  u64 gathered_chain_ = 0;
  u64 wasted_bytes_ = 0;
  u64 chain_ = 0;
};

// Walks a chain from its last block to its first, each block from its first key on.
class ChainReader {
 public:
  // `buffer` holds a block or two. What another reader had begun to read is waited for.
  Status start(ChainLog& log, std::span<u8> buffer, const ChainLog::Chain& chain);
  Result<bool> next(Word* key);
  u64 number() const { return keys_.number(); }

 private:
  friend class ChainLog;

  // The first keys are those of the block in front of the chain that a writer has.
  void give(std::span<const u8> contents, const KeyBlockHeader& header);
  Status load();
  Status read_ahead();

  ChainLog* log_ = nullptr;
  std::span<u8> buffer_;
  std::span<u8> other_;  // for the block ahead; empty: there is one buffer only
  KeyBlockReader keys_;
  u64 next_block_ = 0;  // plus one
  bool ahead_ = false;  // it is being read into other_
  bool loaded_ = false;
};

}  // namespace xmc
