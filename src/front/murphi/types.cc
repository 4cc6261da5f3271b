#include "front/murphi/types.h"

#include <bit>
#include <utility>

#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::murphi {

namespace {

// Bounds of a range: what a variable holds fits 32 bits, one value below the lowest included, which
// can stand for "undefined".
constexpr i64 kLowestBound = -2147483647;
constexpr i64 kHighestBound = 2147483647;

// One code more than there are values, for "undefined".
u64 packed_bits(i64 low, i64 high) {
  return static_cast<u64>(std::bit_width(static_cast<u64>(high - low + 1)));
}

TypeId add_simple(Context& context, Type type, i64 low, i64 high) {
  type.low = low;
  type.high = high;
  type.bits = packed_bits(low, high);
  return context.add(context.system.types, type, "types", type.place);
}

// Adds a type of `leaves` leaves around others.
TypeId add_compound(Context& context, Type type, u64 leaves) {
  if (leaves > limits::kLeaves) {
    context.error(type.place, "a type of %llu simple values; at most %u are allowed", wide(leaves),
                  static_cast<unsigned>(limits::kLeaves));
    return kErrorType;
  }
  if (type.depth > limits::kBlockDepth) {
    context.error(type.place, "types nested deeper than %u levels",
                  static_cast<unsigned>(limits::kBlockDepth));
    return kErrorType;
  }
  type.leaves = static_cast<u32>(leaves);
  return context.add(context.system.types, type, "types", type.place);
}

void include(Type& outer, const Type& inner) {
  outer.has_scalarset = outer.has_scalarset || inner.has_scalarset;
  outer.has_multiset = outer.has_multiset || inner.has_multiset;
  if (outer.depth < inner.depth + 1) outer.depth = inner.depth + 1;
}

Type at_place(TypeKind kind, Span place) {
  Type type;
  type.kind = kind;
  type.place = place;
  return type;
}

}  // namespace

TypeId make_range(Context& context, i64 low, i64 high, Span place) {
  if (low > high) {
    context.error(place, "the range %lld..%lld is empty: its lower bound comes first",
                  static_cast<long long>(low), static_cast<long long>(high));
    return kErrorType;
  }
  if (low < kLowestBound || high > kHighestBound) {
    context.error(place, "bounds of a range must be from %lld to %lld",
                  static_cast<long long>(kLowestBound), static_cast<long long>(kHighestBound));
    return kErrorType;
  }
  return add_simple(context, at_place(TypeKind::range, place), low, high);
}

TypeId make_scalarset(Context& context, i64 size, Span place) {
  if (size < 1 || size > i64{limits::kLeaves}) {
    context.error(place, "a scalarset of %lld values; it must have from 1 to %u",
                  static_cast<long long>(size), static_cast<unsigned>(limits::kLeaves));
    return kErrorType;
  }
  Type type = at_place(TypeKind::scalarset, place);
  type.has_scalarset = true;
  return add_simple(context, type, 0, size - 1);
}

TypeId make_enum(Context& context, u32 first, u32 count, Span place) {
  XMC_CHECK(count > 0);
  Type type = at_place(TypeKind::enumeration, place);
  type.first = first;
  type.count = count;
  return add_simple(context, type, 0, i64{count} - 1);
}

// The parts are in System::parts; their values are counted here, in the order in which the parts
// were declared: that is the order in which CMurphi's loops take them.
TypeId make_union(Context& context, u32 first, u32 count, Span place) {
  System& system = context.system;
  Type type = at_place(TypeKind::union_of, place);
  type.first = first;
  type.count = count;
  for (u32 i = 1; i < count; ++i) {
    for (u32 k = first + i; k > first && system.parts[k].type < system.parts[k - 1].type; --k) {
      std::swap(system.parts[k], system.parts[k - 1]);
    }
  }
  i64 values = 0;
  for (u32 i = first; i < first + count; ++i) {
    Part& part = system.parts[i];
    const Type& inner = system.types[part.type];
    part.first_value = static_cast<u32>(values);
    values += inner.high - inner.low + 1;
    type.has_scalarset = type.has_scalarset || inner.has_scalarset;
    if (values > i64{limits::kLeaves}) {
      context.error(place, "a union of more than %u values",
                    static_cast<unsigned>(limits::kLeaves));
      return kErrorType;
    }
  }
  return add_simple(context, type, 0, values - 1);
}

TypeId make_record(Context& context, u32 first, u32 count, Span place) {
  System& system = context.system;
  Type type = at_place(TypeKind::record, place);
  type.first = first;
  type.count = count;
  type.depth = 1;
  u64 leaves = 0;
  for (u32 i = first; i < first + count; ++i) {
    Field& field = system.fields[i];
    const Type& inner = system.types[field.type];
    field.leaf = static_cast<u32>(leaves < limits::kLeaves ? leaves : limits::kLeaves);
    leaves += inner.leaves;
    type.bits += inner.bits;
    include(type, inner);
  }
  return add_compound(context, type, leaves);
}

TypeId make_array(Context& context, TypeId index, TypeId element, Span place) {
  if (is_error(index) || is_error(element)) return kErrorType;
  const System& system = context.system;
  if (!is_countable(system, index)) {
    context.error(place, "an array's index must be of a simple type, not of type %s",
                  describe(context, index));
    return kErrorType;
  }
  const u64 elements = static_cast<u64>(system.types[index].high - system.types[index].low + 1);
  const Type& inner = system.types[element];
  Type type = at_place(TypeKind::array, place);
  type.index = index;
  type.element = element;
  type.bits = elements * inner.bits;
  include(type, inner);
  return add_compound(context, type, elements * inner.leaves);
}

TypeId make_multiset(Context& context, i64 capacity, TypeId element, Span place) {
  if (is_error(element)) return kErrorType;
  if (capacity < 1 || capacity > i64{limits::kLeaves}) {
    context.error(place, "a multiset for %lld elements; it must be for 1 to %u",
                  static_cast<long long>(capacity), static_cast<unsigned>(limits::kLeaves));
    return kErrorType;
  }
  const Type& inner = context.system.types[element];
  Type type = at_place(TypeKind::multiset, place);
  type.element = element;
  type.count = static_cast<u32>(capacity);
  include(type, inner);
  type.has_multiset = true;
  const u64 size = static_cast<u64>(capacity);
  type.bits = size * (inner.bits + context.system.types[kBooleanType].bits);
  return add_compound(context, type, size * (u64{inner.leaves} + 1));
}

TypeId make_choice(Context& context, TypeId multiset, Span place) {
  if (is_error(multiset)) return kErrorType;
  Type type = at_place(TypeKind::choice, place);
  type.element = multiset;
  return add_simple(context, type, 0, i64{context.system.types[multiset].count} - 1);
}

}  // namespace xmc::murphi
