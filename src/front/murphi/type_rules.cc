// Which types fit one another. CMurphi goes by declarations: two types are one if they come from
// the same place of the text, all ranges are integers, and a union fits its parts. rumur also takes
// compound types for one if they are built alike.
#include "front/murphi/types.h"

namespace xmc::murphi {

bool is_number(const System& system, TypeId type) {
  const TypeKind kind = system.types[type].kind;
  return kind == TypeKind::integer || kind == TypeKind::range || kind == TypeKind::error;
}

bool is_boolean(const System& system, TypeId type) {
  const TypeKind kind = system.types[type].kind;
  return kind == TypeKind::boolean || kind == TypeKind::error;
}

bool is_countable(const System& system, TypeId type) {
  switch (system.types[type].kind) {
    case TypeKind::boolean:
    case TypeKind::range:
    case TypeKind::enumeration:
    case TypeKind::scalarset:
    case TypeKind::union_of:
      return true;
    default:
      return is_error(type);
  }
}

bool is_simple(const System& system, TypeId type) {
  return type == kIntegerType || is_countable(system, type);
}

u32 part_of(const System& system, TypeId union_type, TypeId part) {
  const Type& type = system.types[union_type];
  if (type.kind != TypeKind::union_of) return kNone;
  for (u32 i = type.first; i < type.first + type.count; ++i) {
    if (system.parts[i].type == part) return i;
  }
  return kNone;
}

namespace {

bool built_alike(const System& system, TypeId one, TypeId other);

bool same_fields(const System& system, const Type& a, const Type& b) {
  if (a.count != b.count) return false;
  for (u32 i = 0; i < a.count; ++i) {
    const Field& x = system.fields[a.first + i];
    const Field& y = system.fields[b.first + i];
    if (x.name != y.name || !built_alike(system, x.type, y.type)) return false;
  }
  return true;
}

// The depth of types is limited, and so is this recursion.
bool built_alike(const System& system, TypeId one, TypeId other) {
  if (one == other) return true;
  const Type& a = system.types[one];
  const Type& b = system.types[other];
  if (a.kind != b.kind || a.leaves != b.leaves) return false;
  if (a.leaves == 0) return true;  // records without fields, however many of them
  switch (a.kind) {
    case TypeKind::range:
      return a.low == b.low && a.high == b.high;
    case TypeKind::record:
      return same_fields(system, a, b);
    case TypeKind::array:
      return built_alike(system, a.index, b.index) && built_alike(system, a.element, b.element);
    case TypeKind::multiset:
      return a.count == b.count && built_alike(system, a.element, b.element);
    default:
      return false;
  }
}

void add_values(Text& out, const System& system, const Type& type) {
  out.add("enum {");
  for (u32 i = 0; i < type.count && i < 3; ++i) {
    if (i > 0) out.add(", ");
    out.add(piece_of(system.members[type.first + i].name, 0, 20));
  }
  out.add(type.count > 3 ? ", ...}" : "}");
}

}  // namespace

bool same_type(const Context& context, TypeId one, TypeId other) {
  if (one == other || is_error(one) || is_error(other)) return true;
  return context.is_rumur() && built_alike(context.system, one, other);
}

bool fits(const Context& context, TypeId one, TypeId other) {
  const System& system = context.system;
  if (same_type(context, one, other)) return true;
  if (is_number(system, one) && is_number(system, other)) return true;
  return part_of(system, one, other) != kNone || part_of(system, other, one) != kNone;
}

namespace {

void add_type(Text& out, const System& system, const Type& type) {
  switch (type.kind) {
    case TypeKind::error:
      out.add("unknown");
      break;
    case TypeKind::integer:
      out.add("integer");
      break;
    case TypeKind::boolean:
      out.add("boolean");
      break;
    case TypeKind::range:
      out.format("%lld..%lld", static_cast<long long>(type.low), static_cast<long long>(type.high));
      break;
    case TypeKind::enumeration:
      add_values(out, system, type);
      break;
    case TypeKind::scalarset:
      out.format("scalarset(%lld)", static_cast<long long>(type.high + 1));
      break;
    case TypeKind::union_of:
      out.add("union");
      break;
    case TypeKind::record:
      out.add("record");
      break;
    case TypeKind::array:
      out.add("array");
      break;
    case TypeKind::multiset:
      out.add("multiset");
      break;
    case TypeKind::choice:
      out.add("choice of an element");
      break;
  }
}

}  // namespace

const char* describe(Context& context, TypeId id) {
  const Type& type = context.system.types[id];
  context.type_text_index ^= 1;
  Text& out = context.type_texts[context.type_text_index];
  out.clear();
  if (type.name.empty()) {
    add_type(out, context.system, type);
  } else {
    out.format("'%.*s'", static_cast<int>(type.name.size() < 60 ? type.name.size() : 60),
               type.name.data());
  }
  return out.c_str();
}

}  // namespace xmc::murphi
