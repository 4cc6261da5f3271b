// A program with processes as C++ text: a function for each process, the property's moves, and what
// locations say.
#pragma once

#include "exec/emit/emit_expr.h"
#include "exec/emit/emit_step.h"
#include "exec/emit/emit_writer.h"
#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/model_text.h"

namespace xmc {

class ProcessesEmitter {
 public:
  ProcessesEmitter(const ir::Program& program, const ModelText& text, Arena& arena, EmitWriter& out)
      : p_(program), out_(out), exprs_(program, out, arena), steps_(program, text, exprs_, out) {}

  // With expand() in two halves, too.
  void be_stepwise() { stepwise_ = true; }
  void constants();
  void program();

 private:
  void predicates_of_locations();
  void property();
  void process(u32 process);
  void flagged(const char* name, u8 flag, bool only_property);

  const ir::Program& p_;
  EmitWriter& out_;
  ExprEmitter exprs_;
  StepEmitter steps_;
  bool stepwise_ = false;
};

}  // namespace xmc
