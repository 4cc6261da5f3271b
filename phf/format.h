// The file of a perfect hash, little-endian: pages, layer after layer, and a footer. Nothing else
// knows where a page lies.
//
//   file   = layer*, zeros up to a page, footer
//   layer  = page*                 of page_bytes each, 4096 to 65536; page.h has what is in one
//   footer = checksum u64, "xmcPHF1" u64, page bytes u32, value bits u8, fingerprint bits u8,
//            codec u8 (1 pilot, 2 CHD), layers u8, keys u64, hash seed u64,
//            (pages u64, keys u64) of 8 layers, zeros up to 4096
//
// The footer is the last 4096 bytes, in a page of its own, and written behind a sync: a file that
// has it is finished. A page's checksum is the lower half of XXH3-64 of what follows it, with
// (page number in its layer << 8 | layer) xor the seed of the file's first byte (Device::place) as
// seed; the footer's is XXH3-64 of the rest xor that seed.
//
// Layer 0 is addressed by the hash h, layer k + 1 by mix(h' + 0x9e3779b97f4a7c15) of layer k's h'
// (hash_math.h). The page of a key is mulhi64(hash, pages): keys in order of their hashes are pages
// in order, so that a sorted stream fills one page after the other. Indexes go on from page to page
// and from layer to layer.
#pragma once

#include <span>

#include "phf/page.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc::phf {

// Layers hold the keys that did not fit before: a thousandth of those of the layer before.
inline constexpr u32 kLayers = 8;
inline constexpr u32 kFooterBytes = kPageBytes;
inline constexpr u32 kLeastPageBytes = kPageBytes;
inline constexpr u32 kMostPageBytes = 65536;

struct Layer {
  u64 pages = 0;
  u64 keys = 0;
};

struct FileLayout {
  PageShape shape;
  u64 keys = 0;
  u64 hash_seed = 0;  // what the caller hashed its states with
  u32 layers = 0;
  Layer layer[kLayers];

  u64 first_page(u32 which) const;  // of a layer, counted over all of them
  u64 pages() const { return first_page(layers); }
  u64 pinned_pages() const { return pages() - layer[0].pages; }
  // One page holds the footer, at its end.
  u64 file_bytes() const { return (pages() + 1) * shape.page_bytes; }
};

// Whether pages like this can be made, on a device with such blocks.
Status check_shape(const PageShape& shape, u32 block_bytes);

void write_footer(const FileLayout& layout, std::span<u8> footer);
// Code::corrupt if this is not the end of a finished file of that size and seed.
Status read_footer(std::span<const u8> footer, u64 file_bytes, u64 file_seed, FileLayout& layout);

}  // namespace xmc::phf
