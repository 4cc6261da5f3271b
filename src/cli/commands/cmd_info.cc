// `info`: what a model is made of, for people or as JSON: variables with their places in the state,
// dead variables, transitions, properties, and the warnings of the lowering.
#include "cli/commands/commands.h"
#include "cli/run/budget.h"
#include "cli/run/input/model_input.h"
#include "cli/run/input/step_marks.h"
#include "ir/dead.h"
#include "ir/layout.h"
#include "platform/terminal.h"
#include "report/result_json.h"
#include "report/summary.h"
#include "trace/trace_view.h"
#include "xmc/check.h"

namespace xmc {

namespace {

const char* kind_name(const VariableText& variable) {
  switch (variable.kind) {
    case VariableKind::location:
      return "location";
    case VariableKind::symbol:
      return "symbol";
    case VariableKind::number:
      if (variable.may_be_undefined) return "range";
      return variable.type_bits == 8 ? "byte" : "int";
    case VariableKind::channel_length:
      return "channel length";
    case VariableKind::channel_cell:
      return "channel cell";
  }
  return "";
}

// The largest value that the field can hold.
i64 highest(const Slot& slot) { return slot.offset + static_cast<i64>((u64{1} << slot.width) - 1); }

void write_variables(Output& out, const ModelText& text) {
  out.add("variables\n");
  for (const VariableText& variable : text.variables) {
    const Slot& slot = variable.slot;
    out.format("  %-14s %2u bit%s ", kind_name(variable), slot.width, slot.width == 1 ? " " : "s");
    if (slot.width == 0) {
      out.add("always ");
      add_value(out, variable, slot.offset);
      out.spaces(10);
    } else {
      out.format("word %2u bit %2u  %lld..%lld", slot.word, slot.shift,
                 static_cast<long long>(slot.offset), static_cast<long long>(highest(slot)));
    }
    out.add("  ").add(variable.name).add('\n');
  }
}

const ir::Variable* variable_of(const ir::Program& program, u32 cell) {
  for (const ir::Variable& v : program.variables) {
    if (cell - v.first_initial < v.size) return &v;
  }
  return nullptr;
}

Slot slot_of(const ir::Program& program, u32 cell) {
  const ir::Variable* const v = variable_of(program, cell);
  return v == nullptr ? Slot{} : ir::element_slot(*v, cell - v->first_initial);
}

bool same(const Slot& a, const Slot& b) {
  return a.word == b.word && a.shift == b.shift && a.width == b.width && a.offset == b.offset;
}

// Of a cell, while another one has that value: processes that are not there at once may share it.
const VariableText& text_of(const LoadedModel& model, u32 cell, const Slot& of, u32 at) {
  const Slot slot = slot_of(*model.whole, cell);
  const std::span<const VariableText> texts = model.text.variables;
  const i32 place = static_cast<i32>(at);
  // Many languages have them in the order of the cells.
  if (cell < texts.size() && same(texts[cell].slot, slot) && texts[cell].when.width == 0)
    return texts[cell];
  for (const VariableText& text : texts) {
    if (!same(text.slot, slot)) continue;
    if (text.when.width == 0) return text;
    if (same(text.when, of) && place >= text.when_low && place <= text.when_high) return text;
  }
  return texts[0];
}

// Of the cell that says where a process is. One that is always at the same place has no bits in a
// state, as other constants have none: what such a text is, and whose, tells them apart.
const VariableText& location_text(const LoadedModel& model, const ir::DeadPlaces& places) {
  const Slot slot = slot_of(*model.whole, places.cell);
  const ir::Variable* const variable = variable_of(*model.whole, places.cell);
  const u32 process = variable == nullptr ? kNone : variable->process;
  const VariableText* found = nullptr;
  for (const VariableText& text : model.text.variables) {
    if (text.kind != VariableKind::location || !same(text.slot, slot)) continue;
    if (text.value_names.size() < places.count) continue;
    if (found == nullptr || text.process == process) found = &text;
  }
  XMC_CHECK(found != nullptr);
  return *found;
}

// Calls use(name of the process, name of the location, name) for each value that is dead there.
template <class Use>
void each_dead(const LoadedModel& model, const Use& use) {
  if (model.dead == nullptr) return;
  for (const ir::DeadPlaces& places : model.dead->places) {
    const Slot slot = slot_of(*model.whole, places.cell);
    const VariableText& process = location_text(model, places);
    for (u32 at = 0; at < places.count; ++at) {
      const ir::Range dead = model.dead->by_location[places.first + at];
      for (u32 i = dead.first; i < dead.first + dead.count; ++i) {
        const VariableText& value = text_of(model, model.dead->cells[i].cell, slot, at);
        use(process.name, process.value_names[at], value.name);
      }
    }
  }
}

void write_dead(Output& out, const LoadedModel& model) {
  const char* last = nullptr;  // names of locations are kept apart
  each_dead(model, [&](std::string_view process, std::string_view location, std::string_view name) {
    if (last == nullptr) out.add("dead variables, by location");
    if (location.data() != last) out.add("\n  ").add(process).add('.').add(location).add(':');
    last = location.data();
    out.add(' ').add(name);
  });
  if (last != nullptr) out.add('\n');
}

void write_dead_json(JsonWriter& json, const LoadedModel& model) {
  json.line_break().key("dead").begin_array();
  each_dead(model, [&](std::string_view process, std::string_view location, std::string_view name) {
    json.begin_object().key("process").string(process).key("location").string(location);
    json.key("variable").string(name).end_object();
  });
  json.end_array();
}

void write_text(Output& out, const LoadedModel& model, const StepMarks& marks) {
  const ModelText& text = model.text;
  write_model_line(out, model.title, text, model.judge, terminal_width(kStandardOutput));
  out.format("layout    %u words, at most %u successors of a state\n", model.judge.state_words,
             model.judge.max_successors);
  out.format("hash      %016llx\n", wide(model.text_hash));
  out.add("property  ");
  if (text.property.empty()) {
    out.add(model.has_assertions ? "no property process; has assertions\n"
                                 : "no property process\n");
  } else {
    out.add("process ").add(text.property).add('\n');
  }
  out.add("processes\n");
  for (const std::string_view name : text.processes) out.add("  ").add(name).add('\n');
  write_variables(out, text);
  out.add("transitions\n");
  for (const TransitionText& transition : text.transitions) {
    out.format("  line %5u  ", transition.line).add(process_name(text, transition.process));
    out.add("  ").add(transition.text).add('\n');
  }
  write_dead(out, model);
  write_marks(out, marks, model);
  if (!text.predicates.empty()) out.add("assertions\n");
  for (const PredicateText& predicate : text.predicates) {
    out.format("  line %5u  ", predicate.line).add(predicate.text).add('\n');
  }
}

void write_variables_json(JsonWriter& json, const ModelText& text) {
  json.line_break().key("variables").begin_array();
  for (const VariableText& variable : text.variables) {
    const Slot& slot = variable.slot;
    json.line_break().begin_object();
    json.key("name").string(variable.name).key("kind").string(kind_name(variable));
    json.key("process");
    if (variable.process == kNone) {
      json.null();
    } else {
      json.string(process_name(text, variable.process));
    }
    json.key("bits")
        .number(slot.width)
        .key("word")
        .number(slot.word)
        .key("shift")
        .number(slot.shift);
    json.key("low").signed_number(slot.offset).key("high").signed_number(highest(slot));
    if (variable.may_be_undefined) json.key("undefined").signed_number(slot.offset);
    if (variable.kind == VariableKind::location || variable.kind == VariableKind::symbol) {
      json.key(variable.kind == VariableKind::location ? "locations" : "values").begin_array();
      for (const std::string_view name : variable.value_names) json.string(name);
      json.end_array();
    }
    json.end_object();
  }
  json.end_array();
}

struct Shown {
  LoadedModel model;
  StepMarks marks;
};

void write_info_json(void* self, JsonWriter& json) {
  const Shown& shown = *static_cast<const Shown*>(self);
  const LoadedModel& model = shown.model;
  const ModelText& text = model.text;
  json.begin_object().key("schema").number(1);
  json.line_break().key("tool");
  write_tool_json(json);
  json.line_break().key("model").begin_object();
  json.key("file").string(text.file).key("language").string(text.language);
  json.key("state_bits")
      .number(model.judge.state_bits)
      .key("state_bytes")
      .number(model.judge.state_bytes);
  json.key("state_words").number(model.judge.state_words);
  json.key("max_successors").number(model.judge.max_successors);
  FixedText<24> hash;
  hash.format("%016llx", wide(model.text_hash));
  json.key("hash").string(hash.view()).end_object();
  json.line_break().key("property");
  if (text.property.empty()) {
    json.null();
  } else {
    json.string(text.property);
  }
  json.line_break().key("processes").begin_array();
  for (const std::string_view name : text.processes) json.string(name);
  json.end_array();
  write_variables_json(json, text);
  json.line_break().key("transitions").begin_array();
  for (const TransitionText& transition : text.transitions) {
    json.line_break().begin_object().key("process").string(process_name(text, transition.process));
    json.key("line").number(transition.line).key("text").string(transition.text).end_object();
  }
  json.end_array();
  write_dead_json(json, model);
  write_marks_json(json, shown.marks, model);
  json.line_break().key("assertions").begin_array();
  for (const PredicateText& predicate : text.predicates) {
    json.begin_object()
        .key("line")
        .number(predicate.line)
        .key("text")
        .string(predicate.text)
        .end_object();
  }
  json.end_array();
  json.end_object();
}

void show_rest(Session& session, u32 warnings) {
  if (warnings > Diagnostics::kDiagnostics)
    session.err().number(warnings - Diagnostics::kDiagnostics).add(" more warnings\n");
}

Status show(Session& session, Budget& budget, u32& suspicions) {
  if (session.options.given(Opt::lint) && session.options.given(Opt::json))
    return Status::fail(Code::usage, "--json has no effect with --lint");
  XMC_TRY(session.open_json_stream());
  XMC_TRY(budget.open(session));
  ModelInput input;
  XMC_TRY(read_model(session, budget.arena(), input));
  Shown shown;
  LoadedModel& model = shown.model;
  LoadRequest request = request_of(session, input);
  request.dead_variables = request.step_tables = !session.options.given(Opt::lint);
  request.lint = session.options.given(Opt::lint);
  request.ignore_property = request.lint;
  XMC_TRY(load(session, request, budget.arena(), model));
  if (request.lint) {
    suspicions = model.warnings;
    show_rest(session, model.warnings);
    return {};
  }
  shown.marks = find_step_marks(model, budget.arena());
  if (session.options.given(Opt::json))
    XMC_TRY(session.write_json_object(&write_info_json, &shown));
  if (session.options.text(Opt::json) != "-") write_text(session.out(), model, shown.marks);
  return {};
}

}  // namespace

int cmd_info(Session& session) {
  Budget budget;
  u32 suspicions = 0;
  const Status status = show(session, budget, suspicions);
  if (!status.ok()) return session.end_with(status);
  const int exit = session.end_well();
  return exit == 0 && suspicions != 0 ? static_cast<int>(Exit::violated) : exit;
}

}  // namespace xmc
