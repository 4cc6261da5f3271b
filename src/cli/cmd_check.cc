// `check`: a run from beginning to end, and what is told of it. All ways out of a run meet here, so
// that verdict, outputs and the end of the work directory have one order.
#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/run/check_run.h"
#include "platform/memory.h"
#include "platform/signals.h"
#include "platform/terminal.h"
#include "report/summary.h"
#include "report/verdict.h"

namespace xmc {

namespace {

bool wants_colour(const Options& options, bool json_on_output) {
  const std::string_view when = options.text(Opt::color);
  if (when == "auto") return colour_allowed(json_on_output ? kStandardError : kStandardOutput);
  return when == "always";
}

}  // namespace

int CheckRun::run() {
  install_signal_handlers();
  set_interrupt_exit_status(static_cast<int>(Exit::undecided));
  Status status = prepare();
  if (status.ok()) status = search();
  if (status.ok() && session_.follows()) return end_following();
  if (status.ok()) status = judge();
  if (!status.ok()) {
    const int exit = session_.end_with(status, early_reason_);
    static_cast<void>(finish_page(status.message()));
    close_work();
    return exit;
  }
  RunReport& report = session_.report;
  report.wall_s = session_.wall_s();
  report.cpu_s = session_.cpu_s();
  report.ram_limit = budget_.ram_limit();
  report.peak_rss = std::max(peak_rss_bytes(), report.peak_rss_of_others);
  const bool json_on_output = session_.options.text(Opt::json) == "-";
  const u32 columns = terminal_width(json_on_output ? kStandardError : kStandardOutput);
  write_verdict(session_.out(), report, wants_colour(session_.options, json_on_output),
                session_.options.given(Opt::quiet), columns);
  if (session_.options.given(Opt::verbose)) write_figures(session_.out(), report, columns);
  Status written;
  if (report.has_trace) written = write_traces();
  if (const Status page = finish_page({}); written.ok()) written = page;
  if (!written.ok()) {
    report.verdict.exit = written.code() == Code::internal ? Exit::internal : Exit::io;
    report.message = written.message();
    static_cast<void>(session_.out().flush());
    // Of standard output the session says so.
    if (session_.out().status().ok())
      session_.err().add("xmc-lite: error: ").add(written.message()).add('\n');
  }
  // The verdict is told before the directory goes: a kill in between must not lose both.
  const int exit = session_.end();
  close_work();
  return exit;
}

int cmd_check(Session& session) {
  CheckRun run(session);
  return run.run();
}

}  // namespace xmc
