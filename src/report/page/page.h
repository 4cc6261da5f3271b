// The page of --report: one file of HTML with everything there is to see of a run, pictures
// included, that needs nothing else: no network, no script. It is written anew while the run goes
// on, and for the last time when it has ended.
#pragma once

#include <string_view>

#include "report/output.h"
#include "report/page/history.h"
#include "report/run_report.h"
#include "report/summary.h"
#include "xmc/arena.h"
#include "xmc/model.h"

namespace xmc {

// A part that somebody else writes.
struct PagePart {
  void* self = nullptr;
  Status (*write)(void* self, Output& out) = nullptr;

  explicit operator bool() const { return write != nullptr; }
};

struct Page {
  const RunReport* report = nullptr;
  const History* history = nullptr;
  bool running = false;
  u64 written_s = 0;     // when: seconds since 1970
  double seconds = 0;    // of work so far
  u64 refresh_s = 0;     // while it runs: how often it is written
  std::string_view why;  // of an error that ended the run
  const ModelText* text = nullptr;
  const Model* model = nullptr;
  PlanReport plan;
  PagePart trace;    // rows of a table
  PagePart options;  // the same
};

// Fails with what a part fails with, or the output.
Status write_page(Output& out, const Page& page);

// "2026-11-18 12:40 UTC"
void add_date(Output& out, u64 seconds_since_1970);

// The rooms of a page: what it knows of time (page_time.cc) and of cost (page_cost.cc).
void write_level_plot(Output& out, const Page& page);
void write_time_plots(Output& out, const Page& page);
void write_memory(Output& out, const Page& page);
void write_split(Output& out, const Page& page);
void write_flash(Output& out, const Page& page);

}  // namespace xmc
