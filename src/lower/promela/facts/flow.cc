#include "lower/promela/facts/flow.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc::promela {

using ir::Interval;

namespace {

constexpr u32 kSweeps = 2;

}  // namespace

void Flow::follow(Instance& one) {
  one_ = &one;
  one.seen = k_.clock;
  id_ = one.slot * k_.type_count + one.type;
  locals_ = k_.cells.locals(one.type).count();
  width_ = k_.width(one.type);
  for (const u32 cell : k_.tracked[one.type].cells) one.reads[cell / 64] |= u64{1} << cell % 64;
  k_.find_channels();
  contributes_ = false;
  from_ = to_ = 0;
  is_apart_ = has_run_[one.type] != 0 && !one.is_joined && width_ > 0;
  if (is_apart_ && !solve_apart()) {
    one.is_joined = true;
    is_apart_ = false;
  }
  if (!is_apart_) {
    solve();
    for (u32 i = 0; i < kSweeps; ++i) narrow();
  }
}

void Flow::analyse(Instance& one, bool publishes) {
  follow(one);
  contribute();
  if (publishes) publish();
}

Interval Flow::range_of_column(u32 column) const {
  if (column < locals_) return k_.cells.locals(one_->type).range[column];
  return k_.cells.globals().range[k_.tracked[one_->type].cells[column - locals_]];
}

void Flow::clear(Area& area) {
  const Proctype& type = s_.proctypes[one_->type];
  is_shared_ = !is_apart_ && u64{type.place_count} * width_ > most_cells_;
  area.begin(width_, is_shared_);
  if (is_apart_) {
    std::fill(slots_of_keys_.begin(), slots_of_keys_.end(), kNone);
    return;
  }
  for (u32 i = 0; i < type.place_count; ++i) {
    Point point;
    point.place = type.first_place + i;
    area.add(point);
  }
}

// Whether a process of it is created once at most.
bool Flow::once() const {
  const Life& life = k_.life(*one_);
  if (one_->slot == kClaim) return true;
  if (one_->is_first) return !life.is_run;
  return !k_.is_mortal(one_->slot);
}

// What it finds when it is created.
void Flow::start(Area& area) {
  clear(area);
  const Life& life = k_.life(*one_);
  const Proctype& type = s_.proctypes[one_->type];
  const Frame& frame = k_.cells.locals(one_->type);
  for (u32 i = 0; i < locals_; ++i) {
    work_row_[i] =
        i < type.parameter_leaves && !life.start[i].empty() ? life.start[i] : Interval{0, 0};
  }
  const std::span<const u32> cells = k_.tracked[one_->type].cells;
  const bool is_untouched = once();
  for (u32 i = 0; i < cells.size(); ++i) {
    const bool is_initial = is_untouched && k_.is_owned(cells[i], id_);
    work_row_[locals_ + i] = is_initial ? k_.initial[cells[i]] : k_.global(cells[i]);
  }
  work_ = Point();
  work_.alive = life.alive;
  Numbers channels = one_->slot == kClaim ? Numbers() : k_.below[one_->slot];
  Interval number = channels.hull();
  for (u32 i = 0; i < type.initial_count; ++i) {
    const Initial& initial = s_.local_initials[type.first_initial + i];
    Interval v;
    if (initial.value != kNone) {
      v = values().value(initial.value);
    } else if (!number.empty()) {
      number = {number.lo + 1, std::min(number.hi + 1, static_cast<i32>(kClaim))};
      v = number;
    }
    if (v.empty()) return;
    for (u32 j = 0; j < initial.count; ++j) {
      const u32 leaf = initial.leaf + j;
      const u32 cell = frame.cell_of[leaf];
      v = cut(s_.local_leaves[type.first_leaf + leaf], v);
      const bool is_all = frame.leaves[cell] == 1 || frame.leaves[cell] <= initial.count;
      work_row_[cell] = is_all ? v : ir::join(work_row_[cell], v);
    }
  }
  arrive(type.start, false);
}

void Flow::put(PlaceId place) {
  if (contributes_) return;
  const u32 at = place - s_.proctypes[one_->type].first_place;
  u32 slot = 0;
  if (is_counting_) return count(is_apart_ ? find_apart(place, slot) : at);
  if (is_apart_) return put_apart(place);
  Area& area = *areas_[to_];
  Point& point = area[at];
  bool changed = !point.is_reached;
  const Numbers alive = point.alive;
  point.alive.add(work_.alive);
  changed = changed || !(alive == point.alive);
  const u16 least =
      point.is_reached ? std::min(point.least_started, work_.least_started) : work_.least_started;
  const u16 most = std::max(point.most_started, work_.most_started);
  changed = changed || least != point.least_started || most != point.most_started;
  point.least_started = least;
  point.most_started = most;
  point.is_reached = true;
  const std::span<Interval> into = area.row(at);
  bool row_changed = false;
  for (u32 i = 0; i < width_; ++i) {
    u8 visits = point.visits;
    const Interval wider = is_narrowing_
                               ? ir::join(into[i], work_row_[i])
                               : k_.widened(into[i], work_row_[i], visits, range_of_column(i));
    row_changed = row_changed || !(wider == into[i]);
    into[i] = wider;
  }
  point.is_pending = point.is_pending || changed || row_changed;
  for (u32 i = 0; is_shared_ && row_changed && i < area.size(); ++i) {
    area[i].is_pending = area[i].is_reached;
  }
}

u64 Flow::key(const Point& point, std::span<const Interval> values) const {
  u64 out = point.place;
  const auto add = [&](u64 v) { out = (out ^ v) * 0x9E3779B97F4A7C15u + (out >> 29); };
  for (u32 i = 0; i < 4; ++i) add(point.alive.word(i));
  add(point.least_started * 256u + point.most_started);
  for (const Interval v : values) add(u64{static_cast<u32>(v.lo)} << 32 | static_cast<u32>(v.hi));
  return out ^ out >> 32;
}

// The abstract state that is the work's at that place; kNone: none, and its entry would be `slot`.
u32 Flow::find_apart(PlaceId place, u32& slot) {
  Area& area = *areas_[from_];
  Point made = work_;
  made.place = place;
  const std::span<const Interval> values = work_row_.first(width_);
  const u32 mask = (1u << kKeyBits) - 1;
  slot = static_cast<u32>(key(made, values)) & mask;
  for (; slots_of_keys_[slot] != kNone; slot = (slot + 1) & mask) {
    const u32 at = slots_of_keys_[slot];
    const Point& other = area[at];
    if (other.place == place && other.alive == made.alive &&
        other.least_started == made.least_started && other.most_started == made.most_started &&
        std::equal(values.begin(), values.end(), area.row(at).begin())) {
      return at;
    }
  }
  return kNone;
}

void Flow::put_apart(PlaceId place) {
  Area& area = *areas_[from_];
  u32 slot = 0;
  if (find_apart(place, slot) != kNone) return;
  const u32 number = area.size();
  is_full_ = number == kApart || u64{number + 1} * width_ > most_cells_;
  if (is_full_) return;
  slots_of_keys_[slot] = number;
  Point made = work_;
  made.place = place;
  made.is_reached = true;
  area.add(made);
  copy(area.row(number), std::span<const Interval>(work_row_.first(width_)));
}

bool Flow::solve_apart() {
  is_full_ = false;
  start(*areas_[0]);
  for (u32 i = 0; i < areas_[0]->size() && !is_full_; ++i) leave(i);
  return !is_full_;
}

void Flow::solve() {
  const Proctype& type = s_.proctypes[one_->type];
  Area& area = *areas_[0];
  start(area);
  for (bool again = true; again;) {
    again = false;
    for (u32 i = 0; i < type.place_count; ++i) {
      const u32 at = order_[type.first_place + i] - type.first_place;
      Point& point = area[at];
      if (!point.is_pending) continue;
      point.is_pending = false;
      if (point.visits < 255) ++point.visits;
      leave(at);
      again = true;
    }
  }
}

// Once more from what was found, without widening.
void Flow::narrow() {
  if (is_shared_) return;
  is_narrowing_ = true;
  to_ = 1 - from_;
  start(*areas_[to_]);
  for (u32 i = 0; i < areas_[from_]->size(); ++i) {
    if ((*areas_[from_])[i].is_reached) leave(i);
  }
  from_ = to_;
  is_narrowing_ = false;
}

void Flow::contribute() {
  Area& area = *areas_[from_];
  contributes_ = true;
  for (u32 i = 0; i < area.size(); ++i) {
    if (!area[i].is_reached) continue;
    const std::span<const Interval> values = area.row(i);
    for (u32 j = 0; j < locals_; ++j) k_.join_value(*one_, j, values[j]);
    leave(i);
  }
  contributes_ = false;
}

void Flow::publish() {
  const Proctype& type = s_.proctypes[one_->type];
  one_->reached = scratch_table<u8>(k_.arena, type.place_count);
  one_->alive = scratch_table<u8>(k_.arena, u64{type.place_count} * 2);
  const u64 bytes = u64{type.place_count} * width_ * sizeof(Interval);
  if (bytes < k_.row_bytes && !is_shared_) {
    k_.row_bytes -= bytes;
    one_->rows = scratch_table<Interval>(k_.arena, u64{type.place_count} * width_);
  }
  Area& area = *areas_[from_];
  for (u32 i = 0; i < area.size(); ++i) {
    const Point& point = area[i];
    if (!point.is_reached) continue;
    const u32 at = point.place - type.first_place;
    Interval alive = point.alive.hull();
    if (one_->reached[at] != 0) {
      alive = ir::join(alive, {one_->alive[2 * at], one_->alive[2 * at + 1]});
    }
    one_->reached[at] = 1;
    one_->alive[2 * at] = static_cast<u8>(alive.lo);
    one_->alive[2 * at + 1] = static_cast<u8>(alive.hi);
    if (one_->rows.empty()) continue;
    for (u32 j = 0; j < width_; ++j) {
      Interval& into = one_->rows[std::size_t{at} * width_ + j];
      into = ir::join(into, area.row(i)[j]);
    }
  }
}

}  // namespace xmc::promela
