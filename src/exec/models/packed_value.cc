#include "exec/models/packed_value.h"

#include "xmc/arith.h"
#include "xmc/check.h"

namespace xmc {

namespace {

using ir::Op;

struct Reader {
  const ir::Program& p;
  const Word* state;
  bool failed = false;

  i32 value(ir::ExprId id) {
    if (failed) return 0;
    const ir::Expr& e = p.exprs[id];
    switch (e.op) {
      case Op::constant:
        return static_cast<i32>(e.a);
      case Op::load:
        return slot_value(ir::element_slot(p.variables[e.a], e.b), state);
      case Op::at:
        return slot_value(p.variables[p.processes[e.a].location].slot, state) ==
                       static_cast<i32>(e.b)
                   ? 1
                   : 0;
      case Op::element:
      case Op::table:
        return indexed(e);
      case Op::logical_and:
        return value(e.a) != 0 && value(e.b) != 0 ? 1 : 0;
      case Op::logical_or:
        return value(e.a) != 0 || value(e.b) != 0 ? 1 : 0;
      case Op::imply:
        return value(e.a) == 0 || value(e.b) != 0 ? 1 : 0;
      default:
        break;
    }
    const i32 a = value(e.a);
    if (!ir::is_unary(e.op)) return binary(e.op, a, value(e.b));
    return e.op == Op::negate ? arith::negate(a) : e.op == Op::bit_not ? ~a : a == 0 ? 1 : 0;
  }

  i32 indexed(const ir::Expr& e) {
    const u32 i = static_cast<u32>(value(e.b));
    if (e.op == Op::table) {
      const auto& values = p.tables[e.a].values;
      failed = failed || i >= values.size();
      return failed ? 0 : values[i];
    }
    const ir::Variable& v = p.variables[e.a];
    failed = failed || i >= v.size;
    return failed ? 0 : slot_value(ir::element_slot(v, i), state);
  }

  i32 binary(Op op, i32 a, i32 b) {
    switch (op) {
      case Op::multiply:
        return arith::multiply(a, b);
      case Op::divide:
      case Op::modulo:
        failed = failed || b == 0;
        if (failed) return 0;
        return op == Op::divide ? arith::divide(a, b) : arith::modulo(a, b);
      case Op::add:
        return arith::add(a, b);
      case Op::subtract:
        return arith::subtract(a, b);
      case Op::shift_left:
        return arith::shift_left(a, b);
      case Op::shift_right:
        return arith::shift_right(a, b);
      case Op::less:
        return a < b ? 1 : 0;
      case Op::less_equal:
        return a <= b ? 1 : 0;
      case Op::greater:
        return a > b ? 1 : 0;
      case Op::greater_equal:
        return a >= b ? 1 : 0;
      case Op::equal:
        return a == b ? 1 : 0;
      case Op::not_equal:
        return a != b ? 1 : 0;
      case Op::bit_and:
        return a & b;
      case Op::bit_xor:
        return a ^ b;
      default:
        XMC_CHECK(op == Op::bit_or);
        return a | b;
    }
  }
};

}  // namespace

bool packed_value(const ir::Program& program, ir::ExprId id, const Word* state, i32& value) {
  Reader reader{program, state};
  value = reader.value(id);
  return !reader.failed;
}

}  // namespace xmc
