#include "cli/run/check/check_run.h"

#include <algorithm>

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

// For status, and for the next run that finds the directory.
void write_end(WorkDir& work, const Verdict& verdict) {
  FixedText<128> text;
  text.add("verdict ").add(verdict.answer_text).add('\n');
  text.add("reason ").add(verdict.reason.empty() ? "none" : verdict.reason).add('\n');
  text.format("exit %u\n", static_cast<unsigned>(verdict.exit));
  if (work.write_file(WorkDir::kEnd, text.view()).ok()) return;
  // Without it status says "interrupted", which is nearly true.
  static_cast<void>(work.remove_file_of(WorkDir::kEnd));
}

void remove_work(Session& session, WorkPlace& place) {
  Output& err = session.err();
  bool foreign_left = false;
  const Status status = place.dir.remove(foreign_left);
  if (!status.ok()) err.add("note      ").add(status.message()).add('\n');
  remove_shared_place(place.shared);
  if (foreign_left && !session.options.given(Opt::quiet))
    err.add("note      files that are not ours stay in ").add(place.dir.path()).add('\n');
}

// What the first process has found is how this one ends.
int end_following(CheckRun& run) {
  Session& session = run.asked.session;
  const int without_answer = static_cast<int>(Exit::io);
  const int exit = session.surroundings.peers->part(without_answer);
  session.report.verdict.exit = static_cast<Exit>(exit);
  close_work(run);
  return exit;
}

void tell_answer(Session& session, const Budget& budget) {
  RunReport& report = session.report;
  report.wall_s = session.wall_s();
  report.cpu_s = session.cpu_s();
  report.ram_limit = budget.ram_limit();
  report.peak_rss = std::max(peak_rss_bytes(), report.peak_rss_of_others);
  const Options& options = session.options;
  const bool json_on_output = options.text(Opt::json) == "-";
  const u32 columns = terminal_width(json_on_output ? kStandardError : kStandardOutput);
  write_verdict(session.out(), report, wants_colour(options, json_on_output),
                options.given(Opt::quiet), columns);
  if (options.given(Opt::verbose)) write_figures(session.out(), report, columns);
}

// What was to be written beside the answer is lost.
void tell_loss(Session& session, const Status& written) {
  RunReport& report = session.report;
  report.verdict.exit = written.code() == Code::internal ? Exit::internal : Exit::io;
  report.message = written.message();
  static_cast<void>(session.out().flush());
  // Of standard output the session says so.
  if (session.out().status().ok())
    session.err().add("xmc-lite: error: ").add(written.message()).add('\n');
}

}  // namespace

void close_work(CheckRun& run) {
  WorkPlace& place = run.place;
  if (!place.is_made()) return;
  Session& session = run.asked.session;
  const bool from_work = run.asked.from_work;
  const Exit exit = session.report.verdict.exit;
  const bool decided = exit == Exit::holds || exit == Exit::violated;
  // A new run that was refused leaves nothing; work of an earlier one is never taken away.
  const bool refused = !from_work && (exit == Exit::usage || exit == Exit::model);
  if (!refused && (!decided || session.options.given(Opt::keep))) {
    // The lock first: on a full disk its block is the one that the end is written to.
    place.dir.leave();
    // A resume that was refused changed nothing.
    const bool searched = run.earlier.lines == nullptr && exit != Exit::usage && exit != Exit::io;
    if (!from_work || run.checkpoints.any() || searched)
      write_end(place.dir, session.report.verdict);
  } else {
    remove_work(session, place);
  }
  static_cast<void>(session.err().flush());
}

int check(Session& session, Manifest* resumed) {
  install_signal_handlers();
  set_interrupt_exit_status(static_cast<int>(Exit::undecided));
  CheckRun run(session, resumed);
  Status status = prepare(run);
  if (status.ok()) status = search(run);
  if (status.ok() && session.follows()) return end_following(run);
  if (status.ok()) status = judge(session.options, run.question, run.shown, session.report);
  if (!status.ok()) {
    const int exit = session.end_with(status, run.earlier.ended);
    static_cast<void>(finish_page(session, run.page, status.message()));
    close_work(run);
    return exit;
  }
  tell_answer(session, run.budget);
  Status written;
  if (session.report.has_trace)
    written = write_traces(session, run.question, run.use.traits(), run.place, run.shown);
  if (const Status page = finish_page(session, run.page, {}); written.ok()) written = page;
  if (!written.ok()) tell_loss(session, written);
  // The verdict is told before the directory goes: a kill in between must not lose both.
  const int exit = session.end();
  close_work(run);
  return exit;
}

}  // namespace xmc
