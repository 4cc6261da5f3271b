#include "lower/dead_variables.h"

#include <algorithm>

#include "lower/ranges.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

// The value that a dead element has instead: 0 where the range has it, which the error state needs,
// else the one that it begins with. So no range grows.
i32 rest_value(const ir::Program& p, const ir::Variable& v, u32 element) {
  return v.lo <= 0 && v.hi >= 0 ? 0 : p.initial_values[v.first_initial + element];
}

class Removal {
 public:
  Removal(const ir::Program& whole, const LivenessRules& rules, Arena& arena)
      : p_(whole), arena_(arena), live_(whole, rules, arena) {}

  void find(ir::DeadVariables& out);
  void rewrite(ir::Program& reduced, ir::DeadVariables& out);

 private:
  template <class T>
  std::span<T> scratch(u64 count) {
    return {static_cast<T*>(arena_.scratch("dead variables", count * sizeof(T), alignof(T))),
            static_cast<std::size_t>(count)};
  }
  template <class T>
  std::span<T> copy_of(std::span<const T> from) {
    const std::span<T> to = arena_.carve_array<T>("program", from.size());
    std::copy(from.begin(), from.end(), to.begin());
    return to;
  }
  ir::ExprId constant(i32 value) const;
  void find_constants();
  void find_dead();
  void mark_written(const ir::Transition& t);
  bool is_reset(const ir::Transition& t, const ir::DeadCell& dead) const;
  u32 put_assignments(const ir::Transition& t, std::span<ir::Assignment> to);
  ir::Target target_of(u32 cell) const;

  const ir::Program& p_;
  Arena& arena_;
  Liveness live_;
  std::span<u32> variable_of_;      // by cell
  std::span<ir::ExprId> constant_;  // by cell: that of its value
  std::span<u8> dead_;              // by cell: somewhere
  std::span<u32> written_;          // by cell: the last transition that writes it
  u32 turn_ = 0;
  std::span<const ir::DeadCell> cells_;
  std::span<const ir::Range> by_location_;
};

// Not of the command line, so that these come after everything that compiled code depends on.
ir::ExprId Removal::constant(i32 value) const {
  for (u32 i = 0; i < p_.model_exprs; ++i) {
    const ir::Expr& e = p_.exprs[i];
    if (e.op == ir::Op::constant && static_cast<i32>(e.a) == value) return i;
  }
  return kNone;
}

// Values without an expression for their constant stay as they are.
void Removal::find_constants() {
  variable_of_ = scratch<u32>(p_.initial_values.size());
  constant_ = scratch<ir::ExprId>(p_.initial_values.size());
  const ir::ExprId zero = constant(0);
  i32 last = 0;
  ir::ExprId of_last = zero;
  for (u32 i = 0; i < p_.variables.size(); ++i) {
    const ir::Variable& v = p_.variables[i];
    for (u32 k = 0; k < v.size; ++k) {
      variable_of_[v.first_initial + k] = i;
      if (live_.owner(i) == kNone) continue;
      const i32 value = rest_value(p_, v, k);
      if (value != last) of_last = constant(value);
      last = value;
      constant_[v.first_initial + k] = of_last;
      if (of_last == kNone) live_.exclude(i);
    }
  }
}

void Removal::find_dead() {
  const auto by_location =
      arena_.carve_array<ir::Range>("dead variables", p_.location_flags.size());
  dead_ = scratch<u8>(p_.initial_values.size());
  fill_zero(dead_);
  u32 count = 0;
  std::span<ir::DeadCell> cells;
  for (const bool counting : {true, false}) {
    if (!counting) cells = arena_.carve_array<ir::DeadCell>("dead variables", count);
    count = 0;
    for (u32 q = 0; q < p_.processes.size(); ++q) {
      const ir::Process& process = p_.processes[q];
      for (u32 l = 0; l < process.location_count; ++l) {
        const u32 first = count;
        for (u32 i = 0; i < p_.variables.size(); ++i) {
          if (live_.owner(i) != q) continue;
          const ir::Variable& v = p_.variables[i];
          for (u32 k = 0; k < v.size; ++k) {
            if (!live_.is_dead(i, k, l)) continue;
            const u32 cell = v.first_initial + k;
            if (!counting) cells[count] = {cell, rest_value(p_, v, k)};
            dead_[cell] = 1;
            ++count;
          }
        }
        by_location[process.first_location + l] = {first, count - first};
      }
    }
  }
  cells_ = cells;
  by_location_ = by_location;
}

void Removal::find(ir::DeadVariables& out) {
  find_constants();
  live_.run();
  find_dead();
  written_ = scratch<u32>(p_.initial_values.size());
  fill_zero(written_);
  out = {};
  out.cells = cells_;
  out.by_location = by_location_;
  const auto places = arena_.carve_array<ir::DeadPlaces>("dead variables", p_.processes.size());
  for (u32 q = 0; q < p_.processes.size(); ++q) {
    const ir::Process& process = p_.processes[q];
    const u32 cell = p_.variables[process.location].first_initial;
    places[q] = {cell, process.first_location, process.location_count};
  }
  out.places = places;
  for (const u8 dead : dead_) out.cell_count += dead;
}

ir::Target Removal::target_of(u32 cell) const {
  const u32 variable = variable_of_[cell];
  return {.variable = variable,
          .element = cell - p_.variables[variable].first_initial,
          .check_value = false,
          .check_index = false};
}

void Removal::mark_written(const ir::Transition& t) {
  ++turn_;
  const auto mark = [&](const ir::Target& to) {
    const ir::Variable& v = p_.variables[to.variable];
    const bool known = to.index == kNone;
    const u32 first = v.first_initial + (known ? to.element : 0);
    for (u32 cell = first; cell < first + (known ? 1 : v.size); ++cell) written_[cell] = turn_;
  };
  for (u32 k = 0; k < t.value_count && t.sync == ir::Sync::receive; ++k)
    mark(p_.received[t.first_value + k]);
  for (u32 k = 0; k < t.assignment_count; ++k) {
    const u32 index = t.first_assignment + k;
    if (!live_.is_useless(index)) mark(p_.assignments[index].target);
  }
}

// What was dead before and is not written has its value already.
bool Removal::is_reset(const ir::Transition& t, const ir::DeadCell& dead) const {
  if (written_[dead.cell] == turn_) return true;
  const u32 variable = variable_of_[dead.cell];
  return !live_.is_dead(variable, dead.cell - p_.variables[variable].first_initial, t.source);
}

// Returns how many; `to` may be empty.
u32 Removal::put_assignments(const ir::Transition& t, std::span<ir::Assignment> to) {
  u32 count = 0;
  const auto put = [&](const ir::Assignment& a) {
    if (!to.empty()) to[count] = a;
    ++count;
  };
  for (u32 k = 0; k < t.assignment_count; ++k) {
    const u32 index = t.first_assignment + k;
    if (!live_.is_useless(index)) put(p_.assignments[index]);
  }
  mark_written(t);
  const ir::Range dead = by_location_[p_.processes[t.process].first_location + t.target];
  for (u32 i = dead.first; i < dead.first + dead.count; ++i) {
    if (is_reset(t, cells_[i])) put({target_of(cells_[i].cell), constant_[cells_[i].cell]});
  }
  return count;
}

void Removal::rewrite(ir::Program& reduced, ir::DeadVariables& out) {
  reduced = p_;
  reduced.notes = {};
  reduced.state_bits = 0;
  reduced.variables = copy_of(std::span<const ir::Variable>(p_.variables));
  reduced.initial_values = copy_of(std::span<const i32>(p_.initial_values));
  reduced.location_flags = copy_of(std::span<const u8>(p_.location_flags));
  for (u8& flags : reduced.location_flags) flags = static_cast<u8>(flags & ~ir::kReachable);
  reduced.received = copy_of(std::span<const ir::Target>(p_.received));
  reduced.transitions = copy_of(std::span<const ir::Transition>(p_.transitions));
  u32 count = 0;
  for (const ir::Transition& t : p_.transitions) count += put_assignments(t, {});
  reduced.assignments = arena_.carve_array<ir::Assignment>("program", count);
  count = 0;
  for (ir::Transition& t : reduced.transitions) {
    const u32 own = t.assignment_count;
    u32 useless = 0;
    for (u32 k = 0; k < own; ++k) useless += live_.is_useless(t.first_assignment + k) ? 1u : 0u;
    const ir::Transition before = t;
    t.first_assignment = count;
    t.assignment_count = put_assignments(before, reduced.assignments.subspan(count));
    count += t.assignment_count;
    out.dropped_count += useless;
    out.reset_count += t.assignment_count - (own - useless);
  }
  for (const ir::Process& process : p_.processes) {
    const ir::Range dead = by_location_[process.first_location + process.initial];
    for (u32 i = dead.first; i < dead.first + dead.count; ++i)
      reduced.initial_values[cells_[i].cell] = cells_[i].value;
  }
}

}  // namespace

u64 dead_variables_bytes(const ir::Program& whole) {
  u64 dead = 0;  // at most
  for (const ir::Process& q : whole.processes) {
    for (const ir::Variable& v : whole.variables) {
      const bool may_be = v.role == ir::Role::number && v.size <= limits::kDeadElements &&
                          (v.process == kNone || &whole.processes[v.process] == &q);
      if (may_be) dead += u64{v.size} * q.location_count;
    }
  }
  const u64 copied = whole.variables.size_bytes() + whole.initial_values.size_bytes() +
                     whole.received.size_bytes() + whole.transitions.size_bytes() +
                     whole.location_flags.size_bytes() + whole.assignments.size_bytes();
  const u64 working = u64{32} * whole.exprs.size() + u64{8} * whole.variables.size_bytes() +
                      u64{4} * whole.assignments.size_bytes() + u64{64} * whole.sent.size();
  return 2 * copied + working + dead * (sizeof(ir::DeadCell) + sizeof(ir::Assignment) / 4);
}

Status remove_dead_variables(const ir::Program& whole, const DeadRequest& request, Arena& arena,
                             ir::Program& reduced, ir::DeadVariables& out) {
  XMC_CHECK(!whole.has_rules);
  const u64 mark = arena.scratch_mark();
  {
    Removal removal(whole, request.rules, arena);
    removal.find(out);
    if (out.cell_count != 0) removal.rewrite(reduced, out);
  }
  arena.scratch_release(mark);
  if (out.cell_count == 0) return {};
  analyse_ranges(reduced, arena, request.want_error_state);
  return finish_program(request, arena, reduced);
}

}  // namespace xmc
