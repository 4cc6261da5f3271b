// `trace`: a saved counterexample in another format. It is replayed with its own model before
// anything is shown.
#include "cli/commands/commands.h"
#include "cli/run/budget.h"
#include "cli/run/input/saved_input.h"
#include "cli/run/output/outputs.h"
#include "cli/run/output/trace_files.h"
#include "cli/run/work/workdir.h"
#include "ir/ir.h"
#include "lang/bundle.h"
#include "platform/terminal.h"
#include "report/summary.h"
#include "trace/chart.h"
#include "trace/fair_cycle.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// The model text that goes with a trace file: the one that is named, or beside it as in a work
// directory, else under the name that it was saved with.
Status find_model(const char* trace_path, std::string_view named, const SavedTrace& trace,
                  std::span<char> out) {
  Text path(out.data(), static_cast<u32>(out.size()));
  if (!named.empty()) {
    path.add(named);
    if (path.cut()) return Status::fail(Code::usage, "the name of the model is too long");
    return {};
  }
  const std::string_view name = trace_path;
  const std::size_t slash = name.rfind('/');
  if (slash != std::string_view::npos) path.add(piece_of(name, 0, slash + 1));
  path.add(WorkDir::kModel);
  if (name.ends_with(WorkDir::kTrace) && !path.cut() && file_exists(path.c_str())) return {};
  path.clear();
  path.add(trace.model_file);
  if (path.cut() || trace.model_file.empty())
    return Status::fail(Code::corrupt, "the saved trace names no model");
  return {};
}

Status read_trace(Session& session, Arena& arena, char* path, SavedTrace& trace) {
  const char* const operand = session.options.operand().data();
  if (folder_exists(operand)) {
    XMC_TRY(join_path(path, operand, WorkDir::kTrace));
    if (!file_exists(path)) {
      return Status::fail(Code::usage, "%.200s has no saved trace; check keeps one with --keep",
                          operand);
    }
  } else {
    Text(path, kPathBytes).add(operand);
  }
  std::string_view text;
  XMC_TRY(read_text_file(path, arena, text));
  return parse_saved_trace(text, trace);
}

Status read_its_model(Session& session, Arena& arena, const char* trace_path,
                      const SavedTrace& trace, ModelInput& input) {
  const std::string_view named = session.options.second_operand();
  if (session.native != nullptr && !named.empty()) {
    return Status::fail(Code::usage, "this checker has its model; '%.160s' has no effect",
                        named.data());
  }
  if (session.native != nullptr) return read_model(session, arena, input);
  char path[kPathBytes];
  XMC_TRY(find_model(trace_path, named, trace, path));
  XMC_TRY(check_not_same("--output", session.options.c_str(Opt::output), path));
  XMC_TRY(read_model_file(path, arena, input));
  input.language = saved_language(named.empty() ? trace.model_file : named);
  if (input.text.find(kBundleMark) == std::string_view::npos) {
    XMC_TRY(gather_model(session.options, arena, input));
  } else {
    for (const Opt option : {Opt::define, Opt::max_procs}) {
      if (!session.options.given(option)) continue;
      return Status::fail(Code::usage, "--%s has no effect: the model is kept with its own",
                          info_of(option).name.data());
    }
  }
  input.file = named.empty() ? trace.model_file : named;
  return {};
}

Status render(Session& session, Budget& budget) {
  const Options& options = session.options;
  const TraceFormatName* format = format_by_name(options.text(Opt::format));
  if (const TraceFormatName* const by_suffix = format_by_suffix(options.text(Opt::output));
      by_suffix != nullptr && !options.given(Opt::format)) {
    format = by_suffix;
  }
  if (options.given(Opt::trace_style) && format->format != TraceFormat::text) {
    return Status::fail(Code::usage, "--trace-style has no effect with format %s",
                        format->name.data());
  }
  if (options.given(Opt::vars) &&
      (format->format == TraceFormat::steps || is_chart(format->format))) {
    return Status::fail(Code::usage, "--vars has no effect with format %s", format->name.data());
  }
  XMC_TRY(budget.open(session));
  Arena& arena = budget.arena();
  char path[kPathBytes];
  SavedTrace trace;
  XMC_TRY(read_trace(session, arena, path, trace));
  ModelInput input;
  XMC_TRY(read_its_model(session, arena, path, trace, input));
  LoadedModel model;
  XMC_TRY(load(session, request_of(trace, input, session.native), arena, model));
  XMC_TRY(check_same_model(trace, model));
  input.release(arena);

  Replay replay;
  replay.plan(model.judge, arena);
  FairCycle fair_cycle;
  if (model.fair) fair_cycle.plan(model.text, model.program->property, arena);
  SavedPath steps(trace);
  const bool chart = is_chart(format->format);
  const ChartMemory chart_memory =
      chart ? plan_chart(model.text, model.judge.state_words, arena) : ChartMemory{};
  TraceView view;
  view.replay = &replay;
  if (chart) view.chart = &chart_memory;
  view.chooser = steps.chooser();
  view.claim = trace.claim;
  view.text = &model.text;
  if (options.given(Opt::vars)) {
    const std::span<u8> shown =
        arena.carve_array<u8>("variables shown", model.text.variables.size());
    XMC_TRY(select_variables(model.text, options.text(Opt::vars), shown));
    view.shown = shown;
  }
  // The file comes from outside: what does not fit is damage, not a bug.
  Status status = replay.confirm(view.chooser, view.claim);
  if (status.ok() && model.fair) status = fair_cycle.confirm(replay, view.chooser, view.claim);
  if (!status.ok()) {
    return Status::fail(Code::corrupt, "the saved trace does not fit the model: %s",
                        status.c_str());
  }
  write_model_line(session.err(), model.title, model.text, model.model,
                   terminal_width(kStandardError));
  static_cast<void>(session.err().flush());
  if (options.text(Opt::output) == "-") {
    view.columns = terminal_width(kStandardOutput);
    session.out().escape_controls(is_for_people(format->format));
    return write_trace(view, trace, format->format, trace_style(options), session.out());
  }
  return write_trace_file(view, trace,
                          {options.c_str(Opt::output), format->format, trace_style(options)});
}

}  // namespace

int cmd_trace(Session& session) {
  Budget budget;
  const Status status = render(session, budget);
  return status.ok() ? session.end_well() : session.end_with(status);
}

}  // namespace xmc
