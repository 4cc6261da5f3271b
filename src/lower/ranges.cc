#include "lower/ranges.h"

#include <algorithm>

#include "ir/interval.h"
#include "lower/failures.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

using ir::Interval;
using ir::Op;

constexpr u32 kUpdatesBeforeWidening = 4;
constexpr u32 kDescendingPasses = 2;
// Nodes that one evaluation or refinement may visit; beyond it the answer is "anything", which is
// always right.
constexpr u32 kNodeBudget = 512;

// What is known between two passes.
struct Facts {
  std::span<Interval> hull;   // by variable: every value ever stored
  std::span<Interval> local;  // by process, location and local variable
  std::span<u8> reached;      // by location
};

class Ranges {
 public:
  Ranges(ir::Program& program, Arena& arena) : p_(program), arena_(arena) {}

  void run(bool with_error_seed);
  void finish(bool error_state);

 private:
  template <class T>
  std::span<T> scratch(u64 count) {
    return {static_cast<T*>(arena_.scratch("ranges", count * sizeof(T), alignof(T))),
            static_cast<std::size_t>(count)};
  }
  void allocate();
  Facts new_facts();
  void seed(Facts& facts, bool with_error);
  void collect_thresholds();
  void pass();
  void fire(u32 t);
  void fire_pair(u32 sender, u32 receiver);
  void load(u32 process, u32 location);
  void forget_others(u32 process);
  void reset_work() { copy(work_, std::span<const Interval>(in_.hull)); }
  bool reached(const ir::Transition& t) const {
    return in_.reached[p_.processes[t.process].first_location + t.source] != 0;
  }
  bool effects(const ir::Transition& t);
  bool transfer(const ir::Transition& send, const ir::Transition& receive);
  bool buffered(const ir::Transition& t);
  bool store(ir::Target& target, Interval value, Interval index);
  void arrive(const ir::Transition& t);
  void join_hull(u32 variable, Interval v) {
    join_into(out_.hull[variable], hull_updates_[variable], v);
  }
  void join_into(Interval& cell, u8& updates, Interval v);

  Interval eval(ir::ExprId id);
  Interval eval_node(ir::ExprId id);
  bool refine(ir::ExprId id, bool truth);
  bool refine_node(ir::ExprId id, bool truth);
  bool narrow(ir::ExprId id, Op op, Interval other);
  bool guard(const ir::Transition& t);
  Interval index_of(const ir::Target& t) {
    return t.index == kNone ? Interval{0, 0} : eval(t.index);
  }
  Interval converted(const ir::Channel& c, u32 value, Interval v) const;

  ir::Program& p_;
  Arena& arena_;
  Facts in_;
  Facts out_;
  std::span<u32> local_base_;   // by process: index of its first cell in Facts::local
  std::span<u32> local_count_;  // by process
  std::span<u8> hull_updates_;
  std::span<u8> local_updates_;
  std::span<Interval> work_;  // by variable: the step being followed
  std::span<i32> thresholds_;
  u32 budget_ = 0;
  bool widening_ = true;
  bool changed_ = false;
};

void Ranges::allocate() {
  const u64 processes = p_.processes.size();
  local_base_ = scratch<u32>(processes);
  local_count_ = scratch<u32>(processes);
  fill_zero(local_count_);
  for (const ir::Variable& v : p_.variables) {
    if (v.role == ir::Role::number && v.process != kNone) ++local_count_[v.process];
  }
  u32 cells = 0;
  for (u32 i = 0; i < processes; ++i) {
    local_base_[i] = cells;
    cells += local_count_[i] * p_.processes[i].location_count;
  }
  hull_updates_ = scratch<u8>(p_.variables.size());
  local_updates_ = scratch<u8>(cells);
  work_ = scratch<Interval>(p_.variables.size());
  in_ = new_facts();
  out_ = new_facts();
}

Facts Ranges::new_facts() {
  u32 cells = 0;
  for (u32 i = 0; i < p_.processes.size(); ++i)
    cells += local_count_[i] * p_.processes[i].location_count;
  return {scratch<Interval>(p_.variables.size()), scratch<Interval>(cells),
          scratch<u8>(p_.location_flags.size())};
}

void Ranges::seed(Facts& f, bool with_error) {
  std::fill(f.local.begin(), f.local.end(), Interval{});
  fill_zero(f.reached);
  for (u32 i = 0; i < p_.variables.size(); ++i) {
    const ir::Variable& v = p_.variables[i];
    Interval start;
    for (u32 k = 0; k < v.size; ++k) {
      const i32 value = p_.initial_values[v.first_initial + k];
      start = ir::join(start, {value, value});
    }
    if (v.role == ir::Role::channel_length) start = {0, v.type_hi};
    if (with_error) start = ir::join(start, {0, 0});
    f.hull[i] = start;
  }
  for (u32 q = 0; q < p_.processes.size(); ++q) {
    const ir::Process& process = p_.processes[q];
    f.reached[process.first_location + process.initial] = 1;
    for (u32 k = 0; k < local_count_[q]; ++k) {
      const u32 variable = process.location + 1 + k;
      const u32 at = local_base_[q] + process.initial * local_count_[q] + k;
      const ir::Variable& v = p_.variables[variable];
      for (u32 e = 0; e < v.size; ++e) {
        const i32 value = p_.initial_values[v.first_initial + e];
        f.local[at] = ir::join(f.local[at], {value, value});
      }
    }
    // After an error process 0 never moves again; the others go on from their first location with
    // zeros.
    if (!with_error || q == 0) continue;
    f.reached[process.first_location] = 1;
    for (u32 k = 0; k < local_count_[q]; ++k) {
      Interval& cell = f.local[local_base_[q] + k];
      cell = ir::join(cell, {0, 0});
    }
  }
}

void Ranges::collect_thresholds() {
  u32 constants = 0;
  const std::span<const ir::Expr> model = p_.exprs.first(p_.model_exprs);
  for (const ir::Expr& e : model) constants += e.op == Op::constant ? 1 : 0;
  std::span<i32> all = scratch<i32>(u64{constants} * 3 + 6);
  u32 count = 0;
  for (const i32 bound : {-32768, 0, 255, 32767, ir::kEverything.lo, ir::kEverything.hi})
    all[count++] = bound;
  for (const ir::Expr& e : model) {
    if (e.op != Op::constant) continue;
    const i32 c = static_cast<i32>(e.a);
    all[count++] = arith::subtract(c, 1);
    all[count++] = c;
    all[count++] = arith::add(c, 1);
  }
  all = all.first(count);
  std::sort(all.begin(), all.end());
  const auto end = std::unique(all.begin(), all.end());
  thresholds_ = all.first(static_cast<std::size_t>(end - all.begin()));
}

void Ranges::join_into(Interval& cell, u8& updates, Interval v) {
  Interval wider = ir::join(cell, v);
  if (wider == cell) return;
  if (widening_ && !cell.empty() && ++updates > kUpdatesBeforeWidening) {
    updates = kUpdatesBeforeWidening;
    if (wider.lo < cell.lo) {
      wider.lo = *(std::upper_bound(thresholds_.begin(), thresholds_.end(), wider.lo) - 1);
    }
    if (wider.hi > cell.hi) {
      wider.hi = *std::lower_bound(thresholds_.begin(), thresholds_.end(), wider.hi);
    }
  }
  cell = wider;
  changed_ = true;
}

void Ranges::load(u32 process, u32 location) {
  const u32 count = local_count_[process];
  for (u32 k = 0; k < count; ++k) {
    work_[p_.processes[process].location + 1 + k] =
        in_.local[local_base_[process] + location * count + k];
  }
}

void Ranges::forget_others(u32 process) {
  for (u32 i = 0; i < p_.variables.size(); ++i) {
    if (p_.variables[i].process != process) work_[i] = in_.hull[i];
  }
}

Interval Ranges::eval(ir::ExprId id) {
  budget_ = kNodeBudget;
  return eval_node(id);
}

Interval Ranges::eval_node(ir::ExprId id) {
  const ir::Expr& e = p_.exprs[id];
  if (e.op == Op::constant) return {static_cast<i32>(e.a), static_cast<i32>(e.a)};
  if (e.op == Op::at || ir::is_logical(e.op)) return ir::kTruth;
  if (e.op == Op::load || e.op == Op::element) return work_[e.a];
  if (budget_ == 0) return ir::kEverything;
  --budget_;
  if (e.op == Op::table) {
    Interval all;
    for (const i32 v : p_.tables[e.a].values) all = ir::join(all, {v, v});
    return all;
  }
  const Interval a = eval_node(e.a);
  if (ir::is_unary(e.op)) return ir::apply_unary(e.op, a);
  return ir::apply_binary(e.op, a, eval_node(e.b));
}

// Narrows the intervals of the step to those under which the expression can have this truth; false:
// it cannot.
bool Ranges::refine(ir::ExprId id, bool truth) {
  budget_ = kNodeBudget;
  return refine_node(id, truth);
}

bool Ranges::refine_node(ir::ExprId id, bool truth) {
  const ir::Expr& e = p_.exprs[id];
  if (budget_ == 0) return true;
  --budget_;
  switch (e.op) {
    case Op::constant:
      return (e.a != 0) == truth;
    case Op::load:
      return narrow(id, truth ? Op::not_equal : Op::equal, {0, 0});
    case Op::logical_not:
      return refine_node(e.a, !truth);
    case Op::logical_and:
      return !truth || (refine_node(e.a, true) && refine_node(e.b, true));
    case Op::logical_or:
      return truth || (refine_node(e.a, false) && refine_node(e.b, false));
    case Op::imply:
      return truth || (refine_node(e.a, true) && refine_node(e.b, false));
    default:
      break;
  }
  if (!ir::is_comparison(e.op)) return true;
  const Op op = truth ? e.op : ir::negate_comparison(e.op);
  const Interval a = eval_node(e.a);
  const Interval b = eval_node(e.b);
  if (ir::restrict_left(op, a, b).empty()) return false;
  return narrow(e.a, op, b) && narrow(e.b, ir::mirror_comparison(op), a);
}

bool Ranges::narrow(ir::ExprId id, Op op, Interval other) {
  const ir::Expr& e = p_.exprs[id];
  if (e.op != Op::load || p_.variables[e.a].size != 1) return true;
  work_[e.a] = ir::restrict_left(op, work_[e.a], other);
  return !work_[e.a].empty();
}

bool Ranges::guard(const ir::Transition& t) { return t.guard == kNone || refine(t.guard, true); }

bool Ranges::store(ir::Target& target, Interval value, Interval index) {
  const ir::Variable& v = p_.variables[target.variable];
  if (target.index != kNone) {
    const i32 last = static_cast<i32>(v.size) - 1;
    if (!index.inside(0, last)) target.check_index = true;
    if (ir::meet(index, {0, last}).empty()) return false;
  }
  if (!value.inside(v.type_lo, v.type_hi)) target.check_value = true;
  const Interval fits = ir::meet(value, {v.type_lo, v.type_hi});
  if (fits.empty()) return false;
  join_hull(target.variable, fits);
  work_[target.variable] = v.size == 1 ? fits : ir::join(work_[target.variable], fits);
  return true;
}

bool Ranges::effects(const ir::Transition& t) {
  for (u32 k = 0; k < t.assignment_count; ++k) {
    ir::Assignment& a = p_.assignments[t.first_assignment + k];
    const Interval value = eval(a.value);
    if (!store(a.target, value, index_of(a.target))) return false;
  }
  return true;
}

Interval Ranges::converted(const ir::Channel& c, u32 value, Interval v) const {
  if (!c.typed) return v;
  const bool is_byte = p_.channel_is_byte[c.first_type + value] != 0;
  const Interval type = is_byte ? Interval{0, 255} : Interval{-32768, 32767};
  return v.inside(type.lo, type.hi) ? v : type;
}

bool Ranges::transfer(const ir::Transition& send, const ir::Transition& receive) {
  const ir::Channel& c = p_.channels[send.channel];
  const u32 count = std::min(send.value_count, receive.value_count);
  Interval
      index[limits::kSyncValues];  // of the receiving elements: evaluated before anything is stored
  for (u32 k = 0; k < count; ++k) index[k] = index_of(p_.received[receive.first_value + k]);
  for (u32 k = 0; k < count; ++k) {
    const Interval v = converted(c, k, eval(p_.sent[send.first_value + k]));
    if (!store(p_.received[receive.first_value + k], v, index[k])) return false;
  }
  return true;
}

bool Ranges::buffered(const ir::Transition& t) {
  const ir::Channel& c = p_.channels[t.channel];
  Interval index[limits::kSyncValues];
  for (u32 k = 0; k < t.value_count && t.sync == ir::Sync::receive; ++k) {
    index[k] = index_of(p_.received[t.first_value + k]);
  }
  for (u32 k = 0; k < t.value_count; ++k) {
    const u32 cell = c.first_cell + k;
    if (t.sync == ir::Sync::send) {
      const Interval v = converted(c, k, eval(p_.sent[t.first_value + k]));
      join_hull(cell, v);
      work_[cell] = ir::join(work_[cell], v);
    } else if (!store(p_.received[t.first_value + k], work_[cell], index[k])) {
      return false;
    }
  }
  return true;
}

void Ranges::arrive(const ir::Transition& t) {
  const ir::Process& q = p_.processes[t.process];
  u8& flag = out_.reached[q.first_location + t.target];
  if (flag == 0) changed_ = true;
  flag = 1;
  const u32 count = local_count_[t.process];
  for (u32 k = 0; k < count; ++k) {
    const u32 at = local_base_[t.process] + t.target * count + k;
    join_into(out_.local[at], local_updates_[at], work_[q.location + 1 + k]);
  }
}

void Ranges::fire(u32 index) {
  ir::Transition& t = p_.transitions[index];
  if (!reached(t)) return;
  reset_work();
  load(t.process, t.source);
  if (!guard(t)) return;
  t.reachable = true;
  // The property's effects run after the system's step: what its guard said of other variables is
  // gone by then.
  if (t.process == p_.property) forget_others(t.process);
  if (t.sync != ir::Sync::none && !buffered(t)) return;
  if (effects(t)) arrive(t);
}

void Ranges::fire_pair(u32 sender, u32 receiver) {
  ir::Transition& t = p_.transitions[sender];
  ir::Transition& u = p_.transitions[receiver];
  if (t.process == u.process || !reached(t) || !reached(u)) return;
  reset_work();
  load(t.process, t.source);
  load(u.process, u.source);
  if (!guard(t) || !guard(u)) return;
  t.reachable = true;
  u.reachable = true;
  if (!transfer(t, u) || !effects(u)) return;
  // The receiver's locals are final here, the sender's effects cannot touch them.
  if (!effects(t)) return;
  arrive(u);
  arrive(t);
}

void Ranges::pass() {
  for (u32 i = 0; i < p_.transitions.size(); ++i) {
    const ir::Transition& t = p_.transitions[i];
    if (t.sync == ir::Sync::none || p_.channels[t.channel].capacity != 0) {
      fire(i);
    } else if (t.sync == ir::Sync::send) {
      const ir::Channel& c = p_.channels[t.channel];
      for (u32 r = 0; r < c.receiver_count; ++r) fire_pair(i, p_.receivers[c.first_receiver + r]);
    }
  }
}

void Ranges::run(bool with_error_seed) {
  const u64 mark = arena_.scratch_mark();
  allocate();
  collect_thresholds();
  fill_zero(hull_updates_);
  fill_zero(local_updates_);
  seed(in_, with_error_seed);
  Facts first = in_;
  Facts second = out_;
  out_ = in_;
  widening_ = true;
  do {
    changed_ = false;
    pass();
  } while (changed_);
  widening_ = false;
  for (u32 i = 0; i < kDescendingPasses; ++i) {
    in_ = i % 2 == 0 ? first : second;
    out_ = i % 2 == 0 ? second : first;
    seed(out_, with_error_seed);
    for (ir::Transition& t : p_.transitions) t.reachable = false;
    for (ir::Assignment& a : p_.assignments) a.target.check_value = a.target.check_index = false;
    for (ir::Target& t : p_.received) t.check_value = t.check_index = false;
    pass();
  }
  for (u32 i = 0; i < p_.variables.size(); ++i) {
    p_.variables[i].lo = out_.hull[i].lo;
    p_.variables[i].hi = out_.hull[i].hi;
  }
  for (u32 i = 0; i < p_.location_flags.size(); ++i) {
    if (out_.reached[i] != 0) p_.location_flags[i] |= ir::kReachable;
  }
  arena_.scratch_release(mark);
}

void Ranges::finish(bool error_state) {
  for (u32 q = 0; q < p_.processes.size(); ++q) {
    const ir::Process& process = p_.processes[q];
    Interval used;
    for (u32 l = 0; l < process.location_count; ++l) {
      const i32 at = static_cast<i32>(l);
      if (ir::flags_of(p_, q, l) & ir::kReachable) used = ir::join(used, {at, at});
    }
    const i32 impossible = static_cast<i32>(process.location_count);
    if (error_state)
      used = ir::join(used, q == 0 ? Interval{impossible, impossible} : Interval{0, 0});
    // The error state zeroes every location before it sets process 0's.
    if (error_state) used = ir::join(used, {0, 0});
    p_.variables[process.location].lo = used.lo;
    p_.variables[process.location].hi = used.hi;
  }
  p_.error_state = error_state;
}

}  // namespace

void analyse_ranges(ir::Program& program, Arena& arena, bool want_error_state) {
  Ranges ranges(program, arena);
  ranges.run(false);
  program.may_error = mark_failures(program, arena);
  const bool error_state = want_error_state && program.may_error;
  if (error_state) {
    for (u8& f : program.location_flags) f = static_cast<u8>(f & ~ir::kReachable);
    ranges.run(true);
    program.may_error = mark_failures(program, arena);
  }
  ranges.finish(error_state);
}

}  // namespace xmc
