#include "lower/promela/facts/values.h"

#include <algorithm>

namespace xmc::promela {

using ir::Interval;

namespace {

constexpr Interval exactly(i32 value) { return {value, value}; }

// Both enumerations have them in the same order.
ir::Op plain(Op op) {
  static_assert(static_cast<u32>(Op::logical_or) - static_cast<u32>(Op::multiply) ==
                static_cast<u32>(ir::Op::logical_or) - static_cast<u32>(ir::Op::multiply));
  static_assert(static_cast<u32>(Op::equal) - static_cast<u32>(Op::multiply) ==
                static_cast<u32>(ir::Op::equal) - static_cast<u32>(ir::Op::multiply));
  return static_cast<ir::Op>(static_cast<u32>(op) - static_cast<u32>(Op::multiply) +
                             static_cast<u32>(ir::Op::multiply));
}

bool is_false(Interval v) { return v.single() && v.lo == 0; }
bool is_true(Interval v) { return !v.empty() && !v.contains(0); }

}  // namespace

u32 Values::type_of(const Reference& reference) const {
  if (reference.scope == Scope::remote) return reference.proctype;
  if (view_.type != kNone) return view_.type;
  for (u32 i = 0; i < k_.type_count; ++i) {
    const Proctype& type = s_.proctypes[i];
    if (reference.variable - type.first_variable < type.variable_count) return i;
  }
  return kNone;
}

const Frame& Values::frame(const Reference& reference) const {
  return reference.scope == Scope::global ? k_.cells.globals()
                                          : k_.cells.locals(type_of(reference));
}

u32 Values::column(const Reference& reference, u32 cell) const {
  if (view_.row.empty() || reference.scope == Scope::remote) return kNone;
  if (reference.scope == Scope::local) return cell;
  const std::span<const u32> columns = k_.tracked[view_.type].column_of;
  const u32 at = columns.empty() ? kNone : columns[cell];
  return at == kNone ? kNone : k_.cells.locals(view_.type).count() + at;
}

Interval Values::cell(const Reference& reference, u32 cell) {
  if (reference.scope == Scope::global && reader_ != nullptr) {
    reader_->reads[cell / 64] |= u64{1} << cell % 64;
  }
  const u32 at = column(reference, cell);
  if (at != kNone) return view_.row[at];
  if (reference.scope == Scope::global) return k_.global(cell);
  if (reader_ != nullptr) reader_->reads_others = true;
  const u32 type = type_of(reference);
  if (reference.scope == Scope::remote) return k_.remote(type, cell);
  const Instance* one = k_.find(view_.slot, type);
  return one == nullptr ? Interval{} : k_.life(*one).values[cell];
}

bool Values::resolve(const Reference& reference, Targets& out) {
  const Frame& of = frame(reference);
  const bool is_collapsed = k_.cells.is_collapsed(reference);
  out.count = 1;
  out.cells[0] = reference.leaf;
  for (u32 i = 0; i < reference.index_count; ++i) {
    const Index& index = s_.indexes[reference.first_index + i];
    const Interval at = ir::meet(value(index.value), {0, static_cast<i32>(index.bound) - 1});
    if (at.empty()) return false;
    if (is_collapsed) continue;
    const u32 before = out.count;
    out.count = 0;
    u32 leaves[Cells::kSpread];
    for (u32 j = 0; j < before; ++j) {
      for (i32 v = at.lo; v <= at.hi && out.count < Cells::kSpread; ++v) {
        leaves[out.count++] = out.cells[j] + static_cast<u32>(v) * index.stride;
      }
    }
    std::copy(leaves, leaves + out.count, out.cells);
  }
  for (u32 i = 0; i < out.count; ++i) out.cells[i] = of.cell_of[out.cells[i]];
  out.is_strong = out.count == 1 && of.leaves[out.cells[0]] == 1;
  return true;
}

bool Values::index_may_fail(const Reference& reference) {
  for (u32 i = 0; i < reference.index_count; ++i) {
    const Index& index = s_.indexes[reference.first_index + i];
    const Interval at = value(index.value);
    if (at.empty() || !at.inside(0, static_cast<i32>(index.bound) - 1)) return true;
    if (may_fail(index.value)) return true;
  }
  return reference.pid != kNone && may_fail(reference.pid);
}

Interval Values::load(const Reference& reference) {
  if (reference.scope == Scope::nowhere) return exactly(0);
  Targets targets;
  if (!resolve(reference, targets)) return {};
  Interval out;
  for (u32 i = 0; i < targets.count; ++i) out = ir::join(out, cell(reference, targets.cells[i]));
  return out;
}

Interval Values::queue(const Expr& node) {
  const Numbers numbers = channels(node.a);
  i32 most = -1;
  for (u32 n = numbers.next(1); n != kNone; n = numbers.next(n + 1)) {
    for (u32 i = 0; i < k_.form_count; ++i) {
      if (!k_.can_have_form(n, i)) continue;
      most = std::max(most, static_cast<i32>(s_.channels[i].capacity));
    }
  }
  if (most < 0) return {};
  return node.op == Op::length ? Interval{0, most} : ir::kTruth;
}

Interval Values::combined(const Expr& node) {
  const Interval a = value(node.a);
  if (a.empty()) return a;
  if (node.op == Op::logical_and && is_false(a)) return exactly(0);
  if (node.op == Op::logical_or && is_true(a)) return exactly(1);
  const Interval b = value(node.b);
  if (node.op == Op::logical_and || node.op == Op::logical_or) {
    const bool both = node.op == Op::logical_and;
    if (b.empty()) return is_true(a) || is_false(a) ? b : exactly(both ? 0 : 1);
    if (both) return {is_true(a) && is_true(b) ? 1 : 0, is_false(b) ? 0 : 1};
    return {is_true(b) ? 1 : 0, is_false(a) && is_false(b) ? 0 : 1};
  }
  if (b.empty()) return b;
  if ((node.op == Op::divide || node.op == Op::modulo) && is_false(b)) return {};
  return ir::apply_binary(plain(node.op), a, b);
}

Interval Values::value(ExprId id) {
  const Expr& node = s_.expressions[id];
  switch (node.op) {
    case Op::literal:
      return exactly(node.value);
    case Op::load:
      return load(s_.references[node.a]);
    case Op::negate:
    case Op::bit_not:
    case Op::logical_not: {
      const Interval a = value(node.a);
      if (a.empty()) return a;
      const ir::Op op = node.op == Op::negate    ? ir::Op::negate
                        : node.op == Op::bit_not ? ir::Op::bit_not
                                                 : ir::Op::logical_not;
      return ir::apply_unary(op, a);
    }
    case Op::conditional: {
      const Interval a = value(node.a);
      if (a.empty()) return a;
      if (is_false(a)) return value(node.c);
      return is_true(a) ? value(node.b) : ir::join(value(node.b), value(node.c));
    }
    case Op::run:
      has_run_ = true;
      // Where none fits Flow::create() finds out.
      return processes();
    case Op::length:
    case Op::is_empty:
    case Op::is_not_empty:
    case Op::is_full:
    case Op::is_not_full:
      return queue(node);
    case Op::own_pid:
      if (view_.slot < kClaim) return exactly(static_cast<i32>(view_.slot));
      return ir::kEverything;
    case Op::process_count: {
      Interval out = processes();
      if (has_run_) ++out.hi;
      return out;
    }
    case Op::last_pid:
      return {0, static_cast<i32>(k_.most_alive) - 1};
    case Op::own_priority:
      return k_.priorities;
    case Op::priority_of:
      return ir::join(k_.priorities, exactly(0));
    case Op::poll:
    case Op::timeout:
    case Op::no_progress:
    case Op::enabled:
    case Op::at_label:
      return ir::kTruth;
    default:
      return combined(node);
  }
}

Numbers Values::channels(ExprId id) {
  const Expr& node = s_.expressions[id];
  Numbers out;
  Targets targets;
  if (node.op != Op::load || s_.references[node.a].scope == Scope::nowhere) {
    out.add(value(id));
  } else if (resolve(s_.references[node.a], targets)) {
    for (u32 i = 0; i < targets.count; ++i) {
      out.add(cell(s_.references[node.a], targets.cells[i]));
    }
  }
  return out;
}

// Whether a message of so many fields fits into the channel; a poll may ask for fewer.
bool Values::can_carry(u32 number, u32 fields) const {
  for (u32 i = 0; i < k_.form_count; ++i) {
    if (k_.can_have_form(number, i) && s_.channels[i].field_count == fields) return true;
  }
  return false;
}

Interval Values::message(u32 number, u32 field) {
  if (reader_ != nullptr) reader_->receives.add(number);
  return k_.message(number, field);
}

}  // namespace xmc::promela
