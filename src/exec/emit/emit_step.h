// Steps as C++ text: guards, transmissions and effects of transitions inside the function of a
// process.
#pragma once

#include "exec/emit/emit_expr.h"
#include "exec/emit/emit_writer.h"
#include "ir/ir.h"
#include "xmc/model_text.h"

namespace xmc {

class StepEmitter {
 public:
  StepEmitter(const ir::Program& program, const ModelText& text, ExprEmitter& exprs,
              EmitWriter& out)
      : p_(program), text_(text), exprs_(exprs), out_(out) {}

  // All transitions of one process from one location, inside `case location:`.
  void location(u32 process, u32 location);
  // All steps of the system that can be enabled, each as a case that takes it.
  void take_steps();
  void effects(const ir::Transition& t);
  bool effects_may_fail(const ir::Transition& t) const;
  void location_value(u32 process, const char* state);

 private:
  void comment(u32 t);
  void single(u32 t);
  void take_single(u32 t);
  void take_pair(u32 t, u32 u, u32 step);
  void check_guard(const ir::Transition& t);
  void end_step(u32 step, bool fails);
  bool single_fails(const ir::Transition& t) const;
  bool pair_fails(const ir::Transition& t, const ir::Transition& u) const;
  void sender(u32 t);
  void receivers_of(u32 t, u32 process);
  void pair(u32 t, u32 u, u32 receiver);
  void open_guard(const ir::Transition& t);
  void transmit(const ir::Transition& t, const ir::Transition& u);
  void transmit_buffered(const ir::Transition& t);
  void store(const ir::Target& target, const char* value, const char* index_state);
  void convert(const ir::Channel& c, u32 value, ir::ExprId id, const char* state);
  bool target_may_fail(const ir::Target& t) const;
  bool values_may_fail(const ir::Transition& t) const;

  const ir::Program& p_;
  const ModelText& text_;
  ExprEmitter& exprs_;
  EmitWriter& out_;
};

}  // namespace xmc
