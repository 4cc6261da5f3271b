#include "exec/partial/partial_rules.h"

#include <algorithm>
#include <new>

#include "exec/partial/body_reads.h"
#include "exec/rules/body_judge.h"
#include "ir/steps.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/scratch.h"

namespace xmc {

namespace {

using End = BodyJudge::End;

struct PartialRules {
  const ir::RuleProgram* program = nullptr;
  std::span<u32> field_of;  // by leaf; kNone: it is always undefined
  u32 location = kNone;     // field of the automaton's; kNone: it has just one
  u32 fields = 0;
  bool may_abandon = false;  // a guard that holds does not make a step
  std::span<i64> leaves;
  std::span<i64> cells;
  // Nothing is cleared between runs: a mark is the number of a run or of a body.
  u64 run = 0;
  u64 body = 0;
  std::span<u64> read_in;     // by field: the last run
  std::span<u64> written_in;  // by leaf: the last body
  std::span<u32> written;     // leaves, by the body that is run
  u32 written_count = 0;
  // For BodyReads.
  std::span<u8> leaf_marks;
  std::span<u8> routine_marks;
};

const ir::Rule& rule_of(const ir::RuleProgram& p, u32 step) {
  const ir::Rule* rule = p.rules.data();
  while (step - rule->first_step >= rule->step_count) ++rule;
  return *rule;
}

// Parameters of instance `instance` of a rule.
void bind(const PartialRules& s, const ir::Rule& rule, u32 instance) {
  for (u32 i = rule.parameter_count; i-- > 0;) {
    const ir::Parameter& q = s.program->parameters[rule.first_parameter + i];
    s.cells[q.cell] = q.low + static_cast<i64>(instance % q.count) * q.step;
    instance /= q.count;
  }
}

class RuleRun final : public LeafWatch {
 public:
  RuleRun(PartialRules& self, PartialRun& run) : s_(self), p_(*self.program), run_(run) {
    run_.read_count = run_.write_count = 0;
    run_.field = kNone;
    ++s_.run;
  }

  PartialEnd answer(PartialQuestion question, u32 index);

  bool read(u32 leaf) override {
    if (is_written(leaf)) return true;
    const u32 field = s_.field_of[leaf];
    if (field != kNone && !know(field)) return false;
    const u32 code = field == kNone ? 0 : run_.codes[field];
    s_.leaves[leaf] = code == 0 ? ir::kUndefined : i64{code} + p_.leaves[leaf].slot.offset;
    return true;
  }
  void write(u32 leaf) override {
    if (is_written(leaf)) return;
    s_.written_in[leaf] = s_.body;
    s_.written[s_.written_count++] = leaf;
  }
  bool is_written(u32 leaf) const override { return s_.written_in[leaf] == s_.body; }

 private:
  bool know(u32 field);
  // False: it is not known where the automaton is.
  bool locate(u32& at);
  End walk(u32 code, bool guard_only);
  End body(u32 code, bool guard_only);
  End instance(const ir::Rule& rule, u32 step, bool guard_only);
  End assumed();
  PartialEnd step(u32 index, PartialQuestion question);
  PartialEnd overtaken(const ir::Rule& rule);
  PartialEnd move(u32 index);
  PartialEnd violated(u32 index);
  PartialEnd accepting();
  PartialEnd written();
  PartialEnd no() const { return run_.field != kNone ? PartialEnd::needs : PartialEnd::disabled; }

  PartialRules& s_;
  const ir::RuleProgram& p_;
  PartialRun& run_;
  i64 value_ = 0;  // of a predicate
};

bool RuleRun::know(u32 field) {
  if (run_.known[field] == 0) {
    run_.field = field;
    return false;
  }
  if (s_.read_in[field] != s_.run) run_.reads[run_.read_count++] = field;
  s_.read_in[field] = s_.run;
  return true;
}

bool RuleRun::locate(u32& at) {
  const Slot& slot = p_.variables[p_.processes[p_.property].location].slot;
  at = static_cast<u32>(slot.offset);
  if (s_.location == kNone) return true;
  if (!know(s_.location)) return false;
  at += run_.codes[s_.location];
  return true;
}

// On what the body before has made of the state.
End RuleRun::walk(u32 code, bool guard_only) {
  BodyJudge judge(p_, s_.leaves, s_.cells, nullptr, this);
  const End end = judge.run(code, guard_only);
  value_ = judge.value();
  return end;
}

End RuleRun::body(u32 code, bool guard_only) {
  ++s_.body;
  s_.written_count = 0;
  return walk(code, guard_only);
}

End RuleRun::instance(const ir::Rule& rule, u32 step, bool guard_only) {
  bind(s_, rule, step - rule.first_step);
  return body(rule.code, guard_only);
}

// Of the state that a body has made.
End RuleRun::assumed() {
  for (const u32 code : p_.assumptions) {
    const End end = walk(code, false);
    if (end != End::value) return end == End::withheld ? end : End::failed;
    if (value_ == 0) return End::abandoned;
  }
  return End::done;
}

PartialEnd RuleRun::answer(PartialQuestion question, u32 index) {
  switch (question) {
    case PartialQuestion::step:
    case PartialQuestion::enabled:
    case PartialQuestion::changes:
      return step(index, question);
    case PartialQuestion::move:
      return move(index);
    case PartialQuestion::violated:
      return violated(index);
    case PartialQuestion::halted:
      return PartialEnd::disabled;
    default:
      return accepting();
  }
}

// A guard that fails does so whatever the priorities.
PartialEnd RuleRun::step(u32 index, PartialQuestion question) {
  const ir::Rule& rule = rule_of(p_, index);
  const bool effects = question != PartialQuestion::enabled;
  const PartialEnd failed =
      question == PartialQuestion::step ? PartialEnd::fails : PartialEnd::done;
  const bool lower = rule.priority != p_.rules[0].priority;
  if (lower || !effects) {
    const End guard = instance(rule, index, true);
    if (guard == End::failed) return failed;
    if (guard != End::guarded) return no();
    if (lower && overtaken(rule) != PartialEnd::disabled) return no();
    if (!effects && !s_.may_abandon) return PartialEnd::done;
  }
  End end = instance(rule, index, false);
  if (end == End::failed) return failed;
  if (end != End::done) return no();
  if (!effects) return PartialEnd::done;
  end = assumed();
  if (end == End::failed) return failed;
  if (end == End::withheld) return PartialEnd::needs;
  const bool dropped = end == End::abandoned;
  if (question == PartialQuestion::step) return dropped ? PartialEnd::disabled : written();
  if (dropped) return PartialEnd::done;
  static_cast<void>(written());
  return find_change(run_, [&](u32 field) { return know(field); });
}

// Whether a rule of higher priority is enabled.
PartialEnd RuleRun::overtaken(const ir::Rule& rule) {
  for (const ir::Rule& higher : p_.rules) {
    if (higher.priority == rule.priority) break;
    for (u32 i = 0; i < higher.step_count; ++i) {
      const End end = instance(higher, higher.first_step + i, false);
      if (end == End::withheld) return PartialEnd::needs;
      if (end == End::done || end == End::failed) return PartialEnd::done;
    }
  }
  return PartialEnd::disabled;
}

PartialEnd RuleRun::move(u32 index) {
  const ir::Transition& t = p_.transitions[p_.processes[p_.property].first_transition + index];
  u32 at = 0;
  if (!locate(at) || at != t.source) return no();
  const End end = body(t.guard, false);
  if (end == End::withheld) return PartialEnd::needs;
  if (end != End::value) return PartialEnd::fails;
  if (value_ == 0) return PartialEnd::disabled;
  if (s_.location == kNone) return PartialEnd::done;
  const Slot& slot = p_.variables[p_.processes[p_.property].location].slot;
  run_.writes[run_.write_count++] = {s_.location, t.target - static_cast<u32>(slot.offset)};
  return PartialEnd::done;
}

PartialEnd RuleRun::violated(u32 index) {
  const ir::Predicate& q = p_.predicates[index];
  u32 at = 0;
  if (q.process != kNone && (!locate(at) || at != q.location)) return no();
  const End end = body(q.condition, false);
  if (end == End::withheld) return PartialEnd::needs;
  const bool ok = end == End::value;
  const bool goal = q.kind == PredicateText::Kind::goal;
  const bool bad = goal ? ok && value_ != 0 : !ok || value_ == 0;
  return bad ? PartialEnd::done : PartialEnd::disabled;
}

PartialEnd RuleRun::accepting() {
  u32 at = 0;
  if (!locate(at)) return PartialEnd::needs;
  const bool accepts = (ir::flags_of(p_, p_.property, at) & ir::kAcceptingLocation) != 0;
  return accepts ? PartialEnd::done : PartialEnd::disabled;
}

PartialEnd RuleRun::written() {
  for (const u32 leaf : s_.written.first(s_.written_count)) {
    const u32 field = s_.field_of[leaf];
    if (field == kNone) continue;
    const i64 value = s_.leaves[leaf];
    const i64 code = value == ir::kUndefined ? 0 : value - p_.leaves[leaf].slot.offset;
    run_.writes[run_.write_count++] = {field, static_cast<u32>(code)};
  }
  return PartialEnd::done;
}

PartialEnd run_rule(void* self, PartialQuestion question, u32 index, PartialRun& run) {
  return RuleRun(*static_cast<PartialRules*>(self), run).answer(question, index);
}

// Of a step: with the guards and bodies of all rules that go before it, and of assumptions.
void mark_step(PartialRules& s, PartialQuestion question, u32 index, BodyReads& reads) {
  const ir::RuleProgram& p = *s.program;
  const ir::Rule& rule = rule_of(p, index);
  bind(s, rule, index - rule.first_step);
  reads.rule(rule, question == PartialQuestion::enabled && !s.may_abandon);
  // Reads of others count, writes do not.
  for (u8& leaf : s.leaf_marks) {
    const bool compared = question == PartialQuestion::changes && (leaf & BodyReads::kWritten) != 0;
    leaf = compared || (leaf & BodyReads::kRead) != 0 ? BodyReads::kRead : 0;
  }
  for (const ir::Rule& higher : p.rules) {
    if (higher.priority == rule.priority) break;
    reads.body(higher.code);
  }
  for (const u32 code : p.assumptions) reads.body(code);
}

void may_read_rule(void* self, PartialQuestion question, u32 index, std::span<u8> fields) {
  PartialRules& s = *static_cast<PartialRules*>(self);
  const ir::RuleProgram& p = *s.program;
  fill_zero(s.leaf_marks);
  BodyReads reads(p, s.cells, s.routine_marks, s.leaf_marks);
  bool located = false;
  switch (question) {
    case PartialQuestion::step:
    case PartialQuestion::enabled:
    case PartialQuestion::changes:
      mark_step(s, question, index, reads);
      break;
    case PartialQuestion::violated:
      reads.body(p.predicates[index].condition);
      located = p.predicates[index].process != kNone;
      break;
    case PartialQuestion::move:
      reads.body(p.transitions[p.processes[p.property].first_transition + index].guard);
      located = true;
      break;
    default:
      located = p.property != kNone;
  }
  if (located && s.location != kNone) fields[s.location] = 1;
  for (std::size_t leaf = 0; leaf < s.leaf_marks.size(); ++leaf) {
    const bool read = (s.leaf_marks[leaf] & BodyReads::kRead) != 0;
    if (read && s.field_of[leaf] != kNone) fields[s.field_of[leaf]] = 1;
  }
}

// Fields are numbered as in make_fields(); a leaf is where its field is.
void number_leaves(PartialRules& self, Arena& arena) {
  const ir::RuleProgram& p = *self.program;
  const u64 mark = arena.scratch_mark();
  const std::span<u32> at =
      scratch_array<u32>(arena, "partial steps", u64{p.state_words} * 64, kNone);
  const auto field_at = [&](const Slot& slot) -> u32& { return at[slot.word * 64u + slot.shift]; };
  for (const ir::Variable& v : p.variables) {
    for (u32 k = 0; k < v.size && v.slot.width != 0; ++k) {
      field_at(ir::element_slot(v, k)) = self.fields++;
    }
  }
  self.field_of = arena.carve_array<u32>("partial steps", p.leaves.size());
  for (std::size_t i = 0; i < p.leaves.size(); ++i) {
    const Slot& slot = p.leaves[i].slot;
    self.field_of[i] = slot.width == 0 ? kNone : field_at(slot);
  }
  if (p.property != kNone) {
    const Slot& slot = p.variables[p.processes[p.property].location].slot;
    self.location = slot.width == 0 ? kNone : field_at(slot);
  }
  arena.scratch_release(mark);
}

void carve_marks(PartialRules& self, Arena& arena) {
  const ir::RuleProgram& p = *self.program;
  self.leaves = arena.carve_array<i64>("partial steps", p.leaves.size());
  self.cells = arena.carve_array<i64>("partial steps", p.body_cells);
  self.read_in = arena.carve_array<u64>("partial steps", self.fields);
  self.written_in = arena.carve_array<u64>("partial steps", p.leaves.size());
  self.written = arena.carve_array<u32>("partial steps", p.leaves.size());
  self.leaf_marks = arena.carve_array<u8>("partial steps", p.leaves.size());
  self.routine_marks = arena.carve_array<u8>("partial steps", p.routines.size());
  for (const ir::Action& x : p.actions) {
    self.may_abandon = self.may_abandon || x.op == ir::BodyOp::abandon;
  }
}

// It is a step of a state that is not there in sets.
bool any_start_fails(const PartialRules& s) {
  const ir::RuleProgram& p = *s.program;
  for (const ir::Rule& rule : p.starts) {
    for (u32 i = 0; i < rule.step_count; ++i) {
      std::fill(s.leaves.begin(), s.leaves.end(), ir::kUndefined);
      bind(s, rule, i);
      const End end = BodyJudge(p, s.leaves, s.cells, nullptr).run(rule.code, false);
      if (end == End::failed) return true;
      for (const u32 code : p.assumptions) {
        if (end != End::done) break;
        if (BodyJudge(p, s.leaves, s.cells, nullptr).run(code, false) != End::value) return true;
      }
    }
  }
  return false;
}

}  // namespace

void make_partial_rules(const ir::RuleProgram& program, Arena& arena, PartialSteps& out) {
  out = {};
  if (program.fair || program.symmetry != nullptr) return;
  if (!program.covers.empty() || !program.liveness.empty()) return;
  const bool product = program.property != kNone;
  if (product && !program.assumptions.empty()) return;
  if (product && program.processes[program.property].transition_count == 0) return;
  PartialRules* self =
      ::new (arena.carve("partial steps", sizeof(PartialRules), alignof(PartialRules)))
          PartialRules{};
  self->program = &program;
  number_leaves(*self, arena);
  carve_marks(*self, arena);
  if (any_start_fails(*self)) return;
  out.self = self;
  out.step_count = ir::instances_of(program.rules);
  out.move_count = product ? program.property_moves : 0;
  out.run = run_rule;
  out.may_read = may_read_rule;
}

}  // namespace xmc
