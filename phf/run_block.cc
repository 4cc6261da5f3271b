#include "phf/run_block.h"

#include <bit>

#include "phf/bits.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/hash.h"

namespace xmc::phf {

namespace {

constexpr u32 kHeaderBytes = 16;
constexpr u32 kEscape = 24;
constexpr u32 kMostBits = kEscape + 64 + 32;  // of one record

}  // namespace

void RunBlockWriter::start(std::span<u8> block, u32 rice, u32 value_bits) {
  XMC_CHECK(rice < 64);
  fill_zero(block);
  block_ = block;
  rice_ = rice;
  value_bits_ = value_bits;
  records_ = 0;
  at_ = kHeaderBytes * 8;
}

void RunBlockWriter::put(u64 value, u32 bits) {
  const u32 low = bits < 32 ? bits : 32;
  write_bits(block_, at_, low, static_cast<u32>(value & ((u64{1} << low) - 1)));
  if (bits > 32) write_bits(block_, at_ + 32, bits - 32, static_cast<u32>(value >> 32));
  at_ += bits;
}

bool RunBlockWriter::add(u64 hash, u32 value) {
  if (at_ + kMostBits > block_.size() * 8 || records_ == 0xFFFF) return false;
  if (records_ == 0) {
    store_le(block_.data() + 8, hash);
  } else {
    XMC_DASSERT(hash >= last_);
    const u64 difference = hash - last_;
    const u64 high = difference >> rice_;
    if (high < kEscape) {
      put((u64{1} << high) - 1, static_cast<u32>(high) + 1);
      put(difference & ((u64{1} << rice_) - 1), rice_);
    } else {
      put((u64{1} << kEscape) - 1, kEscape);
      put(difference, 64);
    }
  }
  put(value, value_bits_);
  last_ = hash;
  ++records_;
  return true;
}

void RunBlockWriter::seal(u64 place_seed) {
  block_[4] = static_cast<u8>(records_);
  block_[5] = static_cast<u8>(records_ >> 8);
  block_[6] = static_cast<u8>(rice_);
  store_le(block_.data(), static_cast<u32>(hash_bytes(block_.subspan(4), place_seed)));
}

bool RunBlockReader::start(std::span<const u8> block, u64 place_seed, u32 value_bits) {
  const u32 checksum = static_cast<u32>(hash_bytes(block.subspan(4), place_seed));
  if (load_le<u32>(block.data()) != checksum) return false;
  block_ = block.data();
  bytes_ = static_cast<u32>(block.size());
  value_bits_ = value_bits;
  left_ = block[4] | static_cast<u32>(block[5]) << 8;
  rice_ = block[6];
  last_ = load_le<u64>(block.data() + 8);
  first_ = true;
  at_ = kHeaderBytes * 8;
  return rice_ < 64;
}

u64 RunBlockReader::get(u32 bits) {
  const std::span<const u8> block(block_, bytes_);
  u64 value = read_bits(block, at_, bits < 32 ? bits : 32);
  if (bits > 32) value |= u64{read_bits(block, at_ + 32, bits - 32)} << 32;
  at_ += bits;
  return value;
}

bool RunBlockReader::next(u64& hash, u32& value) {
  if (left_ == 0) return false;
  --left_;
  if (!first_) {
    const u32 ones = static_cast<u32>(
        std::countr_one(read_bits(std::span<const u8>(block_, bytes_), at_, kEscape)));
    if (ones < kEscape) {
      at_ += ones + 1;
      last_ += u64{ones} << rice_ | get(rice_);
    } else {
      at_ += kEscape;
      last_ += get(64);
    }
  }
  first_ = false;
  hash = last_;
  value = static_cast<u32>(get(value_bits_));
  return true;
}

}  // namespace xmc::phf
