#include "exec/rules/generator.h"

#include "xmc/chain_walk.h"
#include "xmc/native.h"

namespace xmc {

namespace {

class Generator : public RuleOutput {
 public:
  Generator(RuleVm& vm, const Word* state, const SuccessorBuffer& out)
      : RuleOutput(vm, state, out), words_(p_.state_words), walk_(vm.chain) {
    run_.events = &events_;
  }

  Expansion run();
  Expansion run_compiled();

  // Of chains (ChainWalk).
  bool ask(u32 rule, const Word* from, u32 chain_step);
  void loop(u32 step) { error(step); }
  void end(u32 step, const Word* state) {
    std::copy_n(state, words_, target());
    end_chain(step);
  }
  void again(u32, const ChainWays& more) {
    ways_.add(more);
    finish_again(more);
  }
  ChainWays total() const { return ways_; }
  bool over() const { return too_wide_ || vm_.work.ended(); }

 private:
  void ask_all(u32 rule, const Word* from, u32 chain_step);
  void yield(const ir::Action& x, u32 chain_step);
  void error(u32 step);
  bool holds(u32 code);
  void judge_end();
  void multiply(const Expansion& made);
  void end_chain(u32 step);
  Expansion unfinished();

  const u32 words_;
  ChainWalk<0> walk_;
  BodyEvents events_;
  bool yielded_ = false;  // some step of the rule that was asked can be taken
  bool any_ = false;      // some step of the state can be taken
  bool erred_ = false;
  bool too_wide_ = false;  // chains have more ends than there is room for
  u32 ends_ = 0;           // of chains
  u32 step_ = 0;           // that is tried
  i64 action_ = 0;         // that it ended at, unfinished
  ChainWays ways_;         // of chains
};

void Generator::error(u32 step) {
  erred_ = true;
  ways_.add({0, 1});
  finish(step, false);
}

// The steps of a rule: from the state, or behind a step that kept control.
bool Generator::ask(u32 rule, const Word* from, u32 chain_step) {
  yielded_ = false;
  if (vm_.work.spend()) ask_all(rule, from, chain_step);
  return yielded_;
}

void Generator::ask_all(u32 rule, const Word* from, u32 chain_step) {
  const ir::Rule& asked = p_.rules[rule];
  for (const ir::Parameter& q :
       p_.parameters.subspan(asked.first_parameter, asked.parameter_count)) {
    vm_.cells[q.cell] = q.low;
  }
  u32 step = asked.first_step;
  u32 otherwise = kNone;
  u32 next = asked.code;
  while (next != kNone) {
    events_ = {};
    i64 value = 0;
    const BodyEnd ended = run_body(run_, next, from, target(), value);
    for (u32 i = 0; i < events_.blames; ++i)
      error(chain_step != kNone ? chain_step : p_.actions[events_.blame].a);
    if (events_.attempt != kNone) {
      step = p_.actions[events_.attempt].a;
      otherwise = p_.actions[events_.attempt].b;
    }
    next = kNone;
    if (ended == BodyEnd::yielded) {
      yield(p_.actions[static_cast<std::size_t>(value)], chain_step);
      next = static_cast<u32>(value) + 1;
    } else if (ended == BodyEnd::failed) {
      error(chain_step != kNone ? chain_step : step);
      next = otherwise;
    } else if (ended == BodyEnd::unfinished) {
      step_ = step;
      action_ = value;
    }
  }
}

void Generator::yield(const ir::Action& x, u32 chain_step) {
  yielded_ = true;
  const u32 step = chain_step != kNone ? chain_step : x.a;
  if (x.b == kNone) return chain_step != kNone ? end_chain(step) : finish(step, true);
  if (walk_.keep(target(), x.b, step, x.a) == kNone) error(step);
}

// What is at the target ends a chain.
void Generator::end_chain(u32 step) {
  if (ends_ == p_.chain_ends) {
    too_wide_ = true;
    return error(step);
  }
  ++ends_;
  ways_.add({1, 0});
  finish(step, true);
}

bool Generator::holds(u32 code) {
  i64 value = 0;
  return code != kNone && run_body(run_, code, s_, nullptr, value) == BodyEnd::value && value != 0;
}

// Rules of a later priority are asked where the others have no step, whether or not one of those is
// erroneous.
Expansion Generator::run() {
  if (p_.property != kNone) begin_product();
  if (holds(p_.accepts)) result_.flags |= kAccepting;
  result_.violated = violated(static_cast<u32>(p_.predicates.size()));
  for (u32 i = 0; i < p_.rules.size(); ++i) {
    if (any_ && p_.rules[i].priority != p_.rules[i - 1].priority) break;
    ask(i, s_, kNone);
    any_ = any_ || yielded_;
    if (!walk_.empty()) walk_.follow(*this);
    if (vm_.work.ended()) return unfinished();
    walk_.clear();
  }
  if (!any_ && !erred_) judge_end();
  if (vm_.work.ended()) return unfinished();
  result_.flags |= vm_.work.flags();
  return result_;
}

// What goes round: the statements on the way, or one of the rule.
Expansion Generator::unfinished() {
  LongStep* const place = vm_.work.place();
  if (place != nullptr && !walk_.empty()) {
    for (u32 d = 0; d <= walk_.depth(); ++d) place->add(walk_.label(walk_.on_way(d)));
  }
  note_unfinished(step_, kNone, action_);
  return {.flags = vm_.work.flags()};
}

void Generator::judge_end() {
  if (!holds(p_.valid_end)) result_.flags |= kDeadlock;
  stutter();
}

// Compiled code has made the steps of the system. They come apart from the last one on, so that
// none is written over before its turn.
void Generator::multiply(const Expansion& made) {
  const ir::Process& automaton = p_.processes[p_.property];
  const Slot& location = p_.variables[automaton.location].slot;
  const u32 first = automaton.first_transition;
  for (u32 i = made.count; i-- > 0;) {
    const u32 step = out_.labels != nullptr ? out_.labels[i] : 0;
    std::copy_n(out_.states + u64{i} * words_, words_, vm_.base.data());
    for (u32 m = move_count_; m-- > 0;) {
      const ir::Transition& t = p_.transitions[vm_.moves[m].transition];
      const u32 to = i * move_count_ + m;
      Word* const next = out_.states + u64{to} * words_;
      std::copy(vm_.base.begin(), vm_.base.end(), next);
      ir::write_slot(location, static_cast<i32>(t.target), next);
      if (out_.labels != nullptr)
        out_.labels[to] = ir::step_label(p_, step, vm_.moves[m].transition - first);
    }
  }
  result_.count = made.count * move_count_;
  result_.repeats = ChainWays::product(made.repeats, move_count_);
  result_.errors = ChainWays::product(made.errors, move_count_);
  if (result_.errors != 0)
    result_.error_label = ir::step_label(p_, made.error_label, vm_.moves[0].transition - first);
}

Expansion Generator::run_compiled() {
  if (p_.property != kNone) begin_product();
  for (u32 m = 0; m < move_count_; ++m) {
    if (vm_.moves[m].failed) return Generator(vm_, s_, out_).run();
  }
  if (holds(p_.accepts)) result_.flags |= kAccepting;
  const NativeScratch scratch = {vm_.cells.data(), &vm_.work, &vm_.chain};
  const Expansion made = vm_.native->generate(scratch, s_, out_);
  if (vm_.work.ended()) return {.flags = vm_.work.flags()};
  XMC_CHECK(made.count <= out_.capacity);
  result_.violated = made.violated == kNone ? kNone : made.violated + p_.asked_predicates;
  if (p_.asked_predicates != 0) {
    const u32 asked = violated(p_.asked_predicates);
    if (asked != kNone) result_.violated = asked;
  }
  if ((made.flags & kDeadlock) != 0) {
    judge_end();
  } else if (product_) {
    multiply(made);
  } else {
    result_.count = made.count;
    result_.repeats = made.repeats;
    result_.errors = made.errors;
    result_.error_label = made.error_label;
  }
  result_.flags |= vm_.work.flags();
  return result_;
}

}  // namespace

Expansion generate(RuleVm& vm, const Word* state, const SuccessorBuffer& out) {
  return Generator(vm, state, out).run();
}

Expansion generate_compiled(RuleVm& vm, const Word* state, const SuccessorBuffer& out) {
  return Generator(vm, state, out).run_compiled();
}

}  // namespace xmc
