#include "report/result_json.h"

#include "report/counts.h"
#include "report/owner_report.h"
#include "report/target.h"

namespace xmc {

namespace {

void real_or_null(JsonWriter& json, std::string_view name, double value) {
  json.key(name);
  if (value < 0) {
    json.null();
  } else {
    json.real(value, 3);
  }
}

void text_or_null(JsonWriter& json, std::string_view name, std::string_view text) {
  json.key(name);
  if (text.empty()) {
    json.null();
  } else {
    json.string(text);
  }
}

void write_reduction(JsonWriter& json, const ReductionReport& reduction) {
  json.key("reduction");
  if (reduction.kind.empty()) {
    json.null();
    return;
  }
  json.begin_object();
  json.key("kind").string(reduction.kind);
  figure(json, "dead_values", reduction.dead_values);
  figure(json, "resets", reduction.resets);
  figure(json, "dropped", reduction.dropped);
  figure(json, "bits_before", reduction.bits_before);
  figure(json, "steps", reduction.steps);
  figure(json, "visible", reduction.visible);
  figure(json, "sticky", reduction.sticky);
  figure(json, "enabled", reduction.enabled);
  figure(json, "taken", reduction.taken);
  json.end_object();
}

void write_trace(JsonWriter& json, const RunReport& report) {
  json.key("trace");
  if (!report.has_trace) {
    json.null();
    return;
  }
  json.begin_object();
  json.key("prefix").number(trace_prefix(report.outcome));
  json.key("cycle").number(report.outcome.cycle_steps);
  json.key("minimal").boolean(report.outcome.minimal);
  json.key("replayed").boolean(report.replayed);
  json.end_object();
}

void write_purposes(JsonWriter& json, const RunReport& report) {
  json.key("bytes_by_purpose");
  if (report.bytes_written == kNoFigure) {
    json.null();
    return;
  }
  json.begin_object();
  for (u32 p = 0; p < kPurposes; ++p) {
    json.key(kPurposeNames[p]).begin_object();
    json.key("read").number(report.read_for[p]);
    json.key("written").number(report.written_for[p]);
    json.end_object();
  }
  json.end_object();
}

void write_stats(JsonWriter& json, const RunReport& report) {
  const SearchStats& stats = report.outcome.stats;
  json.key("stats").begin_object();
  text_or_null(json, "engine", report.engine);
#define XMC_STAT(name, help) figure(json, #name, stats.name);
#include "xmc/stats.def"
#undef XMC_STAT
  write_large(json, report.outcome.large);
  json.key("omission_bound");
  if (report.omission_bound < 0) {
    json.null();
  } else {
    json.small(report.omission_bound);
  }
  json.line_break();
  json.key("wall_s").real(report.wall_s, 3);
  json.key("cpu_s").real(report.cpu_s, 3);
  figure(json, "ram_limit", report.ram_limit);
  figure(json, "peak_rss", report.peak_rss);
  json.key("ram_bits_per_state");
  if (report.growing_ram_bits == kNoFigure || stats.states == kNoFigure || stats.states == 0) {
    json.null();
  } else {
    json.real(static_cast<double>(report.growing_ram_bits) / static_cast<double>(stats.states), 3);
  }
  json.key("phf_bits_per_state");
  if (stats.phf_bytes == kNoFigure || stats.states == kNoFigure || stats.states == 0) {
    json.null();
  } else {
    json.real(8 * static_cast<double>(stats.phf_bytes) / static_cast<double>(stats.states), 3);
  }
  json.line_break();
  text_or_null(json, "io_backend", report.io_backend);
  json.key("direct_io");
  if (report.io_backend.empty() || report.disk_peak == kNoFigure) {
    json.null();
  } else {
    json.boolean(report.direct_io);
  }
  figure(json, "disk_peak", report.disk_peak);
  figure(json, "bytes_read", report.bytes_read);
  figure(json, "bytes_written", report.bytes_written);
  figure(json, "random_reads", report.random_reads);
  figure(json, "syncs", report.syncs);
  real_or_null(json, "write_amplification", write_amplification(report));
  real_or_null(json, "disk_bytes_per_state", bytes_per_state(report, report.disk_final));
  real_or_null(json, "disk_peak_bytes_per_state", bytes_per_state(report, report.disk_peak));
  real_or_null(json, "energy_j", joules(report));
  real_or_null(json, "states_per_joule", states_per_joule(report));
  json.key("endurance_share");
  if (endurance_share(report) < 0) {
    json.null();
  } else {
    json.small(endurance_share(report));
  }
  figure(json, "checkpoints", report.checkpoints);
  figure(json, "resumes", report.resumes);
  json.line_break();
  write_purposes(json, report);
  json.end_object();
}

}  // namespace

void figure(JsonWriter& json, std::string_view name, u64 value) {
  json.key(name);
  if (value == kNoFigure) {
    json.null();
  } else {
    json.number(value);
  }
}

void write_tool_json(JsonWriter& json) {
  json.begin_object();
  json.key("name").string(kToolName);
  json.key("version").string(kToolVersion);
  json.key("target").string(kTarget);
  json.key("commit").string(kToolCommit);
  json.key("compiler").string(kCompiler);
  json.end_object();
}

void write_result_json(JsonWriter& json, const RunReport& report, const OptionsEcho& options) {
  json.begin_object();
  json.key("schema").number(1);
  json.line_break().key("tool");
  write_tool_json(json);
  json.line_break().key("model").begin_object();
  text_or_null(json, "file", report.file);
  text_or_null(json, "language", report.language);
  figure(json, "state_bits", report.state_bits);
  json.end_object();
  json.line_break();
  write_reduction(json, report.reduction);
  json.line_break().key("property").begin_object();
  text_or_null(json, "kind", report.property_kind);
  text_or_null(json, "text", report.property_text);
  text_or_null(json, "fairness", report.fairness);
  json.end_object();
  json.line_break().key("verdict").string(report.verdict.answer_text);
  text_or_null(json, "kind", report.verdict.kind);
  json.key("complete").boolean(report.verdict.complete);
  text_or_null(json, "reason", report.verdict.reason);
  // A violation without its path proves nothing: the verdict is that of the run that has both.
  if (!report.verdict.found.empty()) json.key("found").string(report.verdict.found);
  json.key("exit").number(static_cast<u64>(report.verdict.exit));
  text_or_null(json, "message", report.message);
  json.line_break();
  write_trace(json, report);
  json.line_break();
  write_stats(json, report);
  json.line_break();
  write_owners_json(json, report);
  json.line_break().key("options").begin_object();
  if (options.write != nullptr) options.write(options.self, json);
  json.end_object();
  json.end_object();
}

}  // namespace xmc
