#include "lower/promela/lint/lint.h"

#include <cstdarg>

namespace xmc::promela_lower {

void LintReport::warn(promela::Span place, const char* pattern, ...) {
  if (place.begin == last_.begin && place.end == last_.end) return;
  last_ = place;
  va_list args;
  va_start(args, pattern);
  diagnostics_.report(Diagnostics::Severity::warning, place.begin, place.end, pattern, args);
  va_end(args);
}

void lint_promela(const promela::System& system, u32 max_processes, Diagnostics& diagnostics,
                  Arena& arena) {
  const promela::Facts facts = promela::find_facts(system, {.max_processes = max_processes}, arena);
  LintReport report(diagnostics);
  lint_statements(system, facts, arena, report);
  if (!facts.is_assumed()) lint_stores(system, facts, report);
  lint_channels(system, facts, report);
  lint_variables(system, arena, report);
  lint_labels(system, report);
}

}  // namespace xmc::promela_lower
