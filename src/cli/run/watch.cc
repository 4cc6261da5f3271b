#include "cli/run/watch.h"

#include "platform/clock.h"
#include "platform/signals.h"
#include "platform/terminal.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr u64 kSecond = 1'000'000'000;

// A log on a memory card is not written every second.
u64 interval_ns(const Options& options) {
  if (options.given(Opt::quiet) || options.text(Opt::progress) == "none") return 0;
  if (options.given(Opt::every)) return options.number(Opt::every) * kSecond;
  const bool terminal = options.text(Opt::progress) == "auto" && is_terminal(kStandardError);
  return terminal ? kSecond : 60 * kSecond;
}

}  // namespace

Watch::Watch(Session& session)
    : session_(&session), start_ns_(monotonic_ns()), meter_(start_ns_, 0) {}

void Watch::start() {
  const Options& options = session_->options;
  if (options.given(Opt::time)) limit_ns_ = options.number(Opt::time) * kSecond;
  redraw_ = options.text(Opt::progress) == "auto" && is_terminal(kStandardError);
  each_level_ = options.given(Opt::verbose);
  meter_ = ProgressMeter(start_ns_, interval_ns(options));
}

Status Watch::open(const Manifest* checkpoint) {
  const Options& options = session_->options;
  if (!options.given(Opt::levels)) return {};
  const char* const path = options.c_str(Opt::levels);
  return checkpoint == nullptr ? levels_.open(path) : levels_.open_again(path, *checkpoint);
}

void Watch::end_redrawn_line() {
  if (!line_open_) return;
  // At once: the verdict goes to another stream.
  static_cast<void>(session_->err().add('\n').flush());
  line_open_ = false;
}

void Watch::show(const Progress& progress, u64 now_ns, bool asked) {
  ProgressLine line;
  const bool level_line = each_level_ && progress.level_done;
  if (!meter_.update(progress, now_ns, asked || level_line, line)) return;
  line.disk = space_.used_bytes();
  line.written = space_.written_bytes();
  // A line that is drawn again must not fill the last column: the cursor would leave it.
  const u32 width = terminal_width(kStandardError);
  FixedText<256> text;
  format_progress(text, line, redraw_ ? width - 1 : width);
  std::string_view shown = text.view();
  Output& err = session_->err();
  if (redraw_ && !asked && !level_line) {
    if (shown.size() >= width) shown = piece_of(shown, 0, width - 1);
    err.add('\r').add(shown).add("\x1b[K");
    line_open_ = true;
  } else {
    if (line_open_) err.add("\r\x1b[K");
    line_open_ = false;
    err.add(shown).add('\n');
  }
  // A lost terminal must not end an overnight run.
  static_cast<void>(err.flush());
}

StopReason Watch::poll(void* self, const Progress& progress) {
  auto* const watch = static_cast<Watch*>(self);
  const u64 now = monotonic_ns();
  if (watch->levels_.is_open()) watch->levels_.add(progress, watch->session_->wall_s());
  watch->show(progress, now, take_progress_request());
  if (stop_requested()) return StopReason::signal;
  if (now - watch->start_ns_ >= watch->limit_ns_) return StopReason::time_limit;
  return watch->space_.check(now);
}

Status Watch::close() {
  end_redrawn_line();
  return levels_.close();
}

}  // namespace xmc
