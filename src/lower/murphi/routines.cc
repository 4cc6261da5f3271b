#include "lower/murphi/routines.h"

#include "lower/murphi/expr/memory.h"
#include "lower/murphi/statements.h"

namespace xmc::murphi_lower {

namespace {

// A function ends with a return; that it does so in all cases is not known.
void lower_routine(Code& code, const Layout& layout, u32 number, ir::Routine& out) {
  const murphi::Routine& r = layout.system.routines[number];
  const RoutineFrame& frame = layout.frames[number];
  code.begin_body(frame.fixed);
  out.code = code.here();
  const u32 first = frame.parameters_end;
  const u32 top = code.top();
  if (first < r.frame_leaves) {
    const u32 undefined = code.constant(ir::kUndefined);
    fill(code, {.local = true, .base = first}, 0, r.frame_leaves - first, undefined);
    code.give_back(top);
  }
  statements(code, {.layout = layout, .routine = number}, r.body);
  if (r.is_function) {
    code.fail(ir::Failure::no_return, r.place, r.name);
  } else {
    code.emit({.op = BodyOp::leave});
  }
  out.cells = code.cells();
}

}  // namespace

void lower_routines(Code& code, const Layout& layout, std::span<ir::Routine> out) {
  for (u32 i = 0; i < out.size(); ++i) lower_routine(code, layout, i, out[i]);
}

}  // namespace xmc::murphi_lower
