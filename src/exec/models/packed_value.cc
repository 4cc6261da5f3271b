#include "exec/models/packed_value.h"

#include "xmc/binary_operation.h"

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
    i32 out = 0;
    failed = failed || !arith::apply(op, a, b, out);
    return out;
  }
};

}  // namespace

bool packed_value(const ir::Program& program, ir::ExprId id, const Word* state, i32& value) {
  Reader reader{program, state};
  value = reader.value(id);
  return !reader.failed;
}

}  // namespace xmc
