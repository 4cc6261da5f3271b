#include "exec/processes/processes_judge.h"

#include <new>

#include "exec/processes/evaluate.h"
#include "exec/processes/step_cells.h"
#include "exec/question.h"
#include "ir/layout.h"
#include "ir/steps.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

using Part = ir::Note::Part;

struct Judge {
  const ir::Program* program;
  ErrorRule errors;
  Cells source;
  Cells system;  // after the system's part of a step
  Cells target;
};

class Stepper {
 public:
  Stepper(Judge& judge, const Word* state, const SuccessorBuffer& out, Question* question = nullptr)
      : j_(judge), p_(*judge.program), cells_(p_, judge.source), out_(out), question_(question) {
    for (const ir::Variable& v : p_.variables) {
      for (u32 k = 0; k < v.size; ++k)
        j_.source[v.first_initial + k] = slot_value(ir::element_slot(v, k), state);
    }
  }

  Expansion run();
  u32 valuation();

 private:
  u32 where(u32 process) const {
    return static_cast<u32>(j_.source[cells_.location_cell(process)]);
  }
  bool lost(u32 process) const { return where(process) == p_.processes[process].location_count; }
  bool is_committed(u32 process) const {
    return !lost(process) && (ir::flags_of(p_, process, where(process)) & ir::kCommitted) != 0;
  }
  bool may_move(u32 process) const {
    return process != p_.property && !lost(process) && (!committed_ || is_committed(process));
  }
  bool at_source(const ir::Transition& t) const { return where(t.process) == t.source; }

  void predicates();
  void try_single(u32 index);
  void try_pairs(u32 index);
  void answer();
  void system_step(u32 step, bool ok);
  void successor(u32 label, bool ok, Cells cells);

  Judge& j_;
  const ir::Program& p_;
  StepCells cells_;  // with the fault of the step that is being tried
  const SuccessorBuffer& out_;
  Question* question_;
  Expansion result_;
  bool committed_ = false;
  bool any_ = false;
};

void Stepper::predicates() {
  for (u32 i = 0; i < p_.predicates.size() && result_.violated == kNone; ++i) {
    const ir::Predicate& q = p_.predicates[i];
    if (q.process != kNone && where(q.process) != q.location) continue;
    i32 v = 0;
    cells_.set_fault({});
    const bool ok = cells_.evaluate({Part::predicate, i, q.process}, j_.source, q.condition, v);
    if (!ok && question_ != nullptr && question_->predicate == i) answer();
    const bool bad = q.kind == PredicateText::Kind::goal ? ok && v != 0 : !ok || v == 0;
    if (bad) result_.violated = i;
  }
}

u32 Stepper::valuation() {
  u32 holding = 0;
  for (u32 i = 0; i < p_.propositions.size(); ++i) {
    Evaluator eval(p_, j_.source);
    const bool holds = eval(p_.propositions[i]) != 0 && !eval.failed();
    holding |= holds ? 1u << i : 0;
  }
  return holding;
}

// Says why, once.
void Stepper::answer() {
  if (question_->answered) return;
  question_->line = explain_fault(p_, cells_.fault(), *question_->out);
  question_->answered = true;
}

void Stepper::successor(u32 label, bool ok, Cells cells) {
  if (question_ != nullptr) {
    if (!ok && label == question_->label) answer();
    return;
  }
  if (!ok && j_.errors == ErrorRule::report) {
    if (result_.errors++ == 0) result_.error_label = label;
    return;
  }
  XMC_CHECK(result_.count < out_.capacity);
  Word* to = out_.states + u64{result_.count} * p_.state_words;
  const std::span<Word> words(to, p_.state_words);
  if (ok) {
    fill_zero(words);
    for (const ir::Variable& v : p_.variables) {
      for (u32 k = 0; k < v.size; ++k)
        ir::write_slot(ir::element_slot(v, k), cells[v.first_initial + k], to);
    }
  } else {
    copy(words, std::span<const Word>(p_.error));
  }
  if (out_.labels != nullptr) out_.labels[result_.count] = label;
  ++result_.count;
}

// The system part is in j_.system; in a product every enabled move of the property is added to it.
void Stepper::system_step(u32 step, bool ok) {
  any_ = true;
  if (p_.property == kNone) return successor(ir::step_label(p_, step, 0), ok, j_.system);
  if (lost(p_.property)) return;
  const ir::Process& property = p_.processes[p_.property];
  const Fault of_system = cells_.fault();
  for (u32 m = 0; m < property.transition_count; ++m) {
    const u32 index = property.first_transition + m;
    const ir::Transition& t = p_.transitions[index];
    if (!at_source(t)) continue;
    cells_.set_fault(of_system);
    const Truth truth = cells_.guard(index);
    if (truth == Truth::no) continue;
    bool fine = ok && truth == Truth::yes;
    copy(j_.target, std::span<const i32>(j_.system));
    fine = fine && cells_.effects(t, j_.target);
    successor(ir::step_label(p_, step, m), fine, j_.target);
  }
}

void Stepper::try_single(u32 index) {
  const ir::Transition& t = p_.transitions[index];
  if (t.sync != ir::Sync::none && !cells_.can_transmit(t)) return;
  cells_.set_fault({});
  const Truth truth = cells_.guard(index);
  if (truth == Truth::no) return;
  copy(j_.system, std::span<const i32>(j_.source));
  bool ok = truth == Truth::yes;
  ok = ok && (t.sync == ir::Sync::none || cells_.transmit_buffered(t, j_.system));
  system_step(index, ok && cells_.effects(t, j_.system));
}

void Stepper::try_pairs(u32 index) {
  const ir::Transition& t = p_.transitions[index];
  const ir::Channel& c = p_.channels[t.channel];
  cells_.set_fault({});
  const Truth sender = cells_.guard(index);
  if (sender == Truth::no) return;
  const Fault of_sender = cells_.fault();
  for (u32 r = 0; r < c.receiver_count; ++r) {
    const u32 partner = p_.receivers[c.first_receiver + r];
    const ir::Transition& u = p_.transitions[partner];
    if (u.process == t.process || !may_move(u.process) || !at_source(u)) continue;
    cells_.set_fault(of_sender);
    const Truth receiver = cells_.guard(partner);
    if (receiver == Truth::no) continue;
    copy(j_.system, std::span<const i32>(j_.source));
    bool ok = sender == Truth::yes && receiver == Truth::yes;
    ok = ok && cells_.transmit(t, u, j_.system) && cells_.effects(u, j_.system) &&
         cells_.effects(t, j_.system);
    system_step(t.first_pair + r, ok);
  }
}

Expansion Stepper::run() {
  for (u32 i = 0; i < p_.processes.size(); ++i) {
    if (lost(i)) result_.flags |= kErrorState;
    if (is_committed(i)) committed_ = true;
  }
  if (p_.property != kNone && !lost(p_.property) &&
      (ir::flags_of(p_, p_.property, where(p_.property)) & ir::kAcceptingLocation) != 0) {
    result_.flags |= kAccepting;
  }
  const bool error_state = (result_.flags & kErrorState) != 0;
  if (error_state && j_.errors == ErrorRule::stop) return result_;
  if (!error_state) predicates();
  for (u32 i = 0; i < p_.transitions.size(); ++i) {
    const ir::Transition& t = p_.transitions[i];
    if (!may_move(t.process) || !at_source(t)) continue;
    const bool rendezvous = t.sync != ir::Sync::none && p_.channels[t.channel].capacity == 0;
    if (!rendezvous) try_single(i);
    if (rendezvous && t.sync == ir::Sync::send) try_pairs(i);
  }
  if (any_) return result_;
  result_.flags |= kDeadlock;
  copy(j_.system, std::span<const i32>(j_.source));
  cells_.set_fault({});
  if (p_.property != kNone) system_step(ir::stutter_step(p_), true);
  return result_;
}

Expansion expand_judged(void* self, const Word* state, const SuccessorBuffer& out) {
  return Stepper(*static_cast<Judge*>(self), state, out).run();
}

u32 explain_judged(void* self, const Word* state, u32 label, u32 predicate, Text& out) {
  Question question{label, predicate, &out};
  const SuccessorBuffer nowhere;
  static_cast<void>(Stepper(*static_cast<Judge*>(self), state, nowhere, &question).run());
  return question.line;
}

u32 valuation_judged(void* self, const Word* state) {
  const SuccessorBuffer nowhere;
  return Stepper(*static_cast<Judge*>(self), state, nowhere).valuation();
}

u32 initial_judged(void* self, const SuccessorBuffer& out) {
  const ir::Program& p = *static_cast<const Judge*>(self)->program;
  copy(std::span<Word>(out.states, p.state_words), std::span<const Word>(p.initial));
  if (out.labels != nullptr) out.labels[0] = kNone;
  return 1;
}

void carve_cells(Judge& judge, Arena& arena) {
  const u64 count = judge.program->initial_values.size();
  judge.source = arena.carve_array<i32>("judge", count);
  judge.system = arena.carve_array<i32>("judge", count);
  judge.target = arena.carve_array<i32>("judge", count);
}

void* fork_judge(const void* self, Arena& arena) {
  Judge* judge = ::new (arena.carve("judge", sizeof(Judge), kLineBytes))
      Judge(*static_cast<const Judge*>(self));
  carve_cells(*judge, arena);
  return judge;
}

}  // namespace

void make_process_judge(const ir::Program& program, ErrorRule errors, Arena& arena, Model& model) {
  Judge* judge = ::new (arena.carve("judge", sizeof(Judge), kLineBytes)) Judge{};
  judge->program = &program;
  judge->errors = errors;
  carve_cells(*judge, arena);
  model = {.state_words = program.state_words,
           .state_bits = program.state_bits,
           .max_successors = program.max_successors,
           .predicate_count = static_cast<u32>(program.predicates.size()),
           .buchi = program.buchi,
           .self = judge,
           .initial = initial_judged,
           .expand = expand_judged,
           .fork = fork_judge,
           .explain = explain_judged,
           .valuation = program.propositions.empty() ? nullptr : valuation_judged,
           .state_bytes = program.state_bytes};
}

}  // namespace xmc
