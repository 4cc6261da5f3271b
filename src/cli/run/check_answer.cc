// The search of a run, what it comes to, and the counterexample, which is replayed before it is
// told.
#include "cli/run/check_run.h"
#include "cli/run/input/long_steps.h"
#include "cli/run/output/trace_files.h"
#include "ir/ir.h"
#include "platform/signals.h"
#include "platform/terminal.h"
#include "report/verdict.h"
#include "store/keys/signature.h"
#include "xmc/check.h"

namespace xmc {

namespace {

std::string_view predicate_kind(const PredicateText& predicate) {
  switch (predicate.kind) {
    case PredicateText::Kind::assertion:
      return "assertion";
    case PredicateText::Kind::invariant:
      return "invariant";
    case PredicateText::Kind::goal:
      return "goal";
    case PredicateText::Kind::bad_prefix:
      return "bad-prefix";
    case PredicateText::Kind::cover:
      return "cover";
    case PredicateText::Kind::liveness:
      return "liveness";
    case PredicateText::Kind::claim_end:
      return "claim-end";
  }
  return "";
}

SearchOutcome nothing_to_search() {
  SearchOutcome outcome;
  SearchStats& s = outcome.stats;
  outcome.complete = true;
  s.states = s.transitions = s.levels = s.deadlocks = s.expansions = s.error_steps = 0;
  return outcome;
}

}  // namespace

// What is never true is not true from the first state on, which is all there is to show.
TraceView CheckRun::view() {
  TraceView view;
  view.replay = &shown_.replay;
  view.chooser = shown_.path.chooser();
  if (session_.report.outcome.violation == Violation::uncovered)
    view.chooser = {nullptr, [](void*, u64, u32, const SuccessorBuffer&) { return 0u; }};
  view.claim = claim_of(session_.report.outcome, goal_.deadlock);
  view.text = &model_.text;
  view.chart = &shown_.chart;
  return view;
}

SavedTrace CheckRun::saved_head() const {
  const Options& options = session_.options;
  SavedTrace head;
  head.model_file = session_.report.file;
  head.model_hash = model_.text_hash;
  head.errors = options.text(Opt::errors);
  head.deadlock = goal_.deadlock == DeadlockRule::ignore  ? "off"
                  : goal_.deadlock == DeadlockRule::stuck ? "stuck"
                                                          : "stuttering";
  if (options.given(Opt::property)) head.property = options.text(Opt::property);
  if (options.given(Opt::invariant)) head.invariant = options.text(Opt::invariant);
  if (options.given(Opt::reach)) head.reach = options.text(Opt::reach);
  const PropertyText& elsewhere = model_.elsewhere;
  head.as_cycles = elsewhere.given() && engine_->traits().only_cycles;
  head.fair = model_.fair;
  head.rumur = options.text(Opt::dialect) == "rumur";
  if (elsewhere.form == PropertyForm::ltl) head.ltl = elsewhere.source.text;
  if (elsewhere.form == PropertyForm::hoa) head.hoa = elsewhere.source.text;
  if (elsewhere.form == PropertyForm::never) head.never = elsewhere.source.text;
  return head;
}

Status CheckRun::search() {
  RunReport& report = session_.report;
  if (model_.model.empty) {
    report.outcome = nothing_to_search();
    return {};
  }
  XMC_TRY(watch_.open(resumed_));
  const Status status = engine_->run(watch_.control(), report.outcome);
  const Status closed = watch_.close();
  report.engine = engine_->decided_by();
  if (session_.options.given(Opt::verbose) && !engine_->remark().empty()) {
    session_.err().add("note      ").add(engine_->remark()).add('\n');
  }
  report.signal = stop_signal();
  SearchOutcome& outcome = report.outcome;
  if (outcome.stop == StopReason::step_limit) {
    describe_long_step(model_.text, shown_.failure);
    report.long_step = shown_.failure.view();
  }
  note_totals();
  tell_notice();
  if (!status.ok()) return status;
  // Where a process is lost, the figures are those of this one.
  static_cast<void>(add_up_processes());
  const std::span<const OwnerShare> shares = threads_.shares;
  if (!shares.empty() && shares[0].states != 0) report.shares = shares;
  // A cycle of the product with the counter can go around a shorter fair one several times.
  if (model_.fair && report.outcome.cycle_steps != 0) report.outcome.minimal = false;
  note_steps();
  if (report.outcome.stats.ram_used != kNoFigure)
    report.growing_ram_bits = report.outcome.stats.ram_used * 8;
  if (report.outcome.stop == StopReason::ram &&
      report.outcome.ram_needed_bytes > free_before_engine_) {
    report.ram_advice = budget_.ram_with(report.outcome.ram_needed_bytes - free_before_engine_);
    if (report.outcome.ram_likely_bytes > report.outcome.ram_needed_bytes)
      report.ram_likely = budget_.ram_with(report.outcome.ram_likely_bytes - free_before_engine_);
  }
  return closed;
}

// Figures of this process and of those before it, however the search ended.
void CheckRun::note_totals() {
  RunReport& report = session_.report;
  const RunTotals totals = checkpoints_.totals();
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
  report.resumable = checkpoints_.any();
  report.work = place_of_work();
  report.direct_io = files_.has_value() && files_->direct();
}

void CheckRun::tell_notice() {
  if (files_.has_value() && !files_->notice().empty() && !session_.options.given(Opt::quiet)) {
    session_.err().add("note      ").add(files_->notice()).add('\n');
  }
}

// Of a search whose states stand for others: the loop that it found, as one of states.
Status CheckRun::close_loop() {
  SearchOutcome& outcome = session_.report.outcome;
  shown_.path.set_loop(outcome.prefix_steps, outcome.cycle_steps);
  TraceView trace = view();
  XMC_TRY(shown_.replay.close_loop(trace.chooser, trace.claim));
  const u64 found = outcome.prefix_steps + outcome.cycle_steps;
  outcome.prefix_steps = trace.claim.loop_start;
  outcome.cycle_steps = trace.claim.steps - trace.claim.loop_start;
  if (trace.claim.steps != found) outcome.minimal = false;
  return {};
}

// What was to be reached and never was is a violation that only a complete search finds.
void CheckRun::judge_covers() {
  SearchOutcome& outcome = session_.report.outcome;
  const Model& model = model_.model;
  if (outcome.violation != Violation::none || !outcome.complete) return;
  for (u32 i = 0; i < model.cover_count; ++i) {
    if ((*model.covered >> i & 1) != 0) continue;
    outcome.violation = Violation::uncovered;
    outcome.predicate = model.predicate_count + i;
    return;
  }
}

Status CheckRun::judge() {
  RunReport& report = session_.report;
  judge_covers();
  VerdictInput input;
  input.outcome = &report.outcome;
  input.resumable = report.resumable;
  input.exact = !session_.options.given(Opt::signature);
  if (report.outcome.violation != Violation::none && !report.outcome.path_missing) {
    const bool others = model_.model.canonical != nullptr || model_.map.map != nullptr;
    if (others && report.outcome.cycle_steps != 0) XMC_TRY(told_stop(close_loop(), model_.text));
    TraceView trace = view();
    trace.claim.any_error = model_.model.canonical != nullptr;
    XMC_TRY(told_stop(shown_.replay.confirm(trace.chooser, trace.claim), model_.text));
    if (report.outcome.violation == Violation::model_error) {
      report.outcome.error_label = shown_.replay.expansion().error_label;
      trace = view();
      input.error = end_error_kind(trace);
    }
    if (model_.fair) XMC_TRY(shown_.fair_cycle.confirm(shown_.replay, trace.chooser, trace.claim));
    input.trace_confirmed = true;
    report.has_trace = true;
    report.replayed = true;
    describe_end(trace, shown_.failure);
    report.message = shown_.failure.view();
  }
  if (report.outcome.predicate != kNone) {
    XMC_CHECK(report.outcome.predicate < model_.text.predicates.size());
    report.predicate = &model_.text.predicates[report.outcome.predicate];
    input.predicate_kind = predicate_kind(*report.predicate);
  }
  if (!input.exact) {
    const Signature signature(static_cast<u32>(session_.options.number(Opt::signature)));
    report.omission_bound = signature.omission_bound(report.outcome.stats.states);
  }
  report.verdict = decide(input);
  return {};
}

Status CheckRun::write_traces() {
  const TraceView trace = view();
  const SavedTrace head = saved_head();
  const TraceStyle style = trace_style(session_.options);
  if (work_.is_open() && session_.options.given(Opt::keep)) {
    XMC_LET(const char* const path, work_.path_of(WorkDir::kTrace));
    XMC_TRY(write_trace_file(trace, head, {path, TraceFormat::steps, style}));
  }
  for (const std::string_view path : session_.options.traces()) {
    const TraceFormatName* const format = format_by_suffix(path);
    XMC_CHECK(format != nullptr);
    XMC_TRY(write_trace_file(trace, head, {path.data(), format->format, style}));
  }
  TraceView on_screen = trace;
  on_screen.columns = terminal_width(kStandardOutput);
  return write_text_trace(on_screen, style, session_.out());
}

}  // namespace xmc
