// A program with rules as a Model: the machine for bodies tries every instance of every rule.
#pragma once

#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/model.h"
#include "xmc/status.h"

namespace xmc {

struct NativeModel;

// The program must outlive the model. Startstates run here, once: one that fails leaves the state
// in which all is undefined as the only initial one, and that has the erroneous step. With `native`
// compiled code tries the rules.
Status make_rules(const ir::RuleProgram& program, const NativeModel* native, Arena& arena,
                  Model& model);

// The same by the judge (exec/rules/body_judge.h), which trusts nothing that the lowering proved.
Status make_rules_judge(const ir::RuleProgram& program, Arena& arena, Model& model);

}  // namespace xmc
