// The judge's side of a program with rules: instances are decoded from their numbers, leaves are
// unpacked before each, and bodies are walked by BodyJudge.
#include <algorithm>
#include <new>

#include "exec/rules/rule_stepper.h"
#include "exec/rules/rules.h"
#include "exec/rules/run_body.h"
#include "ir/layout.h"
#include "ir/steps.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

RuleStepper::RuleStepper(RulesJudge& judge, const Word* state, const SuccessorBuffer& out,
                         Question* question)
    : j_(judge), p_(*judge.program), out_(out), question_(question) {
  if (p_.property != kNone) {
    const ir::Process& automaton = p_.processes[p_.property];
    location_ = static_cast<u32>(slot_value(p_.variables[automaton.location].slot, state));
  }
  unpack(state);
}

void RuleStepper::unpack(const Word* state) {
  for (std::size_t i = 0; i < p_.leaves.size(); ++i) {
    const ir::Leaf& leaf = p_.leaves[i];
    const i32 v = slot_value(leaf.slot, state);
    j_.source[i] = v == leaf.slot.offset && !leaf.total ? ir::kUndefined : v;
  }
}

void RuleStepper::pack(u32 location, Word* to) const {
  fill_zero(std::span<Word>(to, p_.state_words));
  for (std::size_t i = 0; i < p_.leaves.size(); ++i) {
    const Slot& slot = p_.leaves[i].slot;
    const i64 v = j_.target[i];
    ir::write_slot(slot, v == ir::kUndefined ? slot.offset : static_cast<i32>(v), to);
  }
  if (location == kNone) return;
  const ir::Variable& at = p_.variables[p_.processes[p_.property].location];
  ir::write_slot(at.slot, static_cast<i32>(location), to);
}

bool RuleStepper::is_asked(u32 label, u32 predicate) const {
  return question_ != nullptr && question_->label == label && question_->predicate == predicate &&
         !question_->answered;
}

void RuleStepper::answer(const BodyJudge& judge) {
  question_->answered = true;
  question_->kind = judge.error_kind();
  if (question_->out != nullptr) question_->line = judge.explain(*question_->out);
}

void RuleStepper::note_unfinished(u32 label, u32 predicate, const BodyJudge& judge) {
  LongStep* const place = j_.work.place();
  if (place == nullptr || place->label_count != 0 || place->predicate != kNone) return;
  if (label != kNone) place->add(label);
  place->predicate = predicate;
  place->line = line_around(p_, static_cast<u32>(&judge.action() - p_.actions.data()));
}

RuleStepper::End RuleStepper::body(u32 code, u32 label, u32 predicate, i64& value) {
  copy(j_.target, std::span<const i64>(j_.source));
  BodyJudge judge(p_, j_.target, j_.cells, &j_.work);
  const End end = judge.run(code, guards_only_);
  value = judge.value();
  if (end == End::unfinished) note_unfinished(label, predicate, judge);
  if (end == End::failed && is_asked(label, predicate)) answer(judge);
  return end;
}

void RuleStepper::bind(const ir::Rule& rule, u32 instance) {
  for (u32 i = rule.parameter_count; i-- > 0;) {
    const ir::Parameter& q = p_.parameters[rule.first_parameter + i];
    j_.cells[q.cell] = q.low + static_cast<i64>(instance % q.count) * q.step;
    instance /= q.count;
  }
}

// What the body made of the state, with the automaton in a location.
void RuleStepper::successor(u32 label, u32 location) {
  if (question_ != nullptr) return;
  XMC_CHECK(result_.count < out_.capacity);
  pack(location, out_.states + u64{result_.count} * p_.state_words);
  if (out_.labels != nullptr) out_.labels[result_.count] = label;
  ++result_.count;
}

// Of the successor that a body has made: abandoned where it is assumed not to be there.
RuleStepper::End RuleStepper::assumed() {
  for (const u32 code : p_.assumptions) {
    BodyJudge judge(p_, j_.target, j_.cells, &j_.work);
    if (judge.run(code, false) != End::value) return End::failed;
    if (judge.value() == 0) return End::abandoned;
  }
  return End::done;
}

void RuleStepper::move(u32 label, u32 location, End end) {
  if (end == End::done) return successor(label, location);
  if (end == End::abandoned) {
    ++result_.dropped;
  } else if (result_.errors++ == 0) {
    result_.error_label = label;
  }
}

// A step for each move of the automaton that is open in the state before.
void RuleStepper::finish(u32 step, End end) {
  if (!stepping_ || p_.property == kNone) return move(step, location_, end);
  const ir::Process& automaton = p_.processes[p_.property];
  for (u32 m = 0; m < automaton.transition_count; ++m) {
    const ir::Transition& t = p_.transitions[automaton.first_transition + m];
    if (t.source != location_) continue;
    if (j_.moves[m] == kClosed) continue;
    const End both = end == End::done && j_.moves[m] == kErroneous ? End::failed : end;
    move(ir::step_label(p_, step, m), t.target, both);
  }
}

void RuleStepper::finish_again(const ChainWays& ways) {
  u32 moves = 1;
  u32 failing = 0;
  if (stepping_ && p_.property != kNone) {
    moves = 0;
    const ir::Process& automaton = p_.processes[p_.property];
    for (u32 m = 0; m < automaton.transition_count; ++m) {
      const ir::Transition& t = p_.transitions[automaton.first_transition + m];
      if (t.source != location_ || j_.moves[m] == kClosed) continue;
      ++moves;
      failing += j_.moves[m] == kErroneous ? 1u : 0u;
    }
  }
  const u64 errors = ChainWays::sum(ChainWays::product(ways.errors, moves),
                                    ChainWays::product(ways.ends, failing));
  result_.errors = ChainWays::sum(result_.errors, errors);
  result_.repeats = ChainWays::sum(result_.repeats, ChainWays::product(ways.ends, moves - failing));
}

void RuleStepper::rule(const ir::Rule& rule) {
  for (u32 i = 0; i < rule.step_count && j_.work.spend(); ++i) {
    const u32 label = rule.first_step + i;
    i64 unused = 0;
    bind(rule, i);
    const End end = body(rule.code, label, kNone, unused);
    if (end != End::done && end != End::failed) continue;
    any_ = true;
    finish(label, end == End::done ? assumed() : end);
  }
}

void RuleStepper::predicates() {
  for (u32 i = 0; i < p_.predicates.size() && result_.violated == kNone; ++i) {
    const bool elsewhere =
        p_.predicates[i].process != kNone && p_.predicates[i].location != location_;
    if (elsewhere) continue;
    i64 value = 0;
    const bool ok = body(p_.predicates[i].condition, kNone, i, value) == End::value;
    const bool goal = p_.predicates[i].kind == PredicateText::Kind::goal;
    if (goal ? ok && value != 0 : !ok || value == 0) result_.violated = i;
  }
}

u32 RuleStepper::valuation() {
  u32 bits = 0;
  for (u32 i = 0; i < p_.propositions.size(); ++i) {
    i64 value = 0;
    const bool known = body(p_.propositions[i], kNone, kNone, value) == End::value;
    if (known && value != 0) bits |= u32{1} << i;
  }
  return bits;
}

u32 RuleStepper::live() {
  u32 bits = 0;
  for (const ir::Rule& r : p_.liveness) {
    for (u32 i = 0; i < r.step_count; ++i) {
      i64 value = 0;
      bind(r, i);
      const bool known = body(r.code, kNone, kNone, value) == End::value;
      if (known && value != 0) bits |= u32{1} << (r.first_step + i);
    }
  }
  return bits;
}

i64 RuleStepper::value_of(u32 code) {
  i64 value = 0;
  return body(code, kNone, kNone, value) == End::value ? value : 0;
}

void RuleStepper::begin() {
  stepping_ = true;
  if (p_.property != kNone) {
    if ((ir::flags_of(p_, p_.property, location_) & ir::kAcceptingLocation) != 0)
      result_.flags |= kAccepting;
    const ir::Process& automaton = p_.processes[p_.property];
    for (u32 m = 0; m < automaton.transition_count; ++m) {
      const ir::Transition& t = p_.transitions[automaton.first_transition + m];
      if (t.source != location_) continue;
      BodyJudge guard(p_, j_.source, j_.cells, &j_.work);
      const bool known = guard.run(t.guard, false) == End::value;
      j_.moves[m] = !known ? kErroneous : guard.value() != 0 ? kOpen : kClosed;
    }
  }
  predicates();
}

void RuleStepper::stutter() {
  if (p_.property == kNone || !p_.stutters) return;
  copy(j_.target, std::span<const i64>(j_.source));
  finish(ir::stutter_step(p_), End::done);
}

Expansion RuleStepper::run() {
  begin();
  i32 priority = p_.rules.empty() ? 0 : p_.rules[0].priority;
  for (const ir::Rule& r : p_.rules) {
    guards_only_ = guards_only_ || (any_ && r.priority != priority);
    priority = r.priority;
    rule(r);
  }
  if (is_ended()) return {.flags = j_.work.flags()};
  result_.flags |= j_.work.flags();
  if (any_) return result_;
  result_.flags |= kDeadlock;
  stutter();
  return result_;
}

namespace {

u32 initial_judged(void* self, const SuccessorBuffer& out) {
  RulesJudge& judge = *static_cast<RulesJudge*>(self);
  const u32 words = judge.program->state_words;
  const Word* const nothing = judge.program->initial.data();
  judge.work.begin(false);
  const Expansion made = RuleStepper(judge, nothing, out).start();
  u32 count = 0;
  const bool given = judge.program->generates && judge.program->starts.empty();
  for (u32 i = 0; i < made.count && made.errors == 0; ++i) {
    const Word* const state = out.states + u64{i} * words;
    bool known = false;
    for (u32 k = 0; k < count; ++k)
      known = known || std::equal(state, state + words, out.states + u64{k} * words);
    if (!known) std::copy_n(state, words, out.states + u64{count++} * words);
  }
  if (made.errors != 0 || given) std::copy_n(nothing, words, out.states + u64{count++} * words);
  if (out.labels != nullptr) std::fill_n(out.labels, count, kNone);
  return count;
}

// A startstate that fails is a step of the only state there is then.
Expansion startstate_error(RulesJudge& judge, Question* question) {
  const ir::RuleProgram& p = *judge.program;
  SuccessorBuffer nowhere;
  Question none;
  judge.work.begin(false);
  const Expansion made =
      RuleStepper(judge, p.initial.data(), nowhere, question != nullptr ? question : &none).start();
  Expansion result;
  result.errors = made.errors == 0 ? 0 : 1;
  if (made.errors != 0) result.error_label = ir::step_label(p, made.error_label, 0);
  return result;
}

// Which propositions hold.
u32 valuation_judged(void* self, const Word* state) {
  RulesJudge& judge = *static_cast<RulesJudge*>(self);
  const SuccessorBuffer nowhere;
  judge.work.begin(false);
  return RuleStepper(judge, state, nowhere).valuation();
}

Expansion expand_judged(void* self, const Word* state, const SuccessorBuffer& out) {
  RulesJudge& judge = *static_cast<RulesJudge*>(self);
  const std::span<const Word> nothing = judge.program->initial;
  if (std::equal(nothing.begin(), nothing.end(), state)) {
    const Expansion failed = startstate_error(judge, nullptr);
    if (failed.errors != 0) return failed;
  }
  judge.work.begin(out.may_stop);
  if (judge.program->generates) return judge_generator(judge, state, out, nullptr);
  return RuleStepper(judge, state, out).run();
}

void ask(RulesJudge& judge, const Word* state, u32 label, Question& question) {
  const ir::RuleProgram& p = *judge.program;
  const u32 step = label == kNone ? kNone : label / p.property_moves;
  question.label = step;
  const SuccessorBuffer nowhere;
  judge.work.begin(false);
  const bool of_start = step != kNone && !p.starts.empty() && step >= p.starts[0].first_step &&
                        step != ir::stutter_step(p);
  if (of_start) {
    static_cast<void>(startstate_error(judge, &question));
  } else if (p.generates) {
    static_cast<void>(judge_generator(judge, state, nowhere, &question));
  } else {
    static_cast<void>(RuleStepper(judge, state, nowhere, &question).run());
  }
}

u32 explain_judged(void* self, const Word* state, u32 label, u32 predicate, Text& out) {
  Question question;
  question.predicate = predicate;
  question.out = &out;
  ask(*static_cast<RulesJudge*>(self), state, label, question);
  return question.line;
}

ErrorKind error_kind(void* self, const Word* state, u32 label) {
  Question question;
  ask(*static_cast<RulesJudge*>(self), state, label, question);
  return question.kind;
}

u32 live_judged(void* self, const Word* state) {
  const SuccessorBuffer nowhere;
  RulesJudge& judge = *static_cast<RulesJudge*>(self);
  judge.work.begin(false);
  return RuleStepper(judge, state, nowhere).live();
}

void carve_judge_cells(RulesJudge& judge, Arena& arena) {
  judge.source = arena.carve_array<i64>("judge", judge.program->leaves.size());
  judge.target = arena.carve_array<i64>("judge", judge.program->leaves.size());
  judge.cells = arena.carve_array<i64>("judge", judge.program->body_cells);
  if (judge.program->property != kNone)
    judge.moves = arena.carve_array<u8>("judge", judge.program->property_moves);
  carve_chain(*judge.program, "judge", arena, judge.chain);
}

void* fork_judge(const void* self, Arena& arena) {
  RulesJudge* judge = ::new (arena.carve("judge", sizeof(RulesJudge), kLineBytes))
      RulesJudge(*static_cast<const RulesJudge*>(self));
  carve_judge_cells(*judge, arena);
  return judge;
}

}  // namespace

Status make_rules_judge(const ir::RuleProgram& program, Arena& arena, Model& model) {
  RulesJudge* judge = ::new (arena.carve("judge", sizeof(RulesJudge), kLineBytes)) RulesJudge{};
  judge->program = &program;
  carve_judge_cells(*judge, arena);
  model = {.state_words = program.state_words,
           .state_bits = program.state_bits,
           .max_successors = program.max_successors,
           .predicate_count = static_cast<u32>(program.predicates.size()),
           .buchi = program.buchi,
           .weak = program.weak_property,
           .self = judge,
           .initial = initial_judged,
           .expand = expand_judged,
           .fork = fork_judge,
           .explain = explain_judged,
           .error_kind = program.generates ? error_kind : nullptr,
           .unfold = program.generates ? unfold_generator : nullptr,
           .valuation = program.propositions.empty() ? nullptr : valuation_judged,
           .cover_count = static_cast<u32>(program.covers.size()),
           .live = program.liveness.empty() ? nullptr : live_judged,
           .live_count = ir::instances_of(program.liveness),
           .state_bytes = program.state_bytes};
  return {};
}

}  // namespace xmc
