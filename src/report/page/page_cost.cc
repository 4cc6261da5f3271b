// What a page shows of memory, time and bytes: tables with bars.
#include <algorithm>

#include "report/page/html.h"
#include "report/page/page.h"
#include "xmc/bytes.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// A cell with a bar of that share.
void add_bar(Html& html, double share) {
  html.raw("<td class=bar><i style=\"width:");
  html.out().format("%.1f%%", std::clamp(share, 0.0, 1.0) * 100);
  html.raw("\"></i></td>");
}

void memory_row(Html& html, std::string_view name, u64 bytes, u64 all) {
  html.raw("<tr><th scope=row>").text(name).raw("</th><td class=n>").bytes(bytes).raw("</td>");
  add_bar(html, static_cast<double>(bytes) / static_cast<double>(std::max<u64>(all, 1)));
  html.raw("</tr>\n");
}

double share_of(u64 part, u64 all) {
  return static_cast<double>(part) / static_cast<double>(std::max<u64>(all, 1));
}

void write_energy(Html& html, const RunReport& report) {
  const double energy = joules(report);
  const double wear = endurance_share(report);
  if (energy < 0 && wear < 0) return;
  html.raw("<p>");
  if (energy >= 0) {
    if (energy < 1000) html.out().format("About %.1f J", energy);
    if (energy >= 1000) html.out().format("About %.1f kJ (%.2f Wh)", energy / 1e3, energy / 3600);
    html.out().format(" at %.1f W", static_cast<double>(report.milliwatts) / 1e3);
    if (const double states = states_per_joule(report); states >= 0) {
      html.raw(", ").grouped(static_cast<u64>(states)).raw(" states per joule");
    }
    html.raw(". ");
  }
  if (wear >= 0) {
    html.out().format("What was written is %.2g%% of the ", wear * 100);
    html.bytes(report.endurance).raw(" that the flash bears.");
  }
  html.raw("</p>\n");
}

}  // namespace

void write_memory(Output& out, const Page& page) {
  constexpr u64 kSmall = u64{64} << 10;
  const PlanReport& plan = page.plan;
  if (plan.arena == nullptr) return;
  Html html(out);
  html.raw("<section>\n<h2>Memory</h2>\n<table>\n");
  memory_row(html, "code and stack", plan.fixed_bytes, plan.ram_limit);
  u64 small = plan.arena->free_bytes();
  for (const Arena::Carve& carve : plan.arena->carves()) {
    if (carve.bytes < kSmall) {
      small += carve.bytes;
    } else {
      memory_row(html, carve.name, carve.bytes, plan.ram_limit);
    }
  }
  memory_row(html, "small parts and spare", small, plan.ram_limit);
  html.raw("</table>\n<p>Budget ").bytes(plan.ram_limit);
  const RunReport& report = *page.report;
  if (report.peak_rss != kNoFigure) {
    html.raw("; at most ").bytes(report.peak_rss).raw(" were in use");
  }
  if (!page.running && report.outcome.stats.ram_used != kNoFigure) {
    html.raw(", ").bytes(report.outcome.stats.ram_used).raw(" of them by the search");
  }
  html.raw(".</p>\n</section>\n");
}

void write_split(Output& out, const Page& page) {
  const SearchStats& stats = page.report->outcome.stats;
  if (stats.search_us == kNoFigure || stats.search_us == 0) return;
  Html html(out);
  const struct {
    const char* name;
    u64 us;
  } parts[] = {{"expanding states", stats.generation_us},
               {"insertion into tables", stats.insertion_us},
               {"comparison with flash", stats.detection_us},
               {"coding of the queue", stats.queueing_us},
               {"sharing out, sorting", stats.partitioning_us},
               {"accepting cycles", stats.cycles_us},
               {"waiting for the device", stats.io_wait_us},
               {"rest", stats.rest_us}};
  html.raw("<section>\n<h2>Where the time went</h2>\n<table>\n");
  for (const auto& part : parts) {
    if (part.us == kNoFigure || part.us == 0) continue;
    html.raw("<tr><th scope=row>")
        .raw(part.name)
        .raw("</th><td class=n>")
        .seconds(static_cast<double>(part.us) / 1e6)
        .raw("</td><td class=n>");
    html.percent(share_of(part.us, stats.search_us)).raw("</td>");
    add_bar(html, share_of(part.us, stats.search_us));
    html.raw("</tr>\n");
  }
  html.raw("</table>\n<p>Search ").seconds(static_cast<double>(stats.search_us) / 1e6);
  html.raw(", all ").seconds(page.report->wall_s).raw(", CPU ").seconds(page.report->cpu_s);
  html.raw(".</p>\n</section>\n");
}

void write_flash(Output& out, const Page& page) {
  const RunReport& report = *page.report;
  Html html(out);
  const bool any =
      report.bytes_written != kNoFigure && report.bytes_written + report.bytes_read != 0;
  if (!any && joules(report) < 0) return;
  html.raw("<section>\n<h2>Flash and energy</h2>\n");
  if (any) {
    html.raw("<table>\n<tr><th></th><th class=n>read</th><th class=n>written</th>");
    html.raw("<th>written</th></tr>\n");
    for (u32 p = 0; p < kPurposes; ++p) {
      if (report.read_for[p] + report.written_for[p] == 0) continue;
      html.raw("<tr><th scope=row>").raw(kPurposeNames[p]).raw("</th><td class=n>");
      html.bytes(report.read_for[p]).raw("</td><td class=n>");
      html.bytes(report.written_for[p]).raw("</td>");
      add_bar(html, share_of(report.written_for[p], report.bytes_written));
      html.raw("</tr>\n");
    }
    html.raw("<tr><th scope=row>all</th><td class=n>").bytes(report.bytes_read);
    html.raw("</td><td class=n>").bytes(report.bytes_written).raw("</td><td></td></tr>\n");
    html.raw("</table>\n<p>At most ").bytes(report.disk_peak).raw(" were there at a time.</p>\n");
  }
  write_energy(html, report);
  html.raw("</section>\n");
}

}  // namespace xmc
