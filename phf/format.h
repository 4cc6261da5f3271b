// The file of a perfect hash: pages, layer after layer, and a footer. Nothing else knows where a
// page lies. README.md has the grammar.
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
