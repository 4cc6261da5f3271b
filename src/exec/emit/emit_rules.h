// A program with rules as C++ text: a function for each rule, with loops over its parameters, and
// one for each predicate of the model. What a guard says before it asks for an inner parameter is
// said outside of that parameter's loop.
#pragma once

#include "exec/emit/emit_writer.h"
#include "exec/emit/flat_body.h"
#include "exec/emit/leaf_columns.h"
#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/model_text.h"

namespace xmc {

class BodyEmitter;

class RulesEmitter {
 public:
  RulesEmitter(const ir::Program& program, const ModelText& text, Arena& arena, EmitWriter& out);

  void constants();
  void program();

 private:
  void leaves();
  void routine(u32 index);
  void predicate(u32 index);
  void rule(u32 index);
  // Of a generator.
  void generator();
  void generator_body(u32 index);
  void call_body(u32 index);
  u32 body_of(u32 index) const;
  void open_loops(const ir::Rule& rule, BodyEmitter& body, u32 depth, u32 split);
  u32 split_before(const BodyEmitter& body, const ir::Rule& rule, u32 parameter, u32 bound) const;
  void keep_registers(const BodyEmitter& body, u32 split, bool restore);
  const ir::Parameter& parameter(const ir::Rule& rule, u32 index) const {
    return p_.parameters[rule.first_parameter + index];
  }

  const ir::RuleProgram& p_;
  const ModelText& text_;
  Arena& arena_;
  EmitWriter& out_;
  FlatBodies flat_;
  LeafColumns columns_;
};

}  // namespace xmc
