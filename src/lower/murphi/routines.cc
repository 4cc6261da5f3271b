// Procedures and functions: lowered once each. A call puts its arguments into what will be the
// callee's registers, behind all that the caller uses.
#include <algorithm>

#include "lower/murphi/lowering.h"
#include "xmc/check.h"

namespace xmc::murphi_lower {

void Lowering::lay_out_routines() {
  frames_ = arena_.carve_array<RoutineFrame>("program", s_.routines.size());
  for (u32 i = 0; i < s_.routines.size(); ++i) {
    const murphi::Routine& r = s_.routines[i];
    RoutineFrame& frame = frames_[i];
    u32 next = r.frame_leaves;
    for (u32 k = 0; k < r.parameter_count; ++k) {
      const VariableId id = s_.parameters[r.first_parameter + k];
      const murphi::Variable& v = variable(id);
      if (v.role == Role::reference) {
        cells_[id] = next++;
      } else {
        frame.parameters_end = std::max(frame.parameters_end, v.leaf + type(v.type).leaves);
      }
    }
    frame.result = next;
    frame.fixed = next + (r.is_function ? type(r.result).leaves : 0);
  }
}

void Lowering::lower_routines() {
  p_.routines = arena_.carve_array<ir::Routine>("program", s_.routines.size());
  for (u32 i = 0; i < s_.routines.size(); ++i) {
    const murphi::Routine& r = s_.routines[i];
    routine_ = i;
    code_.begin_body(frames_[i].fixed);
    p_.routines[i].code = code_.here();
    const u32 first = frames_[i].parameters_end;
    const u32 top = code_.top();
    if (first < r.frame_leaves) {
      fill({.local = true, .base = first}, 0, r.frame_leaves - first, constant(ir::kUndefined));
      code_.give_back(top);
    }
    statements(r.body);
    if (r.is_function) {
      code_.emit({.op = BodyOp::fail,
                  .reason = static_cast<u8>(ir::Failure::no_return),
                  .note = code_.note(r.place, r.name)});
    } else {
      code_.emit({.op = BodyOp::leave});
    }
    p_.routines[i].cells = code_.cells();
  }
  routine_ = kNone;
}

// A simple value or an address comes into a register of its own; a compound stays where it is until
// all arguments are there.
void Lowering::argument(const murphi::Variable& formal, ExprId actual, u32& reg, Place& from) {
  const murphi::Expr& e = expr(actual);
  reg = code_.temporary();
  if (formal.role == Role::reference) {
    code_.emit({.op = BodyOp::move, .r = reg, .a = address_of(place(actual))});
    return;
  }
  if (is_compound(type(formal.type))) {
    if (e.op == Op::undefined) return;
    from = place(actual);
    // A result lies where the next call puts its own registers.
    if (e.op == Op::call) code_.give_back(std::max(code_.top(), from.base + type(e.type).leaves));
    code_.emit({.op = BodyOp::move, .r = reg, .a = address_of(from)});
    return;
  }
  const u32 r = value(actual, true);
  check_range(r, actual, formal.type, e.place);
  code_.emit({.op = BodyOp::move, .r = reg, .a = r});
}

u32 Lowering::call(ExprId id) {
  const murphi::Expr& e = expr(id);
  const murphi::Routine& routine = s_.routines[e.a];
  const RoutineFrame& frame = frames_[e.a];
  constexpr u32 kArguments = 64;
  u32 regs[kArguments];
  if (e.c > kArguments) {
    refuse(e.place, "a call with more than 64 arguments");
    return constant(0);
  }
  for (u32 i = 0; i < e.c; ++i) {
    Place from;
    argument(variable(s_.parameters[routine.first_parameter + i]), s_.arguments[e.b + i], regs[i],
             from);
  }
  const u32 base = code_.temporary(frame.fixed + 2);
  for (u32 i = 0; i < e.c; ++i) {
    const VariableId formal = s_.parameters[routine.first_parameter + i];
    const murphi::Variable& v = variable(formal);
    const u32 to = base + cell_of(formal);
    const u32 leaves = type(v.type).leaves;
    const bool compound = v.role != Role::reference && is_compound(type(v.type));
    if (!compound) {
      code_.emit({.op = BodyOp::move, .r = to, .a = regs[i]});
      continue;
    }
    const u32 top = code_.top();
    const u32 address = code_.temporary();
    code_.emit({.op = BodyOp::address, .r = address, .a = to, .c = leaves});
    if (expr(s_.arguments[e.b + i]).op == Op::undefined) {
      code_.emit({.op = BodyOp::fill, .r = address, .b = constant(ir::kUndefined), .c = leaves});
    } else {
      code_.emit({.op = BodyOp::copy, .r = address, .a = regs[i], .c = leaves});
    }
    code_.give_back(top);
  }
  code_.emit({.op = BodyOp::call, .note = code_.note(e.place), .a = e.a, .b = base});
  return base + frame.result;
}

}  // namespace xmc::murphi_lower
