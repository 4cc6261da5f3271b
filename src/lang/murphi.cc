#include "lang/murphi.h"

#include <new>

#include "front/murphi/parser.h"
#include "ir/ir.h"
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
Status check_request(const TextRequest& request, ErrorStates errors) {
  if (request.automaton != nullptr || !request.property.empty()) {
    return Status::fail(Code::usage,
                        "--ltl, --hoa, --never and --property are not supported for Murphi yet");
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
  XMC_TRY(check_request(request, errors));
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
                          lower.invariant));
  XMC_TRY(parse_predicate("--reach", request.reach, sink, sink_self, arena, dialect, system,
                          lower.reach));
  ir::RuleProgram& program =
      *::new (arena.carve("program", sizeof(ir::RuleProgram))) ir::RuleProgram{};
  XMC_TRY(lower_murphi(system, source, diagnostics, lower, arena, program, out.text));
  out.program = &program;
  for (u32 i = 0; i < system.rules.size(); ++i) {
    out.has_assertions |= system.rules[i].kind == murphi::RuleKind::invariant;
  }
  out.stuttering = true;
  out.warnings = diagnostics.warning_count();
  arena.scratch_release(mark);
  return {};
}

}  // namespace xmc
