// Guards of rules with parameters: where one is found to be false, how many of the parameters have
// been asked for by then. A machine then need not try the instances that differ in others only.
#pragma once

#include "ir/ir.h"

namespace xmc {

// Behind a rule with n parameters stand n + 1 actions `disabled`, for n, n - 1, ... 0 parameters,
// and its guard goes to the first of them. Here each jump gets the one that it can have.
void share_guards(ir::RuleProgram& program);

}  // namespace xmc
