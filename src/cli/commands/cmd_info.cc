#include "cli/commands/commands.h"
#include "cli/run/budget.h"
#include "cli/run/model_input.h"
#include "platform/terminal.h"
#include "report/result_json.h"
#include "report/summary.h"
#include "trace/trace_view.h"

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

void write_text(Output& out, const LoadedModel& model) {
  const ModelText& text = model.text;
  write_model_line(out, text, model.model, terminal_width(kStandardOutput));
  out.format("layout    %u words, at most %u successors of a state\n", model.model.state_words,
             model.model.max_successors);
  out.format("hash      %016llx\n", static_cast<unsigned long long>(model.text_hash));
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

void write_json(void* self, JsonWriter& json) {
  const LoadedModel& model = *static_cast<const LoadedModel*>(self);
  const ModelText& text = model.text;
  json.begin_object().key("schema").number(1);
  json.line_break().key("tool");
  write_tool_json(json);
  json.line_break().key("model").begin_object();
  json.key("file").string(text.file).key("language").string(text.language);
  json.key("state_bits")
      .number(model.model.state_bits)
      .key("state_bytes")
      .number(model.model.state_bytes);
  json.key("state_words").number(model.model.state_words);
  json.key("max_successors").number(model.model.max_successors);
  FixedText<24> hash;
  hash.format("%016llx", static_cast<unsigned long long>(model.text_hash));
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

Status show(Session& session, Budget& budget) {
  XMC_TRY(session.open_json_stream());
  XMC_TRY(budget.open(session));
  ModelInput input;
  XMC_TRY(read_model(session, budget.arena(), input));
  LoadedModel model;
  XMC_TRY(load(session, request_of(session, input), budget.arena(), model));
  if (session.options.given(Opt::json)) XMC_TRY(session.write_json_object(&write_json, &model));
  if (session.options.text(Opt::json) != "-") write_text(session.out(), model);
  return {};
}

}  // namespace

int cmd_info(Session& session) {
  Budget budget;
  const Status status = show(session, budget);
  if (!status.ok()) return session.end_with(status);
  return session.end_well();
}

}  // namespace xmc
