// Area: the abstract states of one process, by number: the place, and a row of intervals for its
// variables there. A process after the other uses it; it takes memory as states are met, and keeps
// it.
#pragma once

#include <span>

#include "front/promela/system.h"
#include "ir/interval.h"
#include "lower/promela/facts/numbers.h"
#include "xmc/pool.h"

namespace xmc::promela {

struct Point {
  PlaceId place = kNone;
  Numbers alive;
  // Processes that the chain which leads here has started.
  u16 least_started = 0;
  u16 most_started = 0;
  u16 starts = 0;  // counted on the way to it
  u8 visits = 0;
  bool is_reached = false;
  bool is_pending = false;
};

// Rows that are as wide as each other, in blocks.
class Rows : private PoolChunks {
 public:
  // No row will be wider.
  Rows(Arena& arena, u32 widest);
  void set_width(u32 width);
  // There is room for this one and those before.
  void reach(u32 number);
  std::span<ir::Interval> operator[](u32 number) const;

 private:
  u32 block_ = 0;  // intervals
  u32 shift_ = 0;  // of the rows in a block
  u32 width_ = 0;
};

class Area {
 public:
  Area(Arena& arena, u32 widest) : points_(arena, "facts"), rows_(arena, widest) {}

  // No state is left. Rows are that wide; shared: all states have one.
  void begin(u32 width, bool is_shared);
  // One more, with an empty row if it has one of its own.
  void add(const Point& point);
  u32 size() const { return used_; }
  Point& operator[](u32 number) { return points_[number]; }
  std::span<ir::Interval> row(u32 number) const { return rows_[is_shared_ ? 0 : number]; }

 private:
  Pool<Point, 6, 2048> points_;
  Rows rows_;
  u32 used_ = 0;
  bool is_shared_ = false;  // one row for all
};

}  // namespace xmc::promela
