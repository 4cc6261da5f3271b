#include "exec/rules/body_judge.h"

#include <algorithm>

#include "xmc/binary_operation.h"
#include "xmc/check.h"

namespace xmc {

namespace {

using ir::Action;
using ir::BodyOp;
using ir::Failure;
using ir::kUndefined;

i64 number_of(u32 bits) { return static_cast<i32>(bits); }

}  // namespace

i64& BodyJudge::cell(u32 index) {
  XMC_CHECK(base_ + index < cells_.size());
  return cells_[base_ + index];
}

i64& BodyJudge::place(i64 address) {
  XMC_CHECK(address >= 0);
  const u64 at = static_cast<u64>(address);
  if (at < leaves_.size()) return leaves_[static_cast<std::size_t>(at)];
  XMC_CHECK(at - leaves_.size() < cells_.size());
  return cells_[static_cast<std::size_t>(at - leaves_.size())];
}

// False: withheld.
bool BodyJudge::fetch(i64 address, i64& out) {
  const i64& from = place(address);
  const bool watched = watch_ != nullptr && static_cast<u64>(address) < leaves_.size();
  if (watched && !watch_->read(static_cast<u32>(address))) {
    withheld_ = true;
    return false;
  }
  out = from;
  return true;
}

// A leaf of the state holds values of its type only, whatever the lowering thought of that.
void BodyJudge::put(i64 address, i64 value) {
  i64& to = place(address);
  if (static_cast<u64>(address) < leaves_.size()) {
    XMC_CHECK(begun_);
    const ir::Leaf& leaf = p_.leaves[static_cast<std::size_t>(address)];
    XMC_CHECK(!leaf.total || value != kUndefined);
    if (value != kUndefined && (value < leaf.lo || value > leaf.hi)) {
      misfit_ = true;
      culprit_ = value;
      return;
    }
    if (watch_ != nullptr) watch_->write(static_cast<u32>(address));
  }
  to = value;
}

bool BodyJudge::copy(i64 to, i64 from, u32 count) {
  for (u32 i = 0; i < count && !misfit_; ++i) {
    i64 value = 0;
    if (!fetch(from + i, value)) return false;
    put(to + i, value);
  }
  return !misfit_;
}

bool BodyJudge::index(const Action& x, i64& out) {
  culprit_ = cell(x.a);
  if (culprit_ == kUndefined) return false;
  const i64 digit = culprit_ - number_of(x.b);
  if (digit < 0 || digit >= static_cast<i64>(x.c)) return false;
  out += digit * static_cast<i64>(x.d);
  return true;
}

// What changes registers and places. False: it failed, or a leaf is withheld.
bool BodyJudge::assign(const Action& x) {
  switch (x.op) {
    case BodyOp::constant:
      cell(x.r) = static_cast<i64>(u64{x.b} << 32 | x.a);
      return true;
    case BodyOp::move:
      cell(x.r) = cell(x.a);
      return true;
    case BodyOp::load:
      return fetch(x.a, cell(x.r));
    case BodyOp::load_at:
      return fetch(number_of(x.a) + cell(x.b), cell(x.r));
    case BodyOp::store:
      put(x.a, cell(x.r));
      return !misfit_;
    case BodyOp::store_at:
      put(number_of(x.a) + cell(x.b), cell(x.r));
      return !misfit_;
    case BodyOp::address:
      cell(x.r) = static_cast<i64>(leaves_.size() + base_ + x.a);
      return true;
    case BodyOp::offset:
      cell(x.r) = cell(x.a) + number_of(x.b);
      return true;
    case BodyOp::copy:
      return copy(cell(x.r), cell(x.a), x.c);
    case BodyOp::fill: {
      const i64 to = cell(x.r);
      const i64 with = cell(x.b);
      for (u32 i = 0; i < x.c && !misfit_; ++i) put(to + i, with);
      return !misfit_;
    }
    default:
      return number(x);
  }
}

bool BodyJudge::number(const Action& x) {
  const i64 a = cell(x.a);
  i64 made = 0;
  culprit_ = a;
  switch (x.op) {
    case BodyOp::widen:
      made = a == kUndefined ? a : a + number_of(x.b);
      break;
    case BodyOp::narrow:
      made = a == kUndefined ? a : a - number_of(x.b);
      if (a != kUndefined && (made < 0 || made >= static_cast<i64>(x.c))) return false;
      break;
    case BodyOp::member:
      made = a != kUndefined && a >= number_of(x.b) && a <= number_of(x.c) ? 1 : 0;
      break;
    case BodyOp::is_undefined:
      made = a == kUndefined ? 1 : 0;
      break;
    case BodyOp::cut:
      XMC_CHECK(a != kUndefined);
      XMC_CHECK(x.b > 0);
      XMC_CHECK(x.b < 64);
      made = a & static_cast<i64>((u64{1} << x.b) - 1);
      if (x.c == 1 && (made >> (x.b - 1) & 1) != 0) made -= static_cast<i64>(u64{1} << x.b);
      break;
    case BodyOp::equal:
    case BodyOp::not_equal:
      made = (a == cell(x.b)) == (x.op == BodyOp::equal) ? 1 : 0;
      break;
    case BodyOp::negate:
    case BodyOp::bit_not:
    case BodyOp::logical_not:
      XMC_CHECK(a != kUndefined);
      made = x.op == BodyOp::negate ? -a : x.op == BodyOp::bit_not ? ~a : a == 0 ? 1 : 0;
      if (made == kUndefined) return false;
      break;
    default:
      XMC_CHECK(x.op >= BodyOp::multiply && x.op <= BodyOp::bit_or);
      XMC_CHECK(a != kUndefined);
      culprit_ = cell(x.b);
      XMC_CHECK(culprit_ != kUndefined);
      if (!arith64::apply(operator_of(x.op), a, culprit_, made)) return false;
  }
  cell(x.r) = made;
  return true;
}

bool BodyJudge::check(const Action& x) {
  culprit_ = cell(x.r);
  switch (x.op) {
    case BodyOp::defined:
      return culprit_ != kUndefined;
    case BodyOp::in_range:
      return culprit_ == kUndefined || (culprit_ >= number_of(x.a) && culprit_ <= number_of(x.b));
    case BodyOp::repeat:
      return ++cell(x.r) <= number_of(x.a);
    default:
      if (x.op == BodyOp::index) culprit_ = 0;
      return index(x, x.op == BodyOp::index ? (cell(x.r) = 0) : cell(x.r));
  }
}

bool BodyJudge::jumps(const Action& x) {
  const i64 r = x.op == BodyOp::jump ? 0 : cell(x.r);
  switch (x.op) {
    case BodyOp::jump:
      return true;
    case BodyOp::jump_zero:
      return r == 0;
    case BodyOp::jump_not_zero:
      return r != 0;
    case BodyOp::jump_above:
      return r > number_of(x.b);
    case BodyOp::jump_greater:
      return r > cell(x.b);
    default:
      XMC_CHECK(x.op == BodyOp::jump_less);
      return r < cell(x.b);
  }
}

bool BodyJudge::call(const Action& x, u32 back) {
  XMC_CHECK(x.a < p_.routines.size());
  const std::size_t base = base_ + x.b;
  if (depth_ == limits::kCallDepth || base + p_.routines[x.a].cells > cells_.size()) return false;
  frames_[depth_++] = {back, base_};
  base_ = base;
  return true;
}

// Whether element a comes before element b. False: withheld. Who watches takes it as given that
// free elements are alike.
bool BodyJudge::before(i64 a, i64 b, u32 size, bool& is) {
  i64 va = 0;
  i64 vb = 0;
  is = false;
  if (!fetch(a + size - 1, va) || !fetch(b + size - 1, vb)) return false;
  const bool free_a = va == kUndefined;
  const bool free_b = vb == kUndefined;
  is = free_b && !free_a;
  if (free_a != free_b || (free_a && watch_ != nullptr)) return true;
  for (u32 leaf = 0; leaf < size; ++leaf) {
    if (!fetch(a + leaf, va) || !fetch(b + leaf, vb)) return false;
    is = va < vb;
    if (va != vb) return true;
  }
  return true;
}

bool BodyJudge::swap(i64 a, i64 b, u32 size) {
  for (u32 leaf = 0; leaf < size; ++leaf) {
    i64 va = 0;
    i64 vb = 0;
    if (!fetch(a + leaf, va) || !fetch(b + leaf, vb)) return false;
    put(a + leaf, vb);
    put(b + leaf, va);
  }
  return !misfit_;
}

// Whether this body may have put the element out of its place.
bool BodyJudge::is_touched(i64 element, u32 size) const {
  if (watch_ == nullptr) return true;
  for (u32 leaf = 0; leaf < size; ++leaf) {
    if (watch_->is_written(static_cast<u32>(element) + leaf)) return true;
  }
  return false;
}

// Selection, where the machine has insertion. Who watches takes it as given that multisets were in
// order, so that neighbours which were not touched need not be read: the second one is no less than
// the first.
bool BodyJudge::sort(const Action& x) {
  const auto element = [&](u32 i) { return i64{x.a} + i64{i} * x.c; };
  for (u32 i = 0; i < x.b; ++i) {
    u32 least = i;
    bool fixed = !is_touched(element(i), x.c);
    for (u32 k = i + 1; k < x.b; ++k) {
      const bool after_fixed = fixed;
      fixed = !is_touched(element(k), x.c);
      if (fixed && after_fixed) continue;
      bool less = false;
      if (!before(element(k), element(least), x.c, less)) return false;
      if (less) least = k;
    }
    if (least != i && !swap(element(i), element(least), x.c)) return false;
  }
  return true;
}

// Whatever was begun is given up.
void BodyJudge::try_step(const Action& x) {
  XMC_CHECK(!source_.empty());
  XMC_CHECK(depth_ == 0);
  XMC_CHECK(x.b < p_.actions.size());
  attempt_ = &x;
  begun_ = false;
  std::copy(source_.begin(), source_.end(), leaves_.begin());
}

BodyJudge::End BodyJudge::stop(const Action& x, End end) {
  XMC_CHECK(!source_.empty());
  XMC_CHECK(depth_ == 0);
  XMC_CHECK(attempt_ != nullptr);
  XMC_CHECK(x.a == attempt_->a);
  XMC_CHECK(end == End::blamed || begun_);
  failed_ = &x;
  next_ = static_cast<u32>(&x - p_.actions.data()) + 1;
  if (end == End::yielded) begun_ = false;
  return end;
}

u32 BodyJudge::target(const Action& x) {
  const i64 r = cell(x.r);
  XMC_CHECK(r >= 0);
  XMC_CHECK(r < static_cast<i64>(x.b));
  const std::size_t at = x.a + static_cast<std::size_t>(r);
  XMC_CHECK(at < p_.jump_targets.size());
  return p_.jump_targets[at];
}

bool BodyJudge::remove(const Action& x) {
  const i64 element = cell(x.r);
  XMC_CHECK(element >= 0);
  XMC_CHECK(element < static_cast<i64>(x.b));
  const i64 from = i64{x.a} + element * x.c;
  const i64 end = i64{x.a} + i64{x.b} * x.c;
  if (!copy(from, from + x.c, static_cast<u32>(end - from - x.c))) return false;
  for (i64 at = end - x.c; at < end && !misfit_; ++at) put(at, 0);
  return !misfit_;
}

bool BodyJudge::insert(const Action& x) {
  const i64 element = cell(x.r);
  XMC_CHECK(element >= 0);
  XMC_CHECK(element < static_cast<i64>(x.b));
  for (i64 i = x.b; --i > element;) {
    const i64 to = i64{x.a} + i * x.c;
    if (!copy(to, to - x.c, x.c)) return false;
  }
  return true;
}

BodyJudge::End BodyJudge::run(u32 code, bool guard_only) {
  u32 next = code;
  while (true) {
    XMC_CHECK(next < p_.actions.size());
    const Action& x = p_.actions[next++];
    switch (x.op) {
      case BodyOp::index:
      case BodyOp::index_more:
      case BodyOp::defined:
      case BodyOp::in_range:
      case BodyOp::repeat:
        if (!check(x)) return fail(x);
        break;
      case BodyOp::jump:
      case BodyOp::jump_zero:
      case BodyOp::jump_not_zero:
      case BodyOp::jump_above:
      case BodyOp::jump_greater:
      case BodyOp::jump_less:
        if (!jumps(x)) break;
        if (x.a < next && !spend()) return unfinished(x);
        next = x.a;
        break;
      case BodyOp::call:
        if (!spend()) return unfinished(x);
        if (!call(x, next)) return fail(x);
        next = p_.routines[x.a].code;
        break;
      case BodyOp::leave:
        XMC_CHECK(depth_ > 0);
        --depth_;
        next = frames_[depth_].back;
        base_ = frames_[depth_].base;
        break;
      case BodyOp::begin:
        if (guard_only) return End::guarded;
        begun_ = true;
        break;
      case BodyOp::cover:
        break;
      case BodyOp::sort:
        if (!sort(x)) return fail(x);
        break;
      case BodyOp::remove:
        if (!remove(x)) return fail(x);
        break;
      case BodyOp::insert:
        if (!insert(x)) return fail(x);
        break;
      case BodyOp::jump_table:
        next = target(x);
        break;
      case BodyOp::attempt:
        try_step(x);
        break;
      case BodyOp::blame:
        return stop(x, End::blamed);
      case BodyOp::yield:
        return stop(x, End::yielded);
      case BodyOp::disabled:
        return End::disabled;
      case BodyOp::abandon:
        return End::abandoned;
      case BodyOp::end:
        return End::done;
      case BodyOp::result:
        value_ = cell(x.r);
        return End::value;
      case BodyOp::fail:
        return fail(x);
      default:
        if (!assign(x)) return fail(x);
    }
  }
}

}  // namespace xmc
