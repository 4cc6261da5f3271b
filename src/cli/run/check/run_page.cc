// The page of --report: what it shows of this run.
#include <new>

#include "cli/run/check/check_run.h"
#include "cli/run/check/plan_lines.h"
#include "platform/memory.h"

namespace xmc {

namespace {

void fill_page(CheckRun& run, Page& page) {
  Session& session = run.asked.session;
  RunReport& report = session.report;
  if (page.running) note_totals(run.checkpoints, run.place, report);
  report.wall_s = session.wall_s();
  report.cpu_s = session.cpu_s();
  report.ram_limit = run.budget.ram_limit();
  report.peak_rss = peak_rss_bytes();
  page.report = &report;
  page.text = &run.question.model.text;
  page.model = &run.question.model.model;
  page.plan = plan_report(run.use, run.budget);
  page.trace = {&run, [](void* self, Output& out) {
                  CheckRun& of = *static_cast<CheckRun*>(self);
                  const SearchOutcome& outcome = of.asked.session.report.outcome;
                  return write_html_trace(view_of(of.shown, of.question, outcome), out);
                }};
  page.options = {&session.options, [](void* self, Output& out) {
                    return write_option_rows(*static_cast<const Options*>(self), out);
                  }};
}

}  // namespace

void plan_page(CheckRun& run) {
  if (run.asked.planning() || !run.asked.given(Opt::report)) return;
  Arena& arena = run.budget.arena();
  WorkDir* const work = run.place.is_wanted() ? &run.place.dir : nullptr;
  const PageFile::Source source{
      &run, [](void* self, Page& page) { fill_page(*static_cast<CheckRun*>(self), page); }};
  run.page = ::new (arena.carve("report", sizeof(PageFile), alignof(PageFile)))
      PageFile(run.asked.session, work, run.place.marker.run, source);
  if (const Manifest* const lines = run.earlier.lines; lines != nullptr)
    run.page->go_on_from(*lines, read_totals(*lines).wall_ms, arena);
  run.watch.set_page(run.page);
}

// A lost page is an error beside a verdict, as a lost trace is. It is none of a run that can go on:
// what starts it again goes by its exit status.
Status finish_page(Session& session, PageFile* page, std::string_view why) {
  if (page == nullptr) return {};
  const Status status = page->finish(why);
  if (status.ok() || session.report.verdict.answer != Answer::undecided) return status;
  session.err().add("note      the report is lost: ").add(status.message()).add('\n');
  return {};
}

}  // namespace xmc
