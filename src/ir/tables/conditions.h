// Conditions of a program's expressions, for step tables: comparisons of one cell with a constant
// are told exactly, other comparisons by what raises and lowers the difference of their sides.
//
// Everything is linear in the size of an expression: one with more than kConditionNodes nodes is
// opaque, and only what it reads is known.
#pragma once

#include "ir/tables/step_facts.h"

namespace xmc::ir {

class ConditionMaker {
 public:
  ConditionMaker(const Program& program, StepFacts& facts);

  // The condition that the expression is not 0, or that it is 0. One that fails is not taken apart.
  // Parts of others may fail, but only where they are not evaluated: what they count as then does
  // not matter.
  u32 make(ExprId id, bool truth, bool fails);
  u32 make(ExprId id, bool truth) { return make(id, truth, p_.exprs[id].may_fail); }
  u32 location(u32 process, u32 location);
  u32 all_of(u32 a, u32 b);
  // Adds conditions that hold together where the expression is not 0, in the order of the text.
  template <class Add>
  void split(ExprId id, bool fails, Add add);

  bool small(ExprId id);
  // Cells that an expression reads, each expression once.
  template <class Read>
  void reads(ExprId id, Read read) {
    ++stamp_;
    read_node(id, read);
  }
  Interval range(ExprId id) const { return ranges_[id]; }

 private:
  static constexpr u32 kNodes = 300;

  bool count_nodes(ExprId id);
  u32 node(ExprId id, bool truth);
  u32 leaf(ExprId id, bool truth);
  u32 opaque(ExprId id, bool truth);
  u32 balance(ExprId id, Op op);
  void side(ExprId id, int sign);
  void all_unknown(ExprId id);
  void input(CellRange cells, int sign) {
    f_.inputs.push({cells, static_cast<i8>(sign), false, 0});
  }
  CellRange cells_of(u32 variable) const {
    return {p_.variables[variable].first_initial, p_.variables[variable].size};
  }
  template <class Read>
  void read_node(ExprId id, Read& read) {
    const Expr& e = p_.exprs[id];
    if (e.op == Op::constant || seen_[id] == stamp_) return;
    seen_[id] = stamp_;
    if (e.op == Op::load) return read(CellRange{p_.variables[e.a].first_initial + e.b, 1});
    if (e.op == Op::at) {
      return read(CellRange{p_.variables[p_.processes[e.a].location].first_initial, 1});
    }
    if (e.op == Op::element) read(cells_of(e.a));
    if (has_index(e.op)) return read_node(e.b, read);
    read_node(e.a, read);
    if (is_binary(e.op)) read_node(e.b, read);
  }

  const Program& p_;
  StepFacts& f_;
  std::span<u32> seen_;         // by expression
  std::span<Interval> ranges_;  // by expression: all its values
  u32 stamp_ = 0;
  u32 budget_ = 0;
};

template <class Add>
void ConditionMaker::split(ExprId id, bool fails, Add add) {
  const Expr& e = p_.exprs[id];
  if (e.op == Op::logical_and && !fails && small(id)) {
    split(e.a, fails, add);
    split(e.b, fails, add);
    return;
  }
  add(id);
}

}  // namespace xmc::ir
