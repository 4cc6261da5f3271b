// Bounded copies and little-endian loads: the only memcpy, memcmp and memset of the product.
#pragma once

#include <bit>
#include <cstring>
#include <span>

#include "xmc/check.h"
#include "xmc/types.h"

namespace xmc {

template <class T>
inline void copy(std::span<T> to, std::span<const T> from) {
  XMC_CHECK(to.size() >= from.size());
  if (!from.empty()) std::memcpy(to.data(), from.data(), from.size_bytes());
}

// The same for ranges that may overlap.
template <class T>
inline void move(std::span<T> to, std::span<const T> from) {
  XMC_CHECK(to.size() >= from.size());
  if (!from.empty()) std::memmove(to.data(), from.data(), from.size_bytes());
}

inline bool equal(std::span<const u8> a, std::span<const u8> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

template <class T>
inline void fill_zero(std::span<T> out) {
  if (!out.empty()) std::memset(out.data(), 0, out.size_bytes());
}

inline u64 byte_swap_if_big(u64 v) {
  return std::endian::native == std::endian::little ? v : __builtin_bswap64(v);
}
inline u32 byte_swap_if_big(u32 v) {
  return std::endian::native == std::endian::little ? v : __builtin_bswap32(v);
}

// Any alignment: old ARM cores rotate unaligned word loads silently, memcpy never does.
template <class T>
inline T load_le(const u8* from) {
  T v;
  std::memcpy(&v, from, sizeof v);
  return byte_swap_if_big(v);
}
template <class T>
inline void store_le(u8* to, T v) {
  v = byte_swap_if_big(v);
  std::memcpy(to, &v, sizeof v);
}

inline u64 round_up(u64 value, u64 unit) { return (value + unit - 1) / unit * unit; }
inline u64 round_down(u64 value, u64 unit) { return value / unit * unit; }
inline u64 divide_up(u64 value, u64 unit) { return (value + unit - 1) / unit; }

}  // namespace xmc
