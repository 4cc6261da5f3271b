#include "cli/run/input/step_marks.h"

#include "ir/steps.h"
#include "ir/tables/make_tables.h"
#include "ir/tables/process_steps.h"
#include "ir/tables/stutter.h"
#include "trace/trace_view.h"

namespace xmc {

std::string_view why_steps_stay(const ir::Program& program, Arena& arena) {
  if (program.has_rules) return "the model has rules instead of processes";
  if (program.fair) return "--fairness asks of each state which processes are enabled";
  if (program.property == kNone) return {};
  bool whole = program.may_error;
  for (const ir::Predicate& predicate : program.predicates)
    whole = whole || predicate.process != program.property;
  return ir::why_stuttering_matters(program, whole, arena);
}

StepMarks find_step_marks(const LoadedModel& model, Arena& arena) {
  // A language may have them ready, or know why there are none.
  if (model.steps != nullptr) return {true, {}, *model.steps};
  if (model.why_no_steps != nullptr) return {false, model.why_no_steps, {}};
  const ir::Program& program = *model.program;
  StepMarks marks;
  marks.why_not = why_steps_stay(program, arena);
  if (program.has_rules || ir::step_facts_bytes(program) > arena.free_bytes() / 2) return marks;
  const bool automaton = program.property != kNone;
  const u64 mark = arena.scratch_mark();
  ir::StepFacts facts(arena);
  ir::find_process_steps(program, {!automaton && !program.predicates.empty(), automaton}, facts);
  marks.known = ir::make_step_tables(facts, arena, marks.tables).ok();
  arena.scratch_release(mark);
  return marks;
}

void write_step(Output& out, const StepMarks& marks, const LoadedModel& model, u32 step) {
  const ModelText& text = model.text;
  const u32 label = ir::step_label(*model.program, step, 0);
  const StepText parts = text.step(text.self, label);
  const auto write = [&](u32 transition) {
    const TransitionText& t = text.transitions[transition];
    out.format("  line %5u  ", t.line).add(process_name(text, t.process)).add("  ").add(t.text);
  };
  write(parts.transition);
  const u32 number = marks.known ? marks.tables.number_of[step] : kNone;
  const auto write_words = [&] {
    if (number == kNone) return;
    if (marks.visible(number)) out.add("  visible");
    if (marks.sticky(number)) out.add("  sticky");
  };
  if (parts.partner == kNone) write_words();
  out.add('\n');
  if (parts.partner == kNone) return;
  out.add("    +");
  write(parts.partner);
  write_words();
  out.add('\n');
}

void write_marks(Output& out, const StepMarks& marks, const LoadedModel& model) {
  if (!marks.known && model.why_no_steps != nullptr)
    out.add("steps     none is left out: ").add(marks.why_not).add('\n');
  if (!marks.known) return;
  const ir::StepTables& t = marks.tables;
  out.format("steps     %u, of them %u visible and %u sticky", t.step_count, t.visible_count,
             t.sticky_count);
  if (!marks.why_not.empty()) out.add("; none is left out: ").add(marks.why_not);
  out.add('\n');
  for (u32 step = 0; step < t.number_of.size(); ++step) {
    const u32 number = t.number_of[step];
    if (number != kNone && (marks.visible(number) || marks.sticky(number)))
      write_step(out, marks, model, step);
  }
}

void write_marks_json(JsonWriter& json, const StepMarks& marks, const LoadedModel& model) {
  json.line_break().key("steps").begin_array();
  for (u32 step = 0; marks.known && step < marks.tables.number_of.size(); ++step) {
    const u32 number = marks.tables.number_of[step];
    if (number == kNone) continue;
    const StepText parts =
        model.text.step(model.text.self, ir::step_label(*model.program, step, 0));
    json.line_break().begin_object().key("transition").number(parts.transition);
    json.key("partner");
    if (parts.partner == kNone) {
      json.null();
    } else {
      json.number(parts.partner);
    }
    json.key("visible").boolean(marks.visible(number));
    json.key("sticky").boolean(marks.sticky(number)).end_object();
  }
  json.end_array();
}

}  // namespace xmc
