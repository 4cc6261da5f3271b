#include "phf/page.h"

#include <algorithm>

#include "phf/bits.h"
#include "phf/hash_math.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/hash.h"

namespace xmc::phf {

namespace {

// More seeds than any set of distinct hashes was seen to need (5); the page then gives up keys.
constexpr u32 kSeeds = 32;

struct Header {
  u32 checksum;
  u64 base;
  u32 seed;
  u32 keys;
  u32 function_bytes;
  u32 threshold;
};

// load_le knows words; a half word is two bytes.
u32 load_half(const u8* from) { return from[0] | static_cast<u32>(from[1]) << 8; }
void store_half(u8* to, u32 value) {
  to[0] = static_cast<u8>(value);
  to[1] = static_cast<u8>(value >> 8);
}

Header load_header(std::span<const u8> page) {
  const u8* at = page.data();
  return {load_le<u32>(at),
          load_le<u32>(at + 4) | u64{at[8]} << 32,
          at[9],
          load_half(at + 10),
          load_half(at + 12),
          load_half(at + 14)};
}

void store_header(std::span<u8> page, const Header& header) {
  u8* at = page.data();
  store_le(at, header.checksum);
  store_le(at + 4, static_cast<u32>(header.base));
  XMC_CHECK(header.base >> 40 == 0);
  at[8] = static_cast<u8>(header.base >> 32);
  at[9] = static_cast<u8>(header.seed);
  store_half(at + 10, header.keys);
  store_half(at + 12, header.function_bytes);
  store_half(at + 14, header.threshold);
}

u32 checksum_of(const PageShape& shape, PageName name, std::span<const u8> page) {
  const u64 seed = shape.file_seed ^ (name.number << 8 | name.layer);
  return static_cast<u32>(hash_bytes(page.subspan(4), seed));
}

u64 entries_bytes(const PageShape& shape, u32 keys) {
  return divide_up(u64{keys} * shape.entry_bits(), 8);
}

u64 page_bytes_for(const PageShape& shape, u32 keys) {
  return kPageHeaderBytes + codec_calls(shape.codec)->function_bytes(keys) +
         entries_bytes(shape, keys);
}

u32 fingerprint_of(u64 hash) { return static_cast<u32>(hash * 0xd6e8feb86659fd93 >> 56); }

void write_entries(const PageShape& shape, std::span<const Record> records, u32 seed,
                   std::span<const u8> function, std::span<u8> entries) {
  const CodecCalls& codec = *codec_calls(shape.codec);
  const u32 keys = static_cast<u32>(records.size());
  for (const Record& record : records) {
    const u32 slot = codec.slot(function, keys, seed, record.hash);
    XMC_CHECK(slot < keys);
    const u32 at = slot * shape.entry_bits();
    write_bits(entries, at, shape.value_bits, record.value);
    if (shape.fingerprint_bits != 0) {
      write_bits(entries, at + shape.value_bits, shape.fingerprint_bits,
                 fingerprint_of(record.hash));
    }
  }
}

// The largest threshold that leaves at most `most` records below it.
u32 threshold_for(std::span<const u8> steps, u32 threshold, u32 most) {
  return steps.size() <= most ? threshold : std::min<u32>(threshold, steps[most]);
}

u32 below(std::span<const u8> steps, u32 threshold) {
  return static_cast<u32>(
      std::partition_point(steps.begin(), steps.end(), [&](u8 s) { return s < threshold; }) -
      steps.begin());
}

}  // namespace

u32 PageShape::capacity() const {
  u32 low = 0, high = kPageKeys;  // low fits
  while (low < high) {
    const u32 middle = low + (high - low + 1) / 2;
    if (page_bytes_for(*this, middle) <= page_bytes) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

bool PageShape::too_large() const {
  return page_bytes_for(*this, kPageKeys) < page_bytes - page_bytes / 16;
}

PageStats build_page(const PageShape& shape, PageName name, u64 base,
                     std::span<const Record> records, std::span<const u8> steps, u32 threshold,
                     const PageScratch& scratch, std::span<u8> page) {
  XMC_CHECK(records.size() == steps.size());
  XMC_CHECK(page.size() == shape.page_bytes);
  const CodecCalls& codec = *codec_calls(shape.codec);
  PageStats stats;
  u32 seed = 0, function_bytes = kNone;
  u32 most = static_cast<u32>(scratch.keys.size());
  while (function_bytes == kNone) {
    threshold = threshold_for(steps, threshold, most);
    stats.keys = below(steps, threshold);
    for (u32 i = 0; i < stats.keys; ++i) scratch.keys[i] = records[i].hash;
    const u64 room = u64{shape.page_bytes} - kPageHeaderBytes - entries_bytes(shape, stats.keys);
    for (seed = 0; seed < kSeeds && function_bytes == kNone; ++seed) {
      fill_zero(page);
      const std::span<u8> out = page.subspan(kPageHeaderBytes, static_cast<std::size_t>(room));
      function_bytes = codec.build(scratch.keys.first(stats.keys), seed, out, scratch.memory);
    }
    stats.reseeds += seed - 1;
    // An empty page always has a function.
    most = stats.keys - (stats.keys + 63) / 64;
  }
  --seed;
  const std::span<u8> function = page.subspan(kPageHeaderBytes, function_bytes);
  write_entries(shape, records.first(stats.keys), seed, function,
                page.subspan(kPageHeaderBytes + function_bytes));
  store_header(page, {0, base, seed, stats.keys, function_bytes, threshold});
  store_le(page.data(), checksum_of(shape, name, page));
  return stats;
}

bool check_page(const PageShape& shape, PageName name, std::span<const u8> page) {
  XMC_CHECK(page.size() == shape.page_bytes);
  const Header header = load_header(page);
  if (header.checksum != checksum_of(shape, name, page)) return false;
  if (header.threshold > kSteps || header.keys > kPageKeys) return false;
  const u64 used =
      u64{kPageHeaderBytes} + header.function_bytes + entries_bytes(shape, header.keys);
  return used <= shape.page_bytes &&
         codec_calls(shape.codec)
             ->plausible(page.subspan(kPageHeaderBytes, header.function_bytes), header.keys);
}

PageAnswer find_in_page(const PageShape& shape, std::span<const u8> page, u64 hash, u32 step) {
  const Header header = load_header(page);
  PageAnswer answer;
  if (step >= header.threshold) {
    answer.bumped = true;
    return answer;
  }
  const std::span<const u8> function = page.subspan(kPageHeaderBytes, header.function_bytes);
  const u32 slot = header.keys == 0
                       ? kNone
                       : codec_calls(shape.codec)->slot(function, header.keys, header.seed, hash);
  if (slot >= header.keys) {
    answer.foreign = true;
    return answer;
  }
  answer.index = header.base + slot;
  const std::span<const u8> entries = page.subspan(kPageHeaderBytes + header.function_bytes);
  const u32 at = slot * shape.entry_bits();
  answer.value = read_bits(entries, at, shape.value_bits);
  if (shape.fingerprint_bits != 0) {
    answer.foreign =
        read_bits(entries, at + shape.value_bits, shape.fingerprint_bits) != fingerprint_of(hash);
  }
  return answer;
}

u64 page_base(std::span<const u8> page) { return load_header(page).base; }
u32 page_keys(std::span<const u8> page) { return load_header(page).keys; }

}  // namespace xmc::phf
