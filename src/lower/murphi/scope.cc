#include "lower/murphi/scope.h"

namespace xmc::murphi_lower {

u32 cell_of(const Scope& scope, VariableId id) {
  const u32 reference = scope.layout.references[id];
  if (reference != kNone) return reference;
  if (scope.rule != nullptr) {
    u32 cell = scope.rule->frame_leaves;
    for (u32 i = 0; i < scope.rule->binding_count; ++i) {
      const VariableId bound = scope.system().bindings[scope.rule->first_binding + i];
      if (bound == id) return cell;
      cell += scope.layout.cells_of(bound);
    }
  }
  return scope.variable(id).leaf;
}

}  // namespace xmc::murphi_lower
