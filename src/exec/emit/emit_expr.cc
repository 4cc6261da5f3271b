#include "exec/emit/emit_expr.h"

#include "exec/processes/sharing.h"
#include "xmc/check.h"

namespace xmc {

using ir::Op;

ExprEmitter::ExprEmitter(const ir::Program& program, EmitWriter& out, Arena& arena)
    : p_(program), out_(out), shared_(find_shared(program, arena)) {}

bool ExprEmitter::is_boolean(Op op) const {
  return op == Op::at || op == Op::logical_not || ir::is_comparison(op) || ir::is_logical(op);
}

void ExprEmitter::tables() {
  for (u32 i = 0; i < p_.tables.size(); ++i) {
    out_.format("constexpr i32 table_%u[] = {", i);
    for (const i32 v : p_.tables[i].values) out_.format("%d, ", v);
    out_.add("};\n");
  }
}

void ExprEmitter::shared_functions() {
  for (u32 i = 0; i < p_.model_exprs; ++i) {
    if (shared_[i] == 0) continue;
    out_.format(
        "[[gnu::noinline, maybe_unused]] i32 e%u(const State& s, [[maybe_unused]] bool& fail) {\n  "
        "return ",
        i);
    value_inline(i, "s");
    out_.add(";\n}\n");
  }
}

void ExprEmitter::field(const Slot& slot, const char* state) {
  if (slot.width == 0) {
    out_.format("%d", slot.offset);
    return;
  }
  if (slot.offset != 0) out_.add("(");
  out_.format("field<%u, %u, %u>(%s)", slot.word, slot.shift, slot.width, state);
  if (slot.offset != 0) out_.format(" + (%d))", slot.offset);
}

void ExprEmitter::element(const ir::Expr& e, const char* state) {
  const bool table = e.op == Op::table;
  const u32 size = table ? static_cast<u32>(p_.tables[e.a].values.size()) : p_.variables[e.a].size;
  if (table) {
    out_.format("table_%u[", e.a);
  } else {
    const ir::Variable& v = p_.variables[e.a];
    out_.format("(element<%u, %u, %u, %u, %u>(%s, ", v.slot.word, v.slot.shift, v.slot.width,
                v.per_word, v.size, state);
  }
  out_.add(e.check ? "checked_index(" : "index_of(");
  value(e.b, state);
  if (e.check) out_.format(", %u, fail", size);
  out_.add(")");
  if (table) {
    out_.add("]");
  } else {
    out_.format(") + (%d))", p_.variables[e.a].slot.offset);
  }
}

void ExprEmitter::arithmetic(const ir::Expr& e, const char* state) {
  static constexpr const char* kCalls[] = {"multiply", "divide",     "modulo",     "add",
                                           "subtract", "shift_left", "shift_right"};
  const u32 which = static_cast<u32>(e.op) - static_cast<u32>(Op::multiply);
  out_.format("arith::%s(", kCalls[which]);
  value(e.a, state);
  out_.add(e.check ? ", checked_divisor(" : ", ");
  value(e.b, state);
  out_.add(e.check ? ", fail))" : ")");
}

void ExprEmitter::value(ir::ExprId id, const char* state) {
  if (shared_[id] != 0) {
    out_.format("e%u(%s, fail)", id, state);
  } else {
    value_inline(id, state);
  }
}

void ExprEmitter::value_inline(ir::ExprId id, const char* state) {
  const ir::Expr& e = p_.exprs[id];
  if (is_boolean(e.op)) {
    out_.add("static_cast<i32>(");
    truth_inline(id, state);
    out_.add(")");
    return;
  }
  switch (e.op) {
    case Op::constant:
      // The lowest value has no literal of its own.
      if (static_cast<i32>(e.a) == -2147483647 - 1) {
        out_.add("(-2147483647 - 1)");
      } else {
        out_.format("%d", static_cast<i32>(e.a));
      }
      return;
    case Op::load:
      return field(ir::element_slot(p_.variables[e.a], e.b), state);
    case Op::element:
    case Op::table:
      return element(e, state);
    case Op::negate:
      out_.add("arith::negate(");
      break;
    case Op::bit_not:
      out_.add("(~");
      break;
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
      out_.add("(");
      value(e.a, state);
      out_.add(e.op == Op::bit_and ? " & " : e.op == Op::bit_or ? " | " : " ^ ");
      value(e.b, state);
      out_.add(")");
      return;
    default:
      return arithmetic(e, state);
  }
  value(e.a, state);
  out_.add(")");
}

void ExprEmitter::truth(ir::ExprId id, const char* state) {
  if (shared_[id] != 0 || !is_boolean(p_.exprs[id].op)) {
    out_.add("(");
    value(id, state);
    out_.add(" != 0)");
  } else {
    truth_inline(id, state);
  }
}

void ExprEmitter::truth_inline(ir::ExprId id, const char* state) {
  const ir::Expr& e = p_.exprs[id];
  if (e.op == Op::at) {
    const Slot& slot = p_.variables[p_.processes[e.a].location].slot;
    out_.add("(");
    field(slot, state);
    out_.format(" == %u)", e.b);
    return;
  }
  if (e.op == Op::logical_not) {
    out_.add("!");
    return truth(e.a, state);
  }
  if (ir::is_logical(e.op)) {
    out_.add(e.op == Op::imply ? "(!" : "(");
    truth(e.a, state);
    out_.add(e.op == Op::logical_and ? " && " : " || ");
    truth(e.b, state);
    out_.add(")");
    return;
  }
  static constexpr const char* kSigns[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
  XMC_CHECK(ir::is_comparison(e.op));
  out_.add("(");
  value(e.a, state);
  out_.add(kSigns[static_cast<u32>(e.op) - static_cast<u32>(Op::less)]);
  value(e.b, state);
  out_.add(")");
}

}  // namespace xmc
