// One page: what a query reads, and all it reads.
//
//   page     = header, function, entries, zeros
//   header   = checksum u32 (of the rest of the page, the layer and the page's number in it, with
//              the seed of the file),
//              base u32 + u8, seed u8, keys u16, function bytes u16, threshold u16       (16 bytes)
//   function = the codec's bytes
//   entries  = for each key, at its number: value (value_bits), fingerprint (0 or 8 bits)
//
// A key's index is base + its number in the page. Keys whose step (hash_math.h) is at the threshold
// or above are not in this page: they are in the next layer. 256 sends no key there.
#pragma once

#include <span>

#include "phf/page_codec.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc::phf {

struct Record {  // what a key is while the hash is built
  u64 hash;
  u32 value;
};

// What all pages of a file have in common. check_shape() (format.h) comes first: nothing else here
// asks whether such pages can be made.
struct PageShape {
  u32 page_bytes = kPageBytes;
  u32 value_bits = 8;        // 0..32
  u32 fingerprint_bits = 0;  // 0 or 8
  Codec codec = Codec::pilot;
  u64 file_seed = 0;  // of the run and the file (xmc/device.h): not stored, part of each checksum

  u32 entry_bits() const { return value_bits + fingerprint_bits; }
  // The most keys that a page has bytes for, kPageKeys at most.
  u32 capacity() const;
  // Whether kPageKeys leave a good part of a page empty.
  bool too_large() const;
};

inline constexpr u32 kPageHeaderBytes = 16;

// Which page this is; part of its checksum, so that a page out of its place is found out.
struct PageName {
  u32 layer = 0;
  u64 number = 0;
};

struct PageStats {
  u32 keys = 0;  // in the page
  u32 reseeds = 0;
};

struct PageScratch {
  std::span<u64> keys;   // PageShape::capacity()
  std::span<u8> memory;  // CodecCalls::scratch_bytes of it, 16-byte aligned
};

// Fills `page` with the records, which are in order of their hashes; `steps` of each are 8 bits of
// its share. Keys of the page that are not among the records have `threshold` or a higher step.
// Takes as many as there is room and a function for; the rest is the caller's to pass on.
PageStats build_page(const PageShape& shape, PageName name, u64 base,
                     std::span<const Record> records, std::span<const u8> steps, u32 threshold,
                     const PageScratch& scratch, std::span<u8> page);

// What a page says about a key.
struct PageAnswer {
  bool bumped = false;   // look in the next layer
  bool foreign = false;  // by its fingerprint no key of the hash
  u64 index = 0;
  u32 value = 0;
};

// Whether the bytes are what build_page left.
bool check_page(const PageShape& shape, PageName name, std::span<const u8> page);
// Of a checked page.
PageAnswer find_in_page(const PageShape& shape, std::span<const u8> page, u64 hash, u32 step);
u64 page_base(std::span<const u8> page);
u32 page_keys(std::span<const u8> page);

}  // namespace xmc::phf
