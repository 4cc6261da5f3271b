#include "exec/rules/generator.h"

#include "xmc/native.h"

namespace xmc {

namespace {

class Generator : public RuleOutput {
 public:
  Generator(RuleVm& vm, const Word* state, const SuccessorBuffer& out)
      : RuleOutput(vm, state, out), words_(p_.state_words), most_(chain_states(p_)) {
    run_.events = &events_;
  }

  Expansion run();
  Expansion run_compiled();

 private:
  void ask(u32 rule, const Word* from, u32 chain_step);
  void yield(const ir::Action& x, u32 chain_step);
  void error(u32 step);
  bool holds(u32 code);
  void judge_end();
  void multiply(const Expansion& made);
  void follow();
  void go_on(u32 state);
  void end_chain(u32 step);
  bool is_on_path(u32 state) const;
  Word* remembered(u32 state) { return vm_.chain.states.data() + u64{state} * words_; }
  u32& at(u32 depth) const { return vm_.chain.at(depth); }
  u32& end(u32 depth) const { return vm_.chain.end(depth); }

  const u32 words_;
  const u32 most_;
  BodyEvents events_;
  bool yielded_ = false;  // some step of the rule that was asked can be taken
  bool any_ = false;      // some step of the state can be taken
  bool erred_ = false;
  u32 count_ = 0;  // of remembered states
  u32 depth_ = 0;  // of the way through them
  u32 ends_ = 0;   // of chains
};

void Generator::error(u32 step) {
  erred_ = true;
  finish(step, false);
}

// The steps of a rule: from the state, or behind a step that kept control.
void Generator::ask(u32 rule, const Word* from, u32 chain_step) {
  const ir::Rule& asked = p_.rules[rule];
  for (const ir::Parameter& q :
       p_.parameters.subspan(asked.first_parameter, asked.parameter_count)) {
    vm_.cells[q.cell] = q.low;
  }
  yielded_ = false;
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
    }
  }
}

void Generator::yield(const ir::Action& x, u32 chain_step) {
  yielded_ = true;
  const u32 step = chain_step != kNone ? chain_step : x.a;
  if (x.b == kNone) return chain_step != kNone ? end_chain(step) : finish(step, true);
  if (count_ == most_) return error(step);
  std::copy_n(target(), words_, remembered(count_));
  vm_.chain.keepers[count_] = x.b;
  vm_.chain.steps[count_] = step;
  ++count_;
}

// What is at the target ends a chain.
void Generator::end_chain(u32 step) {
  if (ends_ == p_.chain_ends) return error(step);
  ++ends_;
  finish(step, true);
}

bool Generator::is_on_path(u32 state) const {
  const Word* const words = vm_.chain.states.data();
  for (u32 d = 0; d < depth_; ++d) {
    const u32 before = at(d);
    if (vm_.chain.keepers[before] != vm_.chain.keepers[state]) continue;
    const Word* const one = words + u64{before} * words_;
    if (std::equal(one, one + words_, words + u64{state} * words_)) return true;
  }
  return false;
}

// All chains that begin with the states that are remembered. What a state leads to is remembered
// behind those beside it.
void Generator::follow() {
  depth_ = 0;
  at(0) = 0;
  end(0) = count_;
  while (true) {
    const u32 state = at(depth_);
    count_ = end(depth_);
    if (state == count_) {
      if (depth_ == 0) break;
      ++at(--depth_);
      continue;
    }
    go_on(state);
    if (count_ == end(depth_)) {
      ++at(depth_);
      continue;
    }
    at(depth_ + 1) = end(depth_);
    end(++depth_) = count_;
  }
  count_ = 0;
}

void Generator::go_on(u32 state) {
  const u32 step = vm_.chain.steps[state];
  if (is_on_path(state)) return error(step);
  ask(vm_.chain.keepers[state], remembered(state), step);
  if (yielded_) return;
  std::copy_n(remembered(state), words_, target());
  end_chain(step);
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
    if (count_ != 0) follow();
  }
  if (!any_ && !erred_) judge_end();
  return result_;
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
  result_.errors = made.errors * move_count_;
  if (result_.errors != 0)
    result_.error_label = ir::step_label(p_, made.error_label, vm_.moves[0].transition - first);
}

Expansion Generator::run_compiled() {
  if (p_.property != kNone) begin_product();
  for (u32 m = 0; m < move_count_; ++m) {
    if (vm_.moves[m].failed) return Generator(vm_, s_, out_).run();
  }
  if (holds(p_.accepts)) result_.flags |= kAccepting;
  const ChainMemory& chain = vm_.chain;
  const NativeScratch scratch = {vm_.cells.data(),   chain.states.data(), chain.keepers.data(),
                                 chain.steps.data(), chain.path.data(),   most_};
  const Expansion made = vm_.native->generate(scratch, s_, out_);
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
    result_.errors = made.errors;
    result_.error_label = made.error_label;
  }
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
