#include "report/page/page.h"

#include "report/counts.h"
#include "report/page/html.h"
#include "report/page/style.h"
#include "report/target.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr u32 kNoBreaks = 4000;  // columns: a browser breaks lines by itself

std::string_view word_of(const Page& page) {
  if (page.running) return "running";
  return page.report->verdict.answer == Answer::undecided ? std::string_view("not decided")
                                                          : page.report->verdict.answer_text;
}

void write_head(Html& html, const Page& page) {
  html.raw("<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n");
  html.raw("<meta name=viewport content=\"width=device-width,initial-scale=1\">\n");
  if (page.running && page.refresh_s != 0) {
    html.raw("<meta http-equiv=refresh content=").number(page.refresh_s).raw(">\n");
  }
  html.raw("<title>")
      .text(word_of(page))
      .raw(": ")
      .text(page.report->file)
      .raw("</title>\n<style>");
  html.raw({page_css_text, page_css_size}).raw("</style>\n</head>\n<body>\n");
}

void write_running(Html& html, const Page& page) {
  const auto samples = page.history->samples();
  html.raw("<p>").seconds(page.seconds).raw(" of work so far");
  if (!samples.empty()) {
    html.raw(", ").grouped(samples.back().states).raw(" states");
    if (samples.back().left_low_ms != History::kUnknown) {
      html.raw("; between ").seconds(static_cast<double>(samples.back().left_low_ms) / 1e3);
      html.raw(" and ").seconds(static_cast<double>(samples.back().left_high_ms) / 1e3);
      html.raw(" left, if levels go on to shrink as they do");
    }
  }
  html.raw(".</p>\n<p class=dim>This page is written anew with checkpoints, about once a minute, ");
  html.raw("and loads itself again. To have it written now, send the process SIGUSR1.</p>\n");
}

void write_words(Html& html, const Page& page) {
  html.raw("<pre>");
  EscapedOutput plain(html.out());
  if (page.why.empty()) {
    write_verdict(plain, *page.report, false, false, kNoBreaks);
  } else {
    plain.add(page.why).add('\n');
  }
  static_cast<void>(plain.flush());
  html.raw("</pre>\n");
}

void write_top(Html& html, const Page& page) {
  const RunReport& report = *page.report;
  html.raw("<header class=").raw(page.running ? "running" : report.verdict.answer_text);
  html.raw(">\n<h1>").text(report.file).raw("</h1>\n<p class=verdict>");
  html.text(word_of(page)).raw("</p>\n");
  if (page.running) {
    write_running(html, page);
  } else {
    write_words(html, page);
  }
  html.raw("<p class=dim>Written ");
  add_date(html.out(), page.written_s);
  if (page.history->known_from_ms() != 0) {
    html.raw("; what came before ");
    html.seconds(static_cast<double>(page.history->known_from_ms()) / 1e3);
    html.raw(" of work is not known here: the history of the run was not there");
  }
  html.raw(".</p>\n</header>\n");
}

void write_facts(Html& html, const Page& page) {
  const RunReport& report = *page.report;
  html.raw("<section>\n<h2>What is checked</h2>\n<table>\n");
  if (!report.property_kind.empty()) {
    html.row("property").text(report.property_kind);
    if (!report.property_text.empty()) html.raw(": ").text(report.property_text);
    html.text(assumption(report)).end_row();
  }
  if (page.text != nullptr) {
    html.row("model").text(report.language).raw(", ").number(page.model->state_bytes);
    html.raw(" bytes per state (").number(page.model->state_bits).raw(" bits)").end_row();
  }
  html.row("engine").text(report.engine).end_row();
  const SearchStats& stats = report.outcome.stats;
  const struct {
    const char* name;
    u64 value;
  } counts[] = {{"states", stats.states},
                {"transitions", stats.transitions},
                {"levels", stats.levels},
                {"deadlocks", stats.deadlocks}};
  for (const auto& count : counts) {
    if (page.running || count.value == kNoFigure) continue;
    html.row(count.name).grouped(count.value).end_row();
  }
  if (report.checkpoints != kNoFigure && report.checkpoints + report.resumes != 0) {
    html.row("checkpoints").grouped(report.checkpoints);
    if (report.resumes != 0) {
      html.raw("; resumed ").grouped(report.resumes).raw(report.resumes == 1 ? " time" : " times");
    }
    html.end_row();
  }
  html.raw("</table>\n</section>\n");
}

Status write_trace(Html& html, const Page& page) {
  if (!page.trace || !page.report->has_trace) return {};
  html.raw("<section id=trace class=wide>\n<h2>Counterexample</h2>\n<table class=trace>\n");
  html.raw("<tr><th>step</th><th>process</th><th>line</th><th>action</th><th>changes</th></tr>\n");
  XMC_TRY(page.trace.write(page.trace.self, html.out()));
  html.raw("</table>\n</section>\n");
  return {};
}

Status write_options(Html& html, const Page& page) {
  if (!page.options) return {};
  html.raw("<section>\n<h2>Options</h2>\n<table>\n");
  XMC_TRY(page.options.write(page.options.self, html.out()));
  html.raw("</table>\n</section>\n");
  return {};
}

}  // namespace

// By the calendar of Gregory, from the days since 1970; years begin in March here.
void add_date(Output& out, u64 seconds_since_1970) {
  const u64 days = seconds_since_1970 / 86400 + 719468;
  const u64 era = days / 146097;
  const u64 day_of_era = days % 146097;
  const u64 year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const u64 day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const u64 month_index = (5 * day_of_year + 2) / 153;
  const u64 day = day_of_year - (153 * month_index + 2) / 5 + 1;
  const u64 month = month_index < 10 ? month_index + 3 : month_index - 9;
  const u64 year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  const u64 minutes = seconds_since_1970 / 60 % 1440;
  out.format("%04u-%02u-%02u %02u:%02u UTC", static_cast<unsigned>(year),
             static_cast<unsigned>(month), static_cast<unsigned>(day),
             static_cast<unsigned>(minutes / 60), static_cast<unsigned>(minutes % 60));
}

Status write_page(Output& out, const Page& page) {
  Html html(out);
  write_head(html, page);
  write_top(html, page);
  XMC_TRY(write_trace(html, page));
  write_level_plot(out, page);
  write_time_plots(out, page);
  html.raw("<div class=two>\n");
  write_facts(html, page);
  write_memory(out, page);
  write_split(out, page);
  write_flash(out, page);
  html.raw("</div>\n");
  XMC_TRY(write_options(html, page));
  html.raw("<footer>").text(kToolName).raw(" ").text(kToolVersion).raw("</footer>\n");
  html.raw("</body>\n</html>\n");
  return out.status();
}

}  // namespace xmc
