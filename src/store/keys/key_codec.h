// Two codes for a key against a smaller one, its neighbour in sorted order (FORMAT.md):
//
//   delta  the difference of the two as one integer of 64 * words bits, as a prefix varint: short
//          where keys lie close together
//   mask   what differs, byte by byte: short where few bytes differ, wherever they are
//
// Which is shorter depends on the model (bytes per state over all states, delta / mask: bakery
// 2.1 / 3.4, lifts 14.4 / 5.8), so every run chooses for itself.
#pragma once

#include "xmc/types.h"

namespace xmc {

enum class KeyCodec : u8 { delta = 1, mask = 2 };

// Bytes that encode_key may touch.
constexpr u32 most_coded_bytes(u32 words) { return 9 * words + words / 8 + 9; }

// Writes `key` coded against `previous`, which is smaller, and returns the bytes it takes.
u32 encode_key(KeyCodec codec, const Word* previous, const Word* key, u32 words, u8* to);

// Bytes behind `end` that decode_keys may load (and ignores): a reader must own them.
inline constexpr u32 kDecodeSlack = 16;

// Decodes `count` keys that lie in [at, end), the first one coded against `previous`. Returns where
// the last one ends, or null when they do not end before `end`.
const u8* decode_keys(KeyCodec codec, const u8* at, const u8* end, const Word* previous, Word* keys,
                      u32 count, u32 words);

// The codec that takes fewer bytes for these sorted keys. Of many, some stretches are tried.
KeyCodec choose_codec(const Word* keys, u32 count, u32 words);

}  // namespace xmc
