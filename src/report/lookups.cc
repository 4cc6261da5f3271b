#include "report/lookups.h"

#include <algorithm>

#include "xmc/text.h"

namespace xmc {

namespace {

// "98.2% of the 1,234 times that a state was known"
void add_share(Row& out, u64 asked, u64 read, const char* what) {
  const double without = 100.0 * static_cast<double>(asked - std::min(read, asked)) /
                         static_cast<double>(std::max<u64>(asked, 1));
  FixedText<128> text;
  text.format("%.1f%% of ", without).grouped(asked).add(what);
  out.add(text.view());
}

}  // namespace

void write_lookups(Row& out, const SearchStats& stats) {
  if (stats.known_asked == kNoFigure || stats.new_asked == kNoFigure) return;
  out.raw("lookups").to(kReportIndent);
  add_share(out, stats.known_asked, stats.known_read, " that were known and ");
  add_share(out, stats.new_asked, stats.new_read, " that were new without a read\n");
}

}  // namespace xmc
