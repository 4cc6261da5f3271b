#include "cli/commands/commands.h"
#include "cli/run/check_run.h"
#include "cli/run/input/reduction.h"
#include "cli/run/output/trace_files.h"
#include "engine/measure/sample.h"
#include "engine/registry.h"
#include "exec/models/compare.h"
#include "exec/models/symmetry.h"
#include "ir/ir.h"
#include "platform/clock.h"
#include "platform/cold_code.h"
#include "platform/memory.h"
#include "platform/signals.h"
#include "platform/terminal.h"
#include "platform/workers.h"
#include "report/summary.h"
#include "report/verdict.h"
#include "store/keys/signature.h"
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

bool wants_colour(const Options& options, bool json_on_output) {
  const std::string_view when = options.text(Opt::color);
  if (when == "auto") return colour_allowed(json_on_output ? kStandardError : kStandardOutput);
  return when == "always";
}

CycleOptions cycle_options(const Options& options) {
  CycleOptions cycles;
  const std::string_view index = options.text(Opt::index);
  cycles.index = index == "rank"  ? IndexKind::rank
                 : index == "phf" ? IndexKind::phf
                                  : IndexKind::automatic;
  const std::string_view edges = options.text(Opt::edges);
  cycles.edges = edges == "on" ? EdgeUse::on : edges == "off" ? EdgeUse::off : EdgeUse::automatic;
  cycles.minimal = options.given(Opt::minimal);
  cycles.gastin_moro = options.text(Opt::method) == "gastin-moro";
  cycles.phf_in_ram = options.text(Opt::phf) == "ram";
  cycles.cmph = options.text(Opt::phf_codec) == "cmph";
  if (options.given(Opt::phf_cache)) cycles.phf_cache = options.number(Opt::phf_cache);
  const std::string_view old_states = options.text(Opt::dd);
  cycles.old_states = old_states == "lhs"     ? OldStates::linear
                      : old_states == "tiers" ? OldStates::tiers
                                              : OldStates::diagram;
  if (options.given(Opt::rho1)) cycles.rho1 = static_cast<u32>(options.number(Opt::rho1));
  if (options.given(Opt::rho2)) cycles.rho2 = static_cast<u32>(options.number(Opt::rho2));
  return cycles;
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

Status CheckRun::prepare() {
  const Options& options = session_.options;
  XMC_TRY(from_work_ ? find_run() : find_engine_by_name());
  XMC_TRY(session_.open_json_stream());
  XMC_TRY(check_trace_names(options));
  watch_.start();
  XMC_TRY(budget_.open(session_, engine_bytes() + cold_code().size() + unwind_tables().size()));
  if (from_work_) XMC_TRY(restore_run());
  XMC_TRY(load_input());
  session_.report.engine = engine_->name();
  XMC_TRY(plan());
  session_.report.engine = engine_->name();
  if (!options.given(Opt::quiet) && !planning_)
    print_plan(session_.err(), options.given(Opt::verbose));
  if (!options.given(Opt::quiet)) note_drawback();
  static_cast<void>(session_.err().flush());
  drop_cold_code();
  return {};
}

void CheckRun::note_drawback() {
  if (!engine_->traits().keeps_files || (!planning_ && folder_ == nullptr)) return;
  const char* const place = planning_ ? forecast_.place : work_.path();
  const char* const name = file_system_name(place);
  const char* const drawback = drawback_of(name);
  if (place[0] == '\0' || drawback == nullptr) return;
  session_.err().add("note      ").add(work_.path()).add(" is on ").add(name).add(": ");
  session_.err().add(drawback).add('\n');
}

// Nothing is thrown, no other command is called, and only one front end. An engine that was asked
// for takes less than the largest one.
Status CheckRun::give_unused_code() {
  const Language* own = nullptr;
  if (session_.native != nullptr) {
    own = language_by_name(session_.native->language);
  } else if (from_work_) {
    own = language_of_run();
  } else {
    session_.report.file = session_.options.operand();
    XMC_TRY(find_language(session_.options, session_.options.operand(), own));
  }
  const auto give = [&](std::span<u8> pages) {
    keep_apart(pages);
    budget_.give(pages.size());
  };
  if (!auto_engine_) budget_.give(unused_engine_bytes());
  give(unwind_tables());
  give(code_of_commands());
  cold_given_ = code_of_commands().size();
  for (const Language& language : languages()) {
    if (&language == own) continue;
    give(code_of_language(language.name));
    cold_given_ += code_of_language(language.name).size();
  }
  return {};
}

Status CheckRun::load_input() {
  XMC_TRY(give_unused_code());
  Arena& arena = budget_.arena();
  ModelInput input;
  XMC_TRY(from_work_ ? read_saved_model(input) : read_model(session_, arena, input));
  if (!from_work_) XMC_TRY(take_fairness());
  const NativeModel* const native = session_.native;
  const char* const of_code = native == nullptr ? nullptr : native->reduce;
  XMC_TRY(settle_reduction(session_.options, engine_->traits(), of_code, from_work_));
  XMC_TRY(load(session_, load_request(input), arena, model_));
  if (auto_engine_) take_choice(true);
  goal_ = goal_of(session_.options, model_);
  XMC_TRY(decide_steps());
  if (resumed_ != nullptr) XMC_TRY(check_same_program());
  session_.report.property_kind = goal_.kind;
  session_.report.property_text = goal_.text;
  XMC_TRY(check_minimal());
  XMC_TRY(check_liveness());
  if (!from_work_) XMC_TRY(open_work(input));
  input.release(arena);
  return check_minimal();
}

SearchOptions CheckRun::search_options() {
  const Options& options = session_.options;
  RunReport& report = session_.report;
  SearchOptions search;
  search.deadlock = goal_.deadlock;
  search.errors_violate = error_rule(options.text(Opt::errors)) == ErrorRule::report;
  search.full = options.given(Opt::full);
  if (options.given(Opt::collisions))
    search.collision_percent = static_cast<u32>(options.number(Opt::collisions));
  search.chained = options.text(Opt::table) == "chained";
  search.signature_bits = static_cast<u32>(options.number(Opt::signature));
  search.partial_lengths = static_cast<u32>(options.number(Opt::partial));
  search.training = options.given(Opt::training);
  search.breadth_first = options.text(Opt::strategy) == "bfs";
  search.cycles = cycle_options(options);
  search.now_ns = &monotonic_ns;
  if (threads_.count > 1) {
    search.parallel = &workers();
    search.executors = threads_.executors;
  }
  search.owners = {threads_.owners, threads_.owner_count};
  if (folder_ != nullptr) {
    search.folder = folder_;
    search.checkpoints = &checkpoints_;
    if (engine_->traits().wants_probe) search.device = &device_;
  }
  search.resume = resumed_;
  search.divide_anew = shared_.divides_anew();
  search.parts = parts_;
  search.shares = threads_.shares;
  search.levels = options.given(Opt::levels);
  if (options.given(Opt::states))
    report.state_limit = search.state_limit = options.number(Opt::states);
  if (options.given(Opt::depth))
    report.depth_limit = search.depth_limit = options.number(Opt::depth);
  if (options.given(Opt::time)) report.time_limit_s = options.number(Opt::time);
  if (options.given(Opt::until)) report.until = options.text(Opt::until);
  if (options.given(Opt::watts)) report.milliwatts = options.number(Opt::watts);
  if (options.given(Opt::endurance)) report.endurance = options.number(Opt::endurance);
  const SpaceLimits& space = watch_.space();
  report.disk_limit = space.disk_limit();
  report.disk_reserve = space.disk_reserve();
  report.wear_limit = space.wear_limit();
  return search;
}

Status CheckRun::plan() {
  Arena& arena = budget_.arena();
  XMC_TRY(open_folder());
  if (auto_engine_) budget_.give(unused_engine_bytes());
  drop_cold_code();
  budget_.give(cold_code().size() - cold_given_);
  if (session_.options.given(Opt::paranoid)) {
    make_compared(model_.model, model_.twin, arena, model_.model);
  }
  if (const ir::Symmetry* const symmetry = ir::symmetry_of(*model_.program)) {
    make_symmetric(*symmetry, model_.model, arena, model_.model);
  }
  leave_steps_out();
  shown_.replay.plan(model_.judge, arena);
  if (model_.fair) shown_.fair_cycle.plan(model_.text, model_.whole->property, arena);
  if (wants_chart(session_.options))
    shown_.chart = plan_chart(model_.text, model_.judge.state_words, arena);
  plan_page();
  if (folder_ != nullptr) plan_checkpoints();
  XMC_TRY(plan_parts());
  ProcessPeers* const peers = session_.surroundings.peers;
  XMC_TRY(peers != nullptr && peers->count() > 1 ? plan_peers(*peers) : plan_threads());
  const SearchOptions search = search_options();
  const u64 free = round_down(arena.free_bytes(), kPageBytes);
  if (auto_engine_ && engine_->minimum_bytes(model_.model, search) > free) {
    take_choice(false);
    why_ = "--ram is too small for the buffers of files";
    XMC_TRY(check_minimal());
  }
  if (planning_ && !model_.model.empty) take_forecast_sample(search);
  shown_.path.plan(*engine_, model_.model, model_.map, arena);
  free_before_engine_ = arena.free_bytes();
  if (const u64 least = engine_->minimum_bytes(model_.model, search); least > free_before_engine_) {
    return too_small(budget_.ram_limit(), arena, "the search", least);
  }
  XMC_TRY(engine_->plan(model_.model, search, arena));
  arena.seal();
  return {};
}

namespace {

SearchOutcome nothing_to_search() {
  SearchOutcome outcome;
  SearchStats& s = outcome.stats;
  outcome.complete = true;
  s.states = s.transitions = s.levels = s.deadlocks = s.expansions = s.error_steps = 0;
  return outcome;
}

}  // namespace

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
    if (others && report.outcome.cycle_steps != 0) XMC_TRY(close_loop());
    TraceView trace = view();
    trace.claim.any_error = model_.model.canonical != nullptr;
    XMC_TRY(shown_.replay.confirm(trace.chooser, trace.claim));
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

int CheckRun::run() {
  install_signal_handlers();
  set_interrupt_exit_status(static_cast<int>(Exit::undecided));
  Status status = prepare();
  if (status.ok()) status = search();
  if (status.ok() && session_.follows()) return end_following();
  if (status.ok()) status = judge();
  if (!status.ok()) {
    const int exit = session_.end_with(status, early_reason_);
    static_cast<void>(finish_page(status.message()));
    close_work();
    return exit;
  }
  RunReport& report = session_.report;
  report.wall_s = session_.wall_s();
  report.cpu_s = session_.cpu_s();
  report.ram_limit = budget_.ram_limit();
  report.peak_rss = std::max(peak_rss_bytes(), report.peak_rss_of_others);
  const bool json_on_output = session_.options.text(Opt::json) == "-";
  const u32 columns = terminal_width(json_on_output ? kStandardError : kStandardOutput);
  write_verdict(session_.out(), report, wants_colour(session_.options, json_on_output),
                session_.options.given(Opt::quiet), columns);
  if (session_.options.given(Opt::verbose)) write_figures(session_.out(), report, columns);
  Status written;
  if (report.has_trace) written = write_traces();
  if (const Status page = finish_page({}); written.ok()) written = page;
  if (!written.ok()) {
    report.verdict.exit = written.code() == Code::internal ? Exit::internal : Exit::io;
    report.message = written.message();
    static_cast<void>(session_.out().flush());
    session_.err().add("xmc-lite: error: ").add(written.message()).add('\n');
  }
  // The verdict is told before the directory goes: a kill in between must not lose both.
  const int exit = session_.end();
  close_work();
  return exit;
}

int cmd_check(Session& session) {
  CheckRun run(session);
  return run.run();
}

}  // namespace xmc
