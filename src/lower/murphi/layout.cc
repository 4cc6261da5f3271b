#include "lower/murphi/layout.h"

#include <algorithm>

namespace xmc::murphi_lower {

namespace {

// Behind the leaves of its frame come the addresses of references, then its result.
RoutineFrame frame_of(const Layout& layout, const murphi::Routine& r, std::span<u32> references) {
  RoutineFrame frame;
  u32 next = r.frame_leaves;
  for (u32 k = 0; k < r.parameter_count; ++k) {
    const VariableId id = layout.system.parameters[r.first_parameter + k];
    const murphi::Variable& v = layout.variable(id);
    if (v.role == Role::reference) {
      references[id] = next++;
    } else {
      frame.parameters_end = std::max(frame.parameters_end, v.leaf + layout.type(v.type).leaves);
    }
  }
  frame.result = next;
  frame.fixed = next + (r.is_function ? layout.type(r.result).leaves : 0);
  return frame;
}

u32 most_leaves(const Layout& layout) {
  u32 most = 0;
  for (u32 i = 0; i < layout.system.variables.size(); ++i) {
    const murphi::Variable& v = layout.variable(i);
    if (v.role != Role::global && v.role != Role::reference)
      most = std::max(most, v.leaf + layout.cells_of(i));
  }
  return most;
}

}  // namespace

Layout lay_out(const murphi::System& system, murphi::Dialect dialect, Arena& arena) {
  const auto frames = arena.carve_array<RoutineFrame>("program", system.routines.size());
  const auto references = arena.carve_array<u32>("program", system.variables.size());
  std::fill(references.begin(), references.end(), kNone);
  Layout layout{system, dialect, frames, references};
  for (u32 i = 0; i < system.routines.size(); ++i)
    frames[i] = frame_of(layout, system.routines[i], references);
  layout.asked_cells = most_leaves(layout);
  return layout;
}

}  // namespace xmc::murphi_lower
