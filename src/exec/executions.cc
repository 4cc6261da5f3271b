#include "exec/executions.h"

#include "exec/processes/processes_judge.h"
#include "exec/processes/vm.h"
#include "exec/rules/rules.h"

namespace xmc {

Status make_vm(const ir::Program& program, ErrorRule errors, const NativeModel* native,
               Arena& arena, Model& model) {
  if (program.has_rules) return make_rules(ir::with_rules(program), native, arena, model);
  return make_process_vm(program, errors, native, arena, model);
}

Status make_interpreter(const ir::Program& program, ErrorRule errors, Arena& arena, Model& model) {
  if (program.has_rules) return make_rules_judge(ir::with_rules(program), arena, model);
  make_process_judge(program, errors, arena, model);
  return {};
}

}  // namespace xmc
