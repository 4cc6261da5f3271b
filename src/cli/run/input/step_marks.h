// What partial order reduction knows about the steps of a model, for people: which are visible, and
// which sticky (ir/tables/step_tables.h).
#pragma once

#include <string_view>

#include "cli/run/input/load_model.h"
#include "ir/tables/step_tables.h"
#include "report/json.h"
#include "xmc/arena.h"

namespace xmc {

// Why no step of the program may be left out, for the end of a sentence; empty: some may.
std::string_view why_steps_stay(const ir::Program& program, Arena& arena);

struct StepMarks {
  bool known = false;  // nothing else is, where it is not
  std::string_view why_not;
  ir::StepTables tables;

  // There are no such steps where nothing asks for them.
  bool visible(u32 step) const {
    return tables.visible_count != 0 && ir::has_bit(tables.visible.data(), step);
  }
  bool sticky(u32 step) const {
    return tables.sticky_count != 0 && ir::has_bit(tables.sticky.data(), step);
  }
};

// Of the model's own property and predicates. Tables stay in the arena.
StepMarks find_step_marks(const LoadedModel& model, Arena& arena);

// A step with its marks, in a row or two.
void write_step(Output& out, const StepMarks& marks, const LoadedModel& model, u32 step);
// How many there are, and those that are marked.
void write_marks(Output& out, const StepMarks& marks, const LoadedModel& model);
// All of them, by positions among the transitions.
void write_marks_json(JsonWriter& json, const StepMarks& marks, const LoadedModel& model);

}  // namespace xmc
