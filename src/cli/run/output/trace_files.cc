#include "cli/run/output/trace_files.h"

#include "xmc/check.h"

namespace xmc {

TraceStyle trace_style(const Options& options) {
  const std::string_view name = options.text(Opt::trace_style);
  if (name == "full") return TraceStyle::full;
  if (name == "none") return TraceStyle::none;
  XMC_CHECK(name == "diff");
  return TraceStyle::diff;
}

Status check_trace_names(const Options& options) {
  for (const std::string_view path : options.traces()) {
    if (format_by_suffix(path) != nullptr) continue;
    return Status::fail(
        Code::usage,
        "--trace %.160s: the suffix names no format; there are .txt .msc.txt .svg .itf.json "
        ".vcd .dot .steps",
        path.data());
  }
  return {};
}

bool wants_chart(const Options& options) {
  for (const std::string_view path : options.traces()) {
    const TraceFormatName* const format = format_by_suffix(path);
    if (format != nullptr && is_chart(format->format)) return true;
  }
  return false;
}

Status write_trace(const TraceView& view, const SavedTrace& head, TraceFormat format,
                   TraceStyle style, Output& out) {
  switch (format) {
    case TraceFormat::chart_text:
      return write_text_chart(view, out);
    case TraceFormat::chart_svg:
      return write_svg_chart(view, out);
    case TraceFormat::text:
      return write_text_trace(view, style, out);
    case TraceFormat::itf:
      return write_itf_trace(view, out);
    case TraceFormat::vcd:
      return write_vcd_trace(view, out);
    case TraceFormat::dot:
      return write_dot_trace(view, out);
    case TraceFormat::steps:
      return write_saved_trace(head, view, out);
  }
  return Status::fail(Code::internal, "unknown trace format");
}

bool is_for_people(TraceFormat format) {
  return format == TraceFormat::text || format == TraceFormat::chart_text;
}

Status write_trace_file(const TraceView& view, const SavedTrace& head, const TraceFile& file) {
  OutputFile target;
  XMC_TRY(target.open_beside(file.path));
  FileOutput out(target);
  const bool for_people =
      file.format == TraceFormat::text || file.format == TraceFormat::chart_text;
  if (for_people) out.escape_controls();
  XMC_TRY(write_trace(view, head, file.format, file.style, out));
  XMC_TRY(out.flush());
  return target.close();
}

}  // namespace xmc
