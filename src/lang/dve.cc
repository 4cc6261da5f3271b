#include "lang/dve.h"

#include <new>

#include "front/dve/dve_check.h"
#include "front/dve/dve_parser.h"
#include "ir/ir.h"
#include "lang/propositions.h"
#include "lower/dead_variables.h"
#include "lower/dve/dve_lower.h"

namespace xmc {

namespace {

// Parses an expression of the command line as a source of its own, so that its diagnostics point
// into it.
Status parse_predicate(const char* option, std::string_view text, Diagnostics::Sink sink,
                       void* self, Arena& arena, dve::System& system, dve::ExprId& out) {
  if (text.empty()) return {};
  const Source source{option, text};
  Diagnostics diagnostics(source, sink, self);
  XMC_LET(out, dve::parse_expression(source, diagnostics, arena, system));
  return {};
}

Status bind_automaton(const TextRequest& request, Diagnostics::Sink sink, void* self, Arena& arena,
                      dve::System& system, DveAutomaton& automaton, LowerRequest& lower) {
  const std::size_t count = request.automaton->propositions.size();
  void* const memory =
      arena.scratch("propositions", count * sizeof(dve::ExprId), alignof(dve::ExprId));
  const std::span<dve::ExprId> propositions{static_cast<dve::ExprId*>(memory), count};
  const auto parse = [&](const Source& piece, Diagnostics& diagnostics) {
    return dve::parse_expression(piece, diagnostics, arena, system);
  };
  XMC_TRY(parse_propositions<dve::ExprId>(request, sink, self, propositions, parse));
  lower.propositions = propositions;
  lower.proposition_texts = request.automaton->propositions;
  lower.property_text = request.property_text;
  return automaton_of(*request.automaton, propositions, request.as_cycles, system, arena,
                      automaton);
}

Status choose_property(const TextRequest& request, const Source& source, Diagnostics& diagnostics,
                       const dve::System& system, u32& property) {
  property = request.ignore_property ? kNone : system.property;
  if (request.property.empty()) return {};
  property = dve::find_process(system, request.property);
  if (property == kNone) {
    return Status::fail(Code::model,
                        "%.*s: no process is called '%.*s' (--property names a process)",
                        static_cast<int>(source.name.size()), source.name.data(),
                        static_cast<int>(request.property.size()), request.property.data());
  }
  if (property == system.property) return {};
  return dve::check_property(source, diagnostics, system, property);
}

}  // namespace

Status lower_dve_text(const TextRequest& request, ErrorStates errors, Diagnostics::Sink sink,
                      void* sink_self, Arena& arena, LoweredText& out) {
  if (request.rumur) {
    return Status::fail(Code::usage, "--dialect is for Murphi models, and this one is in DVE");
  }
  if (request.lint) return Status::fail(Code::usage, "--lint is for Promela models yet");
  const u64 mark = arena.scratch_mark();
  const Source source{request.file, request.text};
  Diagnostics diagnostics(source, sink, sink_self);
  void* place = arena.scratch("syntax", sizeof(dve::System), alignof(dve::System));
  dve::System& system = *::new (place) dve::System(arena);
  XMC_TRY(dve::parse(source, diagnostics, arena, system));

  LowerRequest lower;
  u32 property = kNone;
  XMC_TRY(choose_property(request, source, diagnostics, system, property));
  DveAutomaton automaton;
  if (property != kNone) {
    automaton = automaton_of(system, property, arena);
    lower.automaton = &automaton;
  }
  lower.invariant_spots = system.spots.size();
  if (request.automaton != nullptr) {
    XMC_TRY(bind_automaton(request, sink, sink_self, arena, system, automaton, lower));
    lower.automaton = &automaton;
  }
  lower.invariant_text = request.invariant;
  lower.reach_text = request.reach;
  lower.error_state = errors.wanted;
  lower.errors_lead_on = errors.lead_on;
  lower.fair = request.fair;
  lower.dead_variables = request.dead_variables;
  XMC_TRY(parse_predicate("--invariant", request.invariant, sink, sink_self, arena, system,
                          lower.invariant));
  lower.reach_spots = system.spots.size();
  XMC_TRY(parse_predicate("--reach", request.reach, sink, sink_self, arena, system, lower.reach));

  ir::Program& program = *::new (arena.carve("program", sizeof(ir::Program))) ir::Program{};
  XMC_TRY(lower_dve(system, source, lower, arena, program, out.text));
  out.program = out.whole = &program;
  out.has_assertions = system.assertions.size() != 0;
  out.warnings = diagnostics.warning_count();
  arena.scratch_release(mark);
  if (!request.dead_variables) return {};
  if (request.reduce_if_room && dead_variables_bytes(program) > arena.free_bytes() / 2) return {};
  auto& reduced = *::new (arena.carve("program", sizeof(ir::Program))) ir::Program{};
  auto& dead = *::new (arena.carve("program", sizeof(ir::DeadVariables))) ir::DeadVariables{};
  XMC_TRY(reduce_dve(lower, program, arena, reduced, dead));
  out.dead = &dead;
  if (dead.cell_count != 0) out.program = &reduced;
  return {};
}

}  // namespace xmc
