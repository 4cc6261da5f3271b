// Types: their making with sizes, which of them fit one another, and how messages name them.
#pragma once

#include "front/murphi/context.h"

namespace xmc::murphi {

// Boolean, range, enum, scalarset, union or integer; what is wrong counts as simple.
bool is_simple(const System& system, TypeId type);
bool is_number(const System& system, TypeId type);   // integer or range
bool is_boolean(const System& system, TypeId type);  // what is wrong counts as boolean
// Whether all its values can be gone through: it can be an index or bound a variable.
bool is_countable(const System& system, TypeId type);
inline bool is_error(TypeId type) { return type == kErrorType; }

// Whether a value of one can be stored in, passed to or compared with the other.
bool fits(const Context& context, TypeId one, TypeId other);
// Whether a reference to one can be a reference to the other.
bool same_type(const Context& context, TypeId one, TypeId other);
// The number of `part` among the parts of a union, or kNone.
u32 part_of(const System& system, TypeId union_type, TypeId part);

// These report what is wrong and give kErrorType then.
TypeId make_range(Context& context, i64 low, i64 high, Span place);
TypeId make_scalarset(Context& context, i64 size, Span place);
TypeId make_enum(Context& context, u32 first, u32 count, Span place);
TypeId make_union(Context& context, u32 first, u32 count, Span place);
TypeId make_record(Context& context, u32 first, u32 count, Span place);
TypeId make_array(Context& context, TypeId index, TypeId element, Span place);
TypeId make_multiset(Context& context, i64 capacity, TypeId element, Span place);
TypeId make_choice(Context& context, TypeId multiset, Span place);

// A type in words: its name, or what it is. Two of them can be in one message.
const char* describe(Context& context, TypeId type);

}  // namespace xmc::murphi
