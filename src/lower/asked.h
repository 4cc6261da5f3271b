// What is asked about a program beside what its text says: an automaton, a goal and an invariant of
// the command line, as bodies. Their predicates come first and their bodies last: the code of the
// model is the same without them. For languages with bodies; guards of DVE are expressions.
#pragma once

#include "ir/ir.h"
#include "lower/automaton_shape.h"
#include "lower/body_code.h"

namespace xmc {

struct Asked {
  // --ltl and others; null: none. Its propositions, as expressions of the language.
  const ltl::Automaton* automaton = nullptr;
  std::span<const u32> propositions;
  bool as_cycles = false;
  u32 reach = kNone;      // --reach
  u32 invariant = kNone;  // --invariant
};

// What a language makes of its expressions, in a body that is open.
class AskedExpressions {
 public:
  // Goes to `to` if the condition is `when`.
  virtual void branch(u32 expression, Label& to, bool when) = 0;
  // The register that has its value.
  virtual u32 value(u32 expression) = 0;

 protected:
  ~AskedExpressions() = default;
};

using Predicates = Pool<ir::Predicate, 5, 2048>;

// Before predicates of the text.
void announce_asked(const Asked& asked, const AutomatonShape& shape, Predicates& predicates,
                    ir::RuleProgram& program);
// Behind all code of the text. Bodies begin with `fixed` registers.
void lower_asked(const Asked& asked, u32 fixed, AskedExpressions& expressions, BodyCode& code,
                 AutomatonShape& shape, Predicates& predicates, Arena& arena,
                 ir::RuleProgram& program);

}  // namespace xmc
