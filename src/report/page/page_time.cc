// What a page shows over time: levels, states, the rate, memory, comparisons, and what was said
// about the end beside what came true.
#include <algorithm>

#include "report/page/html.h"
#include "report/page/page.h"
#include "report/page/plot.h"

namespace xmc {

namespace {

constexpr u32 kMostPoints = std::max(History::kLevels, History::kSamples + 1);

// Points that a plot is made of, one after the other.
struct Points {
  u32 count = 0;
  PlotPoint at[kMostPoints];

  void add(double x, double y) { at[count++] = {x, y}; }
  std::span<const PlotPoint> all() const { return {at, count}; }
};

double seconds(u64 ms) { return static_cast<double>(ms) / 1e3; }
double real(u64 value) { return static_cast<double>(value); }

using Sample = History::Sample;

// One value of each sample.
template <class Value>
void collect(const History& history, Points& points, Value value) {
  points.count = 0;
  for (const Sample& sample : history.samples()) points.add(seconds(sample.ms), value(sample));
}

void write_marks(Plot& plot, const History& history) {
  for (const History::Event& event : history.events()) {
    const bool resumed = event.kind == History::EventKind::resume;
    plot.mark(seconds(event.ms), resumed ? "resume" : "checkpoint",
              resumed ? "resumed" : "checkpoint");
  }
}

void begin_section(Html& html, std::string_view title) {
  html.raw("<section>\n<figure>\n<h2>").raw(title).raw("</h2>\n");
}

void end_section(Html& html, std::string_view caption) {
  html.raw("<figcaption>").raw(caption).raw("</figcaption>\n</figure>\n</section>\n");
}

// Of a value that only grows, what it grew by in a second: over some samples, because searches go
// in bursts.
void collect_rates(const History& history, Points& points) {
  constexpr u32 kWindows = 40;
  const auto samples = history.samples();
  const std::size_t back = std::max<std::size_t>(samples.size() / kWindows, 1);
  const bool from_start = history.known_from_ms() == 0;
  const Sample start;
  points.count = 0;
  for (std::size_t i = from_start ? 0 : back; i < samples.size(); ++i) {
    const Sample& before = i < back ? start : samples[i - back];
    const u64 took = samples[i].ms - std::min(before.ms, samples[i].ms);
    const u64 grown = samples[i].states - std::min(before.states, samples[i].states);
    if (took != 0) points.add(seconds(samples[i].ms), real(grown) / seconds(took));
  }
}

void write_states(Html& html, const Page& page, Points& points) {
  const History& history = *page.history;
  Plot plot(html.out(), PlotUnit::seconds, PlotUnit::count);
  collect(history, points, [](const Sample& s) { return real(s.states); });
  plot.see(points.all());
  if (!plot.any()) return;
  begin_section(html, "States over time");
  plot.begin("States that were found, over time");
  plot.area(points.all(), "a1");
  plot.line(points.all(), "l1");
  write_marks(plot, history);
  plot.end();
  end_section(html,
              "Time of work, over all processes of the run. Dotted: checkpoints. "
              "<b class=k4>Upright</b>: the run was resumed.");
}

void write_rate(Html& html, const Page& page, Points& points) {
  Plot plot(html.out(), PlotUnit::seconds, PlotUnit::rate);
  collect_rates(*page.history, points);
  plot.see(points.all());
  if (!plot.any()) return;
  begin_section(html, "Rate");
  plot.begin("New states in a second, over time");
  plot.line(points.all(), "l1");
  write_marks(plot, *page.history);
  plot.end();
  end_section(html, "New states in a second. It falls to 0 where the run compares or writes.");
}

void write_files(Html& html, const Page& page, Points& points) {
  const History& history = *page.history;
  if (history.samples().empty() || history.samples().back().written == 0) return;
  Plot plot(html.out(), PlotUnit::seconds, PlotUnit::bytes);
  const auto written = [](const Sample& s) { return real(s.written); };
  const auto disk = [](const Sample& s) { return real(s.disk); };
  collect(history, points, written);
  plot.see(points.all());
  if (!plot.any()) return;
  begin_section(html, "Files");
  plot.begin("Bytes written and bytes that are there, over time");
  plot.line(points.all(), "l2");
  collect(history, points, disk);
  plot.area(points.all(), "a1");
  plot.line(points.all(), "l1");
  write_marks(plot, history);
  plot.end();
  end_section(html,
              "Bytes that are <b class=k1>there</b>, and all that were <b class=k2>written</b>.");
}

void write_detections(Html& html, const Page& page, Points& points) {
  const History& history = *page.history;
  if (history.samples().empty()) return;
  const Sample& last = history.samples().back();
  if (last.detections + last.partial + last.delayed == 0) return;
  Plot plot(html.out(), PlotUnit::seconds, PlotUnit::count);
  u64 Sample::*const counters[] = {&Sample::detections, &Sample::partial, &Sample::delayed};
  constexpr const char* kLines[] = {"l1", "l2", "l3"};
  for (const auto counter : counters) {
    collect(history, points, [&](const Sample& s) { return real(s.*counter); });
    plot.see(points.all());
  }
  if (!plot.any()) return;
  begin_section(html, "Comparisons with states on flash");
  plot.begin("Full comparisons, partial ones, and levels without one, over time");
  for (u32 i = 0; i < 3; ++i) {
    collect(history, points, [&](const Sample& s) { return real(s.*counters[i]); });
    plot.line(points.all(), kLines[i]);
  }
  plot.end();
  end_section(html,
              "<b class=k1>Full</b> detections, <b class=k2>partial</b> ones, and levels that went "
              "on <b class=k3>without</b>, counted from the beginning.");
}

// Where nothing was said the band has no width: it is drawn in pieces.
template <class Use>
void for_forecasts(const History& history, Points& low, Points& high, Use use) {
  low.count = high.count = 0;
  for (const Sample& sample : history.samples()) {
    if (sample.left_low_ms == History::kUnknown) {
      use();
      low.count = high.count = 0;
      continue;
    }
    low.add(seconds(sample.ms), seconds(sample.left_low_ms));
    high.add(seconds(sample.ms), seconds(sample.left_high_ms));
  }
  use();
}

void write_forecasts(Html& html, const Page& page, Points& low, Points& high) {
  const History& history = *page.history;
  Plot plot(html.out(), PlotUnit::seconds, PlotUnit::seconds);
  u32 known = 0;
  double first = 0;
  for_forecasts(history, low, high, [&] {
    if (low.count != 0 && known == 0) first = low.at[0].x;
    known += low.count;
    plot.see(low.all());
    plot.see(high.all());
  });
  if (known < 2) return;
  const bool came_true = !page.running && page.report->outcome.complete;
  const PlotPoint truth[] = {{first, page.seconds - first}, {page.seconds, 0}};
  if (came_true) plot.see(truth);
  if (!plot.any()) return;
  begin_section(html, "What was said to be left");
  plot.begin("The range of time that was said to be left, over time");
  for_forecasts(history, low, high, [&] {
    plot.band(low.all(), high.all(), "a1");
    plot.line(low.all(), "l1");
    plot.line(high.all(), "l1");
  });
  if (came_true) plot.line(truth, "l3");
  plot.end();
  end_section(html, came_true
                        ? "The range, as it was said at each time, and "
                          "<b class=k3>what came true</b>. Nothing is said before levels shrink."
                        : "The range, as it was said at each time. Nothing is said before levels "
                          "shrink.");
}

}  // namespace

void write_level_plot(Output& out, const Page& page) {
  const History& history = *page.history;
  Html html(out);
  Points points;
  for (u32 bin = 0; bin < history.level_bins(); ++bin) {
    points.add(real(history.first_level() + bin * history.level_step()), history.level_states(bin));
  }
  Plot plot(out, PlotUnit::count, PlotUnit::count, Plot::Shape::whole);
  plot.see(points.all());
  if (!plot.any()) return;
  begin_section(html, "Size of levels");
  plot.begin("States of each breadth-first level");
  plot.area(points.all(), "a1");
  plot.line(points.all(), "l1");
  plot.end();
  html.raw("<figcaption>States of each breadth-first level that is done");
  if (history.level_step() > 1) {
    html.raw(", on the average of ").number(history.level_step()).raw(" levels");
  }
  if (history.first_level() != 0) {
    html.raw("; those before level ").number(history.first_level()).raw(" are not known here");
  }
  html.raw(".</figcaption>\n</figure>\n</section>\n");
}

void write_time_plots(Output& out, const Page& page) {
  Html html(out);
  Points points;
  Points others;
  html.raw("<div class=two>\n");
  write_states(html, page, points);
  write_rate(html, page, points);
  write_forecasts(html, page, points, others);
  write_files(html, page, points);
  write_detections(html, page, points);
  html.raw("</div>\n");
}

}  // namespace xmc
