// Variables: where they are, what they can hold, reading and writing.
#pragma once

#include "lower/promela/expr/values.h"

namespace xmc::promela_lower {

// A leaf: `base`, plus what register `reg` holds.
struct Address {
  u32 base = kNone;
  u32 reg = kNone;
};

// f(leaf) for each element that the indexes can name.
template <class F>
void for_elements(const promela::System& s, const Reference& r, u32 leaf, u32 at, F f) {
  if (at == r.index_count) return f(leaf);
  const promela::Index& index = s.indexes[r.first_index + at];
  for (u32 i = 0; i < index.bound; ++i) for_elements(s, r, leaf + i * index.stride, at + 1, f);
}

// All that a leaf of the process's frame can hold there.
Interval local_range(const Writer& w, const Scope& scope, u32 leaf);
// Where it is, if its frame begins at leaf `base`; or where the first of its variable's leaves is,
// which come in a row wherever the variable is.
Address address(Writer& w, const Scope& scope, const Reference& r, u32 base);

Value load(Writer& w, const Address& at, Interval range);
Value load_leaf(Writer& w, u32 leaf);
void load_into(Writer& w, u32 r, u32 leaf);
// The place of the process in a slot, in a register.
u32 load_place(Writer& w, u32 q);
Value read(Writer& w, const Scope& scope, RefId id);

void write_leaf(Writer& w, const Address& at, const Value& v, const Change& change = {});
// What is written is read next at `behind`; kNone: nobody knows.
void write(Writer& w, const Scope& scope, RefId id, const Value& v, PlaceId behind,
           const Change& change = {});

}  // namespace xmc::promela_lower
