// Rules, startstates and properties. A rule is one body: aliases around it, its guard, `begin`, its
// statements.
#pragma once

#include "lower/asked.h"
#include "lower/murphi/bindings.h"
#include "lower/murphi/code.h"
#include "lower/murphi/scope.h"

namespace xmc::murphi_lower {

// What becomes of them.
struct RuleLists {
  RuleLists(const murphi::System& system, bool is_symmetric, Arena& arena);

  Pool<ir::Rule, 5, 2048> rules;
  Pool<ir::Rule, 5, 2048> starts;
  Pool<ir::Rule, 5, 2048> liveness;
  Parameters parameters;
  Predicates predicates;
  Pool<u32, 5, 2048> assumptions;
  bool symmetric;               // permutations of a state can stand for it
  std::span<Alias> alias_room;  // around one rule
};

// Without liveness properties where a formula is checked instead.
void lower_rules(Code& code, const Layout& layout, bool with_liveness, RuleLists& out);

}  // namespace xmc::murphi_lower
