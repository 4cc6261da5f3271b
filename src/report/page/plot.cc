#include "report/page/plot.h"

#include <algorithm>
#include <cmath>

#include "report/page/html.h"

namespace xmc {

namespace {

constexpr double kLeft = 58;
constexpr double kRight = 10;
constexpr double kTop = 12;
constexpr double kBottom = 26;
constexpr u32 kTicksAcross = 7;
constexpr u32 kTicksUp = 5;

// What is left of a number that is none, or has no end.
double sane(double value) { return std::isfinite(value) ? value : 0; }

// 1, 2 or 5 times a power of `base`.
double round_step(double least, double base) {
  double power = 1;
  while (power * base <= least) power *= base;
  while (power > least) power /= base;
  for (const double times : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0}) {
    if (times < base && power * times >= least) return power * times;
  }
  return power * base;
}

double time_step(double least) {
  if (least <= 1) return round_step(least, 10);
  for (const double step : {2., 5., 10., 15., 30., 60., 120., 300., 600., 900., 1800., 3600., 7200.,
                            10800., 21600., 43200.}) {
    if (step >= least) return step;
  }
  return 86400 * round_step(least / 86400, 10);
}

struct Unit {
  double size;
  const char* name;
};

void add_scaled(Output& out, double value, std::span<const Unit> units) {
  const Unit* unit = &units[0];
  for (const Unit& one : units) {
    if (value >= one.size) unit = &one;
  }
  const double scaled = value / unit->size;
  const bool whole = std::fabs(scaled - std::round(scaled)) < 1e-6 * std::max(scaled, 1.0);
  out.format(whole ? "%.0f%s" : "%.3g%s", scaled, unit->name);
}

}  // namespace

void add_axis_value(Output& out, PlotUnit unit, double value) {
  static constexpr Unit kCounts[] = {{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}};
  static constexpr Unit kBytes[] = {{1, " B"},
                                    {1024, " KiB"},
                                    {1024. * 1024, " MiB"},
                                    {1024. * 1024 * 1024, " GiB"},
                                    {1024. * 1024 * 1024 * 1024, " TiB"}};
  static constexpr Unit kTimes[] = {{1, " s"}, {60, " m"}, {3600, " h"}, {86400, " d"}};
  value = sane(value);
  switch (unit) {
    case PlotUnit::count:
    case PlotUnit::rate:
      add_scaled(out, value, kCounts);
      if (unit == PlotUnit::rate) out.add("/s");
      break;
    case PlotUnit::bytes:
      add_scaled(out, value, kBytes);
      break;
    case PlotUnit::seconds:
      add_scaled(out, value, kTimes);
      break;
  }
}

double tick_step(PlotUnit unit, double range, u32 most) {
  const double least = std::max(sane(range), 1e-9) / most;
  if (unit == PlotUnit::seconds) return time_step(least);
  if (unit == PlotUnit::bytes) return std::max(round_step(least, 1024), 1.0);
  return unit == PlotUnit::count ? std::max(round_step(least, 10), 1.0) : round_step(least, 10);
}

void Plot::see(std::span<const PlotPoint> points) {
  for (const PlotPoint& point : points) {
    const double x = sane(point.x);
    if (seen_ == 0) x_first_ = x_last_ = x;
    x_first_ = std::min(x_first_, x);
    x_last_ = std::max(x_last_, x);
    see_y(point.y);
    ++seen_;
  }
}

void Plot::see_y(double y) { y_most_ = std::max(y_most_, sane(y)); }

double Plot::place_x(double x) const {
  const double range = std::max(x_last_ - x_first_, 1e-9);
  const double share = std::clamp((sane(x) - x_first_) / range, 0.0, 1.0);
  return kLeft + share * (width_ - kLeft - kRight);
}

double Plot::place_y(double y) const {
  const double share = std::clamp(sane(y) / std::max(y_most_, 1e-9), 0.0, 1.0);
  return kHeight - kBottom - share * (kHeight - kTop - kBottom);
}

void Plot::add_point(const PlotPoint& point) {
  out_.format("%.1f,%.1f ", place_x(point.x), place_y(point.y));
}

void Plot::axes() {
  const double up = tick_step(y_unit_, y_most_, kTicksUp);
  for (double y = 0; y <= y_most_ * 1.0001; y += up) {
    out_.format("<path class=grid d=\"M%.0f %.1fH%.0f\"/>", kLeft, place_y(y), width_ - kRight);
    out_.format("<text x=%.0f y=%.1f class=up>", kLeft - 6, place_y(y) + 4);
    add_axis_value(out_, y_unit_, y);
    out_.add("</text>\n");
  }
  const double across = tick_step(x_unit_, x_last_ - x_first_, kTicksAcross);
  for (double x = std::ceil(x_first_ / across) * across; x <= x_last_ * 1.0001; x += across) {
    out_.format("<text x=%.1f y=%.0f class=across>", place_x(x), kHeight - 8);
    add_axis_value(out_, x_unit_, x);
    out_.add("</text>\n");
  }
}

void Plot::begin(std::string_view label) {
  out_.format("<svg%s viewBox=\"0 0 %.0f %.0f\" role=img aria-label=\"",
              width_ > 480 ? " class=long" : "", width_, kHeight);
  add_escaped(out_, label);
  out_.add("\">\n");
  // Room above the highest value up to the next tick, if that is near.
  const double up = tick_step(y_unit_, y_most_, kTicksUp);
  const double next = std::ceil(y_most_ / up) * up;
  y_most_ = next <= y_most_ * 1.15 ? next : y_most_ * 1.05;
  axes();
}

void Plot::line(std::span<const PlotPoint> points, std::string_view css_class) {
  if (points.empty()) return;
  out_.add("<polyline class=").add(css_class).add(" points=\"");
  for (const PlotPoint& point : points) add_point(point);
  out_.add("\"/>\n");
}

void Plot::area(std::span<const PlotPoint> points, std::string_view css_class) {
  if (points.empty()) return;
  out_.add("<polygon class=").add(css_class).add(" points=\"");
  add_point({points.front().x, 0});
  for (const PlotPoint& point : points) add_point(point);
  add_point({points.back().x, 0});
  out_.add("\"/>\n");
}

void Plot::band(std::span<const PlotPoint> low, std::span<const PlotPoint> high,
                std::string_view css_class) {
  if (low.empty()) return;
  out_.add("<polygon class=").add(css_class).add(" points=\"");
  for (const PlotPoint& point : low) add_point(point);
  for (std::size_t i = high.size(); i-- > 0;) add_point(high[i]);
  out_.add("\"/>\n");
}

void Plot::level(double y, std::string_view css_class) {
  out_.add("<path class=").add(css_class);
  out_.format(" d=\"M%.0f %.1fH%.0f\"/>\n", kLeft, place_y(y), width_ - kRight);
}

void Plot::mark(double x, std::string_view css_class, std::string_view title) {
  out_.add("<path class=").add(css_class);
  out_.format(" d=\"M%.1f %.0fV%.0f\"><title>", place_x(x), kTop, kHeight - kBottom);
  add_escaped(out_, title);
  out_.add("</title></path>\n");
}

void Plot::end() { out_.add("</svg>\n"); }

}  // namespace xmc
