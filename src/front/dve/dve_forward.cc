// P.q before P is declared. Its node is made at once, with kNone for the process and the number of
// the forward reference for the state, and completed when the whole text is known. Equal references
// share one node: the process name is kept in a scope of its own, and the state in the scope of
// that entry.
#include "front/dve/dve_context.h"
#include "xmc/check.h"

namespace xmc::dve {

namespace {

// Scopes that no process number and not kGlobal can be.
constexpr u32 kForwardProcesses = 0x8000'0000u;
constexpr u32 kForwardStates = 0x8000'0001u;

}  // namespace

ExprId forward_state(Context& context, const Token& process, const Token& state) {
  const std::string_view process_text = context.cursor.text(process);
  const std::string_view state_text = context.cursor.text(state);
  u32 owner = context.symbols.find(kForwardProcesses, process_text);
  if (owner == kNone) {
    const u32 number = context.forward_processes++;
    owner = context.add_symbol(
        {process_text, kForwardProcesses, number, Kind::forward_process, false, false}, process);
  }
  const u32 scope = kForwardStates + context.symbols[owner].index;
  const u32 known = context.symbols.find(scope, state_text);
  if (known != kNone) return context.forwards[context.symbols[known].index].node;
  const u32 index = context.add(context.forwards, ForwardState{process_text, state_text, kNone},
                                "references to later processes", span(state));
  context.forwards[index].node = context.nodes.make(Op::in_state, kNone, index);
  context.add_symbol({state_text, scope, index, Kind::forward_state, false, false}, state);
  return context.forwards[index].node;
}

void resolve_forward_states(Context& context) {
  for (u32 i = 0; i < context.forwards.size(); ++i) {
    const ForwardState& forward = context.forwards[i];
    const Span named = context.source.span_of(forward.process);
    const int process_bytes = shown_bytes(forward.process);
    const u32 owner = context.symbols.find(kGlobal, forward.process);
    if (owner == kNone || context.symbols[owner].kind != Kind::process) {
      const u32 entry = context.symbols.find(kForwardProcesses, forward.process);
      if (context.symbols[entry].warned) continue;  // one message for a process that is not there
      context.symbols[entry].warned = true;
      context.error(named, "unknown process '%.*s'", process_bytes, forward.process.data());
      continue;
    }
    const u32 process = context.symbols[owner].index;
    const u32 state = context.symbols.find(process, forward.state);
    if (state == kNone || context.symbols[state].kind != Kind::state) {
      const Span whole = join(named, context.source.span_of(forward.state));
      context.error(whole, "process '%.*s' has no state '%.*s'", process_bytes,
                    forward.process.data(), shown_bytes(forward.state), forward.state.data());
      continue;
    }
    Expr& node = context.system.expressions[forward.node];
    XMC_CHECK(node.op == Op::in_state);
    XMC_CHECK(node.a == kNone);
    node = {Op::in_state, process, context.symbols[state].index};
  }
}

}  // namespace xmc::dve
