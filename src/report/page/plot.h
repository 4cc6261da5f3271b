// Plot: a picture of a few hundred points as SVG, with axes. It is told its points twice, first to
// find how much room they need (see()), then to be drawn; coordinates are always inside the box,
// and numbers that are none do not come out.
#pragma once

#include <span>
#include <string_view>

#include "report/output.h"
#include "xmc/types.h"

namespace xmc {

enum class PlotUnit : u8 { count, rate, bytes, seconds };

// A value of an axis, short: "1.5M", "20k/s", "12 MiB", "15 m".
void add_axis_value(Output& out, PlotUnit unit, double value);
// The distance of ticks, so that there are at most `most` of them up to `range`: a round number of
// the unit.
double tick_step(PlotUnit unit, double range, u32 most);

struct PlotPoint {
  double x = 0;
  double y = 0;
};

class Plot {
 public:
  enum class Shape : u8 { half, whole };  // of the width of a page

  Plot(Output& out, PlotUnit x, PlotUnit y, Shape shape = Shape::half)
      : out_(out), x_unit_(x), y_unit_(y), width_(shape == Shape::half ? 480 : 700) {}
  static constexpr double kHeight = 220;
  double width() const { return width_; }

  // From 0 on upwards; from the first x on.
  void see(std::span<const PlotPoint> points);
  void see_y(double y);
  bool any() const { return seen_ >= 2 && x_last_ > x_first_; }

  // `label` says what it shows to those who do not see it.
  void begin(std::string_view label);
  void line(std::span<const PlotPoint> points, std::string_view css_class);
  // Down to the axis.
  void area(std::span<const PlotPoint> points, std::string_view css_class);
  // Between two lines over the same x.
  void band(std::span<const PlotPoint> low, std::span<const PlotPoint> high,
            std::string_view css_class);
  // A line across: a limit.
  void level(double y, std::string_view css_class);
  // A line down: something that happened. Those who point at it are told what.
  void mark(double x, std::string_view css_class, std::string_view title);
  void end();

 private:
  double place_x(double x) const;
  double place_y(double y) const;
  void add_point(const PlotPoint& point);
  void axes();

  Output& out_;
  PlotUnit x_unit_;
  PlotUnit y_unit_;
  double width_;
  u64 seen_ = 0;
  double x_first_ = 0;
  double x_last_ = 0;
  double y_most_ = 0;
};

}  // namespace xmc
