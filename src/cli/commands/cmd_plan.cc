// `plan`: a run of check up to its search, with a sample in its place, and a work directory that is
// looked at but neither made nor changed.
#include "cli/commands/commands.h"
#include "cli/run/check_run.h"
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

}  // namespace

// What WorkDir::open() is for a run: the place is the directory or, while there is none, the one
// that it would be made in. What cannot be written to is found out by measuring it.
Status CheckRun::find_place(const char* path) {
  XMC_TRY(work_.look_at(path, forecast_.kind));
  if (forecast_.kind == WorkDir::Kind::absent) {
    XMC_TRY(parent_folder(path, forecast_.place));
  } else {
    Text(forecast_.place, kPathBytes).add(path);
  }
  if (!folder_exists(forecast_.place)) {
    return Status::fail(Code::io, "there is no directory %.100s to make %.100s in", forecast_.place,
                        path);
  }
  if (const Result<u64> free = free_space(forecast_.place); free.ok()) {
    forecast_.input.free_bytes = free.value();
    forecast_.input.room_bytes = room_of(session_.options, free.value());
  }
  if (!engine_->traits().keeps_files) return {};
  XMC_TRY(start_folder(forecast_.place));
  const bool ours = forecast_.kind == WorkDir::Kind::ours;
  const Result<DeviceCost> cost =
      look_up_cost(forecast_.place, *files_, budget_.arena(), ours, forecast_.from_file);
  if (cost.ok()) {
    forecast_.input.device = cost.value();
  } else if (cost.status().code() == Code::io) {
    files_.reset();
    folder_ = nullptr;
    return cost.status();
  } else {
    session_.err().add("note      the device is taken for an SD card of class A1: ");
    session_.err().add(cost.status().message()).add('\n');
  }
  return {};
}

void CheckRun::take_forecast_sample(const SearchOptions& search) {
  constexpr u32 kBoards[PeerSamples::kMost] = {4, 16, 64};
  const Options& options = session_.options;
  ForecastInput& input = forecast_.input;
  if (options.given(Opt::peers)) {
    const u32 boards = static_cast<u32>(options.number(Opt::peers));
    input.peers.count = boards == 0 ? PeerSamples::kMost : 1;
    for (u32 i = 0; i < input.peers.count; ++i)
      input.peers.each[i].owners = boards == 0 ? kBoards[i] : boards;
    input.network.bytes_per_second = static_cast<double>(options.number(Opt::bandwidth)) * 1e6 / 8;
    input.network.latency_ns = static_cast<double>(options.number(Opt::latency)) * 1e3;
  }
  PeerSamples* const peers = input.peers.count == 0 ? nullptr : &input.peers;
  input.sample = take_sample(model_.model, search, budget_.arena(), {}, peers);
}

void CheckRun::print_device(Row& out) {
  if (!files_.has_value()) return;
  constexpr u64 kBytes = 1 << 20;
  const DeviceCost& cost = forecast_.input.device;
  out.raw("device").to(kReportIndent);
  write_rate(out, "scan", cost.scan_ns(kBytes), kBytes);
  write_rate(out, ", append and sync", cost.write_ns(kBytes), kBytes);
  out.format(" by MiB, %.0f random reads of 4 KiB per second; ",
             cost.random_read_ns > 0 ? 1e9 / cost.random_read_ns : 0);
  out.add(!cost.measured ? "assumed" : forecast_.from_file ? "as measured before" : "measured now");
  if (const u64 written = files_->counters().total().bytes_written; written != 0) {
    FixedText<32> amount;
    amount.bytes(written);
    out.add(", with ").add(amount.view()).add(" written");
  }
  out.add('\n');
}

void CheckRun::print_checkpoints(Row& out) {
  const std::string_view when = session_.options.text(Opt::checkpoint);
  out.raw("resume").to(kReportIndent);
  if (!engine_->traits().keeps_files) {
    out.add("engine ").add(engine_->name()).add(" leaves no checkpoints\n");
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

void CheckRun::print_limits(Row& out) {
  const Options& options = session_.options;
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

void CheckRun::write_plan_json(void* self, JsonWriter& json) {
  CheckRun& run = *static_cast<CheckRun*>(self);
  const RunReport& report = run.session_.report;
  const ForecastInput& input = run.forecast_.input;
  json.begin_object().key("schema").number(1).line_break().key("tool");
  write_tool_json(json);
  json.line_break().key("model").begin_object();
  json.key("file").string(report.file).key("language").string(report.language);
  json.key("state_bits").number(report.state_bits);
  json.key("state_bytes").number(run.model_.model.state_bytes).end_object();
  json.line_break().key("property").begin_object();
  json.key("kind").string(report.property_kind).key("text").string(report.property_text);
  json.key("fairness").string(report.fairness);
  json.end_object().line_break().key("engine").begin_object();
  json.key("name").string(run.engine_->name()).key("why").string(run.why_).end_object();
  json.line_break().key("ram").begin_object().key("limit").number(run.budget_.ram_limit());
  json.key("code_and_stack").number(run.budget_.fixed_bytes()).key("parts").begin_array();
  for (const Arena::Carve& carve : run.budget_.arena().carves()) {
    json.begin_object().key("name").string(carve.name).key("bytes").number(carve.bytes);
    json.end_object();
  }
  json.end_array().key("not_carved").number(run.budget_.arena().free_bytes()).end_object();
  json.line_break().key("work");
  run.write_place_json(json);
  json.line_break().key("device");
  if (run.files_.has_value()) {
    json.begin_object().key("measured").boolean(input.device.measured);
    json.key("measured_now").boolean(input.device.measured && !run.forecast_.from_file);
    json.key("bytes_written").number(run.files_->counters().total().bytes_written);
    write_cost_json(json, input.device);
    json.end_object();
  } else {
    json.null();
  }
  json.line_break().key("checkpoints");
  if (run.engine_->traits().keeps_files) {
    json.string(run.session_.options.text(Opt::checkpoint));
  } else {
    json.null();
  }
  write_forecast_json(json, input);
  json.line_break().key("options").begin_object();
  run.session_.options.echo(json);
  json.end_object().end_object();
}

void CheckRun::write_place_json(JsonWriter& json) {
  if (forecast_.place[0] == '\0') {
    json.null();
    return;
  }
  json.begin_object().key("folder").string(work_.path());
  json.key("state").string(kind_name(forecast_.kind));
  json.key("file_system").string(file_system_name(forecast_.place));
  figure(json, "free_bytes", forecast_.input.free_bytes);
  figure(json, "room_bytes", forecast_.input.room_bytes);
  json.key("direct");
  if (files_.has_value() && !forecast_.from_file) {
    json.boolean(files_->direct());
  } else {
    json.null();
  }
  json.key("backend");
  if (files_.has_value()) {
    json.string(files_->backend().name());
  } else {
    json.null();
  }
  json.end_object();
}

void CheckRun::print_place(Row& out) {
  if (forecast_.place[0] == '\0') {
    out.raw("work").to(kReportIndent).add(kNoWork).add('\n');
    return;
  }
  FixedText<32> amount;
  out.raw("work")
      .to(kReportIndent)
      .add(work_.path())
      .add(" (")
      .add(kind_name(forecast_.kind))
      .add(") on ");
  out.add(file_system_name(forecast_.place));
  if (files_.has_value() && !forecast_.from_file)
    out.add(files_->direct() ? ", direct I/O" : ", through the page cache");
  if (files_.has_value()) out.add(", ").add(files_->backend().name());
  if (forecast_.input.free_bytes != kNoFigure) {
    amount.bytes(forecast_.input.free_bytes);
    out.add(", ").add(amount.view());
    out.format(" free (%llu bytes)", wide(forecast_.input.free_bytes));
    amount.clear();
    amount.bytes(disk_reserve_of(session_.options, forecast_.input.free_bytes));
    out.add(", ").add(amount.view()).add(" of it in reserve");
  }
  out.add(session_.options.given(Opt::keep) ? "; kept\n" : "; removed after a verdict\n");
}

int CheckRun::forecast() {
  install_signal_handlers();
  planning_ = true;
  Status status = prepare();
  ForecastInput& input = forecast_.input;
  if (status.ok()) {
    input.use = engine_->flash_use();
    input.table_bytes = free_before_engine_;
    input.to_first_error = !session_.options.given(Opt::full);
    input.time_limit_s = session_.report.time_limit_s;
    if (session_.options.given(Opt::json))
      status = session_.write_json_object(&CheckRun::write_plan_json, this);
  }
  if (!status.ok()) return session_.end_with(status);
  if (session_.options.text(Opt::json) != "-") {
    Output& out = session_.out();
    print_plan(out, true);
    const u32 columns = terminal_width(kStandardOutput);
    Row row(out, columns);
    print_place(row);
    print_device(row);
    print_checkpoints(row);
    print_limits(row);
    write_forecast(out, input, columns);
  }
  return session_.end_well();
}

int cmd_plan(Session& session) {
  CheckRun run(session);
  return run.forecast();
}

}  // namespace xmc
