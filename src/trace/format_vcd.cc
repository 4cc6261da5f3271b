// The trace as a value change dump (IEEE 1364) for waveform viewers: one time unit per step, and
// one more at the end, since viewers draw a value only up to the next time stamp. Locations and the
// acting process are of GTKWave's string type; `in_loop` is 1 from the state where the loop of a
// lasso begins.
#include "report/target.h"
#include "trace/trace_view.h"

namespace xmc {

namespace {

constexpr u64 kStepSignal = 0;
constexpr u64 kLoopSignal = 1;
constexpr u64 kFirstVariable = 2;

// Identifier codes are numbers in base 52. Any printable character would be legal, but letters are
// never taken for the beginning of a command or of a time stamp by a simple reader.
void add_code(Output& out, u64 signal) {
  constexpr const char* kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  do {
    out.add(kLetters[signal % 52]);
    signal /= 52;
  } while (signal > 0);
}

// Names end at blanks, and "a[2]" would be a bit select of "a": brackets become parentheses.
void add_name(Output& out, std::string_view name) {
  for (const char c : name) {
    if (c == '[') {
      out.add('(');
    } else if (c == ']') {
      out.add(')');
    } else {
      out.add(static_cast<unsigned char>(c) <= ' ' || c == 0x7F ? '_' : c);
    }
  }
}

u32 width_of(const VariableText& variable) {
  if (variable.type_bits != 0) return variable.type_bits;
  return variable.slot.width != 0 ? variable.slot.width : 1;
}

void declare(Output& out, const VariableText& variable, u64 signal, std::string_view process) {
  std::string_view name = variable.name;
  if (variable.kind == VariableKind::location) {
    out.add("$var string 1 ");
    name = "location";
  } else if (variable.kind == VariableKind::symbol) {
    out.add("$var string 1 ");
  } else {
    // int is signed: viewers show the type "integer" so.
    out.add(width_of(variable) == 16 ? "$var integer " : "$var reg ")
        .number(width_of(variable))
        .add(' ');
    // The scope has the name of the process.
    if (!process.empty() && name.starts_with(process) &&
        piece_of(name, process.size()).starts_with("->")) {
      name.remove_prefix(process.size() + 2);
    }
  }
  add_code(out, signal);
  out.add(' ');
  add_name(out, name);
  out.add(" $end\n");
}

// Behind all variables, whether those are shown or not.
void declare_propositions(Output& out, const ModelText& text) {
  if (text.propositions.empty()) return;
  out.add("$scope module propositions $end\n");
  for (std::size_t i = 0; i < text.propositions.size(); ++i) {
    out.add("$var wire 1 ");
    add_code(out, kFirstVariable + text.variables.size() + i);
    out.add(' ');
    add_name(out, text.propositions[i]);
    out.add(" $end\n");
  }
  out.add("$upscope $end\n");
}

void add_propositions(Output& out, const TraceView& view, const Word* before) {
  const ModelText& text = *view.text;
  const u32 now = view.replay->valuation(view.replay->state());
  const u32 changed = before == nullptr ? ~0u : now ^ view.replay->valuation(before);
  for (std::size_t i = 0; i < text.propositions.size(); ++i) {
    if ((changed >> i & 1) == 0) continue;
    out.add((now >> i & 1) != 0 ? '1' : '0');
    add_code(out, kFirstVariable + text.variables.size() + i);
    out.add('\n');
  }
}

void declare_all(Output& out, const TraceView& view) {
  const ModelText& text = *view.text;
  out.add("$scope module model $end\n$var string 1 ");
  add_code(out, kStepSignal);
  out.add(" step $end\n$var wire 1 ");
  add_code(out, kLoopSignal);
  out.add(" in_loop $end\n");
  u32 scope = kNone;
  for (std::size_t i = 0; i < text.variables.size(); ++i) {
    const VariableText& variable = text.variables[i];
    if (!view.shows(i)) continue;
    if (variable.process != scope) {
      if (scope != kNone) out.add("$upscope $end\n");
      scope = variable.process;
      if (scope != kNone) {
        out.add("$scope module ");
        add_name(out, process_name(text, scope));
        out.add(" $end\n");
      }
    }
    declare(out, variable, kFirstVariable + i, process_name(text, scope));
  }
  if (scope != kNone) out.add("$upscope $end\n");
  declare_propositions(out, text);
  out.add("$upscope $end\n$enddefinitions $end\n");
}

void add_change(Output& out, const VariableText& variable, u64 signal, i32 value) {
  if (variable.kind == VariableKind::location || variable.kind == VariableKind::symbol) {
    out.add('s');
    add_name(out, value_name(variable, value));
  } else if (has_name(variable, value)) {
    out.add("bx");  // undefined
  } else {
    out.add('b');
    const u32 bits = static_cast<u32>(value);  // two's complement
    for (u32 bit = width_of(variable); bit-- > 0;)
      out.add(bit < 32 && (bits >> bit & 1) != 0 ? '1' : '0');
  }
  out.add(' ');
  add_code(out, signal);
  out.add('\n');
}

// Of a process that is not there.
void add_absence(Output& out, const VariableText& variable, u64 signal) {
  const bool is_text =
      variable.kind == VariableKind::location || variable.kind == VariableKind::symbol;
  out.add(is_text ? "sabsent " : "bx ");
  add_code(out, signal);
  out.add('\n');
}

void add_values(Output& out, const TraceView& view, const Word* before) {
  const ModelText& text = *view.text;
  for (std::size_t i = 0; i < text.variables.size(); ++i) {
    if (!view.shows(i)) continue;
    const VariableText& variable = text.variables[i];
    const i32 value = slot_value(variable.slot, view.replay->state());
    const bool is_here = is_there(variable, view.replay->state());
    if (before != nullptr && is_there(variable, before) == is_here &&
        (!is_here || slot_value(variable.slot, before) == value))
      continue;
    if (is_here) {
      add_change(out, variable, kFirstVariable + i, value);
    } else {
      add_absence(out, variable, kFirstVariable + i);
    }
  }
  add_propositions(out, view, before);
}

void add_acting(Output& out, const ModelText& text, u32 label) {
  const TransitionText* found = transition_of(text, text.step(text.self, label).transition);
  if (found == nullptr) {
    out.add("(stutter)");
  } else {
    add_name(out, process_name(text, found->process));
    out.add(':').number(found->line);
  }
}

void add_step(Output& out, const TraceView& view) {
  out.add('s');
  if (view.replay->index() == 0) {
    out.add("(initial)");
  } else {
    const Replay& replay = *view.replay;
    bool first = true;
    each_statement(replay, replay.previous(), replay.label(), replay.label_repeat(),
                   [&](u32 statement, const Word*) {
                     if (!first) out.add(',');
                     first = false;
                     add_acting(out, *view.text, statement);
                   });
  }
  out.add(' ');
  add_code(out, kStepSignal);
  out.add('\n');
}

void add_loop(Output& out, bool inside) {
  out.add(inside ? '1' : '0');
  add_code(out, kLoopSignal);
  out.add('\n');
}

}  // namespace

Status write_vcd_trace(const TraceView& view, Output& out) {
  const u64 loop = view.claim.loop_start;
  out.add("$comment ").add(kToolName).add(" trace of ");
  add_name(out, view.text->file);
  out.add(": one time unit per step $end\n$version ").add(kToolName).add(' ').add(kToolVersion);
  out.add(" $end\n$timescale 1 ns $end\n");
  declare_all(out, view);
  XMC_TRY(view.replay->start(view.chooser));
  out.add("#0\n$dumpvars\n");
  add_step(out, view);
  add_loop(out, loop == 0);
  add_values(out, view, nullptr);
  out.add("$end\n");
  while (view.replay->index() < view.claim.steps) {
    XMC_TRY(view.replay->advance());
    out.add('#').number(view.replay->index()).add('\n');
    add_step(out, view);
    if (view.replay->index() == loop) add_loop(out, true);
    add_values(out, view, view.replay->previous());
  }
  out.add('#').number(view.claim.steps + 1).add('\n');
  return out.status();
}

}  // namespace xmc
