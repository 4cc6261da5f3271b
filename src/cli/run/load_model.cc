#include "cli/run/load_model.h"

#include <new>

#include "exec/models/fair.h"
#include "exec/partial/partial_processes.h"
#include "exec/partial/partial_rules.h"
#include "exec/processes/interpret.h"
#include "exec/processes/vm.h"
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
  errors.wanted = errors.asked || request.native != nullptr || request.for_emit;
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
  out.text_hash =
      hash_bytes({reinterpret_cast<const u8*>(request.text.data()), request.text.size()});

  // A predicate on a file with a property process leaves that process out: another program than the
  // compiled one. A counter of fairness that needs a word of its own makes other states.
  out.native = request.native != nullptr && request.native->program_hash == ir::code_hash(program);
  const NativeModel* native = out.native ? request.native : nullptr;
  XMC_TRY(make_vm(program, request.errors, native, arena, out.model));
  XMC_TRY(make_interpreter(program, request.errors, arena, out.judge));
  if (request.partial) {
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
  make_fair(program, out.judge, arena, out.judge);
  return {};
}

}  // namespace xmc
