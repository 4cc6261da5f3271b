#include "cli/run/input/long_steps.h"

#include <algorithm>

#include "platform/signals.h"
#include "xmc/step_work.h"

namespace xmc {

namespace {

u32 line_of(const ModelText& text, u32 label) {
  const StepText step = text.step(text.self, label);
  return step.transition < text.transitions.size() ? text.transitions[step.transition].line : 0;
}

// Lines in order, those that follow one another as one range.
void write_lines(const u32* lines, u32 count, Text& out) {
  out.add(count == 1 ? "line " : "lines ");
  for (u32 i = 0; i < count;) {
    u32 last = i;
    while (last + 1 < count && lines[last + 1] <= lines[last] + 1) ++last;
    if (i != 0) out.add(", ");
    out.number(lines[i]);
    if (last != i) out.add('-').number(lines[last]);
    i = last + 1;
  }
}

}  // namespace

void watch_steps_for_signals() {
  watch_steps(
      {nullptr, [](void*) { return stop_requested() ? StopReason::signal : StopReason::none; }});
}

void describe_long_step(const ModelText& text, Text& out) {
  const LongStep& step = long_step();
  u32 lines[LongStep::kLabels + 1];
  u32 count = 0;
  for (u32 i = 0; i < step.label_count; ++i) {
    if (const u32 line = line_of(text, step.labels[i]); line != 0) lines[count++] = line;
  }
  if (step.line != 0) lines[count++] = step.line;
  std::sort(lines, lines + count);
  count = static_cast<u32>(std::unique(lines, lines + count) - lines);
  if (step.predicate < text.predicates.size()) {
    out.add("'").add(text.predicates[step.predicate].text).add("'");
    if (count != 0) out.add(", ");
  } else {
    out.add("a step of the model");
    if (count != 0) out.add(", ");
  }
  if (count != 0) write_lines(lines, count, out);
  out.add(", goes round ");
  out.grouped(step_limit()).add(" times and is not at its end");
}

Status told_stop(const Status& status, const ModelText& text) {
  switch (status.stop_reason()) {
    case StopReason::none:
      return status;
    case StopReason::step_limit: {
      FixedText<limits::kMessageBytes - 80> what;
      describe_long_step(text, what);
      return Status::fail(Code::stopped, "%s; shorten its loops, or take a larger --step-work",
                          what.c_str());
    }
    case StopReason::time_limit:
      return Status::fail(Code::stopped,
                          "the time limit was reached inside of a step of the model");
    default:
      return Status::fail(Code::stopped, "stopped by signal %d inside of a step of the model",
                          stop_signal());
  }
}

}  // namespace xmc
