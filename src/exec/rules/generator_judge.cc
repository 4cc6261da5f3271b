// The judge's side of a generator: the same order as in exec/rules/generator.h, with bodies walked
// by BodyJudge. It also tells the statements inside of a step, which are the states on the way
// through a chain.
#include <algorithm>

#include "exec/rules/rule_stepper.h"
#include "ir/steps.h"
#include "xmc/bytes.h"
#include "xmc/chain_walk.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr const char* kEndless = "a sequence that keeps control comes to a state again";

// Which step is to be unfolded; it is not gone on behind that.
struct Unfolding {
  u32 step = kNone;
  u32 repeat = kNone;  // which one of these; kNone: the first that is erroneous
  bool done = false;
  u32 statement = kNone;  // the last one; kNone: that of the last state on the way
};

class GeneratorStepper : public RuleStepper {
 public:
  GeneratorStepper(RulesJudge& judge, const Word* state, const SuccessorBuffer& out,
                   Question* question, Unfolding* unfolding)
      : RuleStepper(judge, state, out, question),
        state_(state),
        walk_(judge.chain),
        unfolding_(unfolding) {}

  Expansion run();
  // The way to what was to be unfolded, behind run(); a label is a statement's and this move's.
  void tell(u32 move, const StatementVisitor& visitor);

  // Of chains (ChainWalk).
  bool ask(u32 rule, const Word* from, u32 chain_step);
  void loop(u32 step) { limit(step, kNone, kEndless, 0); }
  void end(u32 step, const Word*) {
    copy(j_.target, std::span<const i64>(j_.source));
    end_chain(step, kNone);
  }
  void again(u32, const ChainWays& more) {
    ways_.add(more);
    finish_again(more);
  }
  ChainWays total() const { return ways_; }
  bool over() const { return is_found() || too_wide_ || is_ended(); }

 private:
  void ask_all(u32 rule, u32 chain_step);
  void yield(const ir::Action& x, u32 chain_step);
  void error(u32 step, u32 statement, const BodyJudge* judge);
  void limit(u32 step, u32 statement, const char* words, u32 most);
  void follow();
  void end_chain(u32 step, u32 statement);
  void taken(u32 step, u32 statement);
  void find(u32 step, bool failed, u32 statement);
  bool is_found() const { return unfolding_ != nullptr && unfolding_->done; }
  Expansion unfinished();

  const Word* state_;
  ChainWalk<0> walk_;
  Unfolding* unfolding_;
  bool yielded_ = false;
  bool erred_ = false;
  bool in_chain_ = false;
  bool too_wide_ = false;
  u32 ends_ = 0;
  ChainWays ways_;
};

void GeneratorStepper::tell(u32 move, const StatementVisitor& visitor) {
  const u32 statement = unfolding_->statement;
  const u32 states = in_chain_ ? walk_.depth() + 1 : 0;
  for (u32 d = 0; d < states; ++d) {
    const bool last = d + 1 == states && statement == kNone;
    const u32 state = walk_.on_way(d);
    visitor.visit(visitor.self, ir::step_label(p_, walk_.label(state), move),
                  last ? nullptr : walk_.state(state));
  }
  if (statement != kNone) visitor.visit(visitor.self, ir::step_label(p_, statement, move), nullptr);
}

void GeneratorStepper::find(u32 step, bool failed, u32 statement) {
  if (unfolding_ == nullptr || unfolding_->done || unfolding_->step != step) return;
  if (failed != (unfolding_->repeat == kNone)) return;
  if (!failed && unfolding_->repeat-- != 0) return;
  unfolding_->done = true;
  unfolding_->statement = statement;
}

void GeneratorStepper::error(u32 step, u32 statement, const BodyJudge* judge) {
  erred_ = true;
  ways_.add({0, 1});
  finish(step, End::failed);
  if (judge != nullptr && is_asked(step, kNone)) answer(*judge);
  find(step, true, statement);
}

// An error that no action makes.
void GeneratorStepper::limit(u32 step, u32 statement, const char* words, u32 most) {
  if (is_asked(step, kNone)) {
    question_->answered = true;
    if (question_->out != nullptr) question_->out->format(words, most);
  }
  error(step, statement, nullptr);
}

// What is in the target is a successor.
void GeneratorStepper::taken(u32 step, u32 statement) {
  finish(step, End::done);
  find(step, false, statement);
}

void GeneratorStepper::end_chain(u32 step, u32 statement) {
  if (ends_ == p_.chain_ends) {
    too_wide_ = true;
    return limit(step, statement, "sequences that keep control end in more than %u ways here",
                 p_.chain_ends);
  }
  ++ends_;
  ways_.add({1, 0});
  taken(step, statement);
}

void GeneratorStepper::yield(const ir::Action& x, u32 chain_step) {
  XMC_CHECK(x.a < ir::stutter_step(p_));
  yielded_ = true;
  const u32 step = chain_step != kNone ? chain_step : x.a;
  if (x.b == kNone) return chain_step != kNone ? end_chain(step, x.a) : taken(step, x.a);
  XMC_CHECK(x.b < p_.rules.size());
  XMC_CHECK(p_.chain_ends > 0);
  Word behind[limits::kStateWords];
  pack(location_, behind);
  if (walk_.keep(behind, x.b, step, x.a) == kNone) {
    limit(step, x.a, "more than %u states of sequences that keep control are remembered",
          walk_.most());
  }
}

bool GeneratorStepper::ask(u32 rule, const Word* from, u32 chain_step) {
  yielded_ = false;
  unpack(from);
  if (j_.work.spend()) ask_all(rule, chain_step);
  return yielded_;
}

// The steps of a rule on the state that is unpacked.
void GeneratorStepper::ask_all(u32 rule, u32 chain_step) {
  const ir::Rule& asked = p_.rules[rule];
  // Registers that are read before they are set would be those of another body.
  std::fill(j_.cells.begin(), j_.cells.end(), ir::kUndefined);
  XMC_CHECK(asked.step_count == 1);
  bind(asked, 0);
  copy(j_.target, std::span<const i64>(j_.source));
  BodyJudge judge(p_, j_.target, j_.cells, &j_.work);
  judge.generates(j_.source);
  End ended = judge.run(asked.code, false);
  while (!is_found()) {
    const ir::Action* const attempt = judge.attempt();
    const u32 statement = attempt != nullptr ? attempt->a : asked.first_step;
    const u32 step = chain_step != kNone ? chain_step : statement;
    if (ended == End::yielded) {
      yield(judge.action(), chain_step);
      copy(j_.target, std::span<const i64>(j_.source));
      ended = judge.go_on();
    } else if (ended == End::blamed) {
      error(step, statement, &judge);
      ended = judge.go_on();
    } else if (ended == End::failed) {
      error(step, statement, &judge);
      if (attempt == nullptr) return;
      ended = judge.go_on_otherwise();
    } else if (ended == End::unfinished) {
      if (walk_.empty()) note_unfinished(statement, kNone, judge);
      return;
    } else {
      XMC_CHECK(ended == End::disabled || ended == End::abandoned);
      return;
    }
  }
}

void GeneratorStepper::follow() {
  in_chain_ = true;
  walk_.follow(*this);
  if (is_found() || is_ended()) return;
  walk_.clear();
  in_chain_ = false;
  unpack(state_);
}

Expansion GeneratorStepper::unfinished() {
  LongStep* const place = j_.work.place();
  if (place != nullptr && in_chain_) {
    for (u32 d = 0; d <= walk_.depth(); ++d) place->add(walk_.label(walk_.on_way(d)));
  }
  return {.flags = j_.work.flags()};
}

Expansion GeneratorStepper::run() {
  begin();
  if (p_.accepts != kNone && value_of(p_.accepts) != 0) result_.flags |= kAccepting;
  for (u32 i = 0; i < p_.rules.size(); ++i) {
    if (any_ && p_.rules[i].priority != p_.rules[i - 1].priority) break;
    ask(i, state_, kNone);
    any_ = any_ || yielded_;
    if (!walk_.empty() && !is_found()) follow();
    if (is_ended()) return unfinished();
    if (is_found()) return result_;
  }
  result_.flags |= j_.work.flags();
  if (any_ || erred_) return result_;
  if (p_.valid_end == kNone || value_of(p_.valid_end) == 0) result_.flags |= kDeadlock;
  stutter();
  return result_;
}

}  // namespace

Expansion judge_generator(RulesJudge& judge, const Word* state, const SuccessorBuffer& out,
                          Question* question) {
  return GeneratorStepper(judge, state, out, question, nullptr).run();
}

bool unfold_generator(void* self, const Word* state, u32 label, u32 repeat,
                      const StatementVisitor& visitor) {
  RulesJudge& judge = *static_cast<RulesJudge*>(self);
  const ir::RuleProgram& p = *judge.program;
  const SuccessorBuffer nowhere;
  Question none;
  judge.work.begin(false);
  Unfolding unfolding{.step = label / p.property_moves, .repeat = repeat};
  GeneratorStepper stepper(judge, state, nowhere, &none, &unfolding);
  static_cast<void>(stepper.run());
  if (unfolding.done) stepper.tell(label % p.property_moves, visitor);
  return unfolding.done;
}

}  // namespace xmc
