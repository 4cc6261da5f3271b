// The report for people: what was understood, how the memory is split, and the verdict in words.
// The verdict itself comes from decide(); nothing here judges. Lines are broken to fit the columns.
#pragma once

#include "report/output.h"
#include "report/row.h"
#include "report/run_report.h"
#include "xmc/arena.h"
#include "xmc/model.h"

namespace xmc {

// "model     peterson.4.dve: DVE, 4 processes, 12 variables, 9 bytes per state (68 bits)"
void write_model_line(Output& out, std::string_view language, const ModelText& text,
                      const Model& model, u32 columns = kDefaultColumns);

struct PlanReport {
  std::string_view engine;
  u64 ram_limit = 0;
  u64 fixed_bytes = 0;  // of it: code, data, stack and the margin
  const Arena* arena = nullptr;
  bool every_carve = false;
};
// "plan      engine ram; RAM 32.0 MiB = 2.1 code and stack + 0.1 model + 29.8 states", without the
// small carves unless asked.
void write_plan(Output& out, const PlanReport& plan, u32 columns = kDefaultColumns);

// The verdict, what it rests on and what to do next. `colour`: the first word stands out. `brief`:
// without the lines about the search and the time.
void write_verdict(Output& out, const RunReport& report, bool colour, bool brief = false,
                   u32 columns = kDefaultColumns);

// For --verbose: where the time went and what the bytes on flash were for. Nothing of what the run
// does not have.
void write_figures(Output& out, const RunReport& report, u32 columns = kDefaultColumns);

}  // namespace xmc
