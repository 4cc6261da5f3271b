// Where in the text an expression or a statement is lowered. Whoever goes inside a rule, a routine
// or an alias makes a scope of its own and passes it on.
#pragma once

#include "lower/body_code.h"
#include "lower/murphi/layout.h"

namespace xmc::murphi_lower {

// Where a value of a type is. Local: from register `base` on. Else its address is base, plus what
// register `reg` holds.
struct Place {
  bool local = false;
  u32 base = 0;
  u32 reg = kNone;
  TypeId type = 0;
};

// What an alias stands for: its indices were evaluated once, where it is declared.
struct Alias {
  VariableId variable = 0;
  Place place;
  const Alias* outer = nullptr;
};

struct Scope {
  const Layout& layout;
  const murphi::Rule* rule = nullptr;  // around: what it binds has registers behind its frame
  u32 routine = kNone;                 // whose body it is
  const Alias* aliases = nullptr;      // innermost first
  Label* end = nullptr;                // of the rule

  const murphi::System& system() const { return layout.system; }
  const murphi::Type& type(TypeId id) const { return layout.type(id); }
  const murphi::Expr& expr(ExprId id) const { return layout.expr(id); }
  const murphi::Variable& variable(VariableId id) const { return layout.variable(id); }
  const murphi::Type& type_of(ExprId id) const { return layout.type_of(id); }
  Scope inside(const Alias& alias) const { return {layout, rule, routine, &alias, end}; }
};

// The register of a variable that is in none of the state's leaves.
u32 cell_of(const Scope& scope, VariableId id);

}  // namespace xmc::murphi_lower
