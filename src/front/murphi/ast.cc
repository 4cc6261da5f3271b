#include "front/murphi/ast.h"

namespace xmc::murphi {

namespace {

constexpr u64 kBooleanBits = 2;

Type basic(TypeKind kind, i64 low, i64 high, u64 bits) {
  Type type;
  type.kind = kind;
  type.low = low;
  type.high = high;
  type.bits = bits;
  return type;
}

}  // namespace

System::System(Arena& arena)
    : types(arena, "types"),
      members(arena, "enum members"),
      parts(arena, "union parts"),
      fields(arena, "record fields"),
      variables(arena, "variables"),
      expressions(arena, "expressions"),
      arguments(arena, "arguments"),
      labels(arena, "case labels"),
      statements(arena, "statements"),
      routines(arena, "routines"),
      parameters(arena, "parameters"),
      rules(arena, "rules"),
      bindings(arena, "rule parameters"),
      globals(arena, "global names") {
  types.push(basic(TypeKind::error, 0, 0, 0));
  types.push(basic(TypeKind::integer, 0, -1, 0));
  types.push(basic(TypeKind::boolean, 0, 1, kBooleanBits));
}

}  // namespace xmc::murphi
