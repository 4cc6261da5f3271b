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

struct TraceView {
  Replay* replay = nullptr;
  StepChooser chooser;
  TraceClaim claim;
  const ModelText* text = nullptr;
  std::span<const u8> shown;  // one flag per variable; empty shows all
  u32 columns = 80;           // of text

  bool shows(std::size_t variable) const { return shown.empty() || shown[variable] != 0; }
};

enum class TraceStyle : u8 {
  diff,
  full,
  none
};  // values in text traces: the changes, all of them, or none

enum class TraceFormat : u8 { text, itf, vcd, dot, steps };
struct TraceFormatName {
  TraceFormat format;
  std::string_view name;
  std::string_view suffix;
};
inline constexpr TraceFormatName kTraceFormats[] = {
    {TraceFormat::text, "text", ".txt"},     {TraceFormat::itf, "itf", ".itf.json"},
    {TraceFormat::vcd, "vcd", ".vcd"},       {TraceFormat::dot, "dot", ".dot"},
    {TraceFormat::steps, "steps", ".steps"},
};
const TraceFormatName* format_by_suffix(std::string_view path);
const TraceFormatName* format_by_name(std::string_view name);

// Marks the variables that `list` ("a,b,P_0") names: a name means itself, its elements ("a[2]") and
// what a process owns ("P_0->j", which may be written "P_0.j", too). Code::usage with the first
// name that fits nothing. `shown` has one flag per variable.
Status select_variables(const ModelText& text, std::string_view list, std::span<u8> shown);

// The value of a variable as a person writes it: a number, or the name of a location or symbol, or
// "undefined".
void add_value(Output& out, const VariableText& variable, i32 value);
bool has_name(const VariableText& variable, i32 value);
std::string_view value_name(const VariableText& variable, i32 value);

// The transition behind part of a step, or null.
const TransitionText* transition_of(const ModelText& text, u32 transition);
std::string_view process_name(const ModelText& text, u32 process);

// When the replay has come to the end of the trace: why the step or the predicate there is
// erroneous, "index 7 of a[5]: a[i + 2] with i=5", and the line of the model or 0. Adds nothing
// when none is.
inline constexpr u32 kFailureBytes = 800;
u32 explain_end(const TraceView& view, Text& out);
// The same with its place: "model.dve:7: index 7 of a[5]: a[i + 2] with i=5".
void describe_end(const TraceView& view, Text& out);

Status write_text_trace(const TraceView& view, TraceStyle style, Output& out);
Status write_itf_trace(const TraceView& view, Output& out);
Status write_vcd_trace(const TraceView& view, Output& out);
Status write_dot_trace(const TraceView& view, Output& out);
// Rows of a table of five columns, for a page (report/page/page.h).
Status write_html_trace(const TraceView& view, Output& out);

}  // namespace xmc
