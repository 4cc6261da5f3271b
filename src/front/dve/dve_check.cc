#include "front/dve/dve_check.h"

#include "front/dve/dve_cursor.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc::dve {

namespace {

// The header of a transition, "q -> r", is where a message about the whole of it points.
void report_transition(const Source& source, Diagnostics& diagnostics, const Transition& transition,
                       const char* what, std::string_view name) {
  const std::string_view text =
      piece_of(source.text, transition.text_begin, transition.text_end - transition.text_begin);
  const std::size_t brace = text.find('{');
  std::string_view header = brace == std::string_view::npos ? text : piece_of(text, 0, brace);
  while (header.size() > 1 && header.back() <= ' ') header.remove_suffix(1);
  diagnostics.error(transition.text_begin, transition.text_begin + static_cast<u32>(header.size()),
                    "the property process %s '%.*s', but it may only watch the system", what,
                    shown_bytes(name), name.data());
}

}  // namespace

u32 find_process(const System& system, std::string_view name) {
  for (u32 i = 0; i < system.processes.size(); ++i) {
    if (system.processes[i].name == name) return i;
  }
  return kNone;
}

Status check_property(const Source& source, Diagnostics& diagnostics, const System& system,
                      u32 process) {
  XMC_CHECK(process < system.processes.size());
  const Process& property = system.processes[process];
  const u32 errors = diagnostics.error_count();
  for (u32 t = 0; t < property.transition_count; ++t) {
    const Transition& transition = system.transitions[property.first_transition + t];
    if (transition.sync != Sync::none && transition.channel != kNone) {
      report_transition(source, diagnostics, transition,
                        transition.sync == Sync::send ? "sends on" : "receives from",
                        system.channels[transition.channel].name);
    }
    for (u32 i = 0; i < transition.assignment_count; ++i) {
      const u32 target = system.assignments[transition.first_assignment + i].target.variable;
      if (system.variables[target].process != kNone) continue;
      report_transition(source, diagnostics, transition, "assigns the global",
                        system.variables[target].name);
      break;
    }
  }
  bool accepting = false;
  for (u32 s = 0; s < property.state_count; ++s) {
    accepting = accepting || system.states[property.first_state + s].accepting;
  }
  if (!accepting) {
    const u32 begin = static_cast<u32>(property.name.data() - source.text.data());
    diagnostics.warning(begin, begin + static_cast<u32>(property.name.size()),
                        "property '%.*s' has no accepting state, so it cannot be violated",
                        shown_bytes(property.name), property.name.data());
  }
  if (system.processes.size() == 1) {
    const u32 begin = static_cast<u32>(property.name.data() - source.text.data());
    diagnostics.error(begin, begin + static_cast<u32>(property.name.size()),
                      "there is no process beside the property '%.*s'", shown_bytes(property.name),
                      property.name.data());
  }
  return diagnostics.error_count() == errors ? Status{} : diagnostics.status();
}

}  // namespace xmc::dve
