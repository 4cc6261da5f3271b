#include "lang/murphi.h"

#include <new>

#include "front/murphi/parser.h"
#include "ir/ir.h"
#include "lang/propositions.h"
#include "lower/murphi/murphi_lower.h"

namespace xmc {

namespace {

Status parse_predicate(const char* option, std::string_view text, Diagnostics::Sink sink,
                       void* self, Arena& arena, murphi::Dialect dialect, murphi::System& system,
                       murphi::ExprId& out) {
  if (text.empty()) return {};
  const Source source{option, text};
  Diagnostics diagnostics(source, sink, self);
  XMC_LET(out, murphi::parse_expression(source, diagnostics, arena, dialect, system));
  return {};
}

// What the tool can do, and this language cannot yet.
Status check_murphi_request(const TextRequest& request, ErrorStates errors) {
  if (!request.property.empty()) {
    return Status::fail(Code::usage,
                        "--property names a process of the model, and Murphi has none; use --ltl");
  }
  if (request.lint) return Status::fail(Code::usage, "--lint is for Promela models yet");
  if (request.fair) {
    return Status::fail(Code::usage,
                        "--fairness is about processes, and Murphi has none; put what is fair into "
                        "the formula");
  }
  if (errors.asked) {
    return Status::fail(Code::usage,
                        "Murphi models have no error states: --errors beem and --errors stop are "
                        "not supported for them");
  }
  return {};
}

}  // namespace

Status lower_murphi_text(const TextRequest& request, ErrorStates errors, Diagnostics::Sink sink,
                         void* sink_self, Arena& arena, LoweredText& out) {
  XMC_TRY(check_murphi_request(request, errors));
  const u64 mark = arena.scratch_mark();
  const Source source{request.file, request.text};
  Diagnostics diagnostics(source, sink, sink_self);
  void* place = arena.scratch("syntax", sizeof(murphi::System), alignof(murphi::System));
  murphi::System& system = *::new (place) murphi::System(arena);
  const murphi::Dialect dialect = request.rumur ? murphi::Dialect::rumur : murphi::Dialect::cmurphi;
  XMC_TRY(murphi::parse(source, diagnostics, arena, dialect, system));
  MurphiRequest lower;
  lower.dialect = dialect;
  lower.symmetry = request.symmetry;
  lower.invariant_text = request.invariant;
  lower.reach_text = request.reach;
  XMC_TRY(parse_predicate("--invariant", request.invariant, sink, sink_self, arena, dialect, system,
                          lower.asked.invariant));
  XMC_TRY(parse_predicate("--reach", request.reach, sink, sink_self, arena, dialect, system,
                          lower.asked.reach));
  if (request.automaton != nullptr) {
    const std::size_t count = request.automaton->propositions.size();
    void* const memory =
        arena.scratch("propositions", count * sizeof(murphi::ExprId), alignof(murphi::ExprId));
    const std::span<murphi::ExprId> propositions{static_cast<murphi::ExprId*>(memory), count};
    const auto parse = [&](const Source& piece, Diagnostics& said) {
      return murphi::parse_expression(piece, said, arena, dialect, system);
    };
    XMC_TRY(parse_propositions<murphi::ExprId>(request, sink, sink_self, propositions, parse));
    lower.asked.automaton = request.automaton;
    lower.asked.propositions = propositions;
    lower.asked.as_cycles = request.as_cycles;
    lower.property_text = request.property_text;
  }
  ir::RuleProgram& program =
      *::new (arena.carve("program", sizeof(ir::RuleProgram))) ir::RuleProgram{};
  XMC_TRY(lower_murphi(system, source, diagnostics, lower, arena, program, out.text));
  out.program = out.whole = &program;
  for (u32 i = 0; i < system.rules.size(); ++i) {
    out.has_assertions |= system.rules[i].kind == murphi::RuleKind::invariant;
  }
  out.stuttering = true;
  out.warnings = diagnostics.warning_count();
  arena.scratch_release(mark);
  return {};
}

}  // namespace xmc
