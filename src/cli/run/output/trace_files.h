// Writing a confirmed trace into files, by format.
#pragma once

#include "cli/run/session.h"
#include "trace/saved.h"
#include "trace/trace_view.h"

namespace xmc {

struct TraceFile {
  const char* path = "";
  TraceFormat format = TraceFormat::text;
  TraceStyle style = TraceStyle::diff;
};

TraceStyle trace_style(const Options& options);

// Every --trace has a suffix that names a format: a usage error before the search, not after it.
Status check_trace_names(const Options& options);

// Whether people read it, and no program.
bool is_for_people(TraceFormat format);

// Whether some --trace is a chart, which needs memory.
bool wants_chart(const Options& options);

Status write_trace(const TraceView& view, const SavedTrace& head, TraceFormat format,
                   TraceStyle style, Output& out);
Status write_trace_file(const TraceView& view, const SavedTrace& head, const TraceFile& file);

}  // namespace xmc
