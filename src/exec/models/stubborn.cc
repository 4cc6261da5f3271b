#include "exec/models/stubborn.h"

#include <bit>
#include <new>

#include "ir/layout.h"
#include "ir/steps.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

struct Stubborn {
  Model inner;
  const ir::Program* program;
  const ir::StepTables* tables;
  const ConditionCode* code;
  StubbornRules rules;
  StubbornSet set;
  Stepwise stepwise;
  bool moves_fail;         // those of the automaton may
  std::span<u32> labels;   // callers may not want any
  std::span<u64> places;   // of the steps that are taken, among the enabled ones
  std::span<u64> failing;  // steps that may be erroneous
  StubbornCounts counts;
  Stubborn* first = nullptr;  // executor; the others are a list from there
  Stubborn* forks = nullptr;
};

u32 number_of(const Stubborn& s, u32 label) {
  return s.tables->number_of[label / s.program->property_moves];
}

// A state of a product whose system has no step, though it is no deadlock.
bool is_stutter(const Stubborn& s, u32 label) {
  return label / s.program->property_moves == ir::stutter_step(*s.program);
}

// Successors of other steps than those of the set go.
u32 keep(const Stubborn& s, const u64* set, u32 count, const SuccessorBuffer& out, u32* labels) {
  const u32 words = s.inner.state_words;
  u32 kept = 0;
  for (u32 i = 0; i < count; ++i) {
    if (!ir::has_bit(set, number_of(s, labels[i]))) continue;
    if (kept != i) {
      Word* const to = out.states + u64{kept} * words;
      const Word* const from = out.states + u64{i} * words;
      for (u32 w = 0; w < words; ++w) to[w] = from[w];
      labels[kept] = labels[i];
    }
    ++kept;
  }
  return kept;
}

// Moves of the automaton with one step of the system follow one another.
u32 steps_of(const Stubborn& s, const u32* labels, u32 count) {
  if (s.program->property == kNone) return count;
  u32 steps = 0;
  for (u32 i = 0; i < count; ++i)
    steps += i == 0 || number_of(s, labels[i]) != number_of(s, labels[i - 1]) ? 1u : 0u;
  return steps;
}

// All successors, of which those go that are not taken.
Expansion filter(Stubborn& s, const Word* state, const SuccessorBuffer& out) {
  u32* const labels = out.labels != nullptr ? out.labels : s.labels.data();
  Expansion result =
      s.inner.expand(s.inner.self, state, {out.states, labels, out.capacity, out.may_stop});
  const bool forgets_errors = (s.rules.faults & kForgetDryRun) != 0;
  if ((result.flags & (kDeadlock | kErrorState | kUnfinished)) != 0 || result.count == 0)
    return result;
  if (is_stutter(s, labels[0])) return result;
  const u32 enabled = steps_of(s, labels, result.count);
  s.counts.enabled += enabled;
  s.counts.taken += enabled;
  if (result.errors != 0 && !forgets_errors) return result;
  s.set.begin();
  for (u32 i = 0; i < result.count; ++i) {
    const u32 step = number_of(s, labels[i]);
    XMC_CHECK(step != kNone);
    s.set.enable(step);
  }
  if (result.errors != 0) s.set.enable(number_of(s, result.error_label));
  const u64* const set = s.set.choose(state);
  if (set == nullptr) return result;
  if (result.errors != 0 && !ir::has_bit(set, number_of(s, result.error_label))) result.errors = 0;
  const u32 kept = keep(s, set, result.count, out, labels);
  // Which steps the ways are of that are not written is not known.
  if (kept != result.count) result.repeats = 0;
  result.count = kept;
  s.counts.taken -= enabled - steps_of(s, labels, result.count);
  return result;
}

// Of the steps that find() has listed, marks those in a row, or all; returns how many.
u32 mark_steps(const Stubborn& s, const u32* steps, u32 count, const u64* row,
               std::span<u64> places) {
  for (u32 w = 0; w < (count + 63) / 64; ++w) places[w] = row == nullptr ? ~u64{0} : 0;
  if (row == nullptr) return count;
  u32 marked = 0;
  for (u32 i = 0; i < count; ++i) {
    if (!ir::has_bit(row, s.tables->number_of[steps[i]])) continue;
    ir::set_bit(places.data(), i);
    ++marked;
  }
  return marked;
}

// Looks at the enabled steps, and takes only those that are to be taken, after a try of those that
// may be erroneous: if one is, all have to be taken.
Expansion expand_stubborn(void* self, const Word* state, const SuccessorBuffer& out) {
  Stubborn& s = *static_cast<Stubborn*>(self);
  if (!s.stepwise.given() || s.moves_fail) return filter(s, state, out);
  const u32* steps = nullptr;
  const u32 count = s.stepwise.find(s.inner.self, state, steps);
  if (count == 0) return filter(s, state, out);
  s.set.begin();
  bool may_fail = false;
  for (u32 i = 0; i < count; ++i) {
    const u32 step = s.tables->number_of[steps[i]];
    XMC_CHECK(step != kNone);
    may_fail = may_fail || ir::has_bit(s.failing.data(), step);
    s.set.enable(step);
  }
  const u64* const set = s.set.choose(state);
  if (may_fail && set != nullptr) {
    mark_steps(s, steps, count, s.failing.data(), s.places);
    if (s.stepwise.take(s.inner.self, state, s.places.data(), out).errors != 0)
      return filter(s, state, out);
  }
  const u32 taken = mark_steps(s, steps, count, set, s.places);
  const Expansion result = s.stepwise.take(s.inner.self, state, s.places.data(), out);
  XMC_CHECK(result.errors == 0 || set == nullptr);
  // Where the automaton has no move there is nothing to count.
  if (result.count == 0 && taken != 0) return result;
  s.counts.enabled += count;
  s.counts.taken += taken;
  return result;
}

u32 initial_stubborn(void* self, const SuccessorBuffer& out) {
  const Stubborn& s = *static_cast<const Stubborn*>(self);
  return s.inner.initial(s.inner.self, out);
}

u32 explain_stubborn(void* self, const Word* state, u32 label, u32 predicate, Text& out) {
  const Stubborn& s = *static_cast<const Stubborn*>(self);
  return s.inner.explain(s.inner.self, state, label, predicate, out);
}

u32 valuation_stubborn(void* self, const Word* state) {
  const Stubborn& s = *static_cast<const Stubborn*>(self);
  return s.inner.valuation(s.inner.self, state);
}

u32 cycle_class_stubborn(const void* self, const Word* state) {
  const Stubborn& s = *static_cast<const Stubborn*>(self);
  return s.inner.cycle_class(s.inner.self, state);
}

bool moves_may_fail(const ir::Program& p) {
  if (p.property == kNone) return false;
  if (p.has_rules) return true;  // bodies do not say
  const ir::Process& q = p.processes[p.property];
  for (u32 i = 0; i < q.transition_count; ++i) {
    const ir::Transition& t = p.transitions[q.first_transition + i];
    if (t.guard != kNone && p.exprs[t.guard].may_fail) return true;
    for (u32 k = 0; k < t.assignment_count; ++k) {
      const ir::Assignment& a = p.assignments[t.first_assignment + k];
      if (p.exprs[a.value].may_fail || a.target.check_value || a.target.index != kNone) return true;
    }
  }
  return false;
}

Stubborn* carve(const ir::Program& program, const ir::StepTables& tables, const ConditionCode& code,
                const StubbornRules& rules, const Model& inner, const Stepwise& stepwise,
                Arena& arena) {
  Stubborn* const s = ::new (arena.carve(kStubbornSets, sizeof(Stubborn), kLineBytes))
      Stubborn{inner,
               &program,
               &tables,
               &code,
               rules,
               StubbornSet(tables, code, rules, arena),
               stepwise,
               moves_may_fail(program),
               arena.carve_array<u32>(kStubbornSets, inner.max_successors),
               arena.carve_array<u64>(kStubbornSets, divide_up(ir::most_steps(program) + 1, 64)),
               arena.carve_array<u64>(kStubbornSets, tables.words),
               {},
               nullptr,
               nullptr};
  for (const u32 step : tables.failing_steps) ir::set_bit(s->failing.data(), step);
  return s;
}

void* fork_stubborn(const void* self, Arena& arena) {
  const Stubborn& from = *static_cast<const Stubborn*>(self);
  Model inner = from.inner;
  inner.self = inner.fork(inner.self, arena);
  Stubborn* const fork =
      carve(*from.program, *from.tables, *from.code, from.rules, inner, from.stepwise, arena);
  Stubborn& first = *from.first;
  fork->first = &first;
  fork->forks = first.forks;
  first.forks = fork;
  return fork;
}

}  // namespace

void make_stubborn(const ir::Program& program, const ir::StepTables& tables, StubbornRules rules,
                   const Model& inner, const Stepwise& stepwise, Arena& arena, Model& out) {
  XMC_CHECK(inner.state_words == program.state_words);
  const auto& code =
      *::new (arena.carve(kStubbornSets, sizeof(ConditionCode), alignof(ConditionCode)))
          ConditionCode(program, tables, arena);
  Stubborn* const stubborn = carve(program, tables, code, rules, inner, stepwise, arena);
  stubborn->first = stubborn;
  out = stubborn->inner;
  out.self = stubborn;
  out.initial = initial_stubborn;
  out.expand = expand_stubborn;
  if (stubborn->inner.fork != nullptr) out.fork = fork_stubborn;
  if (stubborn->inner.explain != nullptr) out.explain = explain_stubborn;
  if (stubborn->inner.valuation != nullptr) out.valuation = valuation_stubborn;
  if (stubborn->inner.cycle_class != nullptr) out.cycle_class = cycle_class_stubborn;
}

StubbornCounts stubborn_counts(const Model& model) {
  StubbornCounts all;
  for (const Stubborn* s = static_cast<const Stubborn*>(model.self); s != nullptr; s = s->forks) {
    all.enabled += s->counts.enabled;
    all.taken += s->counts.taken;
    all.work += s->set.work();
  }
  return all;
}

}  // namespace xmc
