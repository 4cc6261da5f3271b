#include "phf/plan.h"

#include <algorithm>

#include "phf/build_memory.h"
#include "phf/hash_math.h"
#include "phf/record_sorter.h"
#include "xmc/bytes.h"

namespace xmc::phf {

u64 pages_for(const PageShape& shape, u64 keys, u32 layer) {
  const u32 capacity = shape.capacity();
  if (keys <= capacity) return 1;
  const u32 deviation = square_root(capacity);
  const u32 slack = layer == 0 ? deviation * 5 / 4 : deviation * 3;
  return divide_up(keys, capacity - slack);
}

namespace {

// At 1.25 deviations a page is overfull with probability 0.1056, the mean excess over all pages is
// 0.0506 deviations, and half a step of 1/256 of the keys goes with it. A quarter is added for
// chance, and a page for small files.
u64 estimate_bumped(const PageShape& shape, u64 keys, u64 pages) {
  if (pages == 1) return 0;
  const u32 capacity = shape.capacity();
  const u64 excess = pages * square_root(capacity) * 506 / 10000;
  const u64 steps = keys * 1056 / 10000 / (2 * kSteps);
  return (excess + steps) * 5 / 4 + capacity / 8;
}

u64 least_build_bytes(const PageShape& shape, u64 keys, u32 block_bytes) {
  u64 bytes = BuildMemory::least_bytes(shape, block_bytes);
  while (BuildMemory::most_records(shape, block_bytes, bytes) < keys) bytes += bytes / 8;
  return round_up(bytes, block_bytes);
}

}  // namespace

Plan plan(const PageShape& shape, u64 keys, u32 block_bytes) {
  Plan plan;
  plan.pages = pages_for(shape, keys, 0);
  plan.bumped_keys = estimate_bumped(shape, keys, plan.pages);
  u64 pinned = 0;
  if (plan.bumped_keys != 0) pinned = pages_for(shape, plan.bumped_keys, 1) + 1;
  plan.pinned_bytes = pinned * shape.page_bytes;
  plan.file_bytes = (plan.pages + pinned + 1) * shape.page_bytes;
  plan.build_bytes = least_build_bytes(shape, keys, block_bytes);
  return plan;
}

}  // namespace xmc::phf
