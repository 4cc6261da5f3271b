#include "cli/run/check/answer.h"

#include "cli/run/input/long_steps.h"
#include "cli/run/output/trace_files.h"
#include "ir/ir.h"
#include "platform/terminal.h"
#include "report/verdict.h"
#include "store/keys/signature.h"
#include "trace/saved.h"
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

SavedTrace saved_head(const Options& options, const Question& question, const EngineTraits& engine,
                      std::string_view file) {
  const LoadedModel& model = question.model;
  const DeadlockRule deadlock = question.goal.deadlock;
  SavedTrace head;
  head.model_file = file;
  head.model_hash = model.text_hash;
  head.errors = options.text(Opt::errors);
  head.deadlock = deadlock == DeadlockRule::ignore  ? "off"
                  : deadlock == DeadlockRule::stuck ? "stuck"
                                                    : "stuttering";
  if (options.given(Opt::property)) head.property = options.text(Opt::property);
  if (options.given(Opt::invariant)) head.invariant = options.text(Opt::invariant);
  if (options.given(Opt::reach)) head.reach = options.text(Opt::reach);
  const PropertyText& elsewhere = model.elsewhere;
  head.as_cycles = elsewhere.given() && engine.only_cycles;
  head.fair = model.fair;
  head.rumur = options.text(Opt::dialect) == "rumur";
  if (elsewhere.form == PropertyForm::ltl) head.ltl = elsewhere.source.text;
  if (elsewhere.form == PropertyForm::hoa) head.hoa = elsewhere.source.text;
  if (elsewhere.form == PropertyForm::never) head.never = elsewhere.source.text;
  return head;
}

// Of a search whose states stand for others: the loop that it found, as one of states.
Status close_loop(Shown& shown, const Question& question, SearchOutcome& outcome) {
  shown.path.set_loop(outcome.prefix_steps, outcome.cycle_steps);
  TraceView trace = view_of(shown, question, outcome);
  XMC_TRY(shown.replay.close_loop(trace.chooser, trace.claim));
  const u64 found = outcome.prefix_steps + outcome.cycle_steps;
  outcome.prefix_steps = trace.claim.loop_start;
  outcome.cycle_steps = trace.claim.steps - trace.claim.loop_start;
  if (trace.claim.steps != found) outcome.minimal = false;
  return {};
}

// What was to be reached and never was is a violation that only a complete search finds.
void judge_covers(const Model& model, SearchOutcome& outcome) {
  if (outcome.violation != Violation::none || !outcome.complete) return;
  for (u32 i = 0; i < model.cover_count; ++i) {
    if ((*model.covered >> i & 1) != 0) continue;
    outcome.violation = Violation::uncovered;
    outcome.predicate = model.predicate_count + i;
    return;
  }
}

// Replays the counterexample. What kind of error it ends with goes to `input`.
Status confirm(const Question& question, Shown& shown, RunReport& report, VerdictInput& input) {
  const LoadedModel& model = question.model;
  const bool symmetric = model.model.canonical != nullptr;
  if ((symmetric || model.map.map != nullptr) && report.outcome.cycle_steps != 0)
    XMC_TRY(told_stop(close_loop(shown, question, report.outcome), model.text));
  TraceView trace = view_of(shown, question, report.outcome);
  trace.claim.any_error = symmetric;
  XMC_TRY(told_stop(shown.replay.confirm(trace.chooser, trace.claim), model.text));
  if (report.outcome.violation == Violation::model_error) {
    report.outcome.error_label = shown.replay.expansion().error_label;
    trace = view_of(shown, question, report.outcome);
    input.error = end_error_kind(trace);
  }
  if (model.fair) XMC_TRY(shown.fair_cycle.confirm(shown.replay, trace.chooser, trace.claim));
  input.trace_confirmed = true;
  report.has_trace = true;
  report.replayed = true;
  describe_end(trace, shown.failure);
  report.message = shown.failure.view();
  return {};
}

}  // namespace

// What is never true is not true from the first state on, which is all there is to show.
TraceView view_of(Shown& shown, const Question& question, const SearchOutcome& outcome) {
  TraceView view;
  view.replay = &shown.replay;
  view.chooser = shown.path.chooser();
  if (outcome.violation == Violation::uncovered)
    view.chooser = {nullptr, [](void*, u64, u32, const SuccessorBuffer&) { return 0u; }};
  view.claim = claim_of(outcome, question.goal.deadlock);
  view.text = &question.model.text;
  view.chart = &shown.chart;
  return view;
}

Status judge(const Options& options, const Question& question, Shown& shown, RunReport& report) {
  judge_covers(question.model.model, report.outcome);
  VerdictInput input;
  input.outcome = &report.outcome;
  input.resumable = report.resumable;
  input.exact = !options.given(Opt::signature);
  if (report.outcome.violation != Violation::none && !report.outcome.path_missing)
    XMC_TRY(confirm(question, shown, report, input));
  if (report.outcome.predicate != kNone) {
    const auto& predicates = question.model.text.predicates;
    XMC_CHECK(report.outcome.predicate < predicates.size());
    report.predicate = &predicates[report.outcome.predicate];
    input.predicate_kind = predicate_kind(*report.predicate);
  }
  if (!input.exact) {
    const Signature signature(static_cast<u32>(options.number(Opt::signature)));
    report.omission_bound = signature.omission_bound(report.outcome.stats.states);
  }
  report.verdict = decide(input);
  return {};
}

Status write_traces(Session& session, const Question& question, const EngineTraits& engine,
                    WorkPlace& place, Shown& shown) {
  const Options& options = session.options;
  const TraceView trace = view_of(shown, question, session.report.outcome);
  const SavedTrace head = saved_head(options, question, engine, session.report.file);
  const TraceStyle style = trace_style(options);
  if (place.is_made() && options.given(Opt::keep)) {
    XMC_LET(const char* const path, place.dir.path_of(WorkDir::kTrace));
    XMC_TRY(write_trace_file(trace, head, {path, TraceFormat::steps, style}));
  }
  for (const std::string_view path : options.traces()) {
    const TraceFormatName* const format = format_by_suffix(path);
    XMC_CHECK(format != nullptr);
    XMC_TRY(write_trace_file(trace, head, {path.data(), format->format, style}));
  }
  TraceView on_screen = trace;
  on_screen.columns = terminal_width(kStandardOutput);
  return write_text_trace(on_screen, style, session.out());
}

}  // namespace xmc
