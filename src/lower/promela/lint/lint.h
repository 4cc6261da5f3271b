// What is suspicious about a Promela model, as warnings where it stands: values that a store cuts,
// statements and processes that are never there, channels without a sender or a receiver, variables
// that nobody reads, an `else` beside what can always be executed.
//
// All of it is said of every execution: statements by the graphs of the processes and by what
// facts.h proves, not by a search. So a model without a warning may still have statements that no
// run reaches, but what is called unreachable is.
#pragma once

#include "front/promela/system.h"
#include "front/source.h"
#include "lower/promela/facts.h"
#include "xmc/arena.h"

namespace xmc::promela_lower {

// Memory is taken from the arena's scratch. `max_processes` is that of FactsRequest.
void lint_promela(const promela::System& system, u32 max_processes, Diagnostics& diagnostics,
                  Arena& arena);

// The parts of it.
class LintReport {
 public:
  explicit LintReport(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  // The statement of an inline stands in one place of the text, and is told once.
  [[gnu::format(printf, 3, 4)]] void warn(promela::Span place, const char* pattern, ...);

 private:
  Diagnostics& diagnostics_;
  promela::Span last_;
};

void lint_statements(const promela::System& system, const promela::Facts& facts, Arena& arena,
                     LintReport& report);
void lint_stores(const promela::System& system, const promela::Facts& facts, LintReport& report);
void lint_variables(const promela::System& system, Arena& arena, LintReport& report);
void lint_labels(const promela::System& system, LintReport& report);
void lint_channels(const promela::System& system, const promela::Facts& facts, LintReport& report);

// All processes and places that an action can be executed at: use(slot, proctype, place, action).
template <class Use>
void each_action(const promela::System& s, const promela::Facts& facts, Use use) {
  for (u32 type = 0; type < s.proctypes.size(); ++type) {
    const promela::Proctype& t = s.proctypes[type];
    if (!promela::can_run(t.kind)) continue;
    for (u32 slot = 0; slot < facts.slots(); ++slot) {
      if (!facts.can_be(slot, type)) continue;
      for (u32 p = 0; p < t.place_count; ++p) {
        const promela::PlaceId id = t.first_place + p;
        if (!facts.can_be_at(slot, id)) continue;
        const promela::Place& place = s.places[id];
        for (u32 o = 0; o < place.option_count; ++o)
          use(slot, type, id, s.options[place.first_option + o].action);
      }
    }
  }
}

}  // namespace xmc::promela_lower
