#include "ir/tables/process_steps.h"

#include <algorithm>

#include "ir/steps.h"
#include "ir/tables/conditions.h"
#include "ir/tables/process_questions.h"
#include "xmc/bytes.h"

namespace xmc::ir {

namespace {

constexpr u32 kAssumptions = 16;  // that are made at a time inside a guard

class ProcessSteps {
 public:
  ProcessSteps(const Program& program, u32 faults, StepFacts& facts)
      : p_(program), f_(facts), faults_(faults), conditions_(prepared(program, facts), facts) {
    conjunct_of_ = scratch_array<u32>(f_.arena, StepFacts::kName, 2 * p_.exprs.size(), kNone);
    at_ = scratch_array<u32>(f_.arena, StepFacts::kName, p_.location_flags.size(), kNone);
    now_ = scratch_array<Interval>(f_.arena, StepFacts::kName, f_.hull.size());
    known_ = scratch_array<u32>(f_.arena, StepFacts::kName, f_.hull.size());
    tables_ = scratch_array<Interval>(f_.arena, StepFacts::kName, p_.tables.size());
    for (u32 i = 0; i < p_.tables.size(); ++i) {
      for (const i32 v : p_.tables[i].values) tables_[i] = join(tables_[i], {v, v});
    }
  }

  void steps();
  ConditionMaker& conditions() { return conditions_; }

 private:
  static const Program& prepared(const Program& p, StepFacts& f);
  void step(u32 number, const Transition& t, const Transition* u);
  void partner(const Transition& t, StepParts& parts);
  bool wait_for(const Transition& t);
  bool conjunct(u32 condition);
  bool guard(const Transition& t);
  void fullness(const Transition& t, bool& fine);
  void hinder(const StepParts& parts, bool& fine);
  void transmit(const Transition& t, const Transition& u);
  void buffered(const Transition& t);
  void effects(const Transition& t);
  void assign(const Target& target, ExprId value);
  void store(const Target& target, Interval value, bool constant);
  void enter(const Transition& t);
  void put(CellRange cells, CellWrite::Kind kind, i32 lo, i32 hi);
  void read(ExprId id) {
    if (id != kNone) conditions_.reads(id, [&](CellRange cells) { f_.reads.push(cells); });
  }
  // The outcome of these decides whether the step is erroneous.
  void decide(ExprId id);
  void decide(const Target& target, ExprId value);
  bool may_fail(ExprId id);
  void assume(ExprId id, bool truth);
  Interval cell(u32 id) const { return known_[id] == round_ ? now_[id] : f_.hull[id]; }
  void learn(u32 id, Interval values) {
    known_[id] = round_;
    now_[id] = values;
  }
  bool written(u32 id) const;
  Interval eval(ExprId id);
  Interval eval_node(ExprId id);
  bool committed(u32 process, u32 location) const {
    return f_.committed[f_.processes[process].first_location + location] != 0;
  }

  const Program& p_;
  StepFacts& f_;
  u32 faults_;
  ConditionMaker conditions_;
  std::span<u32> conjunct_of_;  // by expression, and whether it fails
  std::span<u32> at_;           // by location: its conjunct
  u32 unhindered_ = kNone;
  std::span<u32> fullness_;
  std::span<Interval> now_;  // by cell, where known_ is round_
  std::span<u32> known_;
  struct Assumed {
    u32 cell;
    u32 known;
    Interval values;
  };
  Assumed assumed_[kAssumptions];
  u32 assumed_count_ = 0;
  u32 round_ = 0;
  std::span<Interval> tables_;
  StepFact fact_;
  u32 budget_ = 0;
};

const Program& ProcessSteps::prepared(const Program& p, StepFacts& f) {
  const u64 cells = p.initial_values.size();
  f.hull = scratch_array<Interval>(f.arena, StepFacts::kName, cells);
  f.slots = scratch_array<Slot>(f.arena, StepFacts::kName, cells);
  for (const Variable& v : p.variables) {
    // The error state, where nobody is anywhere, is none of those that steps are taken in.
    const bool place = v.role == Role::location && v.process != kNone;
    const i32 last = place ? static_cast<i32>(p.processes[v.process].location_count) - 1 : v.hi;
    for (u32 k = 0; k < v.size; ++k) {
      f.hull[v.first_initial + k] = {v.lo, std::min(v.hi, last)};
      f.slots[v.first_initial + k] = element_slot(v, k);
    }
  }
  f.processes = scratch_array<ProcessFact>(f.arena, StepFacts::kName, p.processes.size());
  f.committed = scratch_array<u8>(f.arena, StepFacts::kName, p.location_flags.size());
  for (u32 i = 0; i < p.processes.size(); ++i) {
    const Process& q = p.processes[i];
    f.processes[i] = {p.variables[q.location].first_initial, q.location_count, q.first_location};
    for (u32 l = 0; l < q.location_count && i != p.property; ++l) {
      const bool is = (flags_of(p, i, l) & kCommitted) != 0;
      f.committed[q.first_location + l] = is ? 1 : 0;
      f.any_committed = f.any_committed || is;
    }
  }
  f.program_steps = p.step_count;
  return p;
}

bool ProcessSteps::written(u32 id) const {
  for (u32 i = fact_.writes.first; i < f_.writes.size(); ++i) {
    const CellRange& cells = f_.writes[i].cells;
    if (id - cells.first < cells.count) return true;
  }
  return false;
}

Interval ProcessSteps::eval(ExprId id) {
  budget_ = 512;
  return eval_node(id);
}

Interval ProcessSteps::eval_node(ExprId id) {
  const Expr& e = p_.exprs[id];
  if (budget_ == 0) return conditions_.range(id);
  --budget_;
  switch (e.op) {
    case Op::constant:
      return {static_cast<i32>(e.a), static_cast<i32>(e.a)};
    case Op::load:
      return cell(p_.variables[e.a].first_initial + e.b);
    case Op::at:
      return kTruth;
    case Op::element:
      return {p_.variables[e.a].lo, p_.variables[e.a].hi};
    case Op::table:
      return tables_[e.a];
    default:
      break;
  }
  const Interval a = eval_node(e.a);
  if (is_unary(e.op)) return apply_unary(e.op, a);
  return apply_binary(e.op, a, eval_node(e.b));
}

// False: the step is never enabled.
bool ProcessSteps::conjunct(u32 conjunct) {
  f_.conjunct_lists.push(conjunct);
  ++fact_.parts.conjunct_count;
  const Condition& c = f_.conditions[f_.conjuncts[conjunct]];
  if (c.kind == Condition::Kind::constant) return c.value != 0;
  if (c.kind != Condition::Kind::compare) return true;
  const Interval values = restrict_left(c.op, cell(c.cell), {c.value, c.value});
  learn(c.cell, values);
  return !values.empty();
}

void ProcessSteps::partner(const Transition& t, StepParts& parts) {
  parts.partners[parts.count++] = {t.process, t.source, t.target};
}

bool ProcessSteps::wait_for(const Transition& t) {
  u32& at = at_[f_.processes[t.process].first_location + t.source];
  if (at == kNone) at = f_.conjuncts.push(conditions_.location(t.process, t.source));
  return conjunct(at);
}

bool ProcessSteps::guard(const Transition& t) {
  if (t.guard == kNone) return true;
  bool fine = true;
  const bool fails = may_fail(t.guard);
  if (fails) {
    fact_.may_fail = true;
    if ((faults_ & kForgetFailingGuard) == 0) {
      read(t.guard);
      decide(t.guard);
    }
  }
  conditions_.split(t.guard, fails, [&](ExprId id) {
    u32& known = conjunct_of_[2 * id + (fails ? 1 : 0)];
    if (known == kNone) known = f_.conjuncts.push(conditions_.make(id, true, fails));
    fine = conjunct(known) && fine;
  });
  return fine;
}

void ProcessSteps::fullness(const Transition& t, bool& fine) {
  const Channel& c = p_.channels[t.channel];
  u32& known = fullness_[2 * t.channel + (t.sync == Sync::send ? 0 : 1)];
  if (known == kNone) {
    known = f_.conjuncts.push(
        f_.conditions.push({.kind = Condition::Kind::compare,
                            .op = t.sync == Sync::send ? Op::less : Op::greater,
                            .cell = p_.variables[c.length].first_initial,
                            .value = t.sync == Sync::send ? static_cast<i32>(c.capacity) : 0}));
  }
  fine = conjunct(known) && fine;
}

// A committed process goes first: a step of others waits until there is none.
void ProcessSteps::hinder(const StepParts& parts, bool& fine) {
  if (!f_.any_committed) return;
  u32 free = 0;
  for (u32 i = 0; i < parts.count; ++i)
    free += committed(parts.partners[i].process, parts.partners[i].source) ? 0u : 1u;
  if (free == 0) return;
  if (free < parts.count) {
    fine = false;
    return;
  }
  if (unhindered_ == kNone) {
    unhindered_ = f_.conjuncts.push(f_.conditions.push({.kind = Condition::Kind::unhindered}));
  }
  fine = conjunct(unhindered_) && fine;
}

void ProcessSteps::put(CellRange cells, CellWrite::Kind kind, i32 lo, i32 hi) {
  if (cells.count == 0) return;
  for (u32 i = fact_.writes.first; i < f_.writes.size() && cells.count == 1; ++i) {
    CellWrite& w = f_.writes[i];
    if (w.cells.first != cells.first || w.cells.count != 1) continue;
    w = {cells, kind, lo, hi};
    return;
  }
  f_.writes.push({cells, kind, lo, hi});
}

void ProcessSteps::enter(const Transition& t) {
  if (t.source == t.target) return;
  const i32 to = static_cast<i32>(t.target);
  put({f_.processes[t.process].location_cell, 1}, CellWrite::Kind::constant, to, to);
}

void ProcessSteps::store(const Target& target, Interval value, bool constant) {
  const Variable& v = p_.variables[target.variable];
  const Interval fits = meet(value, {v.type_lo, v.type_hi});
  CellRange cells{v.first_initial + target.element, 1};
  if (target.index != kNone) {
    read(target.index);
    const Interval index = meet(eval(target.index), {0, static_cast<i32>(v.size) - 1});
    if (index.empty() || fits.empty()) return;  // always erroneous
    cells = {v.first_initial + static_cast<u32>(index.lo),
             static_cast<u32>(index.hi) - static_cast<u32>(index.lo) + 1};
  }
  if (fits.empty()) return;
  put(cells, constant && fits.single() ? CellWrite::Kind::constant : CellWrite::Kind::value,
      fits.lo, fits.hi);
  if (cells.count == 1) return learn(cells.first, fits);
  for (u32 k = 0; k < cells.count; ++k) learn(cells.first + k, f_.hull[cells.first + k]);
}

void ProcessSteps::decide(ExprId id) {
  if (id == kNone) return;
  conditions_.reads(id, [&](CellRange cells) { f_.error_reads.push(cells); });
}

// What follows for single cells where an expression is true, or false.
void ProcessSteps::assume(ExprId id, bool truth) {
  const Expr& e = p_.exprs[id];
  if (budget_ == 0) return;
  --budget_;
  if (e.op == Op::logical_not) return assume(e.a, !truth);
  if (is_logical(e.op)) {
    if (truth != (e.op == Op::logical_and)) return;
    assume(e.a, truth || e.op == Op::imply);
    return assume(e.b, truth);
  }
  if (!is_comparison(e.op) || assumed_count_ == kAssumptions) return;
  const bool swapped = p_.exprs[e.a].op == Op::constant;
  const Expr& left = p_.exprs[swapped ? e.b : e.a];
  const Expr& right = p_.exprs[swapped ? e.a : e.b];
  if (left.op != Op::load || right.op != Op::constant) return;
  const Op compared = swapped ? mirror_comparison(e.op) : e.op;
  const Op op = truth ? compared : negate_comparison(compared);
  const i32 value = static_cast<i32>(right.a);
  const u32 id_of = p_.variables[left.a].first_initial + left.b;
  const Interval values = restrict_left(op, cell(id_of), {value, value});
  if (values.empty()) return;
  assumed_[assumed_count_++] = {id_of, known_[id_of], now_[id_of]};
  learn(id_of, values);
}

// Whether an index or a division in it can be erroneous where the step is enabled.
bool ProcessSteps::may_fail(ExprId id) {
  const Expr& e = p_.exprs[id];
  if (!e.may_fail) return false;
  if (has_index(e.op)) {
    const u64 size = e.op == Op::table ? p_.tables[e.a].values.size() : p_.variables[e.a].size;
    return may_fail(e.b) || (e.check && !eval(e.b).inside(0, static_cast<i32>(size) - 1));
  }
  if (may_fail(e.a)) return true;
  if (is_unary(e.op)) return false;
  if (is_logical(e.op)) {
    // The right side is evaluated just where the left one does not decide.
    const u32 before = assumed_count_;
    budget_ = 64;
    assume(e.a, e.op != Op::logical_or);
    const bool fails = may_fail(e.b);
    while (assumed_count_ > before) {
      const Assumed& a = assumed_[--assumed_count_];
      now_[a.cell] = a.values;
      known_[a.cell] = a.known;
    }
    return fails;
  }
  return may_fail(e.b) || (e.check && eval(e.b).contains(0));
}

void ProcessSteps::decide(const Target& target, ExprId value) {
  const Variable& v = p_.variables[target.variable];
  bool index = false;
  if (target.index != kNone) {
    index = may_fail(target.index) ||
            (target.check_index && !eval(target.index).inside(0, static_cast<i32>(v.size) - 1));
  }
  bool stored = target.check_value;
  if (value != kNone) {
    stored = may_fail(value) || (target.check_value && !eval(value).inside(v.type_lo, v.type_hi));
  }
  if (index) decide(target.index);
  if (stored) decide(value);
  if (index || stored) fact_.may_fail = true;
}

void ProcessSteps::assign(const Target& target, ExprId value) {
  read(value);
  decide(target, value);
  const Expr& e = p_.exprs[value];
  if (target.index == kNone && (e.op == Op::add || e.op == Op::subtract) &&
      p_.exprs[e.a].op == Op::load && p_.exprs[e.b].op == Op::constant) {
    const Expr& from = p_.exprs[e.a];
    const u32 id = p_.variables[target.variable].first_initial + target.element;
    if (from.a == target.variable && from.b == target.element && !written(id)) {
      const i32 c = static_cast<i32>(p_.exprs[e.b].a);
      const i32 by = e.op == Op::add ? c : arith::negate(c);
      const Interval after = meet(eval(value), {p_.variables[target.variable].type_lo,
                                                p_.variables[target.variable].type_hi});
      if (after.empty()) return;
      put({id, 1}, CellWrite::Kind::change, by, by);
      return learn(id, after);
    }
  }
  const Interval v = eval(value);
  store(target, v, v.single());
}

void ProcessSteps::effects(const Transition& t) {
  enter(t);
  for (u32 k = 0; k < t.assignment_count; ++k) {
    const Assignment& a = p_.assignments[t.first_assignment + k];
    assign(a.target, a.value);
  }
}

void ProcessSteps::transmit(const Transition& t, const Transition& u) {
  const Channel& c = p_.channels[t.channel];
  const u32 count = std::min(t.value_count, u.value_count);
  for (u32 k = 0; k < count; ++k) {
    const ExprId value = p_.sent[t.first_value + k];
    const Target& target = p_.received[u.first_value + k];
    read(value);
    decide(target, value);
    Interval v = eval(value);
    if (c.typed) {
      const bool is_byte = p_.channel_is_byte[c.first_type + k] != 0;
      const Interval type = is_byte ? Interval{0, 255} : Interval{-32768, 32767};
      v = v.inside(type.lo, type.hi) ? v : type;
    }
    store(target, v, v.single());
  }
}

// A receive moves all that is in the channel.
void ProcessSteps::buffered(const Transition& t) {
  const Channel& c = p_.channels[t.channel];
  const bool send = t.sync == Sync::send;
  const u32 length = p_.variables[c.length].first_initial;
  f_.reads.push({length, 1});
  for (u32 k = 0; k < c.value_count; ++k) {
    const Variable& v = p_.variables[c.first_cell + k];
    const CellRange cells{v.first_initial, v.size};
    if (!send) f_.reads.push(cells);
    if (k < t.value_count) {
      if (send) {
        read(p_.sent[t.first_value + k]);
        decide(p_.sent[t.first_value + k]);
        if (may_fail(p_.sent[t.first_value + k])) fact_.may_fail = true;
      } else {
        const Target& target = p_.received[t.first_value + k];
        decide(target, kNone);
        if (target.check_value) f_.error_reads.push(cells);
        store(target, {v.lo, v.hi}, false);
      }
    }
    put(cells, CellWrite::Kind::value, v.lo, v.hi);
  }
  put({length, 1}, CellWrite::Kind::change, send ? 1 : -1, 0);
}

void ProcessSteps::step(u32 number, const Transition& t, const Transition* u) {
  ++round_;
  fact_ = {};
  fact_.number = number;
  fact_.parts.first_conjunct = f_.conjunct_lists.size();
  fact_.writes.first = f_.writes.size();
  fact_.reads.first = f_.reads.size();
  fact_.before.first = f_.before.size();
  fact_.error_reads.first = f_.error_reads.size();
  partner(t, fact_.parts);
  if (u != nullptr) partner(*u, fact_.parts);
  bool fine = wait_for(t);
  fine = (u == nullptr || wait_for(*u)) && fine;
  hinder(fact_.parts, fine);
  if (u == nullptr && t.sync != Sync::none) fullness(t, fine);
  fine = guard(t) && fine;
  fine = (u == nullptr || guard(*u)) && fine;
  if (!fine) return;
  for (u32 i = 0; i < fact_.parts.conjunct_count; ++i) {
    const u32 c = f_.conjunct_lists[fact_.parts.first_conjunct + i];
    const Condition& condition = f_.conditions[f_.conjuncts[c]];
    if (condition.kind != Condition::Kind::compare) continue;
    f_.before.push({condition.cell, cell(condition.cell)});
  }
  if (u != nullptr) {
    transmit(t, *u);
    effects(*u);
  } else if (t.sync != Sync::none) {
    buffered(t);
  }
  effects(t);
  fact_.writes.count = f_.writes.size() - fact_.writes.first;
  fact_.before.count = f_.before.size() - fact_.before.first;
  // Where an error depends on what the step itself has stored, it depends on all that it reads.
  bool own = false;
  for (u32 i = fact_.error_reads.first; i < f_.error_reads.size() && !own; ++i) {
    const CellRange& cells = f_.error_reads[i];
    for (u32 k = 0; k < cells.count && !own; ++k) own = written(cells.first + k);
  }
  fact_.reads.count = f_.reads.size() - fact_.reads.first;
  for (u32 i = 0; own && i < fact_.reads.count; ++i) {
    const CellRange cells = f_.reads[fact_.reads.first + i];
    f_.error_reads.push(cells);
  }
  fact_.error_reads.count = f_.error_reads.size() - fact_.error_reads.first;
  f_.steps.push(fact_);
}

void ProcessSteps::steps() {
  fullness_ = scratch_array<u32>(f_.arena, StepFacts::kName, 2 * p_.channels.size(), kNone);
  for (u32 i = 0; i < p_.transitions.size(); ++i) {
    const Transition& t = p_.transitions[i];
    if (t.process == p_.property || !t.reachable) continue;
    if (t.sync == Sync::none || p_.channels[t.channel].capacity != 0) {
      step(i, t, nullptr);
      continue;
    }
    if (t.sync != Sync::send) continue;
    const Channel& c = p_.channels[t.channel];
    for (u32 r = 0; r < c.receiver_count; ++r) {
      const Transition& u = p_.transitions[p_.receivers[c.first_receiver + r]];
      if (u.process == t.process || u.process == p_.property || !u.reachable) continue;
      step(t.first_pair + r, t, &u);
    }
  }
}

}  // namespace

u64 step_facts_bytes(const Program& program) {
  const u64 of_exprs = sizeof(Condition) + sizeof(ConditionInput) + 2 * sizeof(Interval);
  const u64 of_steps = sizeof(StepFact) + 8 * sizeof(CellRange) + 4 * sizeof(CellWrite);
  return of_exprs * program.exprs.size() + of_steps * program.step_count +
         u64{64} * program.initial_values.size();
}

void find_process_steps(const Program& program, const StepQuestion& question, StepFacts& facts) {
  XMC_CHECK(!program.has_rules);
  facts.forgets_committed = (question.faults & kForgetCommitted) != 0;
  ProcessSteps finder(program, question.faults, facts);
  finder.steps();
  find_automaton(program, facts);
  if (question.goals) find_goals(program, finder.conditions(), facts);
  if (question.automaton) find_atoms(program, finder.conditions(), facts);
}

}  // namespace xmc::ir
