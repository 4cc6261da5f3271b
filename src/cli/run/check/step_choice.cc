#include "cli/run/check/step_choice.h"

#include "cli/run/input/first_states.h"
#include "cli/run/input/reduction.h"
#include "cli/run/input/step_marks.h"
#include "cli/run/input/step_price.h"
#include "exec/processes/vm.h"
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

StubbornMode stubborn_mode(const ir::Program& program, const EngineTraits& engine) {
  if (program.property != kNone) return StubbornMode::ltl;
  if (program.predicates.empty()) return StubbornMode::deadlock;
  return engine.finds_shortest_paths ? StubbornMode::shortest : StubbornMode::reach;
}

// Empty: nothing is in the way.
std::string_view why_no_steps(const StepQuestion& question, Arena& arena) {
  const LoadedModel& model = question.model;
  const ir::Program& p = *model.program;
  if (model.why_no_steps != nullptr) return model.why_no_steps;
  if (error_rule(question.options.text(Opt::errors)) != ErrorRule::report && p.may_error)
    return "with --errors beem and stop an erroneous step gets in the way of all others";
  // `auto` goes on with states.
  if (question.engine.steps_sets && question.engine.only_checkpoints)
    return "sets of states are stepped as sets, all steps of them";
  const PropertyText& elsewhere = model.elsewhere;
  if (p.property != kNone && elsewhere.form == PropertyForm::ltl &&
      says_next(elsewhere.source.text))
    return "the formula has X, which counts steps";
  if (model.steps != nullptr) return {};
  return why_steps_stay(p, arena);
}

// Of a model that leaves steps out, without a memo.
u64 sample_bytes(const ir::StepTables& tables, const LoadedModel& model) {
  return u64{8192} + u64{8} * tables.words * sizeof(u64) +
         tables.conditions.size() * 20 * sizeof(u32) + tables.processes.size() * sizeof(u32) +
         model.model.max_successors * sizeof(u32) +
         ir::most_steps(*model.program) * 5 * sizeof(u32) + 128;
}

// By the counted work of the first states, before anything is written. They are thousands: what is
// lost of the states of their levels is about what is lost in the end (RESULTS.md), so that the run
// needs no second look at more of them.
StepJudgement judge_first_states(const StepChoice& steps, const LoadedModel& loaded, Arena& arena) {
  const Model& model = loaded.model;
  const u64 mark = arena.scratch_mark();
  const u64 own = sample_bytes(steps.tables, loaded);
  // An arena takes its memory for zero, and scratch may have been used before.
  const std::span<u8> memory(static_cast<u8*>(arena.scratch(kName, own, kPageBytes)),
                             static_cast<std::size_t>(own));
  fill_zero(memory);
  Arena sample(memory);
  Model reduced;
  const Stepwise stepwise = make_stepwise_vm(*loaded.program, model, sample);
  make_stubborn(*loaded.program, steps.tables, steps.rules, model, stepwise, sample, reduced);
  StepSample seen{{}, {}, {}, model.state_words, !stepwise.given()};
  const u64 look = arena.scratch_mark();
  FirstStates all(model, arena);
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
Status make_tables(const StepQuestion& question, bool only_with_room, Arena& arena,
                   StepChoice& steps) {
  const LoadedModel& model = question.model;
  steps.rules.mode = stubborn_mode(*model.program, question.engine);
  steps.rules.deadlocks =
      steps.rules.mode == StubbornMode::deadlock || question.deadlock != DeadlockRule::ignore;
  // An assertion of Promela is an error of its step, and found where it is first, at little cost:
  // 0 to 6% more states on the models of RESULTS.md.
  steps.rules.exact_errors = question.options.given(Opt::minimal) || model.steps != nullptr;
  if (model.steps != nullptr) {
    steps.tables = *model.steps;
    return {};
  }
  if (only_with_room && ir::step_facts_bytes(*model.program) > arena.free_bytes() / 2) {
    steps.why_not = kShort;
    return {};
  }
  const u64 mark = arena.scratch_mark();
  ir::StepFacts facts(arena);
  const bool automaton = steps.rules.mode == StubbornMode::ltl;
  const bool goals = !automaton && steps.rules.mode != StubbornMode::deadlock;
  ir::find_process_steps(*model.program, {goals, automaton}, facts);
  Status made;
  if (facts.reads_automaton) {
    steps.why_not = "a process reads where the property process is";
  } else {
    made = ir::make_step_tables(facts, arena, steps.tables);
  }
  arena.scratch_release(mark);
  if (made.ok() || !only_with_room) return made;
  if (made.code() == Code::budget) steps.why_not = kShort;
  if (steps.why_not.empty()) steps.why_not = "there are too many";
  return {};
}

}  // namespace

Status choose_steps(const StepQuestion& question, Arena& arena, StepChoice& steps) {
  const ReductionChoice choice = reduction_choice(question.options.text(Opt::reduce));
  steps.asked = !choice.where_it_pays && !question.decided;
  steps.considered = choice.steps;
  if (!choice.steps) return {};
  steps.why_not = why_no_steps(question, arena);
  if (steps.why_not.empty()) XMC_TRY(make_tables(question, choice.where_it_pays, arena, steps));
  const bool possible = steps.why_not.empty();
  StepJudgement found;
  const u64 looked_at =
      sample_bytes(steps.tables, question.model) + FirstStates::bytes(question.model.model);
  if (question.decided) {
    if (question.most_work != 0) steps.rules.most_work = static_cast<u32>(question.most_work);
  } else if (possible && looked_at <= arena.free_bytes()) {
    found = judge_first_states(steps, question.model, arena);
    steps.rules.most_work = found.most_work;
  } else if (possible && choice.where_it_pays) {
    steps.why_not = kShort;
  }
  steps.on = possible && (!choice.where_it_pays || found.pays);
  if (steps.on) steps.hash = hash_of(steps.tables, steps.rules);
  return {};
}

// In these words the work directory has it, so that no other process decides again.
void settle_steps(const StepChoice& steps, const LoadedModel& model, Session& session) {
  if (!steps.considered) return;
  const bool dead = model.dead != nullptr;
  session.options.settle(Opt::reduce,
                         steps.on ? (dead ? "all" : "steps") : (dead ? "dead" : "off"));
  if (!steps.on) return;
  ReductionReport& report = session.report.reduction;
  report.kind = report.kind == "dead" ? "all" : "steps";
  report.steps = steps.tables.step_count;
  if (steps.rules.mode == StubbornMode::ltl) report.visible = steps.tables.visible_count;
  if (steps.tables.sticky_count != 0 || steps.rules.mode == StubbornMode::ltl)
    report.sticky = steps.tables.sticky_count;
}

void leave_steps_out(const StepChoice& steps, bool compared, Arena& arena, LoadedModel& model) {
  if (!steps.on) return;
  Stepwise stepwise;
  if (!compared) stepwise = make_stepwise_vm(*model.program, model.model, arena);
  make_stubborn(*model.program, steps.tables, steps.rules, model.model, stepwise, arena,
                model.model);
}

// A lasso that is shortest among those that are left need not be one of all, nor a path to an error
// that was put off.
void note_steps(const StepChoice& steps, const LoadedModel& model, const Engine& engine,
                RunReport& report) {
  if (!steps.on) return;
  // Sets that `auto` has stepped were those of all steps.
  if (engine.traits().steps_sets && report.engine != engine.name()) {
    report.reduction.kind = model.dead != nullptr ? "dead" : "off";
    return;
  }
  const StubbornCounts counts = stubborn_counts(model.model);
  report.reduction.enabled = counts.enabled;
  report.reduction.taken = counts.taken;
  const bool error = report.outcome.violation == Violation::model_error;
  if (steps.rules.mode == StubbornMode::ltl || (error && !steps.rules.exact_errors))
    report.outcome.minimal = false;
}

}  // namespace xmc
