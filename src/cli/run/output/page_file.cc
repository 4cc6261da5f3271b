#include "cli/run/output/page_file.h"

#include "platform/clock.h"
#include "report/page/html.h"
#include "xmc/text.h"

namespace xmc {

namespace {

u64 or_zero(u64 figure) { return figure == kNoFigure ? 0 : figure; }

u64 milliseconds_or_unknown(double seconds) {
  return seconds < 0 ? History::kUnknown : static_cast<u64>(seconds * 1e3);
}

}  // namespace

PageFile::PageFile(Session& session, WorkDir* work, u64 run, const Source& source)
    : session_(session), work_(work), run_(run), source_(source), meter_(monotonic_ns(), 0) {
  history_.start(run, 0);
}

u64 PageFile::work_ms() const { return static_cast<u64>(session_.wall_s() * 1e3); }

void PageFile::go_on_from(const Manifest& checkpoint, u64 earlier_ms, Arena& arena) {
  const u64 mark = arena.scratch_mark();
  u8* const memory = static_cast<u8*>(arena.scratch("history of the run", History::kTextBytes));
  Result<u64> got = Status::fail(Code::io, "no history");
  if (const Result<const char*> path = work_->path_of(WorkDir::kHistory); path.ok()) {
    got = read_file(path.value(), {memory, History::kTextBytes});
  }
  const bool known = got.ok() && history_.load({reinterpret_cast<const char*>(memory),
                                                static_cast<std::size_t>(got.value())},
                                               run_);
  arena.scratch_release(mark);
  if (!known) {
    history_.start(run_, earlier_ms);
  } else {
    History::Point point;
    point.ms = earlier_ms;
    point.levels = checkpoint.number_or_zero("level");
    point.expanded = checkpoint.number_or_zero("next");
    point.inside_level = point.expanded != checkpoint.number_or_zero("level-end");
    if (point.expanded != 0 && !point.inside_level) ++point.levels;
    history_.go_back(point);
    meter_.go_on_with(history_.forecast());
  }
  history_.add_event(History::EventKind::resume, earlier_ms);
}

void PageFile::begin() {
  begun_ = true;
  try_write(monotonic_ns());
}

void PageFile::add_sample(const ProgressLine& line) {
  const SearchStats& stats = session_.report.outcome.stats;
  History::Sample sample;
  sample.ms = work_ms();
  sample.states = line.states;
  sample.ram = line.ram_used;
  sample.disk = line.disk;
  sample.written = line.written;
  sample.detections = or_zero(stats.detections);
  sample.partial = or_zero(stats.partial_detections);
  sample.delayed = or_zero(stats.delayed_detections);
  sample.left_low_ms = milliseconds_or_unknown(line.left_low);
  sample.left_high_ms = milliseconds_or_unknown(line.left_high);
  history_.add_sample(sample);
}

void PageFile::poll(const Progress& progress, u64 now_ns, bool asked, u64 disk, u64 written) {
  if (progress.level_done) history_.add_level(progress.level, progress.level_states);
  ProgressLine line;
  if (meter_.update(progress, now_ns, history_.due(work_ms()), line)) {
    line.disk = disk;
    line.written = written;
    add_sample(line);
  }
  if (asked || now_ns - written_ns_ >= kEveryNs) try_write(now_ns);
}

void PageFile::committing() {
  history_.add_event(History::EventKind::checkpoint, work_ms());
  note(save_history());
}

void PageFile::committed() {
  const u64 now_ns = monotonic_ns();
  if (begun_ && now_ns - written_ns_ >= kLeastNs) try_write(now_ns);
}

Status PageFile::save_history() {
  if (work_ == nullptr || !work_->is_open()) return {};
  char path[kPathBytes];
  char aside[kPathBytes];
  XMC_LET(const char* const place, work_->path_of(WorkDir::kHistory));
  Text(path, kPathBytes).add(place);
  if (Text(aside, kPathBytes).add(place).add(".new").cut()) return {};
  XMC_TRY(file_.open(aside));
  {
    FileOutput out(file_);
    history_.save(out);
    static_cast<void>(out.flush());
  }
  XMC_TRY(file_.close());
  return rename_file(aside, path);
}

Status PageFile::write(bool running, std::string_view why) {
  Page page;
  page.running = running;
  page.history = &history_;
  page.seconds = session_.wall_s();
  page.written_s = wall_seconds();
  page.refresh_s = kRefreshSeconds;
  page.why = why;
  source_.fill(source_.self, page);
  XMC_TRY(file_.open_beside(session_.options.c_str(Opt::report)));
  FileOutput out(file_);
  Status status = write_page(out, page);
  if (status.ok()) status = out.flush();
  if (status.ok()) return file_.close();
  file_.discard();
  return status;
}

void PageFile::try_write(u64 now_ns) {
  written_ns_ = now_ns;
  note(write(true, {}));
}

void PageFile::note(const Status& status) {
  if (!status.ok() && error_.ok()) error_ = status;
}

Status PageFile::finish(std::string_view why) {
  if (!begun_) return {};
  const u64 states = session_.report.outcome.stats.states;
  const auto samples = history_.samples();
  if (states != kNoFigure) {
    History::Sample last = samples.empty() ? History::Sample() : samples.back();
    last.ms = work_ms();
    last.states = states;
    last.left_low_ms = last.left_high_ms = History::kUnknown;
    last.detections = or_zero(session_.report.outcome.stats.detections);
    history_.add_sample(last);
  }
  XMC_TRY(write(false, why));
  if (!error_.ok() && !session_.options.given(Opt::quiet)) {
    session_.err().add("note      the report could not be written for a while: ");
    session_.err().add(error_.message()).add('\n');
  }
  return {};
}

Status write_option_rows(const Options& options, Output& out) {
  Html html(out);
  for (u32 i = 0; i < kOptions; ++i) {
    const Opt option = static_cast<Opt>(i);
    if (!options.given(option)) continue;
    FixedText<48> name;
    html.row(name.add("--").add(info_of(option).name).view());
    if (may_repeat(info_of(option).kind)) {
      for (const std::string_view path : options.list(option)) html.text(path).raw("<br>");
    } else if (info_of(option).kind == OptionKind::flag) {
      html.raw("given");
    } else if (options.text(option).empty()) {
      html.number(options.number(option));
    } else {
      html.text(options.text(option));
    }
    html.end_row();
  }
  return out.status();
}

}  // namespace xmc
