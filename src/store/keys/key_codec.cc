#include "store/keys/key_codec.h"

#include <bit>

#include "store/keys/byte_moves.h"
#include "store/keys/key_compare.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

// --- delta
// ----------------------------------------------------------------------------------------
//
// The number of zero bits at the low end of the first byte tells the length: n of them, and the
// value is in the 7 (n + 1) bits above the one behind them. A first byte of zero: a length in bytes
// follows, then the value.

constexpr u32 kShortBits = 56;

constexpr u32 long_length_bytes(u32 words) { return words * 8 <= 0xFF ? 1 : 2; }

u32 put_short_delta(u8* to, u64 delta) {
  const u32 bytes = (static_cast<u32>(std::bit_width(delta | 1)) + 6) / 7;
  store_le<u64>(to, (delta << 1 | 1) << (bytes - 1));
  return bytes;
}

u32 put_long_delta(u8* to, const Word* delta, u32 first, u32 words) {
  const u32 bits = static_cast<u32>(std::bit_width(delta[first])) + 64 * (words - 1 - first);
  const u32 bytes = (bits + 7) / 8;
  u8* at = to;
  *at++ = 0;
  *at++ = static_cast<u8>(bytes);
  if (long_length_bytes(words) == 2) *at++ = static_cast<u8>(bytes >> 8);
  for (u32 w = words; w-- > first;) {
    store_le<u64>(at, delta[w]);
    at += 8;
  }
  return 1 + long_length_bytes(words) + bytes;
}

template <u32 W>
u32 encode_delta(const Word* previous, const Word* key, u32 words, u8* to) {
  if constexpr (W != 0) words = W;
  Word delta[W == 0 ? limits::kKeyWords : W];
  bool borrow = false;
  u32 first = words;  // the highest word that is not zero
  for (u32 w = words; w-- > 0;) {
    const Word difference = key[w] - previous[w];
    delta[w] = difference - (borrow ? 1 : 0);
    borrow = key[w] < previous[w] || (borrow && difference == 0);
    if (delta[w] != 0) first = w;
  }
  if (first >= words - 1 && delta[words - 1] >> kShortBits == 0) {
    return put_short_delta(to, delta[words - 1]);
  }
  return put_long_delta(to, delta, first, words);
}

template <u32 W>
inline void add_short(Word* key, u64 delta, u32 words) {
  if constexpr (W != 0) words = W;
  Word sum = key[words - 1] + delta;
  key[words - 1] = sum;
  if constexpr (W == 2) {
    key[0] += sum < delta ? 1 : 0;
  } else if (W != 1 && sum < delta) {
    for (u32 w = words - 1; w-- > 0;) {
      if (++key[w] != 0) break;
    }
  }
}

const u8* add_long(const u8* at, const u8* end, Word* key, u32 words) {
  u32 bytes = at[1];
  if (long_length_bytes(words) == 2) bytes |= u32{at[2]} << 8;
  at += 1 + long_length_bytes(words);
  if (bytes > 8 * words || at > end || end - at < static_cast<std::ptrdiff_t>(bytes)) {
    return nullptr;
  }
  bool carry = false;
  for (u32 w = words, done = 0; w-- > 0; done += 8) {
    Word part = 0;
    if (done < bytes) {
      part = load_le<u64>(at + done);
      if (bytes - done < 8) part &= (u64{1} << (8 * (bytes - done))) - 1;
    }
    const Word sum = key[w] + part;
    key[w] = sum + (carry ? 1 : 0);
    carry = sum < part || (carry && key[w] == 0);
  }
  return at + bytes;
}

template <u32 W>
inline const u8* step_delta(const u8* at, const u8* end, Word* key, u32 words) {
  const u64 bytes = load_le<u64>(at);
  if ((bytes & 0xFF) == 0) [[unlikely]]
    return add_long(at, end, key, words);
  const u32 length = static_cast<u32>(std::countr_zero(bytes)) + 1;
  add_short<W>(key, bytes << (64 - 8 * length) >> (64 - 7 * length), words);
  return at + length;
}

// --- mask
// -----------------------------------------------------------------------------------------
//
// Per word a byte that tells which of its bytes differ, then those bytes xor the old ones, from the
// low end. Keys of three words and more have before each eight words a byte that tells which of
// them differ, and only those follow.

u8* put_word(u8* at, u64 difference) {
  const u32 mask = byte_mask(difference);
  *at++ = static_cast<u8>(mask);
  store_le<u64>(at, gather_bytes(difference, mask));
  return at + kByteMoves.count[mask];
}

template <u32 W>
u32 encode_mask(const Word* previous, const Word* key, u32 words, u8* to) {
  u8* at = to;
  if constexpr (W != 0) {
    for (u32 w = 0; w < W; ++w) at = put_word(at, key[w] ^ previous[w]);
    return static_cast<u32>(at - to);
  }
  for (u32 group = 0; group < words; group += 8) {
    u8& word_mask = *at++;
    u32 differ = 0;
    for (u32 w = group; w < words && w < group + 8; ++w) {
      const u64 difference = key[w] ^ previous[w];
      if (difference == 0) continue;
      differ |= 1u << (w - group);
      at = put_word(at, difference);
    }
    word_mask = static_cast<u8>(differ);
  }
  return static_cast<u32>(at - to);
}

inline const u8* step_word(const u8* at, Word& word) {
  const u32 mask = *at++;
  word ^= spread_bytes(load_le<u64>(at), mask);
  return at + kByteMoves.count[mask];
}

template <u32 W>
inline const u8* step_mask(const u8* at, const u8* end, Word* key, u32 words) {
  if constexpr (W == 1) return step_word(at, key[0]);
  if constexpr (W == 2) {
    if (*at == 0) {
      ++at;
    } else {
      at = step_word(at, key[0]);
    }
    return at < end ? step_word(at, key[1]) : nullptr;
  }
  for (u32 group = 0; group < words; group += 8) {
    if (at >= end) return nullptr;
    for (u32 differ = *at++; differ != 0; differ &= differ - 1) {
      const u32 w = group + static_cast<u32>(std::countr_zero(differ));
      if (at >= end || w >= words) return nullptr;
      at = step_word(at, key[w]);
    }
  }
  return at;
}

// --- both
// -----------------------------------------------------------------------------------------

template <KeyCodec C, u32 W>
const u8* decode(const u8* at, const u8* end, const Word* previous, Word* keys, u32 count,
                 u32 words) {
  if constexpr (W != 0) words = W;
  Word narrow[W == 0 ? 1 : W];  // short keys stay in registers
  if constexpr (W != 0) copy_key<W>(narrow, previous, words);
  for (u32 i = 0; i < count; ++i) {
    if (at >= end) return nullptr;
    if constexpr (W == 0) copy_key(keys, previous, words);
    Word* const key = W == 0 ? keys : narrow;
    at = C == KeyCodec::delta ? step_delta<W>(at, end, key, words)
                              : step_mask<W>(at, end, key, words);
    if (at == nullptr) return nullptr;
    if constexpr (W != 0) copy_key<W>(keys, narrow, words);
    previous = keys;
    keys += words;
  }
  return at <= end ? at : nullptr;
}

}  // namespace

u32 encode_key(KeyCodec codec, const Word* previous, const Word* key, u32 words, u8* to) {
  const bool delta = codec == KeyCodec::delta;
  if (words == 1) return (delta ? encode_delta<1> : encode_mask<1>)(previous, key, words, to);
  if (words == 2) return (delta ? encode_delta<2> : encode_mask<2>)(previous, key, words, to);
  return (delta ? encode_delta<0> : encode_mask<0>)(previous, key, words, to);
}

const u8* decode_keys(KeyCodec codec, const u8* at, const u8* end, const Word* previous, Word* keys,
                      u32 count, u32 words) {
  constexpr KeyCodec D = KeyCodec::delta;
  constexpr KeyCodec M = KeyCodec::mask;
  const bool delta = codec == D;
  const auto decoder = words == 1   ? (delta ? decode<D, 1> : decode<M, 1>)
                       : words == 2 ? (delta ? decode<D, 2> : decode<M, 2>)
                                    : (delta ? decode<D, 0> : decode<M, 0>);
  return decoder(at, end, previous, keys, count, words);
}

KeyCodec choose_codec(const Word* keys, u32 count, u32 words) {
  XMC_CHECK(words >= 1 && words <= limits::kKeyWords);
  // Neighbours in stretches, because it is their distance that counts.
  constexpr u32 kStretch = 32;
  constexpr u32 kStretches = 128;
  const u32 step = count <= kStretch * kStretches ? kStretch : count / kStretches;
  u64 delta_bytes = 0;
  u64 mask_bytes = 0;
  u8 scratch[most_coded_bytes(limits::kKeyWords)];
  for (u64 from = 0; from < count; from += step) {
    for (u64 i = from + 1; i < count && i < from + kStretch + 1; ++i) {
      const Word* key = keys + static_cast<std::size_t>(i * words);
      delta_bytes += encode_key(KeyCodec::delta, key - words, key, words, scratch);
      mask_bytes += encode_key(KeyCodec::mask, key - words, key, words, scratch);
    }
  }
  return mask_bytes < delta_bytes ? KeyCodec::mask : KeyCodec::delta;
}

}  // namespace xmc
