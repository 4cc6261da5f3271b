#include "report/page/page.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "report/page/html.h"
#include "sample.h"

using namespace xmc;

namespace page_test {

namespace {

std::string escaped(std::string_view text) {
  sample::StringOutput out;
  add_escaped(out, text);
  return out.take();
}

std::string date(u64 seconds) {
  sample::StringOutput out;
  add_date(out, seconds);
  return out.take();
}

struct Run {
  RunReport report;
  std::unique_ptr<History> history = std::make_unique<History>();
  sample::Memory memory;
  Page page;

  Run() {
    report.file = "a<b>&\"c'.dve";
    report.language = "dve";
    report.property_kind = "invariant";
    report.property_text = "x < 3 && \"y\"";
    report.engine = "dddd";
    report.wall_s = 120;
    report.cpu_s = 100;
    SearchStats& stats = report.outcome.stats;
    stats.states = 600'000;
    stats.transitions = 1'500'000;
    stats.levels = 60;
    stats.search_us = 110'000'000;
    stats.generation_us = 70'000'000;
    stats.io_wait_us = 40'000'000;
    report.bytes_read = 5 << 20;
    report.bytes_written = 3 << 20;
    report.read_for[0] = 5 << 20;
    report.written_for[0] = 2 << 20;
    report.written_for[1] = 1 << 20;
    report.disk_peak = 3 << 20;
    report.checkpoints = 4;
    report.resumes = 1;
    report.milliwatts = 2500;
    report.endurance = u64{1} << 40;
    static_cast<void>(memory.arena.carve("states", 300 << 7));
    history->start(1, 0);
    for (u64 level = 0; level < 60; ++level) {
      history->add_level(level, 1 + 20'000 - (level < 30 ? 30 - level : level - 30) * 600);
    }
    for (u64 i = 0; i < 24; ++i) {
      History::Sample sample;
      sample.ms = i * 5000;
      sample.states = i * 25'000;
      sample.written = i << 17;
      sample.disk = i << 17;
      sample.detections = i;
      sample.delayed = i / 3;
      if (i > 14) {
        sample.left_low_ms = (24 - i) * 3000;
        sample.left_high_ms = (24 - i) * 9000;
      }
      history->add_sample(sample);
    }
    history->add_event(History::EventKind::checkpoint, 30'000);
    history->add_event(History::EventKind::resume, 60'000);
    page.report = &report;
    page.history = history.get();
    page.written_s = 1'795'000'000;
    page.seconds = 120;
    page.refresh_s = 60;
    page.plan.ram_limit = 64 << 10;
    page.plan.fixed_bytes = 8 << 10;
    page.plan.arena = &memory.arena;
  }
  std::string write() {
    sample::StringOutput out;
    CHECK(write_page(out, page).ok());
    return out.take();
  }
  void decide_it() {
    VerdictInput input;
    input.outcome = &report.outcome;
    input.resumable = report.resumable;
    report.verdict = decide(input);
  }
};

}  // namespace

TEST_CASE("nothing of a text is left that could be markup") {
  CHECK(escaped("a<b>&\"c'") == "a&lt;b&gt;&amp;&quot;c&#39;");
  CHECK(escaped("</style><script>x()</script>") ==
        "&lt;/style&gt;&lt;script&gt;x()&lt;/script&gt;");
  CHECK(escaped(std::string_view("a\0b\x1b[1m\tc\nd", 11)) ==
        "a\xef\xbf\xbd"
        "b\xef\xbf\xbd[1m\tc\nd");
  CHECK(escaped("Büchi") == "Büchi");
}

TEST_CASE("dates") {
  CHECK(date(0) == "1970-01-01 00:00 UTC");
  CHECK(date(951'782'400) == "2000-02-29 00:00 UTC");
  CHECK(date(1'795'000'000) == "2026-11-18 11:06 UTC");
  CHECK(date(4'102'444'799) == "2099-12-31 23:59 UTC");
}

TEST_CASE("a page of a run that holds") {
  Run run;
  run.report.outcome.complete = true;
  run.decide_it();
  const std::string text = run.write();
  CHECK(text.size() < 100'000);
  CHECK(text.find("<p class=verdict>holds</p>") != std::string::npos);
  CHECK(text.find("http-equiv") == std::string::npos);
  CHECK(text.find("a<b>") == std::string::npos);
  CHECK(text.find("<title>holds: a&lt;b&gt;&amp;&quot;c&#39;.dve</title>") != std::string::npos);
  CHECK(text.find("nan") == std::string::npos);
  for (const char* const title :
       {"Size of levels", "States over time", "Rate", "What was said to be left", "Files",
        "Comparisons with states on flash", "Memory", "Where the time went", "Flash and energy"}) {
    CHECK(text.find("<h2>" + std::string(title) + "</h2>") != std::string::npos);
  }
  CHECK(text.find("what came true") != std::string::npos);
  // The style is another file.
  const std::size_t begin = text.find("<style>") + 7;
  sample::check_golden("page.html",
                       text.substr(0, begin) + text.substr(text.find("</style>", begin)));
}

TEST_CASE("a page of a run that goes on, and of one that was stopped") {
  Run run;
  run.page.running = true;
  const std::string running = run.write();
  CHECK(running.find("<p class=verdict>running</p>") != std::string::npos);
  CHECK(running.find("http-equiv=refresh content=60") != std::string::npos);
  CHECK(running.find("SIGUSR1") != std::string::npos);
  CHECK(running.find("what came true") == std::string::npos);

  run.page.running = false;
  run.report.outcome.stop = StopReason::time_limit;
  run.report.time_limit_s = 120;
  run.report.resumable = true;
  run.report.work = "<w>.xmc";
  run.decide_it();
  const std::string stopped = run.write();
  CHECK(stopped.find("<p class=verdict>not decided</p>") != std::string::npos);
  CHECK(stopped.find("xmc-lite resume &lt;w&gt;.xmc") != std::string::npos);
  CHECK(stopped.find("http-equiv") == std::string::npos);

  run.page.why = "the disk <is> full";
  CHECK(run.write().find("<pre>the disk &lt;is&gt; full") != std::string::npos);
}

TEST_CASE("a page that knows little says so, and shows no empty pictures") {
  Run run;
  run.history->start(1, 7'260'000);
  run.report.outcome.complete = true;
  run.decide_it();
  const std::string text = run.write();
  CHECK(text.find("what came before 2 h 01 m of work is not known here") != std::string::npos);
  CHECK(text.find("<svg") == std::string::npos);
}

}  // namespace page_test
