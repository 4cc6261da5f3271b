#include "report/page/history.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace xmc {

void History::start(u64 run, u64 known_from_ms) {
  *this = {};
  run_ = run;
  known_from_ms_ = known_from_ms;
}

// --- Levels -----------------------------------------------------------------------------------

u64 History::levels() const {
  return bin_count_ == 0 ? 0 : (bin_count_ - 1) * level_step_ + in_last_;
}

double History::level_states(u32 bin) const {
  const u64 count = bin + 1 == bin_count_ ? in_last_ : level_step_;
  return static_cast<double>(bins_[bin]) / static_cast<double>(count);
}

void History::clear_levels(u64 first) {
  first_level_ = first;
  level_step_ = 1;
  bin_count_ = 0;
  in_last_ = 0;
}

void History::thin_levels() {
  for (u32 i = 0; i < kLevels / 2; ++i) bins_[i] = bins_[2 * i] + bins_[2 * i + 1];
  bin_count_ = kLevels / 2;
  in_last_ += level_step_;
  level_step_ *= 2;
}

// Levels that do not follow the last one begin anew: a search may go back to its first states, and
// what is missing between is better left out than shown as nothing.
void History::add_level(u64 level, u64 states) {
  if (level != first_level_ + levels()) clear_levels(level);
  states += std::exchange(carry_, u64{0});
  if (bin_count_ != 0 && in_last_ < level_step_) {
    bins_[bin_count_ - 1] += states;
    ++in_last_;
    return;
  }
  if (bin_count_ == kLevels) {
    thin_levels();
    add_level(level, states);
    return;
  }
  bins_[bin_count_++] = states;
  in_last_ = 1;
}

EndForecast History::forecast() const {
  EndForecast end;
  if (level_step_ != 1 || first_level_ != 0) return end;
  u64 expanded = 0;
  for (u32 i = 0; i < bin_count_; ++i) end.note_level(bins_[i], expanded += bins_[i]);
  return end;
}

// --- Time -------------------------------------------------------------------------------------

// Of two neighbours the later one stays: totals are what counts.
void History::thin_samples() {
  for (u32 i = 0; i < kSamples / 2; ++i) samples_[i] = samples_[2 * i + 1];
  sample_count_ = kSamples / 2;
  interval_ms_ *= 2;
}

void History::add_sample(const Sample& sample) {
  if (sample_count_ == kSamples) thin_samples();
  samples_[sample_count_++] = sample;
  last_ms_ = sample.ms;
}

// Every second checkpoint goes; resumes are few.
void History::thin_events() {
  u32 kept = 0;
  bool keep = false;
  for (u32 i = 0; i < event_count_; ++i) {
    if (events_[i].kind == EventKind::checkpoint) keep = !keep;
    if (events_[i].kind == EventKind::resume || keep) events_[kept++] = events_[i];
  }
  // Nothing but resumes: the oldest one goes.
  if (kept == event_count_) std::copy(events_ + 1, events_ + kept--, events_);
  event_count_ = kept;
}

void History::add_event(EventKind kind, u64 ms) {
  if (event_count_ == kEvents) thin_events();
  events_[event_count_++] = {kind, ms};
}

void History::go_back(const Point& point) {
  while (sample_count_ != 0 && samples_[sample_count_ - 1].ms > point.ms) --sample_count_;
  last_ms_ = sample_count_ == 0 ? 0 : samples_[sample_count_ - 1].ms;
  while (event_count_ != 0 && events_[event_count_ - 1].ms > point.ms) --event_count_;
  cut_levels(point);
  const u64 counted = std::accumulate(bins_, bins_ + bin_count_, u64{0});
  const bool whole = first_level_ == 0 && levels() == point.levels && point.expanded >= counted;
  carry_ = whole ? point.expanded - counted : 0;
}

// A bin that has to be divided has what is left for it at the end of a level. In the middle of one
// nobody knows, and it is a guess.
void History::cut_levels(const Point& point) {
  while (bin_count_ != 0 && first_level_ + levels() > point.levels) {
    const u64 surplus = first_level_ + levels() - point.levels;
    if (surplus < in_last_) {
      const double guess = level_states(bin_count_ - 1) * static_cast<double>(in_last_ - surplus);
      const u64 before = std::accumulate(bins_, bins_ + bin_count_ - 1, u64{0});
      const u64 left = point.expanded - std::min(before, point.expanded);
      u64& last = bins_[bin_count_ - 1];
      last = static_cast<u64>(guess);
      if (first_level_ == 0) last = point.inside_level ? std::min(last, left) : left;
      in_last_ -= surplus;
      return;
    }
    --bin_count_;
    in_last_ = bin_count_ == 0 ? 0 : level_step_;
  }
}

}  // namespace xmc
