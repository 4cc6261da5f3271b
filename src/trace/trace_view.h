// TraceView: what every trace format needs: the walk, the words of the model, and which variables
// to show.
#pragma once

#include <span>
#include <string_view>

#include "report/output.h"
#include "trace/replay.h"
#include "xmc/model_text.h"
#include "xmc/text.h"

namespace xmc {

struct ChartMemory;

struct TraceView {
  Replay* replay = nullptr;
  StepChooser chooser;
  TraceClaim claim;
  const ModelText* text = nullptr;
  std::span<const u8> shown;           // one flag per variable; empty shows all
  u32 columns = 80;                    // of text
  const ChartMemory* chart = nullptr;  // for charts (trace/chart.h)

  bool shows(std::size_t variable) const { return shown.empty() || shown[variable] != 0; }
};

enum class TraceStyle : u8 {
  diff,
  full,
  none
};  // values in text traces: the changes, all of them, or none

// The first one whose suffix a name has is its format.
enum class TraceFormat : u8 { chart_text, chart_svg, text, itf, vcd, dot, steps };
struct TraceFormatName {
  TraceFormat format;
  std::string_view name;
  std::string_view suffix;
};
inline constexpr TraceFormatName kTraceFormats[] = {
    {TraceFormat::chart_text, "msc", ".msc.txt"},
    {TraceFormat::chart_svg, "svg", ".svg"},
    {TraceFormat::text, "text", ".txt"},
    {TraceFormat::itf, "itf", ".itf.json"},
    {TraceFormat::vcd, "vcd", ".vcd"},
    {TraceFormat::dot, "dot", ".dot"},
    {TraceFormat::steps, "steps", ".steps"},
};
constexpr bool is_chart(TraceFormat format) {
  return format == TraceFormat::chart_text || format == TraceFormat::chart_svg;
}
const TraceFormatName* format_by_suffix(std::string_view path);
const TraceFormatName* format_by_name(std::string_view name);

// Marks the variables that `list` ("a,b,P_0") names: a name means itself, its elements ("a[2]") and
// what a process owns ("P_0->j", which may be written "P_0.j", too). Code::usage with the first
// name that fits nothing. `shown` has one flag per variable.
Status select_variables(const ModelText& text, std::string_view list, std::span<u8> shown);

// The value of a variable as a person writes it: a number, or the name of a location or symbol, or
// "undefined".
void add_value(Output& out, const VariableText& variable, i32 value);
void add_value(Text& out, const VariableText& variable, i32 value);
bool has_name(const VariableText& variable, i32 value);
std::string_view value_name(const VariableText& variable, i32 value);

// The transition behind part of a step, or null.
const TransitionText* transition_of(const ModelText& text, u32 transition);
std::string_view process_name(const ModelText& text, u32 process);

// use(label, state behind) for each statement of a step from a state; the last one has no state of
// its own behind it. `repeat` is as in Model::unfold().
template <class Use>
void each_statement(const Replay& replay, const Word* from, u32 label, u32 repeat, Use use) {
  replay.unfold(from, label, repeat, {&use, [](void* self, u32 statement, const Word* behind) {
                                        (*static_cast<Use*>(self))(statement, behind);
                                      }});
}

// When the replay has come to the end of the trace: why the step or the predicate there is
// erroneous, "index 7 of a[5]: a[i + 2] with i=5", and the line of the model or 0. Adds nothing
// when none is.
inline constexpr u32 kFailureBytes = 800;
u32 explain_end(const TraceView& view, Text& out);
// What makes the last step erroneous.
ErrorKind end_error_kind(const TraceView& view);
const char* error_name(ErrorKind kind);
// The same as explain_end() with its place: "model.dve:7: index 7 of a[5]: a[i + 2] with i=5".
void describe_end(const TraceView& view, Text& out);
// What is wrong there in one line: "deadlock: no step leads out of this state". Nothing is where
// the trace just ends, or with a loop.
void add_end(const TraceView& view, Text& out);

Status write_text_trace(const TraceView& view, TraceStyle style, Output& out);
Status write_itf_trace(const TraceView& view, Output& out);
Status write_vcd_trace(const TraceView& view, Output& out);
Status write_dot_trace(const TraceView& view, Output& out);
// Message sequence charts; with them in the view is memory for one.
Status write_text_chart(const TraceView& view, Output& out);
Status write_svg_chart(const TraceView& view, Output& out);
// Rows of a table of five columns, for a page (report/page/page.h).
Status write_html_trace(const TraceView& view, Output& out);

}  // namespace xmc
