// The page of --report: what it shows of this run.
#include <new>

#include "cli/run/check_run.h"
#include "platform/memory.h"

namespace xmc {

void CheckRun::plan_page() {
  if (planning_ || !session_.options.given(Opt::report)) return;
  Arena& arena = budget_.arena();
  WorkDir* const work = work_.is_open() || new_work_.planned ? &work_ : nullptr;
  const PageFile::Source source{
      this, [](void* self, Page& page) { static_cast<CheckRun*>(self)->fill_page(page); }};
  page_ = ::new (arena.carve("report", sizeof(PageFile), alignof(PageFile)))
      PageFile(session_, work, marker_.run, source);
  if (resumed_ != nullptr) {
    page_->go_on_from(*resumed_, read_totals(*resumed_).wall_ms, arena);
  }
  watch_.set_page(page_);
}

void CheckRun::fill_page(Page& page) {
  RunReport& report = session_.report;
  if (page.running) note_totals();
  report.wall_s = session_.wall_s();
  report.cpu_s = session_.cpu_s();
  report.ram_limit = budget_.ram_limit();
  report.peak_rss = peak_rss_bytes();
  page.report = &report;
  page.text = &model_.text;
  page.model = &model_.model;
  page.plan.engine = engine_->name();
  page.plan.ram_limit = budget_.ram_limit();
  page.plan.fixed_bytes = budget_.fixed_bytes();
  page.plan.arena = &budget_.arena();
  page.trace = {this, [](void* self, Output& out) {
                  const TraceView trace = static_cast<CheckRun*>(self)->view();
                  return write_html_trace(trace, out);
                }};
  page.options = {&session_.options, [](void* self, Output& out) {
                    return write_option_rows(*static_cast<const Options*>(self), out);
                  }};
}

// A lost page is an error beside a verdict, as a lost trace is. It is none of a run that can go on:
// what starts it again goes by its exit status.
Status CheckRun::finish_page(std::string_view why) {
  if (page_ == nullptr) return {};
  const Status status = page_->finish(why);
  if (status.ok() || session_.report.verdict.answer != Answer::undecided) return status;
  session_.err().add("note      the report is lost: ").add(status.message()).add('\n');
  return {};
}

}  // namespace xmc
