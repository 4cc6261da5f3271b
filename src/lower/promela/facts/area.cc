#include "lower/promela/facts/area.h"

#include <algorithm>
#include <bit>

namespace xmc::promela {

using ir::Interval;

namespace {

constexpr u32 kBlock = 1024;  // intervals; more, if a row has more

}  // namespace

Rows::Rows(Arena& arena, u32 widest)
    : PoolChunks(arena, "facts", From::scratch), block_(std::max(kBlock, widest)) {}

void Rows::set_width(u32 width) {
  width_ = width;
  shift_ = static_cast<u32>(std::bit_width(block_ / std::max(width, 1u))) - 1;
}

void Rows::reach(u32 number) {
  while (number >> shift_ >= chunk_count()) {
    add_chunk(u64{block_} * sizeof(Interval), alignof(Interval));
  }
}

std::span<Interval> Rows::operator[](u32 number) const {
  Interval* const block = static_cast<Interval*>(chunks_[number >> shift_]);
  const u32 before = number & ((1u << shift_) - 1);
  return {block + std::size_t{before} * width_, width_};
}

void Area::begin(u32 width, bool is_shared) {
  rows_.set_width(width);
  is_shared_ = is_shared;
  used_ = 0;
}

void Area::add(const Point& point) {
  if (used_ == points_.size()) points_.push(point);
  points_[used_] = point;
  const u32 number = used_++;
  if (is_shared_ && number > 0) return;
  rows_.reach(number);
  const std::span<Interval> made = row(number);
  std::fill(made.begin(), made.end(), Interval{});
}

}  // namespace xmc::promela
