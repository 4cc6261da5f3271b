// Where everything of a state is, and what is proved about it: constant once it is made. Code is
// made of this, and reads nothing else of the model.
#pragma once

#include <span>

#include "front/promela/system.h"
#include "ir/ir.h"
#include "lower/name_store.h"
#include "lower/promela/facts.h"
#include "lower/promela/layout/slots.h"
#include "xmc/arena.h"

namespace xmc::promela_lower {

// What a leaf is before the model begins.
inline i32 before(ir::Interval range) { return range.contains(0) ? 0 : range.lo; }

struct Layout {
  const promela::System& s;
  const promela::Facts& facts;
  const Slots& slots;
  bool uses_timeout = false;  // some expression does

  // A leaf is an element of a column, which is a variable of the program.
  struct Place {
    u32 column = kNone;
    u32 element = 0;
  };
  std::span<const ir::Variable> columns;
  std::span<const Place> places;  // by leaf

  const ir::Variable& column(u32 leaf) const { return columns[places[leaf].column]; }
  // A column of which no element ever changes has no bits.
  bool is_constant(u32 leaf) const { return column(leaf).lo == column(leaf).hi; }
  // A value that the column has room for anyway; where processes end and others begin, it is 0.
  i32 rest_value(u32 leaf) const { return before({column(leaf).lo, column(leaf).hi}); }
  // In the numbers of Program::initial_values.
  u32 cell(u32 leaf) const { return column(leaf).first_initial + places[leaf].element; }
};

// The variables of the program, with their initial values; the last one is left to the automaton if
// there is one.
void make_columns(bool has_automaton, NameStore& names, Arena& arena, ir::RuleProgram& program,
                  Layout& layout);
// The leaves of the program, once its variables have places in a state.
void place_leaves(const Layout& layout, Arena& arena, ir::RuleProgram& program);

}  // namespace xmc::promela_lower
