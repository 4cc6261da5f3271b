// What every consumer of an accepted Murphi model takes for granted, checked over its whole tree.
#pragma once

#include "front/murphi/ast.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace murphi_test {

using namespace xmc;
using murphi::Op;
using murphi::StmtOp;
using murphi::System;
using murphi::TypeKind;

inline void check_type(const System& system, u32 id) {
  const murphi::Type& type = system.types[id];
  XMC_CHECK(type.leaves <= limits::kLeaves);
  XMC_CHECK(type.depth <= limits::kBlockDepth);
  switch (type.kind) {
    case TypeKind::error:
    case TypeKind::integer:
      XMC_CHECK(id <= murphi::kIntegerType);
      break;
    case TypeKind::record:
      XMC_CHECK(type.first + type.count <= system.fields.size());
      for (u32 i = type.first; i < type.first + type.count; ++i) {
        XMC_CHECK(system.fields[i].type < id);
        XMC_CHECK(system.fields[i].type > murphi::kIntegerType);
      }
      break;
    case TypeKind::array:
      XMC_CHECK(type.index < id);
      XMC_CHECK(type.element < id);
      XMC_CHECK(type.element > murphi::kIntegerType);
      break;
    case TypeKind::multiset:
      XMC_CHECK(type.element < id);
      XMC_CHECK(type.leaves == type.count * (system.types[type.element].leaves + 1));
      break;
    case TypeKind::union_of:
      XMC_CHECK(type.count >= 2);
      XMC_CHECK(type.first + type.count <= system.parts.size());
      break;
    default:
      XMC_CHECK(type.low <= type.high);
  }
}

// Children stand before their parents, are lower, and nothing is of a wrong type.
class Node {
 public:
  Node(const System& system, u32 id) : system_(system), id_(id), node_(system.expressions[id]) {}

  void check() const {
    XMC_CHECK(node_.height <= limits::kTreeDepth);
    XMC_CHECK(node_.place.begin <= node_.place.end);
    const bool procedure = node_.op == Op::call && !system_.routines[node_.a].is_function;
    XMC_CHECK((node_.type == murphi::kErrorType) == procedure);
    if (node_.op <= Op::call) {
      check_primary();
    } else {
      check_operands();
    }
  }

 private:
  const murphi::Expr& child(u32 expr) const {
    XMC_CHECK(expr < id_);
    XMC_CHECK(expr != 0);
    XMC_CHECK(system_.expressions[expr].height < node_.height);
    return system_.expressions[expr];
  }

  void check_literal() const {
    const murphi::Type& type = system_.types[node_.type];
    if (type.kind == TypeKind::integer || type.kind == TypeKind::range) return;
    XMC_CHECK(node_.value >= type.low);
    XMC_CHECK(node_.value <= type.high);
  }

  void check_element() const {
    const murphi::Type& type = system_.types[child(node_.a).type];
    const bool multiset = type.kind == TypeKind::multiset;
    XMC_CHECK(multiset || type.kind == TypeKind::array);
    const TypeKind index = system_.types[child(node_.b).type].kind;
    XMC_CHECK(multiset == (index == TypeKind::choice));
    XMC_CHECK(node_.type == type.element);
  }

  void check_primary() const {
    switch (node_.op) {
      case Op::literal:
        check_literal();
        break;
      case Op::undefined:
        break;
      case Op::variable:
        XMC_CHECK(node_.a < system_.variables.size());
        XMC_CHECK(system_.variables[node_.a].type == node_.type);
        break;
      case Op::field: {
        const murphi::Type& record = system_.types[child(node_.a).type];
        XMC_CHECK(record.kind == TypeKind::record);
        XMC_CHECK(node_.b >= record.first && node_.b < record.first + record.count);
        break;
      }
      case Op::element:
        check_element();
        break;
      default:
        XMC_CHECK(node_.op == Op::call);
        XMC_CHECK(node_.c == system_.routines[node_.a].parameter_count);
        XMC_CHECK(node_.b + node_.c <= system_.arguments.size());
        for (u32 i = node_.b; i < node_.b + node_.c; ++i) child(system_.arguments[i]);
    }
  }

  void check_operands() const {
    switch (node_.op) {
      case Op::conditional:
        XMC_CHECK(child(node_.a).type == murphi::kBooleanType);
        child(node_.b);
        child(node_.c);
        break;
      case Op::forall:
      case Op::exists:
      case Op::count:
        XMC_CHECK(node_.a < system_.variables.size());
        XMC_CHECK(child(node_.b).type == murphi::kBooleanType);
        break;
      case Op::is_undefined:
      case Op::negate:
      case Op::bit_not:
      case Op::logical_not:
        child(node_.a);
        break;
      case Op::is_member:
      case Op::to_union:
      case Op::from_union:
        XMC_CHECK(system_.types[child(node_.a).type].kind != TypeKind::range);
        break;
      default:
        child(node_.a);
        child(node_.b);
    }
  }

  const System& system_;
  const u32 id_;
  const murphi::Expr& node_;
};

inline void check_expression(const System& system, u32 id) { Node(system, id).check(); }

inline bool is_expression(const System& system, u32 id) {
  return id != 0 && id < system.expressions.size();
}

inline void check_statement(const System& system, u32 id) {
  const murphi::Stmt& statement = system.statements[id];
  const u32 size = system.statements.size();
  XMC_CHECK(statement.next == kNone || statement.next < size);
  XMC_CHECK(statement.next != id);
  switch (statement.op) {
    case StmtOp::assign:
    case StmtOp::add:
    case StmtOp::remove:
      XMC_CHECK(is_expression(system, statement.a));
      XMC_CHECK(is_expression(system, statement.b));
      break;
    case StmtOp::switch_on:
      XMC_CHECK(is_expression(system, statement.a));
      [[fallthrough]];
    case StmtOp::if_chain:
      XMC_CHECK(statement.b == kNone || system.statements[statement.b].op == StmtOp::clause);
      break;
    case StmtOp::clause:
      XMC_CHECK(statement.b == kNone || statement.b < id);
      XMC_CHECK(statement.c == 0 || statement.a + statement.c <= system.labels.size());
      break;
    case StmtOp::for_loop:
    case StmtOp::alias:
      XMC_CHECK(statement.a < system.variables.size());
      XMC_CHECK(statement.b == kNone || statement.b < id);
      break;
    case StmtOp::while_loop:
      XMC_CHECK(is_expression(system, statement.a));
      XMC_CHECK(statement.b == kNone || statement.b < id);
      break;
    case StmtOp::remove_if:
      XMC_CHECK(statement.a < system.variables.size());
      XMC_CHECK(is_expression(system, statement.b));
      break;
    case StmtOp::fail:
      break;
    case StmtOp::put:
    case StmtOp::give_back:
      XMC_CHECK(statement.a == kNone || is_expression(system, statement.a));
      break;
    default:
      XMC_CHECK(is_expression(system, statement.a));
  }
}

inline void check_rule(const System& system, const murphi::Rule& rule) {
  const bool has_body =
      rule.kind == murphi::RuleKind::rule || rule.kind == murphi::RuleKind::startstate;
  XMC_CHECK(has_body || rule.body == kNone);
  XMC_CHECK(has_body || is_expression(system, rule.guard));
  if (rule.guard != kNone) {
    XMC_CHECK(is_expression(system, rule.guard));
    XMC_CHECK(system.expressions[rule.guard].type == murphi::kBooleanType);
  }
  XMC_CHECK(rule.first_binding + rule.binding_count <= system.bindings.size());
  XMC_CHECK(rule.body == kNone || rule.body < system.statements.size());
}

inline void check_tree(const System& system) {
  for (u32 i = 0; i < system.types.size(); ++i) check_type(system, i);
  for (u32 i = 1; i < system.expressions.size(); ++i) check_expression(system, i);
  for (u32 i = 0; i < system.statements.size(); ++i) check_statement(system, i);
  for (u32 i = 0; i < system.rules.size(); ++i) check_rule(system, system.rules[i]);
  u32 leaves = 0;
  for (u32 i = 0; i < system.variables.size(); ++i) {
    const murphi::Variable& variable = system.variables[i];
    XMC_CHECK(variable.type != murphi::kErrorType);
    XMC_CHECK(variable.type < system.types.size());
    if (variable.role != murphi::Role::global) continue;
    XMC_CHECK(variable.leaf == leaves);
    leaves += system.types[variable.type].leaves;
  }
  XMC_CHECK(leaves == system.state_leaves);
}

}  // namespace murphi_test
