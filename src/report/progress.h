// Progress: when a line about a running search is due, and what it says. No OS and no clock in
// here: the owner of the run gives the time and prints the line, so that tests can play a night in
// a millisecond.
#pragma once

#include "report/end_forecast.h"
#include "report/json.h"
#include "xmc/run_control.h"
#include "xmc/text.h"
#include "xmc/types.h"

namespace xmc {

struct ProgressLine {
  u64 level = 0;
  u64 states = 0;
  u64 new_states = 0;     // found since the expansion of this level began
  double rate_per_s = 0;  // states
  u64 ram_used = 0;
  u64 disk = 0;     // shown when not 0
  u64 written = 0;  // shown when not 0
  double seconds = 0;
  bool shrinking = false;  // the last two levels were smaller than the two before
  // Seconds that are left, if levels go on to shrink as they do (end_forecast.h); < 0: not known.
  double left_low = -1;
  double left_high = -1;
  const char* work = nullptr;  // long work inside the level (xmc/long_work.h), or null
  u32 work_percent = 0;        // of it is done
};

// "level 40  412,906 states  96,332 new  51k/s  RAM 4.6 MiB  2 m 10 s  40 s to 3 m left"
//
// States, rate, RAM, bytes written and time are always there; of the rest what fits into `columns`,
// and first of all long work inside the level ("level 40  comparing 43%  ...") and what can be said
// about the end. Without a state the work is all there is to say: the run is not yet restored.
void format_progress(Text& out, const ProgressLine& line, u32 columns);

// The same as an object, with the names of the JSON result: bytes, states and seconds as numbers,
// what is not known as null.
void write_progress(JsonWriter& json, const ProgressLine& line);

class ProgressMeter {
 public:
  // `every_ns` 0: never by itself, only when asked.
  ProgressMeter(u64 start_ns, u64 every_ns)
      : start_ns_(start_ns), every_ns_(every_ns), shown_ns_(start_ns), first_ns_(start_ns) {}

  // Levels of earlier processes say as much about the end.
  void go_on_with(const EndForecast& end) { end_ = end; }
  // Feeds one poll of the engine. True when a line is due: after `every_ns`, or at once when
  // `asked`.
  bool update(const Progress& progress, u64 now_ns, bool asked, ProgressLine& line);

 private:
  u64 start_ns_;
  u64 every_ns_;
  u64 shown_ns_;
  u64 shown_states_ = 0;
  u64 level_ = 0;
  u64 level_start_states_ = 0;
  u64 last_states_ = 0;
  u64 first_expanded_ = 0;  // by earlier processes of the run
  u64 first_ns_;            // when this one began to expand
  bool begun_ = false;
  EndForecast end_;
};

// One row per finished level, as CSV, for --levels.
inline constexpr const char* kLevelsHeader =
    "level,states,transitions,total_states,total_transitions,seconds\n";
inline constexpr u32 kLevelsRow = 4 * WideCount::kDecimalText;
class LevelTable {
 public:
  // For a run that goes on: states of its first row's level that were expanded before, and
  // transitions of the levels before that.
  void go_on_from(u64 states, u64 transitions) {
    states_before_ = states;
    transitions_before_ = transitions;
  }
  // Adds a row to `out` when the poll says that a level is done.
  bool update(const Progress& progress, double seconds, Text& out);

 private:
  static void write_exact(const Progress& progress, double seconds, Text& out);

  u64 states_before_ = 0;
  u64 transitions_before_ = 0;
};

}  // namespace xmc
