// A block of edges: the records of states that follow one another. What an edge file is made of.
// Format (little-endian; FORMAT.md):
//
//   block   = frame (store/files/block.h), first state u64, its level u64, edges before it u64,
//             groups u32, zero u32, group*
//   group   = bytes of the records u16, levels that begin in it u16, states that begin in it u32,
//             record*
//   record  = number (1 + 8 * targets + 2 * n + accepting), target{targets}
//                                        n states (0..3) that lead nowhere, and one that does
//           | 0, number n > 0            n states that lead nowhere
//           | 0, 0, number n > 0         what follows is n levels deeper
//           | 0, 0, 0                    the next record goes on with the state of the last one
//   target  = number (value << 2 | way)  way 0: value + 1 beyond the target before, the first one
//                                        as a difference to the state; 1..3: difference to one of
//                                        the three targets of the record before that are next
//   number  = seven bits a byte, the low ones first; the high bit says that more follow
//
// Targets ascend. A difference d is 2 * d, or -2 * d - 1 if negative. Breadth-first levels are
// sorted by key, so that neighbours lead to neighbours: on five products this takes 8.4 to 11 bits
// an edge, against 10.2 to 13.7 for gaps that begin at the record before, and 11.5 to 18.9 for gaps
// that begin at the state (2026-11-15).
//
// Groups are short because a block is also read backwards: each is decoded into a small array. A
// group forgets the records of the one before.
#pragma once

#include <span>

#include "store/files/block.h"
#include "xmc/types.h"

namespace xmc {

struct EdgeBlockHeader {
  static constexpr u32 kBytes = BlockFrame::kBytes + 32;

  u32 used_bytes = kBytes;
  u32 groups = 0;
  u64 first_state = 0;
  u64 first_level = 0;
  u64 edges_before = 0;  // in the blocks before it
};

inline constexpr u32 kEdgeGroupHeader = 8;
inline constexpr u32 kEdgeGroupBytes = 1024;
// A record with more targets is cut: each of them takes ten bytes at most.
inline constexpr u32 kEdgePiece = 96;

class EdgeBlockWriter {
 public:
  // `buffer` is one block: a multiple of kPageBytes bytes, aligned for the device.
  void start(std::span<u8> buffer, u64 first_state, u64 first_level, u64 edges_before);

  bool empty() const { return header_.groups == 0; }
  const EdgeBlockHeader& header() const { return header_; }
  // The record of the next state, or more of the last one's: at most kEdgePiece targets, ascending.
  // No targets: a state that leads nowhere. `level` is not below the one before. False: the block
  // is full, nothing was added.
  bool append(u64 level, bool accepting, std::span<const u64> targets, bool goes_on);
  // What is there, complete up to the last record.
  std::span<const u8> contents() const { return buffer_.first(header_.used_bytes); }
  // The whole buffer as it goes to the device. Then start() begins the next one.
  std::span<const u8> seal(const BlockPlace& place, u64& checksum);

 private:
  bool open_group();
  void note_group();
  bool put_record(u64 level, bool accepting, std::span<const u64> targets, bool goes_on);

  std::span<u8> buffer_;
  EdgeBlockHeader header_;
  u32 group_at_ = 0;
  u32 group_end_ = 0;  // it may grow up to here
  u32 group_states_ = 0;
  u32 group_levels_ = 0;
  u64 next_ = 0;  // number of the next state
  u64 level_ = 0;
  u32 run_at_ = 0;  // where the run of states that lead nowhere begins, if it is the last record
  u64 run_ = 0;
  u32 previous_count_ = 0;
  u64 previous_[kEdgePiece] = {};
};

// One group, decoded.
struct EdgeGroup {
  struct Record {
    u64 state = 0;
    u64 level = 0;
    u16 begin = 0;  // of its targets
    u16 count = 0;
    bool accepting = false;
    bool goes_on = false;  // with the state of the record before, maybe in the group before
  };
  u32 records = 0;
  Record record[kEdgeGroupBytes / 2];
  u64 target[kEdgeGroupBytes];

  std::span<const u64> targets(const Record& r) const { return {target + r.begin, r.count}; }
};

// The groups of a block, which was checked or comes from a writer's memory.
class EdgeBlockReader {
 public:
  static constexpr u32 kMostGroups = 128;

  // False: damaged.
  bool start(std::span<const u8> block, const EdgeBlockHeader& header);
  u32 groups() const { return groups_; }
  // States that begin in group i: [first_state(i), first_state(i + 1)).
  u64 first_state(u32 i) const { return group_[i].state; }
  // Level of the last state before group i.
  u64 level_before(u32 i) const { return group_[i].level; }
  // The group begins with more of the state before it.
  bool goes_on(u32 i) const;
  // False: damaged.
  bool decode(u32 i, EdgeGroup& out) const;
  u64 edges(u32 i) const;
  // The first state of group i that is not above this level; first_state(i + 1) if none is.
  u64 find_level(u32 i, u64 level) const;

 private:
  template <class OnRecord, class OnLevel>
  void walk(u32 i, OnRecord on_record, OnLevel on_level) const;

  struct Group {
    u64 state = 0;
    u64 level = 0;
    u32 at = 0;
    u32 bytes = 0;
  };
  std::span<const u8> block_;
  u32 groups_ = 0;
  Group group_[kMostGroups + 1];
};

// Checks a block and takes its header. False: damaged, or of another kind or place.
bool open_edge_block(std::span<const u8> block, const BlockPlace& place, EdgeBlockHeader& header);

}  // namespace xmc
