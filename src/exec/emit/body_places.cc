#include "exec/emit/body_places.h"

#include <algorithm>

#include "ir/operands.h"
#include "xmc/scratch.h"

namespace xmc {

using ir::Action;
using ir::BodyOp;

BodyPlaces::BodyPlaces(std::span<const Action> actions, std::span<const u32> jump_targets,
                       u32 registers, Arena& arena)
    : actions_(actions),
      jump_targets_(jump_targets),
      arena_(arena),
      is_target_(scratch_array<u8>(arena, "emitter", actions.size(), 0)),
      loops_(scratch_array<u32>(arena, "emitter", actions.size(), kNone)),
      taken_(scratch_array<u8>(arena, "emitter", registers, 0)),
      met_(scratch_array<Met>(arena, "emitter", actions.size(), {})),
      found_(scratch_array<u32>(arena, "emitter", actions.size(), kNone)),
      places_(arena, "emitter") {
  find_targets();
  for (u32 i = 0; i < actions_.size(); ++i) {
    enter(i);
    note(i);
    leave(i);
  }
}

void BodyPlaces::find_targets() {
  for (u32 i = 0; i < actions_.size(); ++i) {
    const Action& x = actions_[i];
    if (x.op == BodyOp::address) std::fill_n(taken_.subspan(x.a).begin(), x.c, u8{1});
    ir::each_target(jump_targets_, x, [&](u32 target) {
      is_target_[target] = 1;
      if (target <= i) loops_[target] = i;
    });
  }
}

BodyPlace BodyPlaces::in(u32 reg) const {
  for (u32 i = 0; i < count_; ++i) {
    if (now_[i].reg == reg) return now_[i].place;
  }
  return {};
}

void BodyPlaces::forget(u32 reg) {
  for (u32 i = 0; i < count_; ++i) {
    if (now_[i].reg != reg) continue;
    now_[i] = now_[--count_];
    return;
  }
}

void BodyPlaces::forget_digit(u32 action) {
  for (u32 i = 0; i < count_;) {
    if (now_[i].place.depends_on(action)) {
      now_[i] = now_[--count_];
    } else {
      ++i;
    }
  }
}

void BodyPlaces::set(u32 reg, const BodyPlace& place) {
  forget(reg);
  if (place.kind == BodyPlace::Kind::unknown || taken_[reg] != 0 || count_ == kKnown) return;
  now_[count_++] = {reg, place};
}

// What jumps back to `head` may have changed. Loops that overlap count as one.
void BodyPlaces::forget_loop(u32 head) {
  u32 last = loops_[head];
  for (u32 i = head; i <= last; ++i) {
    if (loops_[i] != kNone) last = std::max(last, loops_[i]);
    const Action& x = actions_[i];
    if (ir::operands_of(x.op).writes_r) forget(x.r);
    if (x.op == BodyOp::index || x.op == BodyOp::index_more) forget_digit(i);
    if (x.op == BodyOp::call) count_ = 0;
  }
}

void BodyPlaces::agree(const Met& other) {
  for (u32 i = 0; i < count_;) {
    const std::span<const Entry> there(other.entries, other.count);
    const bool same = std::any_of(there.begin(), there.end(), [&](const Entry& e) {
      return e.reg == now_[i].reg && e.place == now_[i].place;
    });
    if (same) {
      ++i;
    } else {
      now_[i] = now_[--count_];
    }
  }
}

// A jump goes forward to `target` with what is known here.
void BodyPlaces::meet(u32 target) {
  Met& met = met_[target];
  Entry here[kKnown];
  const u32 count = count_;
  std::copy_n(now_, count, here);
  if (met.reached) {
    agree(met);
  } else {
    met.entries = scratch_array<Entry>(arena_, "emitter", count).data();
  }
  met.reached = true;
  met.count = count_;
  std::copy_n(now_, count_, met.entries);
  count_ = count;
  std::copy_n(here, count, now_);
}

void BodyPlaces::enter(u32 at) {
  const Met& met = met_[at];
  if (met.reached && reached_) agree(met);
  if (met.reached && !reached_) {
    count_ = met.count;
    std::copy_n(met.entries, met.count, now_);
  }
  reached_ = reached_ || met.reached;
  if (loops_[at] != kNone) forget_loop(at);
}

void BodyPlaces::note(u32 at) {
  const Action& x = actions_[at];
  found_[at] = places_.size();
  switch (x.op) {
    case BodyOp::load_at:
    case BodyOp::store_at:
      places_.push(in(x.b).plus(static_cast<i32>(x.a)));
      break;
    case BodyOp::fill:
      places_.push(in(x.r));
      break;
    case BodyOp::copy:
      places_.push(in(x.r));
      places_.push(in(x.a));
      break;
    default:
      break;
  }
}

BodyPlace BodyPlaces::index(u32 at, const BodyPlace& before) const {
  const Action& x = actions_[at];
  BodyPlace place = before;
  const bool again = place.depends_on(at);
  if (place.kind == BodyPlace::Kind::unknown || place.term_count == BodyPlace::kTerms || again) {
    return {};
  }
  place.terms[place.term_count++] = {at, x.d, x.c};
  return place;
}

void BodyPlaces::leave(u32 at) {
  const Action& x = actions_[at];
  BodyPlace made;
  switch (x.op) {
    case BodyOp::constant: {
      const i64 value = static_cast<i64>(u64{x.b} << 32 | x.a);
      if (value >= 0) made = BodyPlace::leaf(value);
      break;
    }
    case BodyOp::address:
      made = BodyPlace::cell(x.a, x.c);
      break;
    case BodyOp::move:
      made = in(x.a);
      break;
    case BodyOp::offset:
      made = in(x.a);
      made.base += static_cast<i32>(x.b);
      break;
    case BodyOp::index:
      made = index(at, BodyPlace::leaf(0));
      forget_digit(at);
      break;
    case BodyOp::index_more:
      made = index(at, in(x.r));
      forget_digit(at);
      break;
    case BodyOp::call:
      count_ = 0;
      break;
    default:
      break;
  }
  if (ir::operands_of(x.op).writes_r) set(x.r, made);
  // An error comes from anywhere behind an attempt.
  const u32 known = count_;
  if (x.op == BodyOp::attempt) count_ = 0;
  ir::each_target(jump_targets_, x, [&](u32 target) {
    if (target > at) meet(target);
  });
  count_ = known;
  if (ir::is_last(x.op)) reached_ = false;
  if (!reached_) count_ = 0;
}

}  // namespace xmc
