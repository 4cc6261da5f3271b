#include "cli/run/watch.h"

#include <algorithm>

#include "cli/run/input/long_steps.h"
#include "platform/clock.h"
#include "platform/signals.h"
#include "platform/terminal.h"
#include "xmc/step_work.h"
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
    : session_(&session), start_ns_(monotonic_ns()), meter_(start_ns_, 0) {
  forget_step_end();
}

Watch::~Watch() { watch_steps_for_signals(); }

void Watch::start() {
  const Options& options = session_->options;
  if (options.given(Opt::time)) limit_ns_ = options.number(Opt::time) * kSecond;
  if (options.given(Opt::until)) {
    const u64 now = monotonic_ns();
    const u64 left_ns = seconds_until(static_cast<u32>(options.number(Opt::until))) * kSecond;
    limit_ns_ = std::min(limit_ns_, now - start_ns_ + left_ns);
  }
  watch_steps({this, &Watch::ask_in_step});
  rests_.start(options, monotonic_ns());
  if (options.number(Opt::nice) != 0) be_nice(static_cast<u32>(options.number(Opt::nice)));
  redraw_ = options.text(Opt::progress) == "auto" && is_terminal(kStandardError);
  each_level_ = options.given(Opt::verbose);
  meter_ = ProgressMeter(start_ns_, interval_ns(options));
}

void Watch::set_page(PageFile* page) {
  page_ = page;
  meter_.go_on_with(page->forecast());
}

Status Watch::open(const Manifest* checkpoint) {
  const Options& options = session_->options;
  if (page_ != nullptr) page_->begin();
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
  if (session_->options.text(Opt::progress) == "json") {
    JsonWriter json(session_->err());
    write_progress(json, line);
    static_cast<void>(session_->err().add('\n').flush());
    return;
  }
  // A line that is drawn again must not fill the last column: the cursor would leave it.
  const u32 width = terminal_width(kStandardError);
  FixedText<256> text;
  format_progress(text, line, redraw_ ? width - 1 : width);
  std::string_view shown = text.view();
  Output& err = session_->err();
  if (redraw_ && !asked && !level_line) {
    if (shown.size() >= width) shown = piece_of(shown, 0, width - 1);
    err.control("\r").add(shown).control("\x1b[K");
    line_open_ = true;
  } else {
    if (line_open_) err.control("\r\x1b[K");
    line_open_ = false;
    err.add(shown).add('\n');
  }
  // A lost terminal must not end an overnight run.
  static_cast<void>(err.flush());
}

void Watch::tell(const Progress& progress, u64 now_ns) {
  const bool asked = take_progress_request();
  if (page_ != nullptr) {
    page_->poll(progress, now_ns, asked, space_.used_bytes(), space_.written_bytes());
  }
  show(progress, now_ns, asked);
}

void Watch::show_work(const LongWork& work) {
  Progress progress;
  progress.work = work;
  show(progress, monotonic_ns(), take_progress_request());
}

StopReason Watch::asked_for(u64 now_ns) const {
  if (stop_requested()) return StopReason::signal;
  return now_ns - start_ns_ >= limit_ns_ ? StopReason::time_limit : StopReason::none;
}

StopReason Watch::ask_in_step(void* self) {
  return static_cast<const Watch*>(self)->asked_for(monotonic_ns());
}

StopReason Watch::check(u64 now_ns) {
  const StopReason asked = asked_for(now_ns);
  if (asked != StopReason::none) return asked;
  // Another thread may have ended a step.
  const StopReason in_step = stop_of_steps().stop_reason();
  return in_step != StopReason::none ? in_step : space_.check(now_ns);
}

void Watch::say(const char* why) {
  if (session_->options.given(Opt::quiet)) return;
  end_redrawn_line();
  Output& err = session_->err();
  if (session_->options.text(Opt::progress) == "json") {
    JsonWriter json(err);
    json.begin_object().key("event").string("pause").key("text").string(why).end_object();
  } else {
    err.add("pause     ").add(why);
  }
  static_cast<void>(err.add('\n').flush());
}

// The rest itself, in pieces that are short enough for a signal and the limit of time.
StopReason Watch::rest(Progress progress, u64 now_ns) {
  progress.level_done = false;  // that was said
  const u64 begin_ns = now_ns;
  Rests::Why said = Rests::Why::none;
  for (Rests::Rest rest = rests_.due(now_ns); rest.why != Rests::Why::none;
       rest = rests_.due(now_ns)) {
    if (rest.why != said && rest.why != Rests::Why::duty) say(name_of(rest.why));
    if (rest.why != Rests::Why::duty) said = rest.why;
    const u64 left = limit_ns_ == ~u64{0} ? kSecond : start_ns_ + limit_ns_ - now_ns;
    sleep_ns(std::min({rest.ns, left, kSecond}));
    now_ns = monotonic_ns();
    tell(progress, now_ns);
    if (const StopReason stop = check(now_ns); stop != StopReason::none) return stop;
  }
  if (said == Rests::Why::none) return StopReason::none;
  FixedText<48> after;
  after.add("goes on after ").seconds(static_cast<double>(now_ns - begin_ns) / 1e9);
  say(after.c_str());
  return StopReason::none;
}

StopReason Watch::poll(void* self, const Progress& progress) {
  auto* const watch = static_cast<Watch*>(self);
  const u64 now = monotonic_ns();
  if (watch->levels_.is_open()) watch->levels_.add(progress, watch->session_->wall_s());
  watch->tell(progress, now);
  const StopReason stop = watch->check(now);
  return stop != StopReason::none ? stop : watch->rest(progress, now);
}

Status Watch::close() {
  end_redrawn_line();
  return levels_.close();
}

}  // namespace xmc
