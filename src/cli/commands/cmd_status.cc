// What a work directory says about its run, also while that is running.
#include "cli/commands/commands.h"
#include "cli/run/checkpoints.h"
#include "cli/run/work/work_view.h"
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
  // Without a checkpoint: what the run was asked, if that is there already.
  bool described = false;
  RunMarker marker;
  Options options;
  // When the figures are from, or the run began; 0: not known.
  u64 since = 0;

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

// Of the description, which a run writes before its search.
void look_at_description(WorkView& view, RunState& state) {
  char path[kPathBytes];
  // Defaults; there is no word to go wrong.
  static_cast<void>(state.options.parse({}, false));
  state.described = view.read_run(state.marker, state.options).ok();
  if (!join_path(path, view.path(), WorkDir::kModel).ok()) return;
  const Result<u64> begun = changed_seconds(path);
  if (begun.ok()) state.since = begun.value();
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
  if (!state.has_checkpoint) {
    look_at_description(view, state);
  } else if (const Result<u64> time = state.checkpoint.number("run.time"); time.ok()) {
    state.since = time.value();
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
    out.add(separator);
    if (state.holder.running) {
      out.add("no checkpoint yet\n");
    } else {
      out.add(state.why_none.message()).add('\n');
    }
    return;
  }
  const RunTotals totals = read_totals(state.checkpoint);
  out.add(separator).add("checkpoint ").number(state.root.sequence);
  add_count(out, state, "level", " at level ", "");
  out.add("; ").number(totals.resumes).add(totals.resumes == 1 ? " resume" : " resumes");
  add_amount(out, "; ", totals.bytes_written, " written in total\n");
}

// A board without a battery may have no right time, so an age below zero is none.
bool age_of(const RunState& state, u64& seconds) {
  const u64 now = wall_seconds();
  seconds = now - state.since;
  return state.since != 0 && state.since <= now;
}

void write_age(Output& out, const RunState& state, const char* before) {
  u64 age = 0;
  if (!age_of(state, age)) return;
  FixedText<64> text;
  if (age < 60) {
    text.number(age).add(" s");
  } else {
    text.seconds(static_cast<double>(age));
  }
  out.add(before).add(text.view()).add(" ago\n");
}

// The run in progress, or one that was ended before its first checkpoint.
void write_description(Output& out, const RunState& state) {
  if (!state.described) return;
  out.add("model     ").add(state.marker.model);
  out.format(" (hash %llx)\n", wide(state.marker.model_hash));
  out.add("engine    ").add(state.options.text(Opt::engine));
  add_amount(out, "; RAM ", state.options.number(Opt::ram), "\n");
  write_age(out, state, "begun     ");
}

// A wave that has closed is a cycle whose states are not read yet.
bool found_one(const Manifest& checkpoint) {
  const Result<u64> violation = checkpoint.number("violation");
  return (violation.ok() && violation.value() != 0) || checkpoint.has("search-closed");
}

void write_text(Output& out, const RunState& state) {
  write_first_line(out, state);
  if (!state.has_checkpoint) return write_description(out, state);
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
  out.add(found_one(checkpoint) ? "; a violation was found\n" : "; no violation so far\n");
  write_age(out, state, "as of     ");
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

void write_status_json(void* self, JsonWriter& json) {
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
  if (state.has_checkpoint || !state.described) {
    text_or_null(json, "file", state.line(checkpoint, "run.model"));
    text_or_null(json, "hash", state.line(checkpoint, "run.hash"));
  } else {
    FixedText<24> hash;
    hash.format("%llx", wide(state.marker.model_hash));
    json.key("file").string(state.marker.model).key("hash").string(hash.view());
  }
  json.end_object();
  // Of the figures, or of the run while there are none.
  json.line_break().key("age_s");
  if (u64 age = 0; age_of(state, age)) {
    json.number(age);
  } else {
    json.null();
  }
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
    json.key("violation_found").boolean(found_one(checkpoint));
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
    status = session.write_json_object(&write_status_json, &state);
  }
  if (!status.ok()) return session.end_with(status);
  if (session.options.text(Opt::json) != "-") write_text(session.out(), state);
  return session.end_well();
}

}  // namespace xmc
