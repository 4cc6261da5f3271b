// The search of a run, and its figures.
#include "cli/run/check/check_run.h"
#include "cli/run/input/long_steps.h"
#include "platform/signals.h"

namespace xmc {

namespace {

SearchOutcome nothing_to_search() {
  SearchOutcome outcome;
  SearchStats& s = outcome.stats;
  outcome.complete = true;
  s.states = s.transitions = s.levels = s.deadlocks = s.expansions = s.error_steps = 0;
  return outcome;
}

void tell_notice(Session& session, const WorkPlace& place) {
  if (place.files.has_value() && !place.files->notice().empty() &&
      !session.options.given(Opt::quiet)) {
    session.err().add("note      ").add(place.files->notice()).add('\n');
  }
}

// What more memory would have been enough.
void note_memory(const Budget& budget, u64 free_before_engine, RunReport& report) {
  const SearchOutcome& outcome = report.outcome;
  if (outcome.stats.ram_used != kNoFigure) report.growing_ram_bits = outcome.stats.ram_used * 8;
  if (outcome.stop != StopReason::ram || outcome.ram_needed_bytes <= free_before_engine) return;
  report.ram_advice = budget.ram_with(outcome.ram_needed_bytes - free_before_engine);
  if (outcome.ram_likely_bytes > outcome.ram_needed_bytes)
    report.ram_likely = budget.ram_with(outcome.ram_likely_bytes - free_before_engine);
}

}  // namespace

void note_totals(const Checkpoints& checkpoints, const WorkPlace& place, RunReport& report) {
  const RunTotals totals = checkpoints.totals();
  report.disk_peak = totals.disk_peak;
  report.disk_final = totals.disk_final;
  for (u32 p = 0; p < kPurposes; ++p) {
    report.read_for[p] = totals.read_for[p];
    report.written_for[p] = totals.written_for[p];
  }
  report.bytes_read = totals.bytes_read;
  report.bytes_written = totals.bytes_written;
  report.random_reads = totals.random_reads;
  report.syncs = totals.syncs;
  report.checkpoints = totals.checkpoints;
  report.resumes = totals.resumes;
  report.resumable = checkpoints.any();
  report.work = place.path();
  report.direct_io = place.files.has_value() && place.files->direct();
}

Status search(CheckRun& run) {
  Session& session = run.asked.session;
  RunReport& report = session.report;
  const LoadedModel& model = run.question.model;
  if (model.model.empty) {
    report.outcome = nothing_to_search();
    return {};
  }
  XMC_TRY(run.watch.open(run.earlier.lines));
  Engine& engine = *run.use.engine;
  const Status status = engine.run(run.watch.control(), report.outcome);
  const Status closed = run.watch.close();
  report.engine = engine.decided_by();
  if (session.options.given(Opt::verbose) && !engine.remark().empty()) {
    session.err().add("note      ").add(engine.remark()).add('\n');
  }
  report.signal = stop_signal();
  if (report.outcome.stop == StopReason::step_limit) {
    describe_long_step(model.text, run.shown.failure);
    report.long_step = run.shown.failure.view();
  }
  note_totals(run.checkpoints, run.place, report);
  tell_notice(session, run.place);
  if (!status.ok()) return status;
  // Where a process is lost, the figures are those of this one.
  static_cast<void>(add_up_processes(session, run.team));
  const std::span<const OwnerShare> shares = run.team.shares;
  if (!shares.empty() && shares[0].states != 0) report.shares = shares;
  // A cycle of the product with the counter can go around a shorter fair one several times.
  if (model.fair && report.outcome.cycle_steps != 0) report.outcome.minimal = false;
  note_steps(run.question.steps, model, engine, report);
  note_memory(run.budget, run.free_before_engine, report);
  return closed;
}

}  // namespace xmc
