#include "report/progress.h"

#include <cmath>

namespace xmc {

namespace {

constexpr double kMostTimes = 4;  // that a forecast may be of the time so far

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

// What may be left out when the line is too long.
struct Extras {
  bool end = true;
  bool level = true;
  bool disk = true;
  bool new_states = true;
};

void format_with(Text& out, const ProgressLine& line, const Extras& extras) {
  if (extras.level) out.add("level ").number(line.level).add("  ");
  out.grouped(line.states).add(" states");
  if (extras.new_states) out.add("  ").grouped(line.new_states).add(" new");
  out.add("  ");
  format_rate(out, line.rate_per_s);
  add_figure(out, "RAM", line.ram_used);
  if (extras.disk) add_figure(out, "disk", line.disk);
  add_figure(out, "written", line.written);
  out.add("  ").seconds(line.seconds);
  if (!extras.end) return;
  if (line.left_seconds >= 60) {
    out.add("  ~").seconds(line.left_seconds).add(" left");
  } else if (line.left_seconds >= 0) {
    out.format("  ~%.0f s left", line.left_seconds);
  } else if (line.shrinking) {
    out.add("  shrinking");
  }
}

}  // namespace

void format_progress(Text& out, const ProgressLine& line, u32 columns) {
  Extras extras;
  // The least useful first.
  for (bool* extra : {&extras.new_states, &extras.disk, &extras.level, &extras.end}) {
    FixedText<256> text;
    format_with(text, line, extras);
    if (text.size() <= columns) break;
    *extra = false;
  }
  format_with(out, line, extras);
}

void write_progress(JsonWriter& json, const ProgressLine& line) {
  json.begin_object().key("event").string("progress");
  json.key("level").number(line.level).key("states").number(line.states);
  json.key("new_states").number(line.new_states);
  json.key("states_per_s").real(line.rate_per_s, 0);
  json.key("ram_used").number(line.ram_used).key("disk_bytes").number(line.disk);
  json.key("written_bytes").number(line.written).key("seconds").real(line.seconds, 2);
  json.key("shrinking").boolean(line.shrinking).key("seconds_left");
  if (line.left_seconds < 0) {
    json.null();
  } else {
    json.real(line.left_seconds, 0);
  }
  json.end_object();
}

void ProgressMeter::note_level(u64 states) {
  for (u32 i = 3; i > 0; --i) level_sizes_[i] = level_sizes_[i - 1];
  level_sizes_[0] = states;
  shrinking_levels_ = level_sizes_[3] != 0 && pairs_ratio() < 1 ? shrinking_levels_ + 1 : 0;
}

// The last two levels to the two before: in many models even and odd ones differ.
double ProgressMeter::pairs_ratio() const {
  return static_cast<double>(level_sizes_[0] + level_sizes_[1]) /
         static_cast<double>(level_sizes_[2] + level_sizes_[3]);
}

// Half of a level, and those behind it if each is to the one before as the last ones were. Two that
// shrink may be an accident.
double ProgressMeter::seconds_left(const Progress& progress, u64 since_ns) const {
  constexpr u32 kShrinkingLevels = 3;
  if (shrinking_levels_ < kShrinkingLevels || progress.expanded <= shown_expanded_) return -1;
  const double ratio = std::sqrt(pairs_ratio());
  const double level = static_cast<double>(level_sizes_[0] + level_sizes_[1]) / 2;
  const double left = level * (0.5 + ratio / (1 - ratio));
  const double rate = static_cast<double>(progress.expanded - shown_expanded_);
  return left / rate * static_cast<double>(since_ns) * 1e-9;
}

bool ProgressMeter::update(const Progress& progress, u64 now_ns, bool asked, ProgressLine& line) {
  if (progress.level != level_) {
    level_ = progress.level;
    level_start_states_ = last_states_;
  }
  last_states_ = progress.states;
  if (progress.level_done) note_level(progress.level_states);
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
  line.shrinking = shrinking_levels_ != 0;
  line.seconds = static_cast<double>(now_ns - start_ns_) * 1e-9;
  // Levels that hardly shrink say little about the end.
  if (const double left = seconds_left(progress, since_ns); left <= kMostTimes * line.seconds)
    line.left_seconds = left;
  shown_ns_ = now_ns;
  shown_states_ = progress.states;
  shown_expanded_ = progress.expanded;
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
