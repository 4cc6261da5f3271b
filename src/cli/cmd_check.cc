#include "cli/check_run.h"
#include "cli/commands.h"
#include "cli/trace_files.h"
#include "engine/registry.h"
#include "engine/verdict.h"
#include "exec/compare.h"
#include "platform/clock.h"
#include "platform/memory.h"
#include "platform/signals.h"
#include "platform/terminal.h"
#include "report/summary.h"
#include "xmc/bytes.h"
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
  }
  return "";
}

bool wants_colour(const Options& options, bool json_on_output) {
  const std::string_view when = options.text(Opt::color);
  if (when == "auto") return colour_allowed(json_on_output ? kStandardError : kStandardOutput);
  return when == "always";
}

}  // namespace

TraceView CheckRun::view() {
  TraceView view;
  view.replay = &replay_;
  view.chooser = path_.chooser();
  view.claim = claim_of(session_.report.outcome, goal_.deadlock);
  view.text = &model_.text;
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
  return head;
}

Status CheckRun::prepare() {
  const Options& options = session_.options;
  XMC_TRY(session_.open_json());
  XMC_TRY(check_trace_names(options));
  const Result<Engine*> engine = find_engine(options.text(Opt::engine));
  if (!engine.ok()) return engine.status();
  engine_ = engine.value();
  auto_engine_ = options.text(Opt::engine) == "auto";
  XMC_TRY(watch_.open());
  XMC_TRY(budget_.open(session_));
  XMC_TRY(load_input());
  session_.report.engine = engine_->name();
  XMC_TRY(plan());
  session_.report.engine = engine_->name();
  if (!options.given(Opt::quiet)) print_plan();
  static_cast<void>(session_.err().flush());
  return {};
}

Status CheckRun::load_input() {
  Arena& arena = budget_.arena();
  ModelInput input;
  XMC_TRY(read_model(session_, arena, input));
  XMC_TRY(load(session_, request_of(session_, input), arena, model_));
  if (auto_engine_) engine_ = choose_engine(model_.model, true);
  goal_ = goal_of(session_.options, model_);
  session_.report.property_kind = goal_.kind;
  session_.report.property_text = goal_.text;
  if (session_.options.given(Opt::minimal) && model_.model.buchi) {
    return Status::fail(Code::unsupported,
                        "--minimal: no engine of this build proves that a lasso is shortest; "
                        "leave it out, or check for safety");
  }
  XMC_TRY(open_work(input));
  input.release(arena);
  return {};
}

Status CheckRun::open_work(const ModelInput& input) {
  const Options& options = session_.options;
  char by_default[256];
  const char* path = by_default;
  const bool named = options.given(Opt::work);
  if (named) {
    path = options.c_str(Opt::work);
  } else {
    XMC_TRY(default_work_path(input.file, by_default));
  }
  const Status status = work_.open(path);
  // An engine without files does not need one, so a directory that cannot be written to does not
  // stop a run that did not ask for it.
  const bool needed =
      named || options.given(Opt::keep) || (engine_->keeps_files() && !auto_engine_);
  if (status.code() == Code::io && !needed) {
    if (auto_engine_) engine_ = choose_engine(model_.model, false);
    if (!options.given(Opt::quiet))
      session_.err().add("note      no work directory: ").add(status.message()).add('\n');
    return {};
  }
  if (!status.ok()) return status;
  FixedText<1024> marker;
  marker.add("xmc-lite work directory 1\nmodel ").add(input.file);
  marker.format("\nhash %016llx\nengine %s\n", static_cast<unsigned long long>(model_.text_hash),
                engine_->name());
  for (u32 i = 0; i < kOptions; ++i) {
    const Opt option = static_cast<Opt>(i);
    if (!options.given(option) || info_of(option).kind == OptionKind::paths) continue;
    marker.add("option ").add(info_of(option).name).add(' ').add(options.text(option)).add('\n');
  }
  XMC_TRY(work_.write_file(WorkDir::kMarker, marker.view()));
  return work_.write_file(WorkDir::kModel, input.text);
}

Status CheckRun::open_folder() {
  if (!engine_->keeps_files()) return {};
  FileBackend* const backend = file_backend(IoBackend::automatic);
  XMC_CHECK(backend != nullptr);
  folder_.emplace(*backend);
  XMC_TRY(folder_->start(work_.path()));
  if (!engine_->wants_probe()) return {};
  device_ = device_cost_of(*folder_, budget_.arena(),
                           session_.options.given(Opt::quiet) ? nullptr : &session_.err());
  return {};
}

Status CheckRun::plan() {
  const Options& options = session_.options;
  Arena& arena = budget_.arena();
  XMC_TRY(open_folder());
  if (options.given(Opt::paranoid)) {
    make_compared(model_.model, model_.judge, arena, model_.model);
  }
  replay_.plan(model_.judge, arena);
  SearchOptions search;
  search.deadlock = goal_.deadlock;
  search.errors_violate = error_rule(options.text(Opt::errors)) == ErrorRule::report;
  search.full = options.given(Opt::full);
  if (folder_.has_value()) search.folder = &*folder_;
  if (folder_.has_value() && engine_->wants_probe()) search.device = &device_;
  RunReport& report = session_.report;
  if (options.given(Opt::states))
    report.state_limit = search.state_limit = options.number(Opt::states);
  if (options.given(Opt::depth))
    report.depth_limit = search.depth_limit = options.number(Opt::depth);
  if (options.given(Opt::time)) report.time_limit_s = options.number(Opt::time);
  const u64 free = round_down(arena.free_bytes(), 4096);
  if (auto_engine_ && engine_->minimum_bytes(model_.model, search) > free) {
    engine_ = choose_engine(model_.model, false);
  }
  path_.plan(*engine_, model_.judge, arena);
  free_before_engine_ = arena.free_bytes();
  if (const u64 least = engine_->minimum_bytes(model_.model, search); least > free_before_engine_) {
    return too_small(budget_.ram_limit(), arena, "the search", least);
  }
  XMC_TRY(engine_->plan(model_.model, search, arena));
  arena.seal();
  return {};
}

void CheckRun::print_plan() {
  Output& err = session_.err();
  write_model_line(err, model_.text, model_.model);
  if (session_.native != nullptr && !model_.native) {
    err.add(
        "note      the compiled code is for another choice of property; this check runs the "
        "bytecode\n");
  }
  err.add("property  ");
  if (goal_.kind == "buchi") {
    err.add("process ").add(goal_.text).add(": its accepting cycles are the bad behaviours");
  } else if (goal_.kind == "deadlock") {
    err.add(goal_.text).add(session_.options.given(Opt::deadlock) ? "" : " (default)");
  } else if (goal_.text.empty()) {
    err.add("none: every state is explored");
  } else {
    err.add(goal_.kind == "invariant" ? "invariant " : "reachable: ").add(goal_.text);
  }
  err.add('\n');
  PlanReport plan;
  plan.engine = engine_->name();
  plan.ram_limit = budget_.ram_limit();
  plan.fixed_bytes = budget_.fixed_bytes();
  plan.arena = &budget_.arena();
  plan.every_carve = session_.options.given(Opt::verbose);
  write_plan(err, plan);
  if (session_.options.given(Opt::verbose) && work_.is_open()) {
    err.add("work      ").add(work_.path()).add(" on ").add(file_system_name(work_.path()));
    if (const Result<u64> free = free_space(work_.path()); free.ok()) {
      FixedText<32> amount;
      amount.bytes(free.value());
      err.add(", ").add(amount.view()).add(" free");
    }
    err.add('\n');
  }
}

Status CheckRun::search() {
  RunReport& report = session_.report;
  const Status status = engine_->run(watch_.control(), report.outcome);
  const Status closed = watch_.close();
  report.signal = stop_signal();
  if (!status.ok()) return status;
  if (report.outcome.stats.ram_used != kNoFigure)
    report.growing_ram_bits = report.outcome.stats.ram_used * 8;
  if (report.outcome.stop == StopReason::ram &&
      report.outcome.ram_needed_bytes > free_before_engine_) {
    report.ram_advice = budget_.ram_with(report.outcome.ram_needed_bytes - free_before_engine_);
  }
  report.disk_peak = report.bytes_read = report.bytes_written = report.random_reads = report.syncs =
      0;
  if (folder_.has_value()) {
    const DeviceCounters counters = folder_->counters();
    const DeviceCounters::Flow flow = counters.total();
    report.disk_peak = folder_->disk_use().peak_bytes;
    report.bytes_read = flow.bytes_read;
    report.bytes_written = flow.bytes_written;
    report.random_reads = flow.random_reads;
    report.syncs = counters.syncs;
    if (!folder_->notice().empty()) {
      session_.err().add("note      ").add(folder_->notice()).add('\n');
    }
  }
  report.checkpoints = report.resumes = 0;
  return closed;
}

Status CheckRun::judge() {
  RunReport& report = session_.report;
  VerdictInput input;
  input.outcome = &report.outcome;
  if (report.outcome.violation != Violation::none) {
    const TraceView trace = view();
    XMC_TRY(replay_.confirm(trace.chooser, trace.claim));
    input.trace_confirmed = true;
    report.has_trace = true;
    report.replayed = true;
  }
  if (report.outcome.violation == Violation::predicate) {
    XMC_CHECK(report.outcome.predicate < model_.text.predicates.size());
    report.predicate = &model_.text.predicates[report.outcome.predicate];
    input.predicate_kind = predicate_kind(*report.predicate);
  }
  report.verdict = decide(input);
  return {};
}

Status CheckRun::write_traces() {
  const TraceView trace = view();
  const SavedTrace head = saved_head();
  const TraceStyle style = trace_style(session_.options);
  if (work_.is_open() && session_.options.given(Opt::keep)) {
    const Result<const char*> path = work_.path_of(WorkDir::kTrace);
    if (!path.ok()) return path.status();
    XMC_TRY(write_trace_file(trace, head, {path.value(), TraceFormat::steps, style}));
  }
  for (const std::string_view path : session_.options.traces()) {
    const TraceFormatName* const format = format_by_suffix(path);
    XMC_CHECK(format != nullptr);
    XMC_TRY(write_trace_file(trace, head, {path.data(), format->format, style}));
  }
  if (session_.options.given(Opt::quiet)) return {};
  return write_text_trace(trace, style, session_.out());
}

void CheckRun::close_work() {
  if (!work_.is_open()) return;
  const Exit exit = session_.report.verdict.exit;
  const bool decided = exit == Exit::holds || exit == Exit::violated;
  const bool refused = exit == Exit::usage || exit == Exit::model;
  if (!refused && (!decided || session_.options.given(Opt::keep))) {
    work_.leave();
    return;
  }
  bool foreign_left = false;
  const Status status = work_.remove(foreign_left);
  if (!status.ok()) session_.err().add("note      ").add(status.message()).add('\n');
  if (foreign_left)
    session_.err().add("note      files that are not ours stay in ").add(work_.path()).add('\n');
}

int CheckRun::run() {
  install_signal_handlers();
  set_interrupt_exit_status(static_cast<int>(Exit::undecided));
  Status status = prepare();
  if (status.ok()) status = search();
  if (status.ok()) status = judge();
  if (!status.ok()) {
    session_.report.verdict = decide_failure(status, false);
    close_work();
    return session_.end_with(status);
  }
  RunReport& report = session_.report;
  report.wall_s = session_.wall_s();
  report.cpu_s = static_cast<double>(cpu_ns()) * 1e-9;
  report.ram_limit = budget_.ram_limit();
  report.peak_rss = peak_rss_bytes();
  const bool json_on_output = session_.options.text(Opt::json) == "-";
  write_verdict(session_.out(), report, wants_colour(session_.options, json_on_output));
  Status written;
  if (report.has_trace) written = write_traces();
  if (!written.ok()) {
    report.verdict.exit = written.code() == Code::internal ? Exit::internal : Exit::io;
    report.message = written.message();
    static_cast<void>(session_.out().flush());
    session_.err().add("xmc-lite: error: ").add(written.message()).add('\n');
  }
  close_work();
  return session_.end();
}

int cmd_check(Session& session) {
  CheckRun run(session);
  return run.run();
}

}  // namespace xmc
