#include "cli/run/session.h"

#include <algorithm>
#include <cstdlib>

#include "cli/run/output/outputs.h"
#include "platform/clock.h"
#include "platform/memory.h"
#include "platform/terminal.h"
#include "report/result_json.h"
#include "report/verdict.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr int kNowhere = -1;

Status write_stream(void* fd, std::string_view bytes) {
  if (*static_cast<int*>(fd) == kNowhere) return {};
  if (write_all(*static_cast<int*>(fd), bytes)) return {};
  return Status::fail(Code::io, "cannot write to standard %s",
                      *static_cast<int*>(fd) == 1 ? "output" : "error");
}

Session* g_session = nullptr;

void on_failed_check(const char* condition, const char* file, int line) {
  g_session->leave_now(Status::fail(
      Code::internal, "internal error: %.160s at %.80s:%d; please report it with the model",
      condition, file, line));
}

}  // namespace

Session::Session(const NativeModel* native_model, const Surroundings& around)
    : native(native_model),
      surroundings(around),
      start_ns_(monotonic_ns()),
      out_(out_buffer_, &write_stream, &out_fd_),
      err_(err_buffer_, &write_stream, &err_fd_) {
  report.verdict.answer_text = "undecided";
  out_.escape_controls();
  err_.escape_controls();
  if (!follows()) return;
  out_fd_ = err_fd_ = kNowhere;
  refuse_json();
}

double Session::wall_s() const {
  return earlier_wall_s_ + static_cast<double>(monotonic_ns() - start_ns_) * 1e-9;
}

double Session::cpu_s() const { return earlier_cpu_s_ + static_cast<double>(cpu_ns()) * 1e-9; }

void Session::add_earlier(double wall_s, double cpu_s) {
  earlier_wall_s_ += wall_s;
  earlier_cpu_s_ += cpu_s;
}

Status Session::open_json() {
  if (json_.is_open()) return {};
  if (options.text(Opt::json) == "-") claim_standard_output_for_json();
  return json_.open_beside(options.c_str(Opt::json));
}

Status Session::open_json_stream() {
  const bool stream = options.text(Opt::json) == "-" || is_stream(options.c_str(Opt::json));
  return options.given(Opt::json) && stream ? open_json() : Status();
}

Status Session::write_json() {
  if (!options.given(Opt::json) || json_done_) return {};
  json_done_ = true;
  if (!json_accepted_ && !is_place_of_result(options.c_str(Opt::json))) {
    err_.add("note      ").add(options.text(Opt::json)).add(" is left as it is\n");
    return {};
  }
  XMC_TRY(open_json());
  report.wall_s = wall_s();
  report.cpu_s = cpu_s();
  report.ram_limit = options.number(Opt::ram);
  const u64 peak = peak_rss_bytes();
  report.peak_rss = peak == 0 ? kNoFigure : std::max(peak, report.peak_rss_of_others);
  FileOutput file(json_);
  JsonWriter json(file);
  const auto echo = [](void* self, JsonWriter& writer) {
    static_cast<const Options*>(self)->echo(writer);
  };
  write_result_json(json, report, {&options, echo});
  file.add('\n');
  XMC_TRY(file.flush());
  return json_.close();
}

Status Session::write_json_object(void (*write)(void* self, JsonWriter& json), void* self) {
  XMC_CHECK(!json_done_);
  XMC_TRY(open_json());
  json_done_ = true;
  FileOutput file(json_);
  JsonWriter json(file);
  write(self, json);
  file.add('\n');
  XMC_TRY(file.flush());
  return json_.close();
}

int Session::end() {
  // Text first: if standard output is gone, the JSON result can still say so.
  Status status = out_.flush();
  if (!status.ok()) {
    report.message = "standard output could not be written";
    report.verdict.exit = Exit::io;
  }
  if (const Status json = write_json(); status.ok()) status = json;
  if (!status.ok()) {
    if (!lost_output_told_) err_.add("xmc-lite: error: ").add(status.message()).add('\n');
    report.verdict.exit = Exit::io;
  }
  static_cast<void>(err_.flush());
  return static_cast<int>(report.verdict.exit);
}

int Session::end_well() {
  report.verdict.exit = static_cast<Exit>(0);
  return end();
}

int Session::end_with(const Status& status, std::string_view reason) {
  XMC_CHECK(!status.ok());
  report.verdict = decide_failure(status, report.resumable);
  if (!reason.empty()) report.verdict.reason = reason;
  report.message = status.message();
  lost_output_told_ = !out_.flush().ok();
  if (surroundings.peers != nullptr) surroundings.peers->stop(ProcessPeers::kLost);
  if (follows()) return end_following(status);
  const Exit exit = report.verdict.exit;
  if (exit == Exit::undecided || exit == Exit::stopped) {
    err_.add("not decided: ").add(status.message()).add('\n');
    if (exit == Exit::stopped) {
      err_.add("          to continue: ");
      if (status.code() == Code::disk_full) err_.add("make room, then: ");
      err_.add("xmc-lite resume ").add(report.work).add('\n');
    }
  } else {
    err_.add("xmc-lite: error: ").add(status.message()).add('\n');
  }
  return end();
}

// What is wrong with the command line or the model is wrong for all, and the first process says it.
int Session::end_following(const Status& status) {
  static_cast<void>(err_.flush());
  const Exit own = report.verdict.exit;
  report.verdict.exit = static_cast<Exit>(surroundings.peers->part(static_cast<int>(own)));
  const bool of_all = (own == Exit::usage || own == Exit::model) && report.verdict.exit == own;
  if (of_all || status.code() == Code::stopped) return end();
  err_fd_ = kStandardError;
  err_.add("xmc-lite: process ").number(surroundings.peers->me());
  err_.add(": ").add(status.message()).add('\n');
  return end();
}

void Session::leave_now(const Status& status) {
  // A check that fails while a failure is being told would come back here for ever.
  static bool leaving = false;
  if (leaving) std::_Exit(static_cast<int>(Exit::internal));
  leaving = true;
  int exit = end_with(status);
  if (surroundings.peers != nullptr) exit = surroundings.peers->end(exit);
  std::_Exit(exit);
}

void install_failure_hook(Session& session) {
  g_session = &session;
  set_failure_hook(&on_failed_check);
}

}  // namespace xmc
