// What a work directory says about its run, also while that is running.
#include "cli/checkpoints.h"
#include "cli/commands.h"
#include "cli/work_view.h"
#include "platform/clock.h"
#include "report/result_json.h"
#include "xmc/text.h"

namespace xmc {

namespace {

struct RunState {
  const char* path = "";
  FolderLock::Holder holder;
  bool ended = false;  // in order; else it runs or was killed
  Manifest end;
  bool has_checkpoint = false;
  Root root;
  Status why_none;  // no checkpoint
  Manifest checkpoint;

  // "running", "ended" with a verdict, "stopped" without one, or "interrupted".
  const char* word() const;
  std::string_view line(const Manifest& from, const char* name) const {
    const Result<std::string_view> value = from.value(name);
    return value.ok() ? value.value() : std::string_view();
  }
};

const char* RunState::word() const {
  if (holder.running) return "running";
  if (!ended) return "interrupted";
  return line(end, "verdict") == "undecided" ? "stopped" : "ended";
}

Status look(const char* path, RunState& state) {
  WorkView view;
  XMC_TRY(view.open(path));
  state.path = path;
  state.holder = FolderLock::holder(path);
  state.ended = !state.holder.running && view.read_lines(WorkDir::kEnd, state.end) &&
                state.end.has("verdict");
  // A running check may replace a root and remove a file between our two looks.
  for (u32 attempt = 0; attempt < 3; ++attempt) {
    const Result<Root> root = load_root(view.folder(), state.checkpoint);
    state.has_checkpoint = root.ok();
    if (root.ok()) state.root = root.value();
    state.why_none = root.status();
    if (root.ok() || !state.holder.running) break;
  }
  return {};
}

void add_amount(Output& out, const char* before, u64 bytes, const char* after) {
  FixedText<32> amount;
  out.add(before).add(amount.bytes(bytes).view()).add(after);
}

void add_count(Output& out, const RunState& state, const char* name, const char* before,
               const char* after) {
  const Result<u64> number = state.checkpoint.number(name);
  if (!number.ok()) return;
  FixedText<32> text;
  out.add(before).add(text.grouped(number.value()).view()).add(after);
}

void write_first_line(Output& out, const RunState& state) {
  const std::string_view word = state.word();
  out.add(word);
  if (word.size() < 10) out.spaces(10 - static_cast<u32>(word.size()));
  if (word == "interrupted") out.add("  ");
  const char* separator = "; ";
  if (state.holder.running && state.holder.pid != 0) {
    out.add("pid ").number(state.holder.pid);
  } else if (state.ended) {
    const bool stopped = word == "stopped";
    out.add(state.line(state.end, stopped ? "reason" : "verdict"));
  } else {
    separator = "";
  }
  if (!state.has_checkpoint) {
    out.add(separator).add(state.why_none.message()).add('\n');
    return;
  }
  const RunTotals totals = read_totals(state.checkpoint);
  out.add(separator).add("checkpoint ").number(state.root.sequence);
  add_count(out, state, "level", " at level ", "");
  out.add("; ").number(totals.resumes).add(totals.resumes == 1 ? " resume" : " resumes");
  add_amount(out, "; ", totals.bytes_written, " written in total\n");
}

void write_text(Output& out, const RunState& state) {
  write_first_line(out, state);
  if (!state.has_checkpoint) return;
  const Manifest& checkpoint = state.checkpoint;
  const RunTotals totals = read_totals(checkpoint);
  if (state.root.fell_back) {
    out.add("note      the last checkpoint is not sound: ");
    out.add(state.root.passed_over.why.message()).add("; this is the one before it\n");
  }
  out.add("model     ").add(state.line(checkpoint, "run.model"));
  out.add(" (hash ").add(state.line(checkpoint, "run.hash")).add(")\n");
  out.add("engine    ").add(state.line(checkpoint, "run.engine"));
  if (const Result<u64> ram = checkpoint.number("run.ram"); ram.ok())
    add_amount(out, "; RAM ", ram.value(), "");
  FixedText<64> time;
  out.add("; time ").add(time.seconds(static_cast<double>(totals.wall_ms) * 1e-3).view());
  time.clear();
  out.add(", cpu ").add(time.seconds(static_cast<double>(totals.cpu_ms) * 1e-3).view()).add('\n');
  out.add("search    ");
  add_count(out, state, "states", "", " states, ");
  add_count(out, state, "stat.transitions", "", " transitions");
  const Result<u64> violation = checkpoint.number("violation");
  const bool found = violation.ok() && violation.value() != 0;
  out.add(found ? "; a violation was found\n" : "; no violation so far\n");
}

void figure(JsonWriter& json, const RunState& state, const char* key, const char* name) {
  const Result<u64> number = state.checkpoint.number(name);
  json.key(key);
  if (number.ok()) {
    json.number(number.value());
  } else {
    json.null();
  }
}

void text_or_null(JsonWriter& json, const char* key, std::string_view text) {
  json.key(key);
  if (text.empty()) {
    json.null();
  } else {
    json.string(text);
  }
}

void write_json(void* self, JsonWriter& json) {
  const RunState& state = *static_cast<const RunState*>(self);
  const Manifest& checkpoint = state.checkpoint;
  json.begin_object().key("schema").number(1).line_break().key("tool");
  write_tool_json(json);
  json.line_break().key("work").string(state.path).key("state").string(state.word());
  json.key("running").boolean(state.holder.running).key("pid");
  if (state.holder.pid != 0) {
    json.number(state.holder.pid);
  } else {
    json.null();
  }
  json.line_break().key("model").begin_object();
  text_or_null(json, "file", state.line(checkpoint, "run.model"));
  text_or_null(json, "hash", state.line(checkpoint, "run.hash"));
  json.end_object();
  // Without an end in order nothing is decided.
  json.line_break().key("verdict");
  json.string(state.ended ? state.line(state.end, "verdict") : std::string_view("undecided"));
  const std::string_view reason = state.line(state.end, "reason");
  text_or_null(json, "reason", reason == "none" ? std::string_view() : reason);
  json.line_break().key("checkpoint");
  if (state.has_checkpoint) {
    json.begin_object().key("sequence").number(state.root.sequence);
    figure(json, state, "level", "level");
    figure(json, state, "time", "run.time");
    json.key("fell_back").boolean(state.root.fell_back).end_object();
  } else {
    json.null();
  }
  json.line_break().key("stats").begin_object();
  text_or_null(json, "engine", state.line(checkpoint, "run.engine"));
  const RunTotals totals = read_totals(checkpoint);
  figure(json, state, "states", "states");
  figure(json, state, "transitions", "stat.transitions");
  json.key("wall_s").real(static_cast<double>(totals.wall_ms) * 1e-3, 3);
  json.key("cpu_s").real(static_cast<double>(totals.cpu_ms) * 1e-3, 3);
  figure(json, state, "ram_limit", "run.ram");
  figure(json, state, "disk_peak", "run.disk_peak");
  figure(json, state, "bytes_read", "run.bytes_read");
  figure(json, state, "bytes_written", "run.bytes_written");
  figure(json, state, "syncs", "run.syncs");
  figure(json, state, "checkpoints", "run.checkpoints");
  figure(json, state, "resumes", "run.resumes");
  json.end_object().end_object();
}

}  // namespace

int cmd_status(Session& session) {
  RunState state;
  Status status = look(session.options.operand().data(), state);
  if (status.ok() && state.why_none.code() == Code::corrupt) status = state.why_none;
  if (status.ok() && session.options.given(Opt::json)) {
    status = session.write_json_object(&write_json, &state);
  }
  if (!status.ok()) return session.end_with(status);
  if (session.options.text(Opt::json) != "-") write_text(session.out(), state);
  return session.end_well();
}

}  // namespace xmc
