// Evaluator: the judge's walk over an expression tree. It checks every index and divisor, says
// which operation failed, and can tell what it read.
#pragma once

#include <span>

#include "ir/ir.h"
#include "xmc/types.h"

namespace xmc {

// All fields of a state, element by element, in the order of Program::initial_values.
using Cells = std::span<i32>;

// What an evaluation reads. False: the value is not to be had, and the evaluation ends.
class ReadSink {
 public:
  virtual bool variable(u32 variable, u32 element, i32 value) = 0;
  virtual void table(u32 table, u32 element, i32 value) = 0;
  virtual bool location(u32 process, u32 location) = 0;

 protected:
  ~ReadSink() = default;
};

class Evaluator {
 public:
  Evaluator(const ir::Program& p, Cells cells, ReadSink* reads = nullptr)
      : p_(p), cells_(cells), reads_(reads) {}

  // 0 once something failed.
  i32 operator()(ir::ExprId id);

  bool failed() const { return failed_expr_ != kNone || withheld_; }
  bool withheld() const { return withheld_; }              // by the sink
  ir::ExprId failed_expr() const { return failed_expr_; }  // an index or a division
  i32 failed_index() const { return failed_index_; }

 private:
  i32 indexed(ir::ExprId id, std::span<const i32> values);
  i32 located(const ir::Expr& e);
  i32 binary(ir::ExprId id, i32 a, i32 b);

  const ir::Program& p_;
  Cells cells_;
  ReadSink* reads_;
  ir::ExprId failed_expr_ = kNone;
  i32 failed_index_ = 0;
  bool withheld_ = false;
};

}  // namespace xmc
