// The figures of a run for people who want to know why it took that long.
#include "report/owner_report.h"
#include "report/summary.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// With the engine that it ended as, which need not be the one of the plan.
void write_split(Row& out, const RunReport& report) {
  const SearchStats& stats = report.outcome.stats;
  if (stats.search_us == kNoFigure || stats.search_us == 0) return;
  FixedText<64> text;
  text.seconds(static_cast<double>(stats.search_us) * 1e-6);
  out.raw("split").to(kReportIndent).add("search ").add(text.view());
  if (!report.engine.empty()) out.add(" (").add(report.engine).add(")");
  out.add(" =");
  const struct {
    const char* name;
    u64 us;
  } parts[] = {{"generation", stats.generation_us},     {"insertion", stats.insertion_us},
               {"detection", stats.detection_us},       {"queueing", stats.queueing_us},
               {"partitioning", stats.partitioning_us}, {"cycles", stats.cycles_us},
               {"I/O wait", stats.io_wait_us},          {"rest", stats.rest_us}};
  const char* between = " ";
  for (const auto& part : parts) {
    if (part.us == kNoFigure) continue;
    const double percent =
        100 * static_cast<double>(part.us) / static_cast<double>(stats.search_us);
    FixedText<64> share;
    share.add(part.name).format(" %.1f%%", percent);
    out.add(between).whole(share.view());
    between = " + ";
  }
  out.add('\n');
}

void write_flow(Row& out, const char* name, u64 read, u64 written) {
  FixedText<48> in;
  FixedText<48> to;
  out.add(name).add(' ').whole(in.bytes(read).add(" read").view()).add(", ");
  out.whole(to.bytes(written).add(" written").view());
}

void write_flash(Row& out, const RunReport& report) {
  if (report.bytes_written == kNoFigure || report.bytes_written + report.bytes_read == 0) return;
  out.raw("flash").to(kReportIndent);
  write_flow(out, "all", report.bytes_read, report.bytes_written);
  for (u32 p = 0; p < kPurposes; ++p) {
    if (report.read_for[p] + report.written_for[p] == 0) continue;
    out.add("; ");
    write_flow(out, kPurposeNames[p], report.read_for[p], report.written_for[p]);
  }
  out.add('\n');
  const double written = bytes_per_state(report, report.bytes_written);
  const double peak = bytes_per_state(report, report.disk_peak);
  const double left = bytes_per_state(report, report.disk_final);
  if (written < 0 || peak < 0 || left < 0) return;
  out.to(kReportIndent)
      .format(
          "bytes per state: %.2f written, %.2f read, %.2f there at the peak, %.2f at "
          "the end",
          written, bytes_per_state(report, report.bytes_read), peak, left);
  if (const double times = write_amplification(report); times >= 0) {
    out.format("; written %.2f times what the states take once", times);
  }
  out.add('\n');
}

}  // namespace

void write_figures(Output& to, const RunReport& report, u32 columns) {
  Row out(to, columns);
  write_each_owner(out, report);
  write_split(out, report);
  write_flash(out, report);
}

}  // namespace xmc
