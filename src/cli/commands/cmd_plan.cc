// `plan`: a run of check up to its search, with a sample in its place, and a work directory that is
// looked at but neither made nor changed.
#include "cli/commands/commands.h"
#include "cli/run/check/check_run.h"
#include "cli/run/check/plan_lines.h"
#include "cli/run/check/planned_run.h"
#include "cli/run/forecast/device_costs.h"
#include "platform/signals.h"
#include "platform/terminal.h"
#include "report/result_json.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// As the word in JSON.
const char* kind_name(WorkDir::Kind kind) {
  switch (kind) {
    case WorkDir::Kind::absent:
      return "new";
    case WorkDir::Kind::empty:
      return "empty";
    default:
      return "taken over";
  }
}

void write_rate(Row& out, const char* what, double ns, u64 bytes) {
  out.add(what).format(" %.0f MB/s", ns > 0 ? static_cast<double>(bytes) * 1e3 / ns : 0);
}

void print_device(CheckRun& run, Row& out) {
  std::optional<FileFolder>& files = run.place.files;
  const PlannedRun& planned = *run.asked.planned;
  if (!files.has_value()) return;
  constexpr u64 kBytes = 1 << 20;
  const DeviceCost& cost = planned.input.device;
  out.raw("device").to(kReportIndent);
  write_rate(out, "scan", cost.scan_ns(kBytes), kBytes);
  write_rate(out, ", append and sync", cost.write_ns(kBytes), kBytes);
  out.format(" by MiB, %.0f random reads of 4 KiB per second; ",
             cost.random_read_ns > 0 ? 1e9 / cost.random_read_ns : 0);
  out.add(!cost.measured ? "assumed" : planned.from_file ? "as measured before" : "measured now");
  if (const u64 written = files->counters().total().bytes_written; written != 0) {
    FixedText<32> amount;
    amount.bytes(written);
    out.add(", with ").add(amount.view()).add(" written");
  }
  out.add('\n');
}

void print_checkpoints(const Options& options, const Engine& engine, Row& out) {
  const std::string_view when = options.text(Opt::checkpoint);
  out.raw("resume").to(kReportIndent);
  if (!engine.traits().keeps_files) {
    out.add("engine ").add(engine.name()).add(" leaves no checkpoints\n");
    return;
  }
  out.add("checkpoints ");
  if (when == "auto") {
    out.add("in at most 1% of the time, at least every 30 minutes, and when stopped\n");
  } else if (when == "level") {
    out.add("after each level, and when stopped\n");
  } else if (when == "off") {
    out.add("only when stopped\n");
  } else {
    out.add("every ").add(when).add(", and when stopped\n");
  }
}

void print_limits(const Options& options, Row& out) {
  const char* before = "";
  for (const Opt option :
       {Opt::time, Opt::until, Opt::states, Opt::depth, Opt::disk_limit, Opt::disk_reserve,
        Opt::wear_limit, Opt::duty, Opt::temp_max, Opt::on_battery, Opt::nice}) {
    if (!options.given(option)) continue;
    if (before[0] == '\0') out.raw("limits").to(kReportIndent);
    out.add(before).add("--").add(info_of(option).name).add(' ').add(options.text(option));
    before = ", ";
  }
  if (before[0] != '\0') out.end();
}

void write_place_json(WorkPlace& work, const PlannedRun& planned, JsonWriter& json) {
  if (planned.place[0] == '\0') {
    json.null();
    return;
  }
  json.begin_object().key("folder").string(work.dir.path());
  json.key("state").string(kind_name(planned.kind));
  json.key("file_system").string(file_system_name(planned.place));
  figure(json, "free_bytes", planned.input.free_bytes);
  figure(json, "room_bytes", planned.input.room_bytes);
  json.key("direct");
  if (work.files.has_value() && !planned.from_file) {
    json.boolean(work.files->direct());
  } else {
    json.null();
  }
  json.key("backend");
  if (work.files.has_value()) {
    json.string(work.files->backend().name());
  } else {
    json.null();
  }
  json.end_object();
}

void write_plan_json(void* self, JsonWriter& json) {
  CheckRun& run = *static_cast<CheckRun*>(self);
  const Session& session = run.asked.session;
  const RunReport& report = session.report;
  const PlannedRun& planned = *run.asked.planned;
  const ForecastInput& input = planned.input;
  std::optional<FileFolder>& files = run.place.files;
  json.begin_object().key("schema").number(1).line_break().key("tool");
  write_tool_json(json);
  json.line_break().key("model").begin_object();
  json.key("file").string(report.file).key("language").string(report.language);
  json.key("state_bits").number(report.state_bits);
  json.key("state_bytes").number(run.question.model.model.state_bytes).end_object();
  json.line_break().key("property").begin_object();
  json.key("kind").string(report.property_kind).key("text").string(report.property_text);
  json.key("fairness").string(report.fairness);
  json.end_object().line_break().key("engine").begin_object();
  json.key("name").string(run.use.engine->name()).key("why").string(run.use.why).end_object();
  json.line_break().key("ram").begin_object().key("limit").number(run.budget.ram_limit());
  json.key("code_and_stack").number(run.budget.fixed_bytes()).key("parts").begin_array();
  for (const Arena::Carve& carve : run.budget.arena().carves()) {
    json.begin_object().key("name").string(carve.name).key("bytes").number(carve.bytes);
    json.end_object();
  }
  json.end_array().key("not_carved").number(run.budget.arena().free_bytes()).end_object();
  json.line_break().key("work");
  write_place_json(run.place, planned, json);
  json.line_break().key("device");
  if (files.has_value()) {
    json.begin_object().key("measured").boolean(input.device.measured);
    json.key("measured_now").boolean(input.device.measured && !planned.from_file);
    json.key("bytes_written").number(files->counters().total().bytes_written);
    write_cost_json(json, input.device);
    json.end_object();
  } else {
    json.null();
  }
  json.line_break().key("checkpoints");
  if (run.use.traits().keeps_files) {
    json.string(session.options.text(Opt::checkpoint));
  } else {
    json.null();
  }
  write_forecast_json(json, input);
  json.line_break().key("options").begin_object();
  session.options.echo(json);
  json.end_object().end_object();
}

void print_place(const Options& options, WorkPlace& work, const PlannedRun& planned, Row& out) {
  if (planned.place[0] == '\0') {
    out.raw("work").to(kReportIndent).add(kNoWork).add('\n');
    return;
  }
  FixedText<32> amount;
  out.raw("work")
      .to(kReportIndent)
      .add(work.dir.path())
      .add(" (")
      .add(kind_name(planned.kind))
      .add(") on ");
  out.add(file_system_name(planned.place));
  if (work.files.has_value() && !planned.from_file)
    out.add(work.files->direct() ? ", direct I/O" : ", through the page cache");
  if (work.files.has_value()) out.add(", ").add(work.files->backend().name());
  if (planned.input.free_bytes != kNoFigure) {
    amount.bytes(planned.input.free_bytes);
    out.add(", ").add(amount.view());
    out.format(" free (%llu bytes)", wide(planned.input.free_bytes));
    amount.clear();
    amount.bytes(disk_reserve_of(options, planned.input.free_bytes));
    out.add(", ").add(amount.view()).add(" of it in reserve");
  }
  out.add(options.given(Opt::keep) ? "; kept\n" : "; removed after a verdict\n");
}

// What a forecast is made of, beside the sample.
void complete_input(const CheckRun& run, ForecastInput& input) {
  input.use = run.use.engine->flash_use();
  input.table_bytes = run.free_before_engine;
  input.to_first_error = !run.asked.given(Opt::full);
  input.time_limit_s = run.asked.session.report.time_limit_s;
}

void print_forecast(CheckRun& run) {
  const Options& options = run.asked.options();
  const PlannedRun& planned = *run.asked.planned;
  Output& out = run.asked.session.out();
  print_plan(run.asked, run.question, run.use, run.budget, run.place, true, out);
  const u32 columns = terminal_width(kStandardOutput);
  Row row(out, columns);
  print_place(options, run.place, planned, row);
  print_device(run, row);
  print_checkpoints(options, *run.use.engine, row);
  print_limits(options, row);
  write_forecast(out, planned.input, columns);
}

}  // namespace

int cmd_plan(Session& session) {
  install_signal_handlers();
  PlannedRun planned;
  CheckRun run(session, nullptr, &planned);
  Status status = prepare(run);
  if (status.ok()) {
    complete_input(run, planned.input);
    if (session.options.given(Opt::json))
      status = session.write_json_object(&write_plan_json, &run);
  }
  if (!status.ok()) return session.end_with(status);
  if (session.options.text(Opt::json) != "-") print_forecast(run);
  return session.end_well();
}

}  // namespace xmc
