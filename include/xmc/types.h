// The vocabulary of numbers. Data has fixed widths everywhere; std::size_t appears only at libc
// calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace xmc {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

// A packed state is an array of words. On disk and inside stores it is the little-endian byte
// string of those words cut after the last used byte, so that every host reads every other host's
// files.
using Word = u64;

// A position in a store of states, in order of discovery. Disk engines use wider numbers.
using StateIndex = u32;

// What files are read and written in, and what memory for devices is aligned to: a page of every
// file system, and a sector of every device that we know.
inline constexpr u64 kPageBytes = 4096;
// What tables and buffers are aligned to: a line of the cache.
inline constexpr u64 kLineBytes = 64;

// For %llu, which takes another type than u64 on some targets.
constexpr unsigned long long wide(u64 value) { return value; }

inline constexpr u32 kNone = 0xFFFF'FFFFu;

static_assert(sizeof(u64) == 8 && sizeof(int) == 4);
static_assert(-1 >> 1 == -1, "signed shifts are arithmetic");

}  // namespace xmc
