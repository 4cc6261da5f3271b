// A checked Promela system as a program whose rules are processes.
#pragma once

#include <string_view>

#include "front/promela/system.h"
#include "front/source.h"
#include "ir/dead.h"
#include "ir/ir.h"
#include "ir/tables/step_tables.h"
#include "lower/promela/liveness.h"
#include "ltl/automaton.h"
#include "xmc/arena.h"
#include "xmc/model_text.h"
#include "xmc/status.h"

namespace xmc {

struct PromelaRequest {
  u32 max_processes = 0;              // --max-procs; 0: not given
  u32 claim = kNone;                  // System::proctypes: the never claim that is checked
  bool accepting = false;             // accept labels of processes count: with a claim, or without
  bool progress = false;              // --property progress
  bool is_of_model = false;           // the automaton is that of an ltl block
  promela::ExprId invariant = kNone;  // --invariant
  promela::ExprId reach = kNone;      // --reach
  // --ltl and others, ltl blocks; null: none. Its propositions, as expressions.
  const ltl::Automaton* automaton = nullptr;
  std::span<const promela::ExprId> propositions;
  bool as_cycles = false;
  std::string_view property_text;
  std::string_view invariant_text;
  std::string_view reach_text;
  bool as_begun = false;  // what is reduced was so before: memory has to do
  u64 memory = 0;         // bytes that choices count on (TextRequest); 0: all that is free
  promela_lower::LocalRules local_rules;
  bool forgets_heads = false;  // for tests of tests: StepFacts
};

// The program without its dead variables: rules, steps and labels are those of the whole one, and
// its states are bisimilar by the function that `dead` is. No cells: it is the whole one again.
struct ReducedPromela {
  bool wants_dead = false;  // not any more, once there is no room for it
  bool wants_steps = false;
  bool only_with_room = false;  // else nothing is left out
  ir::RuleProgram program;
  ir::DeadVariables dead;
  // Of the program that is searched; a word says why there are none.
  ir::StepTables steps;
  const char* why_no_steps = nullptr;
};

// Fills in the program and its words, and the reduced program where it is asked for. What is not
// supported is refused where it stands.
Status lower_promela(const promela::System& system, Diagnostics& diagnostics,
                     const PromelaRequest& request, Arena& arena, ir::RuleProgram& program,
                     ModelText& text, ReducedPromela* reduced = nullptr);

}  // namespace xmc
