// A page codec: a minimal perfect hash function of the few thousand keys of one page, in as few
// bytes as it can. Two of them, each the other's oracle: `pilot` is our own, needs no heap and
// writes the same bytes on every target; `chd` is CMPH's CHD.
//
// The keys are distinct hashes. A build may fail for a seed; the page then tries the next one, and
// in the end sends some keys to the next layer. Nothing here allocates: scratch is the caller's.
#pragma once

#include <span>

#include "xmc/types.h"

namespace xmc::phf {

enum class Codec : u8 { pilot = 1, chd = 2 };

// Keys of one page, at most: beyond it the largest buckets of the pilot codec get hard to place.
inline constexpr u32 kPageKeys = 1u << 14;

struct CodecCalls {
  // No function of `keys` keys has more bytes than this, for the plan of a page. CHD's may.
  u32 (*function_bytes)(u32 keys);
  u64 (*scratch_bytes)(u32 keys);  // 16-byte aligned memory that build() needs
  // Writes the function into `out`, which is zero; returns its bytes, or kNone if this seed has no
  // function of so many bytes.
  u32 (*build)(std::span<const u64> keys, u32 seed, std::span<u8> out, std::span<u8> scratch);
  // Whether the bytes can be a function of so many keys: slot() is safe then.
  bool (*plausible)(std::span<const u8> function, u32 keys);
  // The number of a key, below `keys` for each key of the build; of another key anything.
  u32 (*slot)(std::span<const u8> function, u32 keys, u32 seed, u64 key);
};

// Null if this build of the library does not have it.
const CodecCalls* codec_calls(Codec codec);

extern const CodecCalls kPilotCalls;
const CodecCalls* chd_calls();

}  // namespace xmc::phf
