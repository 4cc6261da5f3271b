#include "report/progress.h"

#include <algorithm>
#include <cmath>

namespace xmc {

namespace {

void format_rate(Text& out, double per_second) {
  if (per_second >= 9.95e6) {
    out.format("%.0fM/s", per_second / 1e6);
  } else if (per_second >= 1e6) {
    out.format("%.1fM/s", per_second / 1e6);
  } else if (per_second >= 1e3) {
    out.format("%.0fk/s", per_second / 1e3);
  } else {
    out.format("%.0f/s", per_second);
  }
}

void add_figure(Text& out, const char* name, u64 bytes) {
  if (bytes != 0) out.add("  ").add(name).add(' ').bytes(bytes);
}

// In one unit: a range is no place for minutes beside hours.
void format_coarse(Text& out, double seconds, bool up) {
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr Unit kUnits[] = {{86400, " d"}, {3600, " h"}, {60, " m"}, {1, " s"}};
  constexpr double kLeast = 1.5;
  const Unit* unit = kUnits;
  while (unit->seconds > 1 && seconds < kLeast * unit->seconds) ++unit;
  const double count = seconds / unit->seconds;
  out.number(static_cast<u64>(up ? std::ceil(count) : std::floor(count))).add(unit->name);
}

// "2 h to 5 h left"
void format_left(Text& out, const ProgressLine& line) {
  out.add("  ");
  if (line.left_low < 1) {
    out.add("under ");
  } else {
    format_coarse(out, line.left_low, false);
    out.add(" to ");
  }
  format_coarse(out, std::max(line.left_high, 1.0), true);
  out.add(" left");
}

// What may be left out when the line is too long.
struct Extras {
  bool end = true;
  bool level = true;
  bool disk = true;
  bool new_states = true;
  bool work = true;
};

void format_with(Text& out, const ProgressLine& line, const Extras& extras) {
  if (extras.level && line.states != 0) out.add("level ").number(line.level).add("  ");
  if (extras.work && line.work != nullptr) {
    out.add(line.work).format(" %u%%  ", line.work_percent);
  }
  if (line.states == 0) {
    out.seconds(line.seconds);  // there is no search yet
    return;
  }
  out.grouped(line.states).add(" states");
  if (extras.new_states) out.add("  ").grouped(line.new_states).add(" new");
  out.add("  ");
  format_rate(out, line.rate_per_s);
  add_figure(out, "RAM", line.ram_used);
  if (extras.disk) add_figure(out, "disk", line.disk);
  add_figure(out, "written", line.written);
  out.add("  ").seconds(line.seconds);
  if (!extras.end) return;
  if (line.left_low >= 0) {
    format_left(out, line);
  } else if (line.shrinking) {
    out.add("  shrinking");
  }
}

}  // namespace

void format_progress(Text& out, const ProgressLine& line, u32 columns) {
  Extras extras;
  // The least useful first.
  for (bool* extra : {&extras.new_states, &extras.disk, &extras.level, &extras.end, &extras.work}) {
    FixedText<256> text;
    format_with(text, line, extras);
    if (text.size() <= columns) break;
    *extra = false;
  }
  format_with(out, line, extras);
}

namespace {

void write_seconds(JsonWriter& json, double seconds) {
  if (seconds < 0) {
    json.null();
  } else {
    json.real(seconds, 0);
  }
}

}  // namespace

void write_progress(JsonWriter& json, const ProgressLine& line) {
  json.begin_object().key("event").string("progress");
  json.key("level").number(line.level).key("states").number(line.states);
  json.key("new_states").number(line.new_states);
  json.key("states_per_s").real(line.rate_per_s, 0);
  json.key("ram_used").number(line.ram_used).key("disk_bytes").number(line.disk);
  json.key("written_bytes").number(line.written).key("seconds").real(line.seconds, 2);
  json.key("shrinking").boolean(line.shrinking);
  write_seconds(json.key("seconds_left_low"), line.left_low);
  write_seconds(json.key("seconds_left_high"), line.left_high);
  json.key("phase");
  if (line.work == nullptr) {
    json.null().key("phase_percent").null();
  } else {
    json.string(line.work).key("phase_percent").number(line.work_percent);
  }
  json.end_object();
}

bool ProgressMeter::update(const Progress& progress, u64 now_ns, bool asked, ProgressLine& line) {
  if (progress.level != level_) {
    level_ = progress.level;
    level_start_states_ = last_states_;
  }
  last_states_ = progress.states;
  if (!begun_) first_expanded_ = progress.expanded;
  // A run that goes on is restored first, which says nothing of its rate.
  if (begun_ && progress.expanded <= first_expanded_) first_ns_ = now_ns;
  begun_ = true;
  const double seconds = static_cast<double>(now_ns - start_ns_) * 1e-9;
  if (progress.level_done) end_.note_level(progress.level_states, progress.expanded, seconds);
  const u64 since_ns = now_ns > shown_ns_ ? now_ns - shown_ns_ : 0;
  if (!asked && (every_ns_ == 0 || since_ns < every_ns_)) return false;

  line = {};
  line.level = progress.level;
  line.states = progress.states;
  // A depth-first search goes back to lower "levels"; what is new there is not a figure.
  line.new_states =
      progress.states > level_start_states_ ? progress.states - level_start_states_ : 0;
  const u64 grown = progress.states > shown_states_ ? progress.states - shown_states_ : 0;
  line.rate_per_s =
      since_ns == 0 ? 0 : static_cast<double>(grown) * 1e9 / static_cast<double>(since_ns);
  line.ram_used = progress.ram_used;
  line.work = progress.work.name();
  line.work_percent = progress.work.percent();
  line.shrinking = end_.shrinking();
  line.seconds = seconds;
  const EndForecast::Range left = end_.seconds_left(progress.expanded, first_expanded_,
                                                    static_cast<double>(now_ns - first_ns_) * 1e-9);
  line.left_low = left.low;
  line.left_high = left.high;
  shown_ns_ = now_ns;
  shown_states_ = progress.states;
  return true;
}

// Transitions that are not known are empty fields.
void LevelTable::write_exact(const Progress& progress, double seconds, Text& out) {
  const LevelCounts& counts = *progress.exact;
  out.number(progress.level);
  counts.level_states.write(out.add(','), false);
  out.add(',');
  if (counts.has_transitions) counts.level_transitions.write(out, false);
  counts.states.write(out.add(','), false);
  out.add(',');
  if (counts.has_transitions) counts.transitions.write(out, false);
  out.format(",%.3f\n", seconds);
}

bool LevelTable::update(const Progress& progress, double seconds, Text& out) {
  if (!progress.level_done) return false;
  if (progress.exact != nullptr) {
    write_exact(progress, seconds, out);
    return true;
  }
  out.number(progress.level).add(',').number(states_before_ + progress.level_states).add(',');
  out.number(progress.transitions - transitions_before_).add(',');
  out.number(progress.states).add(',').number(progress.transitions).format(",%.3f\n", seconds);
  states_before_ = 0;
  transitions_before_ = progress.transitions;
  return true;
}

}  // namespace xmc
