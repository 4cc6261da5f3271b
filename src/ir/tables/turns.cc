#include "ir/tables/turns.h"

namespace xmc::ir {

namespace {

using Kind = Condition::Kind;
using Write = CellWrite::Kind;

// Whether some value of the interval compares so.
bool some(Op op, Interval values, i32 with) {
  return !values.empty() && !restrict_left(op, values, {with, with}).empty();
}

Interval shifted(Interval a, i32 by) {
  const i64 lo = i64{a.lo} + by;
  const i64 hi = i64{a.hi} + by;
  if (lo < kEverything.lo || hi > kEverything.hi) return kEverything;
  return {static_cast<i32>(lo), static_cast<i32>(hi)};
}

}  // namespace

Turns::Turns(StepFacts& facts) : f_(facts) {
  before_ = scratch_array<Interval>(f_.arena, StepFacts::kName, f_.hull.size());
  known_ = scratch_array<u32>(f_.arena, StepFacts::kName, f_.hull.size());
}

void Turns::load(const StepFact& step) {
  step_ = &step;
  ++round_;
  for (u32 i = 0; i < step.before.count; ++i) {
    const CellBefore& b = f_.before[step.before.first + i];
    known_[b.cell] = round_;
    before_[b.cell] = b.values;
  }
}

// Whether this write can make `cell op value` true where it is false.
bool Turns::write_turns(const CellWrite& w, u32 cell, Op op, i32 value) const {
  const Interval false_before = restrict_left(negate_comparison(op), before(cell), {value, value});
  if (false_before.empty()) return false;
  if (w.kind == Write::change) return some(op, shifted(false_before, w.lo), value);
  return some(op, w.kind == Write::constant ? Interval{w.lo, w.lo} : Interval{w.lo, w.hi}, value);
}

bool Turns::compare_turns(u32 cell, Op op, i32 value) const {
  for (u32 i = 0; i < step_->writes.count; ++i) {
    const CellWrite& w = f_.writes[step_->writes.first + i];
    if (cell - w.cells.first < w.cells.count && write_turns(w, cell, op, value)) return true;
  }
  return false;
}

void Turns::write_moves(const CellWrite& w, const ConditionInput& input, bool& up,
                        bool& down) const {
  const u32 first = std::max(w.cells.first, input.cells.first);
  const u32 end = std::min(w.cells.first + w.cells.count, input.cells.first + input.cells.count);
  for (u32 cell = first; input.test && cell < end; ++cell) {
    up = up || write_turns(w, cell, Op::equal, input.value);
    down = down || write_turns(w, cell, Op::not_equal, input.value);
  }
  if (input.test) return;
  if (w.kind == Write::change) {
    up = up || w.lo > 0;
    down = down || w.lo < 0;
    return;
  }
  const i32 hi = w.kind == Write::constant ? w.lo : w.hi;
  for (u32 cell = first; cell < end && !(up && down); ++cell) {
    const Interval b = before(cell);
    up = up || hi > b.lo;
    down = down || w.lo < b.hi;
  }
}

void Turns::input_moves(const ConditionInput& input, bool& grows, bool& shrinks) const {
  bool up = false;
  bool down = false;
  for (u32 i = 0; i < step_->writes.count && !(up && down); ++i) {
    const CellWrite& w = f_.writes[step_->writes.first + i];
    const bool meets = w.cells.first < input.cells.first + input.cells.count &&
                       input.cells.first < w.cells.first + w.cells.count;
    if (meets) write_moves(w, input, up, down);
  }
  if (input.sign >= 0) {
    grows = grows || up;
    shrinks = shrinks || down;
  }
  if (input.sign <= 0) {
    grows = grows || down;
    shrinks = shrinks || up;
  }
}

void Turns::moves(const Condition& c, bool& grows, bool& shrinks) const {
  for (u32 i = 0; i < c.count && !(grows && shrinks); ++i)
    input_moves(f_.inputs[c.first + i], grows, shrinks);
}

// A write to the cell alone is made in any case; one to several cells may leave it as it is.
Interval Turns::after(u32 cell) const {
  Interval values;
  bool is_written = false;
  for (u32 i = 0; i < step_->writes.count; ++i) {
    const CellWrite& w = f_.writes[step_->writes.first + i];
    if (cell - w.cells.first >= w.cells.count) continue;
    is_written = is_written || w.cells.count == 1;
    if (w.kind == Write::change) {
      values = join(values, shifted(before(cell), w.lo));
    } else {
      values = join(values, {w.lo, w.kind == Write::constant ? w.lo : w.hi});
    }
  }
  return is_written ? values : join(values, before(cell));
}

bool Turns::is_surely(u32 condition, bool truth, When when) const {
  const Condition& c = f_.conditions[condition];
  switch (c.kind) {
    case Kind::constant:
      return (c.value != 0) == truth;
    case Kind::compare: {
      const Op against = truth ? negate_comparison(c.op) : c.op;
      return !some(against, when == When::before ? before(c.cell) : after(c.cell), c.value);
    }
    case Kind::all_of:
    case Kind::any_of: {
      const bool every = (c.kind == Kind::all_of) == truth;
      for (u32 i = 0; i < c.count; ++i) {
        if (is_surely(f_.parts[c.first + i], truth, when) != every) return !every;
      }
      return every;
    }
    default:
      return false;
  }
}

bool Turns::turns(u32 condition, bool to) const {
  const Condition& c = f_.conditions[condition];
  switch (c.kind) {
    case Kind::constant:
      return false;
    case Kind::compare:
      return compare_turns(c.cell, to ? c.op : negate_comparison(c.op), c.value);
    case Kind::unhindered: {
      for (u32 i = 0; i < step_->parts.count; ++i) {
        const StepPartner& p = step_->parts.partners[i];
        const u8* const committed = f_.committed.data() + f_.processes[p.process].first_location;
        if (to ? committed[p.source] != 0 && committed[p.target] == 0
               : committed[p.source] == 0 && committed[p.target] != 0)
          return true;
      }
      return false;
    }
    case Kind::quiet:
      return true;
    case Kind::balance:
    case Kind::rest:
    case Kind::opaque: {
      bool grows = false;
      bool shrinks = false;
      moves(c, grows, shrinks);
      const Op op = to ? c.op : negate_comparison(c.op);
      if (c.of_element) return op == Op::equal ? grows : shrinks;
      if (c.kind != Kind::balance || op == Op::equal || op == Op::not_equal)
        return grows || shrinks;
      return op == Op::greater || op == Op::greater_equal ? grows : shrinks;
    }
    default:
      break;
  }
  if (is_surely(condition, to, When::before) || is_surely(condition, !to, When::after))
    return false;
  // A part that stays as it is may decide the whole.
  const bool decides = c.kind == Kind::any_of;
  bool any = false;
  for (u32 i = 0; i < c.count; ++i) {
    const u32 part = f_.parts[c.first + i];
    const bool turned = turns(part, to);
    any = any || turned;
    if ((decides == to || !turned) && is_surely(part, decides, When::before)) return false;
  }
  return any;
}

}  // namespace xmc::ir
