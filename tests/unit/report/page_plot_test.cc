#include "report/page/plot.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "sample.h"

using namespace xmc;

namespace page_plot_test {

namespace {

std::string axis(PlotUnit unit, double value) {
  sample::StringOutput out;
  add_axis_value(out, unit, value);
  return out.take();
}

// All numbers of points and paths lie in the box.
void check_inside(const std::string& svg, double width) {
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
  for (std::size_t at = 0; (at = svg.find("points=\"", at)) != std::string::npos;) {
    at += 8;
    std::istringstream points(svg.substr(at, svg.find('"', at) - at));
    double x = 0;
    double y = 0;
    char comma = 0;
    u32 count = 0;
    while (points >> x >> comma >> y) {
      CHECK(x >= 0);
      CHECK(x <= width);
      CHECK(y >= 0);
      CHECK(y <= Plot::kHeight);
      ++count;
    }
    CHECK(count > 0);
  }
}

std::string draw(const std::vector<PlotPoint>& points, PlotUnit x, PlotUnit y) {
  sample::StringOutput out;
  Plot plot(out, x, y);
  plot.see(points);
  if (!plot.any()) return "";
  plot.begin("a \"label\" <here>");
  plot.area(points, "a1");
  plot.line(points, "l1");
  plot.band(points, points, "a1");
  plot.level(1e300, "limit");
  plot.mark(-1e300, "checkpoint", "x < y");
  plot.end();
  return out.take();
}

}  // namespace

TEST_CASE("values on axes are short") {
  CHECK(axis(PlotUnit::count, 0) == "0");
  CHECK(axis(PlotUnit::count, 950) == "950");
  CHECK(axis(PlotUnit::count, 1500) == "1.5k");
  CHECK(axis(PlotUnit::count, 2e6) == "2M");
  CHECK(axis(PlotUnit::rate, 40000) == "40k/s");
  CHECK(axis(PlotUnit::bytes, 5 * 1024.0 * 1024) == "5 MiB");
  CHECK(axis(PlotUnit::seconds, 0.5) == "0.5 s");
  CHECK(axis(PlotUnit::seconds, 900) == "15 m");
  CHECK(axis(PlotUnit::seconds, 5400) == "1.5 h");
  CHECK(axis(PlotUnit::count, std::numeric_limits<double>::quiet_NaN()) == "0");
}

TEST_CASE("ticks are round, and not too many") {
  for (const PlotUnit unit :
       {PlotUnit::count, PlotUnit::rate, PlotUnit::bytes, PlotUnit::seconds}) {
    for (double range = 1e-3; range < 1e15; range *= 1.37) {
      const double step = tick_step(unit, range, 5);
      CHECK(step > 0);
      CHECK(range / step <= 5.0001);
      if (range > 100) CHECK(range / step >= 1);
    }
  }
  CHECK(tick_step(PlotUnit::count, 230, 5) == 50);
  CHECK(tick_step(PlotUnit::seconds, 400, 5) == 120);
  CHECK(tick_step(PlotUnit::bytes, 88.0 * 1024 * 1024, 5) == 20.0 * 1024 * 1024);
  CHECK(tick_step(PlotUnit::count, 2, 5) == 1);
}

TEST_CASE("plots stay inside their box, whatever they are given") {
  std::vector<PlotPoint> bell;
  for (int i = 0; i < 500; ++i) bell.push_back({i * 3600.0, 1e6 - (i - 250) * (i - 250) * 16.0});
  check_inside(draw(bell, PlotUnit::seconds, PlotUnit::count), 480);
  check_inside(draw({{0, 0}, {1e-9, 0}}, PlotUnit::count, PlotUnit::bytes), 480);
  check_inside(draw({{0, 1}, {1e18, 1e300}, {5, -3}}, PlotUnit::count, PlotUnit::rate), 480);
  const double none = std::numeric_limits<double>::quiet_NaN();
  const double endless = std::numeric_limits<double>::infinity();
  check_inside(
      draw({{0, none}, {none, 1}, {3, endless}, {9, 2}}, PlotUnit::seconds, PlotUnit::seconds),
      480);
  CHECK(draw({}, PlotUnit::count, PlotUnit::count).empty());
  CHECK(draw({{3, 4}}, PlotUnit::count, PlotUnit::count).empty());
  const std::string svg = draw(bell, PlotUnit::seconds, PlotUnit::count);
  CHECK(svg.find("aria-label=\"a &quot;label&quot; &lt;here&gt;\"") != std::string::npos);
  CHECK(svg.find("<title>x &lt; y</title>") != std::string::npos);
}

}  // namespace page_plot_test
