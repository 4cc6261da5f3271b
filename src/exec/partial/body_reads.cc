#include "exec/partial/body_reads.h"

#include <algorithm>

#include "ir/operands.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

using ir::Action;
using ir::BodyOp;

// What becomes of a routine's byte.
constexpr u8 kCalled = 1;
constexpr u8 kLookedAt = 2;

i64 number_of(u32 bits) { return static_cast<i32>(bits); }

}  // namespace

void BodyReads::body(u32 code, bool guard_only) {
  fill_zero(routines_);
  first_ = code;
  end_ = ir::end_of_body(p_, code);
  u32 end = code;
  while (end < end_ && !(guard_only && p_.actions[end].op == BodyOp::begin)) action(end++);
  parameters_ = {};
  routines();
  for (u32 i = code; i < end; ++i) {
    if (p_.actions[i].op == BodyOp::sort) sort(p_.actions[i]);
  }
}

// Those that are called, and what they call.
void BodyReads::routines() {
  bool more = true;
  while (more) {
    more = false;
    for (u32 i = 0; i < routines_.size(); ++i) {
      if (routines_[i] != kCalled) continue;
      routines_[i] = kLookedAt;
      more = true;
      first_ = p_.routines[i].code;
      end_ = ir::end_of_body(p_, first_);
      for (u32 at = first_; at < end_; ++at) action(at);
    }
  }
}

void BodyReads::action(u32 at) {
  const Action& x = p_.actions[at];
  switch (x.op) {
    case BodyOp::load:
      marks_[x.a] |= kRead;
      return;
    case BodyOp::store:
      marks_[x.a] |= kWritten;
      return;
    case BodyOp::load_at:
      return access(at, x.b, number_of(x.a), 1, kRead);
    case BodyOp::store_at:
      return access(at, x.b, number_of(x.a), 1, kWritten);
    case BodyOp::fill:
      return access(at, x.r, 0, x.c, kWritten);
    case BodyOp::copy:
      access(at, x.a, 0, x.c, kRead);
      return access(at, x.r, 0, x.c, kWritten);
    case BodyOp::call:
      if (routines_[x.a] == 0) routines_[x.a] = kCalled;
      return;
    default:
      return;
  }
}

void BodyReads::access(u32 at, u32 reg, i64 base, u32 count, u8 with) {
  Place place;
  place.base = base;
  const Kind kind = trace(at, reg, place);
  if (kind == Kind::leaf) return mark(place, count, with);
  if (kind == Kind::local) return;
  for (u8& leaf : marks_) leaf |= with;
}

// What is in register `reg` where action `at` uses it, added to `place`.
BodyReads::Kind BodyReads::trace(u32 at, u32 reg, Place& place) const {
  for (u32 i = at; i-- > first_;) {
    const Action& x = p_.actions[i];
    if (!may_set(i, reg)) continue;
    if (is_taken(reg) || !keeps(i, at, reg)) return Kind::anywhere;
    switch (x.op) {
      case BodyOp::constant:
        place.base += static_cast<i64>(u64{x.b} << 32 | x.a);
        return Kind::leaf;
      case BodyOp::address:
        return Kind::local;
      case BodyOp::index:
        return add_term(x, place) ? Kind::leaf : Kind::anywhere;
      case BodyOp::index_more:
        if (!add_term(x, place)) return Kind::anywhere;
        break;
      case BodyOp::offset:
        place.base += number_of(x.b);
        reg = x.a;
        break;
      case BodyOp::move:
        reg = x.a;
        break;
      default:
        return Kind::anywhere;
    }
    at = i;
  }
  return Kind::anywhere;
}

bool BodyReads::add_term(const Action& x, Place& place) const {
  if (is_parameter(x.a)) {
    place.base += (cells_[x.a] - number_of(x.b)) * i64{x.d};
    return true;
  }
  if (place.term_count == kMostTerms) return false;
  place.terms[place.term_count++] = {x.d, x.c};
  return true;
}

// Whether what action `from` puts into the register is what action `to` finds there. Control must
// not come to anything between them but from there; it may come back from behind, which then
// belongs to it.
bool BodyReads::keeps(u32 from, u32 to, u32 reg) const {
  u32 last = to;
  bool more = true;
  while (more) {
    more = false;
    for (u32 i = first_; i < end_; ++i) {
      const Action& x = p_.actions[i];
      if (!ir::is_jump(x.op) || x.a <= from || x.a > last) continue;
      if (i <= from) return false;
      if (i <= last) continue;
      last = i;
      more = true;
    }
  }
  const u32 end = last == to ? to : last + 1;
  for (u32 i = from + 1; i < end; ++i) {
    if (may_set(i, reg)) return false;
  }
  return true;
}

// A routine's registers begin where its caller says. What it does to others, it does by their
// addresses.
bool BodyReads::may_set(u32 at, u32 reg) const {
  const Action& x = p_.actions[at];
  if (x.op == BodyOp::call) return reg >= x.b;
  return ir::operands_of(x.op).writes_r && x.r == reg;
}

bool BodyReads::is_taken(u32 reg) const {
  for (u32 i = first_; i < end_; ++i) {
    const Action& x = p_.actions[i];
    if (x.op == BodyOp::address && reg >= x.a && reg - x.a < x.c) return true;
  }
  return false;
}

// Of the rule, and it stays what it is.
bool BodyReads::is_parameter(u32 reg) const {
  bool is = false;
  for (const ir::Parameter& q : parameters_) is = is || q.cell == reg;
  if (!is || is_taken(reg)) return false;
  for (u32 i = first_; i < end_; ++i) {
    if (may_set(i, reg)) return false;
  }
  return true;
}

// All digits are counted through, like an odometer.
void BodyReads::mark(const Place& place, u32 count, u8 with) {
  u32 digits[kMostTerms] = {};
  const i64 leaves = static_cast<i64>(marks_.size());
  while (true) {
    i64 at = place.base;
    for (u32 t = 0; t < place.term_count; ++t) at += i64{digits[t]} * place.terms[t].stride;
    for (i64 leaf = std::max<i64>(at, 0); leaf < std::min(at + count, leaves); ++leaf) {
      marks_[static_cast<std::size_t>(leaf)] |= with;
    }
    u32 t = 0;
    while (t < place.term_count && digits[t] + 1 >= place.terms[t].count) digits[t++] = 0;
    if (t == place.term_count) return;
    ++digits[t];
  }
}

// Only a multiset that is written is put in order again.
void BodyReads::sort(const Action& x) {
  const std::span<u8> elements = marks_.subspan(x.a, std::size_t{x.b} * x.c);
  const bool written =
      std::any_of(elements.begin(), elements.end(), [](u8 leaf) { return (leaf & kWritten) != 0; });
  if (!written) return;
  for (u8& leaf : elements) leaf |= kRead | kWritten;
}

}  // namespace xmc
