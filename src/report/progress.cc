#include "report/progress.h"

namespace xmc {

namespace {

void format_rate(Text& out, double per_second) {
  if (per_second >= 9.95e6) {
    out.format("%4.0fM/s", per_second / 1e6);
  } else if (per_second >= 1e6) {
    out.format("%4.1fM/s", per_second / 1e6);
  } else if (per_second >= 1e3) {
    out.format("%4.0fk/s", per_second / 1e3);
  } else {
    out.format("%4.0f /s", per_second);
  }
}

void grouped_to(Text& out, u64 value, u32 width) {
  FixedText<32> number;
  number.grouped(value);
  out.pad_left(number.view(), width);
}

}  // namespace

void format_progress(Text& out, const ProgressLine& line) {
  out.format("level %3llu ", static_cast<unsigned long long>(line.level));
  grouped_to(out, line.states, 11);
  out.add(" states ");
  grouped_to(out, line.new_states, 10);
  out.add(" new  ");
  format_rate(out, line.rate_per_s);
  if (line.ram_used != 0) out.add("  RAM ").bytes(line.ram_used);
  if (line.disk != 0) out.add("  disk ").bytes(line.disk);
  if (line.written != 0) out.add("  written ").bytes(line.written);
  out.add("  ").seconds(line.seconds);
}

bool ProgressMeter::update(const Progress& progress, u64 now_ns, bool asked, ProgressLine& line) {
  if (progress.level != level_) {
    level_ = progress.level;
    level_start_states_ = last_states_;
  }
  last_states_ = progress.states;
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
  line.seconds = static_cast<double>(now_ns - start_ns_) * 1e-9;
  shown_ns_ = now_ns;
  shown_states_ = progress.states;
  return true;
}

bool LevelTable::update(const Progress& progress, double seconds, Text& out) {
  if (!progress.level_done) return false;
  out.number(progress.level).add(',').number(states_before_ + progress.level_states).add(',');
  out.number(progress.transitions - transitions_before_).add(',');
  out.number(progress.states).add(',').number(progress.transitions).format(",%.3f\n", seconds);
  states_before_ = 0;
  transitions_before_ = progress.transitions;
  return true;
}

}  // namespace xmc
