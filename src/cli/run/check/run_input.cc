// What a run checks: the model, what is looked for in it, and its work directory.
#include "cli/run/check/check_run.h"
#include "cli/run/check/new_work.h"
#include "cli/run/input/reduction.h"
#include "engine/registry.h"

namespace xmc {

namespace {

// A built checker assumes what it was built with, unless it is told what to check.
Status take_fairness(const NativeModel* native, Options& options) {
  if (native == nullptr || native->fairness == nullptr) return {};
  for (const Opt option : kGoals) {
    if (options.given(option)) return {};
  }
  // As an option of the run, which a resumed one has again.
  return options.restore(info_of(Opt::fairness).name, native->fairness);
}

LoadRequest load_request(const Asked& asked, const ModelInput& input, const RunMarker& marker,
                         const EngineTraits& traits, bool resumed) {
  LoadRequest request = request_of(asked.session, input);
  ask_reduction(asked.options(), request);
  request.as_cycles = traits.only_cycles;
  // `auto` goes on with states, whatever it began with.
  request.partial = traits.steps_sets && (!resumed || traits.only_checkpoints);
  request.memory = marker.memory;
  if (!asked.from_work) return request;
  request.as_begun = true;
  request.for_emit = marker.emitted;
  const bool one_layout = marker.emitted || request.errors != ErrorRule::report;
  if (!one_layout) request.native = nullptr;
  return request;
}

// The text of the model, and what the memory of the run is to its choices.
Status read_input(CheckRun& run, ModelInput& input) {
  Session& session = run.asked.session;
  Arena& arena = run.budget.arena();
  if (run.asked.from_work) return read_saved_model(session, run.place, arena, input);
  XMC_TRY(read_model(session, arena, input));
  XMC_TRY(take_fairness(session.native, session.options));
  XMC_LET(run.place.marker.memory, least_memory(session.surroundings.peers, arena.free_bytes()));
  return {};
}

// The model, what is looked for, and which steps are left out.
Status load_question(CheckRun& run, const ModelInput& input) {
  Session& session = run.asked.session;
  Arena& arena = run.budget.arena();
  Question& question = run.question;
  RunMarker& marker = run.place.marker;
  const bool resumed = run.earlier.lines != nullptr;
  const char* const of_code = session.native == nullptr ? nullptr : session.native->reduce;
  XMC_TRY(settle_reduction(session.options, run.use.traits(), of_code, run.asked.from_work));
  const LoadRequest request = load_request(run.asked, input, marker, run.use.traits(), resumed);
  XMC_TRY(load(session, request, arena, question.model));
  if (run.use.automatic) run.use = chosen_for(run.use, question.model.model, true);
  question.goal = goal_of(session.options, question.model);
  XMC_TRY(choose_steps({session.options, question.model, run.use.traits(), question.goal.deadlock,
                        run.asked.from_work, marker.most_work},
                       arena, question.steps));
  if (question.steps.considered) marker.most_work = question.steps.rules.most_work;
  settle_steps(question.steps, question.model, session);
  return {};
}

}  // namespace

Status load_input(CheckRun& run) {
  Session& session = run.asked.session;
  Arena& arena = run.budget.arena();
  const Options& options = session.options;
  const Question& question = run.question;
  const LoadedModel& model = question.model;
  ModelInput input;
  XMC_TRY(read_input(run, input));
  XMC_TRY(load_question(run, input));
  if (const Manifest* const lines = run.earlier.lines; lines != nullptr)
    XMC_TRY(check_same_program(run.place, *lines, question.program_hash()));
  session.report.property_kind = question.goal.kind;
  session.report.property_text = question.goal.text;
  XMC_TRY(check_minimal(options, *run.use.engine, model, question.steps.on));
  XMC_TRY(check_engine_liveness(*run.use.engine, model.model));
  if (!run.asked.from_work) {
    bool files = true;
    XMC_TRY(open_work(run.asked, input, model.text_hash, run.use, arena, run.place, files));
    if (!files && run.use.automatic) run.use = chosen_for(run.use, model.model, false);
  }
  input.release(arena);
  return check_minimal(options, *run.use.engine, model, question.steps.on);
}

}  // namespace xmc
