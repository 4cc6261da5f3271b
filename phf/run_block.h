// A block of a sorted run: records as differences of their hashes. Runs are scratch, gone when the
// hash is built, but flash wears by them too: a difference in a run of a million takes 46 bits
// where the hash takes 64 (Rice code).
//
//   block  = checksum u32 (of the rest, with the seed of its place), records u16, rice u8, 0 u8,
//            first hash u64, first value, (difference, value)*, zeros
//   difference = its bits above the lowest `rice` as so many ones and a zero, then the lowest
//                `rice` bits; or 24 ones and 64 bits
#pragma once

#include <span>

#include "xmc/types.h"

namespace xmc::phf {

class RunBlockWriter {
 public:
  // `block` is cleared. `rice` suits the mean difference of the run.
  void start(std::span<u8> block, u32 rice, u32 value_bits);
  // False if there is no room: the block is full.
  bool add(u64 hash, u32 value);
  // The block is sound at the place of this seed only (xmc/device.h).
  void seal(u64 place_seed);
  u32 records() const { return records_; }

 private:
  void put(u64 value, u32 bits);

  std::span<u8> block_;
  u32 rice_ = 0;
  u32 value_bits_ = 0;
  u32 records_ = 0;
  u64 last_ = 0;
  u32 at_ = 0;
};

class RunBlockReader {
 public:
  // False if the block is damaged, or not that of this place.
  bool start(std::span<const u8> block, u64 place_seed, u32 value_bits);
  // False at the end.
  bool next(u64& hash, u32& value);

 private:
  u64 get(u32 bits);

  const u8* block_ = nullptr;
  u32 bytes_ = 0;
  u32 value_bits_ = 0;
  u32 rice_ = 0;
  u32 left_ = 0;
  bool first_ = false;
  u64 last_ = 0;
  u32 at_ = 0;
};

}  // namespace xmc::phf
