#include "phf/build_memory.h"

#include <algorithm>

#include "phf/record_sorter.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc::phf {

namespace {

constexpr u64 kMostOutput = 256 << 10;

struct Sizes {
  Sizes(const PageShape& shape, u32 block_bytes, u64 memory) {
    const u64 capacity = shape.capacity();
    records = round_up(capacity * sizeof(Record), 16);
    steps = round_up(capacity, 16);
    keys = round_up(capacity * sizeof(u64), 16);
    codec = round_up(codec_calls(shape.codec)->scratch_bytes(static_cast<u32>(capacity)), 16);
    page_work = round_up(records + steps + keys + codec, block_bytes);
    const u64 pair = 2 * u64{shape.page_bytes};
    output = std::max(pair, round_down(std::min(memory / 32, kMostOutput), pair));
    spill = std::max(RecordSorter::kLeastMemory, round_down(memory / 8, block_bytes));
  }
  u64 rest() const { return page_work + output + spill; }
  u64 records, steps, keys, codec;
  u64 page_work, output, spill;
};

template <class T>
std::span<T> cut(std::span<u8>& from, u64 bytes) {
  XMC_CHECK(bytes <= from.size());
  const std::span<u8> piece = from.first(static_cast<std::size_t>(bytes));
  from = from.subspan(piece.size());
  return {reinterpret_cast<T*>(piece.data()), piece.size() / sizeof(T)};
}

}  // namespace

u64 BuildMemory::least_bytes(const PageShape& shape, u32 block_bytes) {
  return Sizes(shape, block_bytes, 0).rest() + RecordSorter::kLeastMemory;
}

u64 BuildMemory::most_records(const PageShape& shape, u32 block_bytes, u64 memory_bytes) {
  const Sizes sizes(shape, block_bytes, memory_bytes);
  if (memory_bytes < sizes.rest() + RecordSorter::kLeastMemory) return 0;
  return RecordSorter::most_records(memory_bytes - sizes.rest(), block_bytes);
}

BuildMemory::BuildMemory(const PageShape& shape, u32 block_bytes, std::span<u8> memory) {
  const Sizes sizes(shape, block_bytes, memory.size());
  std::span<u8> work = cut<u8>(memory, sizes.page_work);
  const std::size_t capacity = shape.capacity();
  records = cut<Record>(work, sizes.records).first(capacity);
  steps = cut<u8>(work, sizes.steps).first(capacity);
  scratch.keys = cut<u64>(work, sizes.keys).first(capacity);
  scratch.memory = cut<u8>(work, sizes.codec);
  output = cut<u8>(memory, sizes.output);
  spill_sorter = cut<u8>(memory, sizes.spill);
  main_sorter = memory;
}

}  // namespace xmc::phf
