// History: how a run went, in memory that does not grow: sizes of levels, samples over time, and
// what happened when. When an array is full, neighbours are put together and the step doubles, so
// that a run of a second and one of a week take the same bytes and have the same resolution.
//
// It is kept beside the checkpoints, as text, so that the page of a resumed run shows the whole of
// it:
//
//   history = "xmc-lite history 1" LF line* "checksum " hex LF
//   line    = "run " number LF | "known " ms LF
//           | "levels " first-level step in-last (" " states)* LF
//           | "interval " ms LF | "sample" (" " number){10} LF | "event " kind " " ms LF
//
// The checksum (report/text_sum.h) is that of all bytes before its line. A history that is not
// there, or not sound, is no error of the run: the page says since when it knows.
#pragma once

#include <span>
#include <string_view>

#include "report/end_forecast.h"
#include "report/output.h"
#include "xmc/types.h"

namespace xmc {

class History {
 public:
  static constexpr u32 kLevels = 512;
  static constexpr u32 kSamples = 240;
  static constexpr u32 kEvents = 96;
  // Of its text: numbers have twenty digits at most, and nearly always far fewer.
  static constexpr u32 kTextBytes = 96 << 10;
  static constexpr u64 kUnknown = ~u64{0};

  struct Sample {
    u64 ms = 0;  // of work, over all processes of the run
    u64 states = 0;
    u64 ram = 0;
    u64 disk = 0;
    u64 written = 0;
    u64 detections = 0;  // full, partial, and levels that went on without
    u64 partial = 0;
    u64 delayed = 0;
    u64 left_low_ms = kUnknown;
    u64 left_high_ms = kUnknown;
  };
  enum class EventKind : u8 { checkpoint, resume };
  struct Event {
    EventKind kind = EventKind::checkpoint;
    u64 ms = 0;
  };

  // Nothing is known before this.
  void start(u64 run, u64 known_from_ms);
  void add_level(u64 level, u64 states);
  bool due(u64 ms) const { return sample_count_ == 0 || ms >= last_ms_ + interval_ms_; }
  void add_sample(const Sample& sample);
  void add_event(EventKind kind, u64 ms);
  // Where a checkpoint is.
  struct Point {
    u64 ms = 0;
    u64 levels = 0;    // that were done
    u64 expanded = 0;  // states, in all
    bool inside_level = false;
  };
  // For a run that goes on from there: what came after it is forgotten.
  void go_back(const Point& point);

  // What the levels say about the end, where each of them is known.
  EndForecast forecast() const;

  u64 known_from_ms() const { return known_from_ms_; }
  u64 first_level() const { return first_level_; }
  u64 levels() const;
  u64 level_step() const { return level_step_; }
  u32 level_bins() const { return bin_count_; }
  // States per level, on the average of a bin; and the level that it begins with.
  double level_states(u32 bin) const;
  std::span<const Sample> samples() const { return {samples_, sample_count_}; }
  std::span<const Event> events() const { return {events_, event_count_}; }

  void save(Output& out) const;
  // False, and a history that is not changed in any way that counts: start() it then.
  bool load(std::string_view text, u64 run);

 private:
  void clear_levels(u64 first);
  void cut_levels(const Point& point);
  void thin_levels();
  void thin_samples();
  void thin_events();
  bool take_line(std::string_view line);
  bool take_levels(std::string_view rest);
  bool take_sample(std::string_view rest);

  u64 run_ = 0;
  u64 known_from_ms_ = 0;
  u64 first_level_ = 0;
  u64 level_step_ = 1;  // levels of a bin
  u64 in_last_ = 0;     // of the last one
  u64 carry_ = 0;       // states of the next level that an earlier process expanded
  u32 bin_count_ = 0;
  u64 bins_[kLevels] = {};  // states of all their levels
  u64 interval_ms_ = 50;
  u64 last_ms_ = 0;
  u32 sample_count_ = 0;
  Sample samples_[kSamples];
  u32 event_count_ = 0;
  Event events_[kEvents];
};

}  // namespace xmc
