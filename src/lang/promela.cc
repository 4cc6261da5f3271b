#include "lang/promela.h"

#include <new>

#include "front/promela/parser.h"
#include "ir/ir.h"
#include "lang/bundle.h"
#include "lower/promela/formula.h"
#include "lower/promela/lint/lint.h"
#include "lower/promela/promela_lower.h"
#include "xmc/scratch.h"
#include "xmc/text.h"

namespace xmc {

namespace {

using promela::ExprId;

// What the tool can do, and this language cannot yet.
Status check_promela_request(const TextRequest& request, ErrorStates errors) {
  if (request.fair)
    return Status::fail(Code::usage, "--fairness is not supported for Promela models yet");
  if (errors.asked) {
    return Status::fail(Code::usage,
                        "Promela models have no error states: --errors beem and --errors stop are "
                        "not supported for them");
  }
  return {};
}

bool has_assertions(const promela::System& system) {
  if (system.trace != kNone) return true;
  for (u32 i = 0; i < system.actions.size(); ++i) {
    if (system.actions[i].kind == promela::ActionKind::assertion) return true;
  }
  return false;
}

// The expressions of the command line: --invariant, --reach, propositions of a formula.
struct AskedTexts {
  AskedTexts(const TextRequest& request, Arena& arena)
      : count((request.invariant.empty() ? 0u : 1u) + (request.reach.empty() ? 0u : 1u) +
              (request.automaton == nullptr
                   ? 0u
                   : static_cast<u32>(request.automaton->propositions.size()))),
        texts(scratch_array<Source>(arena, "propositions", count)) {
    u32 next = 0;
    if (!request.invariant.empty()) texts[next++] = {"--invariant", request.invariant};
    if (!request.reach.empty()) texts[next++] = {"--reach", request.reach};
    if (request.automaton == nullptr) return;
    for (const std::string_view text : request.automaton->propositions)
      texts[next++] = {request.property_source.name, text};
  }

  u32 count;
  std::span<Source> texts;
};

Status take_expressions(const AskedTexts& asked, promela::System& system,
                        std::span<ExprId> expressions) {
  const u32 first = system.properties.size() - asked.count;
  for (u32 i = 0; i < asked.count; ++i) {
    expressions[i] = expression_of(system, system.properties[first + i].formula);
    if (expressions[i] != kNone) continue;
    const std::string_view name = asked.texts[i].name;
    return Status::fail(Code::model, "%.*s: an expression without temporal operators is expected",
                        static_cast<int>(name.size()), name.data());
  }
  return {};
}

// Those of the text.
void list_properties(const promela::System& system, u32 count, Text& out) {
  for (u32 i = 0; i < count; ++i)
    out.add(i == 0 ? "" : i + 1 == count ? " and " : ", ").add(system.properties[i].name);
}

// By --property, or the only one.
Status choose(const promela::System& system, u32 count, const TextRequest& request, Arena& arena,
              PromelaRequest& lower) {
  if (request.ignore_property || request.property == "none") return {};
  if (request.property == "accept" || request.property == "progress") {
    lower.accepting = request.property == "accept";
    lower.progress = request.property == "progress";
    lower.property_text = lower.accepting ? "acceptance" : "progress";
    return {};
  }
  FixedText<160> names;
  list_properties(system, count, names);
  if (request.property.empty() && count > 1) {
    return Status::fail(Code::usage,
                        "the model has the properties %s: say which one with --property NAME, or "
                        "--property none",
                        names.c_str());
  }
  u32 chosen = kNone;
  for (u32 i = 0; i < count; ++i) {
    if (request.property.empty() || system.properties[i].name == request.property) chosen = i;
  }
  if (chosen == kNone && request.property.empty()) return {};
  if (chosen == kNone) {
    return Status::fail(Code::usage,
                        "the model has no property '%.*s'%s%s; accept, progress and none are known "
                        "in each model",
                        static_cast<int>(request.property.size()), request.property.data(),
                        count == 0 ? "" : ", only ", names.c_str());
  }
  const promela::Property& property = system.properties[chosen];
  lower.property_text = property.name;
  lower.claim = property.claim;
  // Accept labels of processes count with a claim that is written as one.
  lower.accepting = property.claim != kNone;
  if (property.claim != kNone) return {};
  auto& made = *::new (arena.carve("property", sizeof(FormulaAutomaton))) FormulaAutomaton;
  XMC_TRY(translate_formula(system, property.formula, arena, made));
  lower.automaton = &made.automaton;
  lower.propositions = made.propositions;
  lower.is_of_model = true;
  lower.as_cycles = true;
  return {};
}

// The files of a bundle, while it is lowered, or as they are gathered.
struct Files {
  Bundle& bundle;
  std::string_view model;
  const GatherRequest* request = nullptr;  // reads what is not there yet

  static bool read(void* self, std::string_view name, std::string_view& text) {
    Files& files = *static_cast<Files*>(self);
    const std::string_view short_name = beside(files.model, name);
    if (files.bundle.find(short_name, text)) return true;
    if (files.request == nullptr || files.bundle.files.full()) return false;
    if (!files.request->read(files.request->self, name, text)) return false;
    files.bundle.files.push({short_name, text});
    return true;
  }
};

promela::Definition definition_of(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {text, {}};
  return {piece_of(text, 0, equals), piece_of(text, equals + 1)};
}

std::span<const promela::Definition> definitions_of(const Bundle& bundle, Arena& arena) {
  const auto out =
      scratch_array<promela::Definition>(arena, "definitions", bundle.definitions.size());
  for (u32 i = 0; i < bundle.definitions.size(); ++i) out[i] = definition_of(bundle.definitions[i]);
  return out;
}

}  // namespace

// Files are found as the preprocessor asks for them; what is wrong is said when the text is
// lowered.
Status gather_promela_text(const GatherRequest& request, Arena& arena, std::string_view& text) {
  if (text.find(kBundleMark) != std::string_view::npos) {
    return Status::fail(Code::model, "the model has a character with code 28, which no model has");
  }
  Bundle bundle(arena);
  bundle.text = text;
  bundle.max_processes = request.max_processes;
  for (const std::string_view definition : request.definitions) {
    if (definition.find('\n') != std::string_view::npos)
      return Status::fail(Code::usage, "--define: a value has one line");
    if (bundle.definitions.full()) return Status::fail(Code::usage, "too many --define");
    bundle.definitions.push(definition);
  }
  Files files{bundle, request.file, &request};
  if (text.find("include") != std::string_view::npos) {
    const Source source{request.file, text};
    Diagnostics unheard(
        source, [](void*, std::string_view) {}, nullptr);
    promela::Files sources(arena, "files");
    promela::Tokens tokens(arena, "tokens");
    promela::preprocess(source, definitions_of(bundle, arena), {Files::read, &files}, {}, unheard,
                        arena, sources, tokens);
  }
  const u64 bytes = bundle.bytes();
  if (bytes == text.size()) return {};
  text = bundle.write(static_cast<char*>(arena.scratch("model text", bytes + 1)));
  return {};
}

Status lower_promela_text(const TextRequest& request, ErrorStates errors, Diagnostics::Sink sink,
                          void* sink_self, Arena& arena, LoweredText& out) {
  XMC_TRY(check_promela_request(request, errors));
  const u64 mark = arena.scratch_mark();
  Bundle bundle(arena);
  XMC_TRY(bundle.open(request.text));
  Files files{bundle, request.file};
  const Source source{request.file, bundle.text};
  Diagnostics diagnostics(source, sink, sink_self);
  void* place = arena.scratch("syntax", sizeof(promela::System), alignof(promela::System));
  promela::System& system = *::new (place) promela::System(arena);
  const AskedTexts asked(request, arena);
  promela::Surroundings surroundings;
  surroundings.definitions = definitions_of(bundle, arena);
  surroundings.reader = {Files::read, &files};
  surroundings.asked = asked.texts;
  XMC_TRY(promela::parse(source, surroundings, diagnostics, arena, system));
  if (request.lint) promela_lower::lint_promela(system, bundle.max_processes, diagnostics, arena);
  const auto expressions = scratch_array<ExprId>(arena, "propositions", asked.count);
  XMC_TRY(take_expressions(asked, system, expressions));
  PromelaRequest lower;
  lower.max_processes = bundle.max_processes;
  lower.memory = request.memory;
  lower.as_begun = request.as_begun;
  u32 next = 0;
  if (!request.invariant.empty()) lower.invariant = expressions[next++];
  if (!request.reach.empty()) lower.reach = expressions[next++];
  lower.invariant_text = request.invariant;
  lower.reach_text = request.reach;
  if (request.automaton != nullptr) {
    lower.automaton = request.automaton;
    lower.propositions = expressions.subspan(next);
    lower.as_cycles = request.as_cycles;
    lower.property_text = request.property_text;
  } else {
    XMC_TRY(choose(system, system.properties.size() - asked.count, request, arena, lower));
  }
  ir::RuleProgram& program =
      *::new (arena.carve("program", sizeof(ir::RuleProgram))) ir::RuleProgram{};
  ReducedPromela* reduced = nullptr;
  if (request.dead_variables || request.step_tables) {
    reduced = ::new (arena.carve("program", sizeof(ReducedPromela))) ReducedPromela;
    reduced->wants_dead = request.dead_variables;
    reduced->wants_steps = request.step_tables;
    reduced->only_with_room = request.reduce_if_room;
  }
  XMC_TRY(lower_promela(system, diagnostics, lower, arena, program, out.text, reduced));
  out.program = out.whole = &program;
  if (request.step_tables) {
    out.steps = reduced->why_no_steps == nullptr ? &reduced->steps : nullptr;
    out.why_no_steps = reduced->why_no_steps;
  }
  if (reduced != nullptr && reduced->wants_dead) {
    out.dead = &reduced->dead;
    if (reduced->dead.cell_count != 0) out.program = &reduced->program;
  }
  out.has_assertions = has_assertions(system);
  out.warnings = diagnostics.warning_count();
  arena.scratch_release(mark);
  return {};
}

}  // namespace xmc
