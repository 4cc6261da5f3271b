#include "cli/run/input/step_price.h"

namespace xmc {

namespace {

// Instructions of an amd64 processor (callgrind, bytecode, `ram`; the models of `tools/bench
// reduce-auto`, 5,000th to 15,000th state), and what a look into a large table takes beside them.
constexpr u64 kStateWork = 200;     // a state: to take it up, judge it
constexpr u64 kFindWork = 200;      // an enabled step: its guard, and those of its neighbours
constexpr u64 kMakeWork = 250;      // a successor by a step of a process: the effect
constexpr u64 kRuleMakeWork = 800;  // by a rule with a body
constexpr u64 kKeepWork = 250;      // to look for it among all states
constexpr u64 kKeepWordWork = 60;   // and for each word of it
constexpr u64 kChoiceWork = 500;    // a set, beside what StubbornSet counts: the memo
constexpr u64 kPaysPercent = 85;    // of the work with all steps
constexpr u64 kPatienceTimes = 2;   // the same: beyond that choices have to be cheap

u64 keep_work(const StepSample& s, u64 successors) {
  return successors * (kKeepWork + kKeepWordWork * s.state_words);
}

// From the states that were expanded to all that are known.
u64 of_states(u64 work, const FirstLook& look) {
  return look.expanded == 0 ? 0 : work * look.states / look.expanded;
}

}  // namespace

StepPrices step_prices(const StepSample& s) {
  const u64 make = s.makes_all ? kRuleMakeWork : kMakeWork;
  const u64 all = s.all.expanded * kStateWork + s.all.successors * (kFindWork + make) +
                  keep_work(s, s.all.successors);
  // Counts are of steps: in a product each has as many successors as the automaton has moves.
  const u64 enabled =
      s.counts.taken == 0 ? 0 : s.some.successors * s.counts.enabled / s.counts.taken;
  const u64 made = s.makes_all ? enabled : s.some.successors;
  const u64 some = s.some.expanded * (kStateWork + kChoiceWork) + s.counts.work +
                   enabled * kFindWork + made * make + keep_work(s, s.some.successors);
  return {of_states(all, s.all), of_states(some, s.some)};
}

bool is_too_dear(const StepSample& s) {
  const StepPrices prices = step_prices(s);
  return prices.some > prices.all * kPatienceTimes;
}

StepJudgement judge_steps(const StepSample& s) {
  // States of as many levels are compared, or all there are.
  const bool comparable = s.some.levels == s.all.levels || s.some.whole;
  if (s.all.levels == 0 || !comparable || is_too_dear(s)) return {};
  const StepPrices prices = step_prices(s);
  return {prices.some * 100 <= prices.all * kPaysPercent, kPatientWork};
}

}  // namespace xmc
