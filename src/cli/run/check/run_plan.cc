// What memory is carved for a run, and what its search is told.
#include "cli/run/check/check_run.h"
#include "cli/run/check/planned_run.h"
#include "cli/run/check/search_options.h"
#include "cli/run/forecast/device_costs.h"
#include "cli/run/output/trace_files.h"
#include "engine/registry.h"
#include "exec/models/compare.h"
#include "exec/models/symmetry.h"
#include "ir/ir.h"
#include "platform/cold_code.h"

namespace xmc {

namespace {

// For an engine that keeps files, if there is a place for them.
Status open_folder(const Asked& asked, const EngineTraits& engine, Arena& arena, WorkPlace& place,
                   DeviceCost& device) {
  if (!engine.keeps_files || asked.planning() || !place.is_wanted()) return {};
  if (place.folder == nullptr) {
    XMC_TRY(start_folder(asked.session, place, place.path_of_device()));
    bind_folder(place);
  }
  if (engine.wants_probe) {
    device = device_cost_of(place.dir.path(), *place.folder, arena,
                            asked.given(Opt::quiet) ? nullptr : &asked.session.err());
  }
  return {};
}

void plan_checkpoints(CheckRun& run) {
  const Options& options = run.asked.options();
  WorkPlace& place = run.place;
  const Model& model = run.question.model.model;
  Checkpoints::Job job;
  job.engine = run.use.engine->name();
  job.model_file = place.marker.model;
  job.model_hash = run.question.model.text_hash;
  job.program_hash = run.question.program_hash();
  job.marker = &place.marker;
  job.files = &*place.files;
  job.ram_bytes = run.budget.ram_limit();
  job.threads = options.number(Opt::threads);
  job.levels = &run.watch.levels();
  job.page = run.page;
  job.covered = model.covered;
  const RunTotals& earlier = run.checkpoints.earlier();
  if (run.earlier.lines != nullptr && job.covered != nullptr) {
    *model.covered = static_cast<u32>(earlier.covered);
  }
  run.checkpoints.plan(run.asked.session, *place.folder, place.dir, job, run.budget.arena());
  run.watch.space().start(options, *place.folder, earlier.bytes_written, run.budget.ram_limit());
}

// The models that stand in front of the one that was loaded, and what replays their paths.
void plan_models(CheckRun& run) {
  Arena& arena = run.budget.arena();
  LoadedModel& model = run.question.model;
  Shown& shown = run.shown;
  const bool compared = run.asked.given(Opt::paranoid);
  if (compared) make_compared(model.model, model.twin, arena, model.model);
  if (const ir::Symmetry* const symmetry = ir::symmetry_of(*model.program)) {
    make_symmetric(*symmetry, model.model, arena, model.model);
  }
  leave_steps_out(run.question.steps, compared, arena, model);
  shown.replay.plan(model.judge, arena);
  if (model.fair) shown.fair_cycle.plan(model.text, model.whole->property, arena);
  if (wants_chart(run.asked.options()))
    shown.chart = plan_chart(model.text, model.judge.state_words, arena);
}

// What the run has for its search, in the options of the search.
Status plan_search(CheckRun& run, SearchOptions& search) {
  Session& session = run.asked.session;
  const LoadedModel& model = run.question.model;
  XMC_TRY(plan_parts(session, run.place, run.earlier, run.budget.arena(), run.checkpoints,
                     search.parts));
  if (run.place.folder != nullptr) {
    search.folder = run.place.folder;
    search.checkpoints = &run.checkpoints;
    if (run.use.traits().wants_probe) search.device = &run.device;
  }
  search.resume = run.earlier.lines;
  search.divide_anew = run.earlier.shared.divides_anew();
  note_limits(session.options, run.watch.space(), session.report);
  const TeamJob job{run.asked,  *run.use.engine,           model.model,
                    run.budget, run.earlier.was_divided(), run.question.program_hash()};
  ProcessPeers* const peers = session.surroundings.peers;
  return peers != nullptr && peers->count() > 1 ? plan_peers(job, *peers, search, run.team)
                                                : plan_threads(job, search, run.team);
}

}  // namespace

Status plan(CheckRun& run, u64 given_code) {
  Budget& budget = run.budget;
  Arena& arena = budget.arena();
  LoadedModel& model = run.question.model;
  XMC_TRY(open_folder(run.asked, run.use.traits(), arena, run.place, run.device));
  if (run.use.automatic) budget.give(unused_engine_bytes());
  drop_cold_code();
  budget.give(cold_code().size() - given_code);
  plan_models(run);
  plan_page(run);
  if (run.place.folder != nullptr) plan_checkpoints(run);
  SearchOptions search = search_options(run.asked.options(), run.question.goal.deadlock);
  XMC_TRY(plan_search(run, search));
  if (run.use.automatic) {
    XMC_TRY(take_smaller_engine(run.asked.session, budget, model, search, run.question.steps.on,
                                run.use));
    run.checkpoints.set_engine(run.use.engine->name());
  }
  if (run.asked.planning() && !model.model.empty) {
    take_forecast_sample(run.asked.options(), model.model, search, arena, run.asked.planned->input);
  }
  Engine& engine = *run.use.engine;
  run.shown.path.plan(engine, model.model, model.map, arena);
  run.free_before_engine = arena.free_bytes();
  if (const u64 least = engine.minimum_bytes(model.model, search); least > run.free_before_engine)
    return too_small(budget.ram_limit(), arena, "the search", least);
  XMC_TRY(engine.plan(model.model, search, arena));
  arena.seal();
  return {};
}

}  // namespace xmc
