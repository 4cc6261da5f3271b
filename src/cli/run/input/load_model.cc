#include "cli/run/input/load_model.h"

#include <new>

#include "exec/executions.h"
#include "exec/models/fair.h"
#include "exec/models/projection.h"
#include "exec/partial/partial_processes.h"
#include "exec/partial/partial_rules.h"
#include "ir/ir.h"
#include "ir/layout.h"
#include "xmc/check.h"
#include "xmc/hash.h"

namespace xmc {

Status load_model(const LoadRequest& request, Diagnostics::Sink sink, void* sink_self, Arena& arena,
                  LoadedModel& out) {
  XMC_CHECK(request.language != nullptr);
  ErrorStates errors;
  errors.asked = request.errors != ErrorRule::report;
  // Reduced code is for one error rule only: what steps can do depends on all values there are.
  const bool emitted = request.native != nullptr || request.for_emit;
  errors.wanted = errors.asked || (emitted && !request.reduced);
  errors.lead_on = request.errors == ErrorRule::beem;
  TextRequest text = request;
  ltl::Automaton automaton;
  if (request.elsewhere.given()) {
    XMC_TRY(make_automaton(request.elsewhere, true, sink, sink_self, arena, automaton));
    text.automaton = &automaton;
    text.property_source = request.elsewhere.source;
    text.property_text = request.elsewhere.shown();
    text.ignore_property = true;
  }
  XMC_TRY(request.language->lower(text, errors, sink, sink_self, arena, out));
  const ir::Program& program = *out.program;
  out.text.language = request.language->name;
  out.elsewhere = request.elsewhere;
  out.title = request.language->title;
  out.text_hash =
      hash_bytes({reinterpret_cast<const u8*>(request.text.data()), request.text.size()});

  // A predicate on a file with a property process leaves that process out: another program than the
  // compiled one. A counter of fairness that needs a word of its own makes other states.
  out.native = request.native != nullptr && request.native->program_hash == ir::code_hash(program);
  const NativeModel* native = out.native ? request.native : nullptr;
  XMC_TRY(make_vm(program, request.errors, native, arena, out.model));
  XMC_TRY(make_interpreter(*out.whole, request.errors, arena, out.judge));
  out.twin = out.judge;
  if (out.whole != out.program) {
    XMC_TRY(make_interpreter(program, request.errors, arena, out.twin));
    out.map = make_projection(*out.whole, program, *out.dead, arena);
  }
  // A generator makes any number of steps at once: none of them can be asked for alone.
  const bool generates = program.has_rules && ir::with_rules(program).generates;
  if (request.partial && !generates) {
    PartialSteps* const steps =
        ::new (arena.carve("partial steps", sizeof(PartialSteps), alignof(PartialSteps)))
            PartialSteps;
    if (program.has_rules) {
      make_partial_rules(ir::with_rules(program), arena, *steps);
    } else {
      make_partial_processes(program, request.errors, arena, *steps);
    }
    out.model.partial = steps;
  }
  out.fair = program.fair;
  if (!program.fair) return {};
  make_fair(program, out.model, arena, out.model);
  make_fair(*out.whole, out.judge, arena, out.judge);
  if (out.whole == out.program) {
    out.twin = out.judge;
  } else {
    make_fair(program, out.twin, arena, out.twin);
  }
  return {};
}

}  // namespace xmc
