// EdgeFile: the edges of a graph whose states are numbered by breadth-first level, on a device. One
// record per state in order; states that lead nowhere cost almost nothing, so that a caller leaves
// out what does not matter to it. Levels are in the file, too.
//
// The file is a row of blocks of 64 KiB (store/files/edge_block.h). One writer, which keeps the
// last block in memory; readers find it there. Nothing is written while a reader is at work. Where
// a block begins is in a table in memory; when that is full, it has every second block, every
// fourth and so on.
#pragma once

#include <span>

#include "store/files/edge_block.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class EdgeFile {
 public:
  static constexpr u32 kBlockBytes = 64 << 10;

  // Where a block begins.
  struct SeekPoint {
    u64 state = 0;
    u64 level = 0;
    bool goes_on = false;  // it begins with more of the state before
  };

  // An empty file. `buffer` holds one block or two, aligned for the device; `seek_points` at least
  // 16.
  void start(Device* device, const char* name, std::span<u8> buffer,
             std::span<SeekPoint> seek_points);
  // A file as it was after flush(): its first `bytes` bytes. What came later is cut off.
  Status reopen(Device* device, const char* name, std::span<u8> buffer,
                std::span<SeekPoint> seek_points, u64 bytes, u64 chain);

  // The record of the next state: targets ascend and differ. Levels do not decrease.
  Status append(u64 level, bool accepting, std::span<const u64> targets);
  // More targets of the last state, which has some: they ascend from there on.
  Status append_more(bool accepting, std::span<const u64> targets);
  // Everything on the device, durable. The next record begins a block.
  Status flush();

  u64 states() const { return states_; }
  u64 edges() const { return edges_; }
  u64 level() const { return level_; }  // of the last state
  u64 blocks() const { return blocks_ + (writer_.empty() ? 0 : 1); }
  u64 bytes() const { return blocks_ * kBlockBytes; }  // on the device
  u64 used_bytes() const { return bytes() + (writer_.empty() ? 0 : writer_.header().used_bytes); }
  u64 chain() const { return chain_; }
  const char* name() const { return name_; }

  // Seek point i is of block i * stride().
  u64 stride() const { return stride_; }
  u64 seek_point_count() const { return seek_point_count_; }
  const SeekPoint& seek_point(u64 i) const { return seek_points_[static_cast<std::size_t>(i)]; }
  // The last one at or before this state.
  u64 seek_point_before(u64 state) const;

 private:
  friend class EdgeReader;
  Status write_block();
  void begin_block(u64 level, bool goes_on);
  void add_seek_point(u64 block, const SeekPoint& point);
  Status put(u64 level, bool accepting, std::span<const u64> targets, bool goes_on);

  Device* device_ = nullptr;
  const char* name_ = "";
  std::span<u8> buffer_;
  std::span<u8> other_;  // of the block that is being written; empty: there is one buffer only
  std::span<SeekPoint> seek_points_;
  u64 seek_point_count_ = 0;
  u64 stride_ = 1;
  EdgeBlockWriter writer_;
  u64 states_ = 0;
  u64 edges_ = 0;
  u64 level_ = 0;
  u64 blocks_ = 0;  // on the device
  u64 chain_ = 0;
};

// Reads blocks and their groups in any order.
class EdgeReader {
 public:
  // `buffer` holds one block, or two for reading ahead.
  void start(EdgeFile& file, std::span<u8> buffer);

  // Its buffer is free after this, until the next start().
  Status finish();

  EdgeFile& file() const { return *file_; }
  // Block i; `ahead`, if it is not kNoBlock, is read meanwhile.
  static constexpr u64 kNoBlock = ~u64{0};
  Status load(u64 block, u64 ahead = kNoBlock);
  const EdgeBlockReader& block() const { return block_; }
  u64 first_state() const { return block_.first_state(0); }
  u64 end_state() const { return block_.first_state(block_.groups()); }
  // Group i of the block that was loaded.
  Status decode(u32 i);
  const EdgeGroup& group() const { return group_; }

  // The record of one state: visit(record, targets) for each of its pieces, none if it leads
  // nowhere. Neighbours in ascending order cost no reading.
  template <class Visit>
  Status read(u64 state, Visit visit) {
    XMC_TRY(seek(state));
    for (;; ++at_) {
      if (at_ == group_.records) {
        bool more = false;
        XMC_TRY(next_group(more));
        if (!more) return {};
      }
      const EdgeGroup::Record& record = group_.record[at_];
      if (record.state != state) return {};
      visit(record, group_.targets(record));
    }
  }

  // The first state that is not above this level; states() if there is none.
  Status level_begin(u64 level, u64& state);
  // Its level.
  Status level_of(u64 state, u64& level);

 private:
  Status seek(u64 state);
  Status next_group(bool& more);
  template <class Before>
  Status find_block(Before before);

  EdgeFile* file_ = nullptr;
  std::span<u8> buffer_;
  std::span<u8> other_;
  u64 ahead_ = kNoBlock;  // being read into other_
  u64 loaded_ = kNoBlock;
  bool in_memory_ = false;  // the block is the writer's
  u64 loaded_states_ = 0;   // of the file, when it was loaded
  u32 decoded_ = kNone;
  u32 at_ = 0;
  EdgeBlockReader block_;
  EdgeGroup group_;
};

}  // namespace xmc
