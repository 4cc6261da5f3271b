// FarEdges: records of an edge file that wait for the numbers of a few far successors.
//
// Most steps lead to levels near by, whose states are read soon when the queue is read backwards;
// a few lead far back, and to find those for one block of records would mean to read everything
// before it. So the far successors of many blocks are collected in a table and looked for together.
// Their records wait in a file of the same form ("edges.far"), with numbers behind all states for
// what is not known.
#pragma once

#include <span>

#include "engine/search/product.h"
#include "store/files/edge_file.h"

namespace xmc {

class FarEdges {
 public:
  // What stands for a number that is not known yet.
  static constexpr u64 no_number(u32 bytes) { return bytes == 4 ? 0xFFFF'FFFFu : ~u64{0}; }

  static constexpr u32 kLevels = 1024;

  // Of memory for edges, what is worth taking for this; 0: it is too little to be of use.
  static u64 share_of(u64 memory, u64 least_memory);

  // `memory` is aligned for devices. Empty memory: nothing waits here.
  Status start(const Product& product, std::span<u8> memory, u32 number_bytes);
  Status close();
  bool on() const { return device_ != nullptr; }

  // Whether so many more far successors would fit.
  bool has_room(u64 states) const;
  // Whether records up to this level can wait, too.
  bool fits(u64 level) const { return !on() || states() == 0 || level - first_level_ < kLevels; }
  // The number that stands for a far successor until settle(): behind all states.
  u64 stand_in(const Word* state);
  Status append(u64 level, bool accepting, std::span<const u64> targets);

  u64 states() const { return waiting_.states(); }  // records that wait
  u64 level() const { return waiting_.level(); }

  // The table of far successors, whose numbers are to be set.
  StateTable& table() { return table_; }
  void forget_numbers();
  bool has_number(StateIndex far) const { return number(far) != no_number(number_bytes_); }
  void set_number(StateIndex far, u64 number);
  // All numbers are set: the records go to the file they are for. `targets` has room for one.
  Status settle(EdgeFile& edges, u64* targets);

 private:
  static constexpr u32 kSeekPoints = 256;

  u64 number(StateIndex far) const;
  Status begin();

  Product product_;
  Device* device_ = nullptr;
  EdgeFile waiting_;
  EdgeReader reader_;
  StateTable table_;
  std::span<u8> table_memory_;
  std::span<u8> write_buffer_;
  std::span<u8> read_buffer_;
  std::span<EdgeFile::SeekPoint> seek_points_;
  std::span<u64> level_begin_;  // records at which a new level begins
  u64 first_level_ = 0;
  u32 levels_ = 0;
  std::span<u8> numbers_;
  u32 number_bytes_ = 4;
};

}  // namespace xmc
