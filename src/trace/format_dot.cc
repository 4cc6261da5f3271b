// The trace as a Graphviz graph: a chain of states, each with what changed, and edges with the
// actions. The loop of a lasso is drawn as a loop.
#include "report/characters.h"
#include "trace/trace_view.h"
#include "xmc/text.h"

namespace xmc {

namespace {

void add_dot_text(Output& out, std::string_view text) {
  while (!text.empty()) {
    const char c = text.front();
    const u32 length = shown_length(text);
    if (c == '"' || c == '\\') {
      out.add('\\').add(c);
    } else if (length == 0) {
      out.add(kNoCharacter);
    } else {
      out.add(c == '\n' || c == '\t' ? std::string_view(" ") : piece_of(text, 0, length));
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
}

void add_node(Output& out, const TraceView& view) {
  const Replay& replay = *view.replay;
  const u64 index = replay.index();
  const Word* const before = index == 0 ? nullptr : replay.previous();
  out.add("  s").number(index).add(" [label=\"").number(index);
  for (std::size_t i = 0; i < view.text->variables.size(); ++i) {
    if (!view.shows(i)) continue;
    const VariableText& variable = view.text->variables[i];
    if (!is_there(variable, replay.state())) continue;
    const i32 value = slot_value(variable.slot, replay.state());
    if (before != nullptr && slot_value(variable.slot, before) == value) continue;
    out.add("\\l");
    add_dot_text(out, variable.name);
    out.add('=');
    if (has_name(variable, value)) {
      add_dot_text(out, value_name(variable, value));
    } else {
      out.signed_number(value);
    }
  }
  out.add("\\l\"");
  if (view.claim.loop_start == kNoLoop && index == view.claim.steps) out.add(", peripheries=2");
  out.add("];\n");
}

void add_part(Output& out, const ModelText& text, u32 transition) {
  const TransitionText* found = transition_of(text, transition);
  if (found == nullptr) {
    out.add("(stutter)\\l");
    return;
  }
  // A rule belongs to no process.
  const std::string_view process = process_name(text, found->process);
  add_dot_text(out, process.empty() ? "line" : process);
  out.add(process.empty() ? ' ' : ':').number(found->line).add("  ");
  add_dot_text(out, found->text);
  out.add("\\l");
}

void add_edge(Output& out, const TraceView& view, u64 from, u64 to) {
  const ModelText& text = *view.text;
  const Replay& replay = *view.replay;
  const u32 label = replay.label();
  const StepText step = text.step(text.self, label);
  out.add("  s").number(from).add(" -> s").number(to).add(" [label=\"");
  each_statement(replay, replay.previous(), label, replay.label_repeat(),
                 [&](u32 statement, const Word*) {
                   add_part(out, text, text.step(text.self, statement).transition);
                 });
  if (step.partner != kNone) add_part(out, text, step.partner);
  if (step.property != kNone) add_part(out, text, step.property);
  out.add("\"];\n");
}

}  // namespace

Status write_dot_trace(const TraceView& view, Output& out) {
  const ModelText& text = *view.text;
  out.add("digraph trace {\n  label=\"");
  add_dot_text(out, text.file);
  out.add("\";\n  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n");
  XMC_TRY(view.replay->start(view.chooser));
  add_node(out, view);
  while (view.replay->index() < view.claim.steps) {
    XMC_TRY(view.replay->advance());
    const u64 index = view.replay->index();
    const bool closes = view.claim.loop_start != kNoLoop && index == view.claim.steps;
    if (!closes) add_node(out, view);
    add_edge(out, view, index - 1, closes ? view.claim.loop_start : index);
  }
  if (view.claim.violation == Violation::model_error) {
    out.add("  error [label=\"run-time error\", shape=octagon];\n  s").number(view.claim.steps);
    out.add(" -> error [label=\"");
    each_statement(*view.replay, view.replay->state(), view.claim.error_label, kNone,
                   [&](u32 statement, const Word*) {
                     add_part(out, text, text.step(text.self, statement).transition);
                   });
    out.add("\"];\n");
  }
  out.add("}\n");
  return out.status();
}

}  // namespace xmc
