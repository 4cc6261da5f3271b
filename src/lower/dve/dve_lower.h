// From the checked DVE tree to the IR: names are gone, arrays that never change become tables,
// processes are numbered without a property that is not asked for, buffered channels become
// variables, and an automaton becomes the process that a product is made with. Then ranges, layout
// and step labels.
#pragma once

#include "front/dve/dve_ast.h"
#include "front/source.h"
#include "ir/dead.h"
#include "ir/ir.h"
#include "lower/dve/dve_automaton.h"
#include "xmc/arena.h"
#include "xmc/model_text.h"
#include "xmc/status.h"

namespace xmc {

struct LowerRequest {
  const DveAutomaton* automaton = nullptr;  // of a product; null: no product
  // Of an automaton from elsewhere: its propositions, their texts, and what people know it by.
  std::span<const dve::ExprId> propositions;
  std::span<const std::string_view> proposition_texts;
  std::string_view property_text;
  dve::ExprId invariant = kNone;
  dve::ExprId reach = kNone;
  std::string_view invariant_text;
  std::string_view reach_text;
  u32 invariant_spots = 0;      // dve::System::spots of the two begin here; those of the model are
  u32 reach_spots = 0;          // before, and each has the ones up to the next
  bool error_state = false;     // make room for the error state if a step can be erroneous
  bool errors_lead_on = false;  // such a step is taken, and others follow: --errors beem
  bool fair = false;            // make room for the counter of weak fairness in a product
  bool dead_variables = false;  // they are to be removed: their constants have to be there
};

// The program and its text live in permanent arena memory; nothing refers to the source afterwards.
Status lower_dve(const dve::System& system, const Source& source, const LowerRequest& request,
                 Arena& arena, ir::Program& program, ModelText& text);

// The same program without its dead variables (lower/dead_variables.h).
Status reduce_dve(const LowerRequest& request, const ir::Program& whole, Arena& arena,
                  ir::Program& reduced, ir::DeadVariables& dead);

}  // namespace xmc
