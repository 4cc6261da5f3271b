// The trace in the Informal Trace Format (ITF) of Apalache and Quint: one JSON object with the
// variables' names and one object per state. What the format has no field for (action, process,
// line) is in each state's "#meta".
#include "report/json.h"
#include "report/target.h"
#include "trace/trace_view.h"

namespace xmc {

namespace {

void write_part(JsonWriter& json, const ModelText& text, u32 transition) {
  const TransitionText* found = transition_of(text, transition);
  if (found == nullptr) {
    json.key("action").string("(stutter)");
    return;
  }
  json.key("action").string(found->text);
  json.key("process").string(process_name(text, found->process));
  if (found->line != 0) json.key("line").number(found->line);
}

void write_step(JsonWriter& json, const ModelText& text, u32 label) {
  const StepText step = text.step(text.self, label);
  write_part(json, text, step.transition);
  if (step.partner != kNone) {
    json.key("partner").begin_object();
    write_part(json, text, step.partner);
    json.end_object();
  }
  if (step.property != kNone) {
    json.key("property").begin_object();
    write_part(json, text, step.property);
    json.end_object();
  }
}

// Of a step that has several.
void write_statements(JsonWriter& json, const TraceView& view, const Word* from, u32 label,
                      u32 repeat) {
  u32 count = 0;
  each_statement(*view.replay, from, label, repeat, [&](u32, const Word*) { ++count; });
  if (count < 2) return;
  json.key("statements").begin_array();
  each_statement(*view.replay, from, label, repeat, [&](u32 statement, const Word*) {
    json.begin_object();
    write_part(json, *view.text, view.text->step(view.text->self, statement).transition);
    json.end_object();
  });
  json.end_array();
}

void write_last_step(JsonWriter& json, const TraceView& view) {
  const Replay& replay = *view.replay;
  write_step(json, *view.text, replay.label());
  write_statements(json, view, replay.previous(), replay.label(), replay.label_repeat());
}

void write_state(JsonWriter& json, const TraceView& view) {
  const Replay& replay = *view.replay;
  const ModelText& text = *view.text;
  json.line_break().begin_object();
  json.key("#meta").begin_object();
  json.key("index").number(replay.index());
  if (replay.index() > 0) write_last_step(json, view);
  if (!text.propositions.empty()) {
    const u32 holding = replay.valuation(replay.state());
    json.key("propositions").begin_object();
    for (std::size_t i = 0; i < text.propositions.size(); ++i)
      json.key(text.propositions[i]).boolean((holding >> i & 1) != 0);
    json.end_object();
  }
  json.end_object();
  for (std::size_t i = 0; i < text.variables.size(); ++i) {
    if (!view.shows(i)) continue;
    const VariableText& variable = text.variables[i];
    const i32 value = slot_value(variable.slot, replay.state());
    json.key(variable.name);
    if (!is_there(variable, replay.state())) {
      // What the format has for values that are none of its own.
      json.begin_object();
      json.key("#unserializable").string("absent");
      json.end_object();
    } else if (has_name(variable, value)) {
      json.string(value_name(variable, value));
    } else {
      json.signed_number(value);
    }
  }
  json.end_object();
}

void write_claim(JsonWriter& json, const TraceView& view) {
  const TraceClaim& claim = view.claim;
  const ModelText& text = *view.text;
  switch (claim.violation) {
    case Violation::none:
      return;
    case Violation::deadlock:
      json.key("violation").string("deadlock");
      return;
    case Violation::accepting_cycle:
      json.key("violation").string("accepting-cycle");
      return;
    case Violation::model_error:
      json.key("violation").string("model-error");
      json.key("error-step").begin_object();
      write_step(json, text, claim.error_label);
      json.end_object();
      return;
    case Violation::predicate:
    case Violation::liveness:
    case Violation::uncovered:
      json.key("violation")
          .string(claim.violation == Violation::predicate  ? "predicate"
                  : claim.violation == Violation::liveness ? "liveness"
                                                           : "cover");
      if (claim.predicate < text.predicates.size()) {
        json.key("predicate").string(text.predicates[claim.predicate].text);
      }
      return;
  }
}

}  // namespace

Status write_itf_trace(const TraceView& view, Output& out) {
  const ModelText& text = *view.text;
  JsonWriter json(out);
  json.begin_object();
  json.key("#meta").begin_object();
  json.key("format").string("ITF");
  json.key("source").string(text.file);
  json.key("description").string("counterexample");
  json.key("tool").string(kToolName);
  json.key("version").string(kToolVersion);
  write_claim(json, view);
  json.end_object();
  json.line_break().key("vars").begin_array();
  for (std::size_t i = 0; i < text.variables.size(); ++i) {
    if (view.shows(i)) json.string(text.variables[i].name);
  }
  json.end_array();
  json.line_break().key("states").begin_array();
  // The last state of a lasso is the one the loop goes back to: ITF names it once.
  const u64 last = view.claim.loop_start == kNoLoop ? view.claim.steps : view.claim.steps - 1;
  XMC_TRY(view.replay->start(view.chooser));
  write_state(json, view);
  while (view.replay->index() < last) {
    XMC_TRY(view.replay->advance());
    write_state(json, view);
  }
  json.end_array();
  if (view.claim.loop_start != kNoLoop) {
    // The step that closes the loop leads to no new state, so its action is told here.
    XMC_TRY(view.replay->advance());
    json.line_break().key("loop").number(view.claim.loop_start);
    json.key("loop-step").begin_object();
    write_last_step(json, view);
    json.end_object();
  }
  json.end_object();
  out.add('\n');
  return out.status();
}

}  // namespace xmc
