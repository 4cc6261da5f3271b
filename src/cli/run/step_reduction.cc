// --reduce steps: whether steps of this run's model can be left out, for what, and, as `auto`,
// whether that pays. What is found here depends on the model and the options of the run alone.
#include "cli/run/check_run.h"
#include "cli/run/input/first_states.h"
#include "cli/run/input/reduction.h"
#include "cli/run/input/step_marks.h"
#include "cli/run/input/step_price.h"
#include "exec/models/stubborn.h"
#include "exec/processes/vm.h"
#include "ir/steps.h"
#include "ir/tables/make_tables.h"
#include "ir/tables/process_steps.h"
#include "xmc/bytes.h"
#include "xmc/hash.h"

namespace xmc {

namespace {

constexpr const char* kName = "stubborn sets";
constexpr std::string_view kShort = "--ram is too small for their tables";

// X of a formula: outside quotes, and not as a part of a name.
bool says_next(std::string_view formula) {
  bool quoted = false;
  const auto in_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  };
  for (std::size_t i = 0; i < formula.size(); ++i) {
    if (formula[i] == '"') quoted = !quoted;
    if (quoted || formula[i] != 'X') continue;
    const bool before = i > 0 && in_name(formula[i - 1]);
    const bool after = i + 1 < formula.size() && in_name(formula[i + 1]);
    if (!before && !after) return true;
  }
  return false;
}

template <class T>
u64 mixed(u64 hash, std::span<const T> of) {
  return hash_bytes({reinterpret_cast<const u8*>(of.data()), of.size_bytes()}, hash);
}

// Of everything that decides which steps are taken, except the program.
u64 hash_of(const ir::StepTables& t, const StubbornRules& rules) {
  u64 hash = static_cast<u64>(rules.mode) * 4 + (rules.deadlocks ? 1u : 0u) +
             (rules.exact_errors ? 2u : 0u) + 16 + u64{rules.most_work} * 16;
  hash = mixed(hash, t.discord);
  hash = mixed(hash, t.turning);
  hash = mixed(hash, t.failing_writers);
  hash = mixed(hash, t.visible);
  hash = mixed(hash, t.falsifying);
  return mixed(hash, t.sticky);
}

}  // namespace

StubbornMode CheckRun::stubborn_mode() const {
  if (model_.program->property != kNone) return StubbornMode::ltl;
  if (model_.program->predicates.empty()) return StubbornMode::deadlock;
  return engine_->traits().finds_shortest_paths ? StubbornMode::shortest : StubbornMode::reach;
}

std::string_view CheckRun::why_no_steps() {
  const ir::Program& p = *model_.program;
  if (model_.why_no_steps != nullptr) return model_.why_no_steps;
  if (error_rule(session_.options.text(Opt::errors)) != ErrorRule::report && p.may_error)
    return "with --errors beem and stop an erroneous step gets in the way of all others";
  // `auto` goes on with states.
  if (engine_->traits().steps_sets && engine_->traits().only_checkpoints)
    return "sets of states are stepped as sets, all steps of them";
  const PropertyText& elsewhere = model_.elsewhere;
  if (p.property != kNone && elsewhere.form == PropertyForm::ltl &&
      says_next(elsewhere.source.text))
    return "the formula has X, which counts steps";
  if (model_.steps != nullptr) return {};
  return why_steps_stay(p, budget_.arena());
}

// Of a model that leaves steps out, without a memo.
u64 CheckRun::sample_bytes() const {
  return u64{8192} + u64{8} * steps_.tables.words * sizeof(u64) +
         steps_.tables.conditions.size() * 20 * sizeof(u32) +
         steps_.tables.processes.size() * sizeof(u32) + model_.model.max_successors * sizeof(u32) +
         ir::most_steps(*model_.program) * 5 * sizeof(u32) + 128;
}

// By the counted work of the first states, before anything is written. They are thousands: what is
// lost of the states of their levels is about what is lost in the end (RESULTS.md), so that the run
// needs no second look at more of them.
StepJudgement CheckRun::judge_first_states() {
  Arena& arena = budget_.arena();
  const u64 mark = arena.scratch_mark();
  const u64 own = sample_bytes();
  // An arena takes its memory for zero, and scratch may have been used before.
  const std::span<u8> memory(static_cast<u8*>(arena.scratch(kName, own, kPageBytes)),
                             static_cast<std::size_t>(own));
  fill_zero(memory);
  Arena sample(memory);
  Model reduced;
  const Stepwise stepwise = make_stepwise_vm(*model_.program, model_.model, sample);
  make_stubborn(*model_.program, steps_.tables, steps_.rules, model_.model, stepwise, sample,
                reduced);
  StepSample seen{{}, {}, {}, model_.model.state_words, !stepwise.given()};
  const u64 look = arena.scratch_mark();
  FirstStates all(model_.model, arena);
  while (all.expand_level()) seen.all = all.seen();
  arena.scratch_release(look);
  FirstStates some(reduced, arena);
  while (some.seen().levels < seen.all.levels && !is_too_dear(seen) && some.expand_level()) {
    seen.some = some.seen();
    seen.counts = stubborn_counts(reduced);
  }
  arena.scratch_release(mark);
  return judge_steps(seen);
}

// Tables for this run. Under `auto` there are none where they would take much of the memory.
Status CheckRun::make_tables(bool only_with_room) {
  const Options& options = session_.options;
  Arena& arena = budget_.arena();
  steps_.rules.mode = stubborn_mode();
  steps_.rules.deadlocks =
      steps_.rules.mode == StubbornMode::deadlock || goal_.deadlock != DeadlockRule::ignore;
  // An assertion of Promela is an error of its step, and found where it is first, at little cost:
  // 0 to 6% more states on the models of RESULTS.md.
  steps_.rules.exact_errors = options.given(Opt::minimal) || model_.steps != nullptr;
  if (model_.steps != nullptr) {
    steps_.tables = *model_.steps;
    return {};
  }
  if (only_with_room && ir::step_facts_bytes(*model_.program) > arena.free_bytes() / 2) {
    steps_.why_not = kShort;
    return {};
  }
  const u64 mark = arena.scratch_mark();
  ir::StepFacts facts(arena);
  const bool automaton = steps_.rules.mode == StubbornMode::ltl;
  const bool goals = !automaton && steps_.rules.mode != StubbornMode::deadlock;
  ir::find_process_steps(*model_.program, {goals, automaton}, facts);
  Status made;
  if (facts.reads_automaton) {
    steps_.why_not = "a process reads where the property process is";
  } else {
    made = ir::make_step_tables(facts, arena, steps_.tables);
  }
  arena.scratch_release(mark);
  if (made.ok() || !only_with_room) return made;
  if (made.code() == Code::budget) steps_.why_not = kShort;
  if (steps_.why_not.empty()) steps_.why_not = "there are too many";
  return {};
}

Status CheckRun::decide_steps() {
  Options& options = session_.options;
  const ReductionChoice choice = reduction_choice(options.text(Opt::reduce));
  ReductionReport& report = session_.report.reduction;
  steps_.asked = !choice.where_it_pays && !from_work_;
  if (!choice.steps) return {};
  steps_.why_not = why_no_steps();
  if (steps_.why_not.empty()) XMC_TRY(make_tables(choice.where_it_pays));
  const bool possible = steps_.why_not.empty();
  StepJudgement found;
  const u64 looked_at = sample_bytes() + FirstStates::bytes(model_.model);
  if (from_work_) {
    if (marker_.most_work != 0) steps_.rules.most_work = static_cast<u32>(marker_.most_work);
  } else if (possible && looked_at <= budget_.arena().free_bytes()) {
    found = judge_first_states();
    steps_.rules.most_work = found.most_work;
  } else if (possible && choice.where_it_pays) {
    steps_.why_not = kShort;
  }
  steps_.on = possible && (!choice.where_it_pays || found.pays);
  // In these words the work directory has it, so that no other process decides again.
  marker_.most_work = steps_.rules.most_work;
  const bool dead = model_.dead != nullptr;
  options.settle(Opt::reduce, steps_.on ? (dead ? "all" : "steps") : (dead ? "dead" : "off"));
  if (!steps_.on) return {};
  steps_.hash = hash_of(steps_.tables, steps_.rules);
  report.kind = report.kind == "dead" ? "all" : "steps";
  report.steps = steps_.tables.step_count;
  if (steps_.rules.mode == StubbornMode::ltl) report.visible = steps_.tables.visible_count;
  if (steps_.tables.sticky_count != 0 || steps_.rules.mode == StubbornMode::ltl)
    report.sticky = steps_.tables.sticky_count;
  return {};
}

void CheckRun::leave_steps_out() {
  if (!steps_.on) return;
  Arena& arena = budget_.arena();
  Stepwise stepwise;
  // What is compared is compared as a whole.
  if (!session_.options.given(Opt::paranoid))
    stepwise = make_stepwise_vm(*model_.program, model_.model, arena);
  make_stubborn(*model_.program, steps_.tables, steps_.rules, model_.model, stepwise, arena,
                model_.model);
}

// After the search. A lasso that is shortest among those that are left need not be one of all, nor
// a path to an error that was put off.
void CheckRun::note_steps() {
  if (!steps_.on) return;
  RunReport& report = session_.report;
  // Sets that `auto` has stepped were those of all steps.
  if (engine_->traits().steps_sets && report.engine != engine_->name()) {
    report.reduction.kind = model_.dead != nullptr ? "dead" : "off";
    return;
  }
  const StubbornCounts counts = stubborn_counts(model_.model);
  report.reduction.enabled = counts.enabled;
  report.reduction.taken = counts.taken;
  const bool error = report.outcome.violation == Violation::model_error;
  if (steps_.rules.mode == StubbornMode::ltl || (error && !steps_.rules.exact_errors))
    report.outcome.minimal = false;
}

}  // namespace xmc
