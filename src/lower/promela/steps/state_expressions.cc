#include "lower/promela/steps/state_expressions.h"

#include "xmc/scratch.h"

namespace xmc::promela_lower {

using ir::Interval;
using promela::ExprId;
using promela::Op;

namespace {

constexpr const char* kTables = "step tables";  // of memory
constexpr u32 kMostExpressions = 4096;

// Both lists of operators have the same order.
ir::Op mapped(Op op) {
  return static_cast<ir::Op>(static_cast<u32>(ir::Op::negate) + static_cast<u32>(op) -
                             static_cast<u32>(Op::negate));
}
static_assert(static_cast<u32>(Op::logical_or) - static_cast<u32>(Op::negate) ==
              static_cast<u32>(ir::Op::logical_or) - static_cast<u32>(ir::Op::negate));

}  // namespace

StateExpressions::StateExpressions(const promela::System& system, const promela::Facts& facts,
                                   const Slots& slots, const ir::RuleProgram& program,
                                   std::span<const u32> cells, Arena& arena)
    : s_(system),
      facts_(facts),
      slots_(slots),
      p_(program),
      cells_(cells),
      exprs_(arena, kTables),
      ranges_(arena, kTables) {
  variable_of_ = scratch_array<u32>(arena, kTables, p_.initial_values.size());
  for (u32 i = 0; i < p_.variables.size(); ++i) {
    const ir::Variable& v = p_.variables[i];
    for (u32 k = 0; k < v.size; ++k) variable_of_[v.first_initial + k] = i;
  }
}

std::span<ir::Expr> StateExpressions::carve(Arena& arena) const {
  const std::span<ir::Expr> out = arena.carve_array<ir::Expr>(kTables, exprs_.size());
  for (u32 i = 0; i < exprs_.size(); ++i) out[i] = exprs_[i];
  return out;
}

std::span<ir::Process> StateExpressions::carve_processes(u32 more, Arena& arena) const {
  const auto out = arena.carve_array<ir::Process>(kTables, u64{slots_.count()} + more);
  for (u32 q = 0; q < slots_.count(); ++q) {
    out[q].location = variable_of_[cells_[slots_.slot(q).place]];
    out[q].location_count = slots_.slot(q).codes;
  }
  return out;
}

u32 StateExpressions::push(const ir::Expr& e, Interval range) {
  for (u32 i = 0; i < exprs_.size(); ++i) {
    if (exprs_[i].op == e.op && exprs_[i].a == e.a && exprs_[i].b == e.b) return i;
  }
  if (exprs_.size() == kMostExpressions) return kNone;
  ranges_.push(range);
  return exprs_.push(e);
}

u32 StateExpressions::constant(i32 value) {
  return push({.op = ir::Op::constant, .a = static_cast<u32>(value)}, {value, value});
}

u32 StateExpressions::unary(ir::Op op, u32 a) {
  if (a == kNone) return kNone;
  const Interval range = ir::apply_unary(op, ranges_[a]);
  const bool may_fail = exprs_[a].may_fail;
  if (range.single() && !may_fail) return constant(range.lo);
  return push({.op = op, .may_fail = may_fail, .a = a}, range);
}

// What an operand that changes nothing leaves; kNone: there is none.
u32 StateExpressions::simplified(ir::Op op, u32 a, u32 b) const {
  const auto is = [&](u32 id, i32 value) { return ranges_[id] == Interval{value, value}; };
  const auto is_truth = [&](u32 id) { return ranges_[id].inside(0, 1); };
  switch (op) {
    case ir::Op::add:
      return is(b, 0) ? a : is(a, 0) ? b : kNone;
    case ir::Op::multiply:
      return is(b, 1) ? a : is(a, 1) ? b : kNone;
    case ir::Op::logical_and:
      return is(b, 1) && is_truth(a) ? a : is(a, 1) && is_truth(b) ? b : kNone;
    case ir::Op::logical_or:
      return is(b, 0) && is_truth(a) ? a : is(a, 0) && is_truth(b) ? b : kNone;
    default:
      return kNone;
  }
}

u32 StateExpressions::binary(ir::Op op, u32 a, u32 b) {
  if (a == kNone || b == kNone) return kNone;
  const u32 simple = simplified(op, a, b);
  const bool can_fail = exprs_[a].may_fail || exprs_[b].may_fail;
  if (simple != kNone && !can_fail) return simple;
  const bool divides = op == ir::Op::divide || op == ir::Op::modulo;
  const bool check = divides && ranges_[b].contains(0);
  const bool may_fail = check || can_fail;
  const Interval range = check ? ir::kEverything : ir::apply_binary(op, ranges_[a], ranges_[b]);
  if (range.single() && !may_fail) return constant(range.lo);
  return push({.op = op, .may_fail = may_fail, .check = check, .a = a, .b = b}, range);
}

u32 StateExpressions::cell(u32 leaf) {
  const u32 variable = variable_of_[cells_[leaf]];
  const ir::Variable& v = p_.variables[variable];
  if (v.lo == v.hi) return constant(v.lo);
  return push({.op = ir::Op::load, .a = variable, .b = cells_[leaf] - v.first_initial},
              {v.lo, v.hi});
}

u32 StateExpressions::at(u32 slot, u32 code) {
  return push({.op = ir::Op::at, .a = slot, .b = code}, ir::kTruth);
}

u32 StateExpressions::nobody_is(bool (*there)(const promela::Place&)) {
  u32 count = constant(0);
  for (u32 q = 0; q < slots_.count(); ++q) {
    const Slot& slot = slots_.slot(q);
    for (u32 i = 0; i < slot.type_count; ++i) {
      const promela::Proctype& type = s_.proctypes[slots_.type(slot.first_type + i).proctype];
      for (u32 k = 0; k < type.place_count; ++k) {
        const u32 code = slots_.code(q, type.first_place + k);
        if (code != 0 && there(s_.places[type.first_place + k]))
          count = binary(ir::Op::add, count, at(q, code));
      }
    }
  }
  return binary(ir::Op::equal, count, constant(0));
}

// --- Processes ---

bool StateExpressions::is_surely(const SlotType& type) const {
  const Slot& slot = slots_.slot(type.slot);
  return slot.is_always_there && slot.type_count == 1;
}

u32 StateExpressions::is_of(const SlotType& type) {
  if (is_surely(type)) return constant(1);
  const u32 place = cell(slots_.slot(type.slot).place);
  return both(binary(ir::Op::greater_equal, place, constant(static_cast<i32>(type.first_code))),
              binary(ir::Op::less_equal, place, constant(static_cast<i32>(type.last_code))));
}

// of(type) for the process that a remote reference means, 0 where there is none of that type:
// without a number it is the first one.
template <class Of>
u32 StateExpressions::of_process(ExprId pid, u32 proctype, Of of) {
  u32 out = constant(0);
  const u32 number = pid == kNone ? kNone : value(pid);
  if (pid != kNone && (number == kNone || exprs_[number].may_fail)) return kNone;
  for (u32 q = slots_.count(); q-- > 0;) {
    const u32 index = slots_.find_type(q, proctype);
    if (index == kNone) continue;
    const SlotType& type = slots_.type(index);
    u32 is = is_of(type);
    if (pid != kNone) is = both(binary(ir::Op::equal, number, constant(static_cast<i32>(q))), is);
    const u32 here = binary(ir::Op::multiply, is, of(type));
    out = binary(ir::Op::add, here, binary(ir::Op::multiply, negation(is), out));
  }
  return out;
}

u32 StateExpressions::remote(const promela::Reference& r) {
  if (r.index_count != 0) return kNone;
  return of_process(r.pid, r.proctype,
                    [&](const SlotType& type) { return cell(slots_.cell(type, r.leaf)); });
}

// Where it is a number of one process, or the only one of its type, a place is all there is to it.
u32 StateExpressions::at_label(const promela::Expr& e) {
  const promela::PlaceId place = s_.labels[e.b].at;
  const auto is_there = [&](const SlotType& type) {
    const u32 code = place == kNone ? 0 : slots_.code(type.slot, place);
    return code == 0 ? constant(0) : at(type.slot, code);
  };
  u32 out = constant(0);
  const u32 number = e.a == kNone ? kNone : value(e.a);
  if (e.a != kNone && (number == kNone || exprs_[number].may_fail)) return kNone;
  for (u32 q = slots_.count(); q-- > 0;) {
    const u32 index = slots_.find_type(q, e.c);
    if (index == kNone) continue;
    const SlotType& type = slots_.type(index);
    u32 here = is_there(type);
    u32 others = out;
    if (e.a == kNone) {
      others = both(negation(is_of(type)), out);
    } else {
      here = both(binary(ir::Op::equal, number, constant(static_cast<i32>(q))), here);
    }
    out = either(here, others);
  }
  return out;
}

// Processes are dense.
u32 StateExpressions::process_count() {
  u32 out = constant(0);
  for (u32 q = 0; q < slots_.count(); ++q) {
    const u32 is_there = binary(ir::Op::not_equal, cell(slots_.slot(q).place), constant(0));
    out = binary(ir::Op::add, out, is_there);
  }
  return out;
}

// --- Values ---

// One index, into all elements of a column.
u32 StateExpressions::element(const promela::Reference& r) {
  const promela::Index& index = s_.indexes[r.first_index];
  const u32 first = cells_[r.leaf];
  const u32 variable = variable_of_[first];
  const ir::Variable& v = p_.variables[variable];
  if (v.first_initial != first || v.size != index.bound) return kNone;
  for (u32 i = 0; i < index.bound; ++i) {
    if (cells_[r.leaf + i * index.stride] != first + i) return kNone;
  }
  const u32 at = value(index.value);
  if (at == kNone) return kNone;
  const bool check = !ranges_[at].inside(0, static_cast<i32>(index.bound) - 1);
  const bool may_fail = check || exprs_[at].may_fail;
  return push({.op = ir::Op::element, .may_fail = may_fail, .check = check, .a = variable, .b = at},
              {v.lo, v.hi});
}

u32 StateExpressions::load(const promela::Reference& r) {
  if (r.scope == promela::Scope::nowhere) return constant(0);
  if (r.scope == promela::Scope::remote) return remote(r);
  if (r.scope != promela::Scope::global) return kNone;
  u32 leaf = r.leaf;
  for (u32 i = 0; i < r.index_count; ++i) {
    const promela::Index& index = s_.indexes[r.first_index + i];
    const promela::Expr& e = s_.expressions[index.value];
    const bool is_known =
        e.op == Op::literal && e.value >= 0 && static_cast<u32>(e.value) < index.bound;
    if (!is_known) return r.index_count == 1 ? element(r) : kNone;
    leaf += static_cast<u32>(e.value) * index.stride;
  }
  return cell(leaf);
}

// A channel of globals that is always the same one, with room for messages; null: it is another.
const ChannelSlot* StateExpressions::channel(ExprId id) const {
  const promela::Expr& e = s_.expressions[id];
  if (e.op != Op::load || s_.references[e.a].scope != promela::Scope::global) return nullptr;
  const promela::Reference& r = s_.references[e.a];
  u32 leaf = r.leaf;
  for (u32 i = 0; i < r.index_count; ++i) {
    const promela::Index& index = s_.indexes[r.first_index + i];
    const promela::Expr& at = s_.expressions[index.value];
    if (at.op != Op::literal || at.value < 0 || static_cast<u32>(at.value) >= index.bound)
      return nullptr;
    leaf += static_cast<u32>(at.value) * index.stride;
  }
  const Interval number = facts_.global(leaf);
  if (!number.single() || number.lo < 1 || static_cast<u32>(number.lo) > slots_.static_channels())
    return nullptr;
  const ChannelSlot& slot = slots_.channel(static_cast<u32>(number.lo));
  return slot.length == kNone ? nullptr : &slot;
}

// The first message matches, or with `value` any of them.
u32 StateExpressions::poll(const promela::Expr& e) {
  const ChannelSlot* const slot = channel(e.a);
  if (slot == nullptr) return kNone;
  const promela::ChannelForm& form = s_.channels[slots_.form(*slot, 0)];
  if (e.c > form.field_count) return kNone;
  const u32 length = cell(slot->length);
  u32 out = constant(0);
  for (u32 k = e.value != 0 ? form.capacity : 1; k-- > 0;) {
    u32 one = binary(ir::Op::greater, length, constant(static_cast<i32>(k)));
    for (u32 i = 0; i < e.c; ++i) {
      const promela::Pattern& pattern = s_.patterns[e.b + i];
      if (pattern.kind != promela::PatternKind::match) continue;
      const u32 field = cell(slot->cells + k * form.field_count + i);
      one = both(one, binary(ir::Op::equal, field, value(pattern.value)));
    }
    out = either(one, out);
  }
  return out;
}

u32 StateExpressions::queue(const promela::Expr& e) {
  const ChannelSlot* const found = channel(e.a);
  if (found == nullptr) return kNone;
  const ChannelSlot& slot = *found;
  const u32 length = cell(slot.length);
  const u32 capacity = constant(static_cast<i32>(s_.channels[slots_.form(slot, 0)].capacity));
  switch (e.op) {
    case Op::is_empty:
      return binary(ir::Op::equal, length, constant(0));
    case Op::is_not_empty:
      return binary(ir::Op::greater, length, constant(0));
    case Op::is_full:
      return binary(ir::Op::greater_equal, length, capacity);
    case Op::is_not_full:
      return binary(ir::Op::less, length, capacity);
    default:
      return length;
  }
}

u32 StateExpressions::value(ExprId id) {
  const promela::Expr& e = s_.expressions[id];
  switch (e.op) {
    case Op::literal:
      return constant(e.value);
    case Op::load:
      return load(s_.references[e.a]);
    case Op::negate:
    case Op::bit_not:
    case Op::logical_not:
      return unary(mapped(e.op), value(e.a));
    case Op::logical_and:
    case Op::logical_or:
      return truth(id);
    case Op::length:
    case Op::is_empty:
    case Op::is_not_empty:
    case Op::is_full:
    case Op::is_not_full:
      return queue(e);
    case Op::poll:
      return poll(e);
    case Op::process_count:
      return process_count();
    case Op::last_pid:
      return cell(slots_.last_pid());
    case Op::at_label:
      return at_label(e);
    default:
      return e.op >= Op::multiply && e.op <= Op::bit_or
                 ? binary(mapped(e.op), value(e.a), value(e.b))
                 : kNone;
  }
}

u32 StateExpressions::truth(ExprId id) {
  const promela::Expr& e = s_.expressions[id];
  switch (e.op) {
    case Op::logical_not:
      return negation(truth(e.a));
    case Op::logical_and:
      return both(truth(e.a), truth(e.b));
    case Op::logical_or:
      return either(truth(e.a), truth(e.b));
    case Op::conditional: {
      const u32 when = truth(e.a);
      return either(both(when, truth(e.b)), both(negation(when), truth(e.c)));
    }
    default:
      return value(id);
  }
}

}  // namespace xmc::promela_lower
