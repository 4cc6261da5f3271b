// How the builder shares out the memory it is given.
#pragma once

#include <span>

#include "phf/page.h"
#include "xmc/types.h"

namespace xmc::phf {

struct BuildMemory {
  BuildMemory() = default;
  // `memory` is aligned to blocks and has at least least_bytes().
  BuildMemory(const PageShape& shape, u32 block_bytes, std::span<u8> memory);

  static u64 least_bytes(const PageShape& shape, u32 block_bytes);
  // Keys that memory of this size can sort.
  static u64 most_records(const PageShape& shape, u32 block_bytes, u64 memory_bytes);

  std::span<u8> main_sorter;   // most of it
  std::span<u8> spill_sorter;  // keys for the next layer
  std::span<u8> output;        // pages: one half is filled, the other on its way to the file
  std::span<Record> records;   // of one page
  std::span<u8> steps;
  PageScratch scratch;
};

}  // namespace xmc::phf
