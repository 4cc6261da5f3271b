// What emitted code of a program with rules is written in: leaves of a packed state, addresses of
// leaves and registers, and the collector of successors. ir/body.h says what these mean; emitted
// code includes this file.
#pragma once

#include "xmc/arith64.h"
#include "xmc/model.h"
#include "xmc/step_work.h"
#include "xmc/types.h"

namespace xmc::native {

// Where a leaf is. Code 0 is undefined, so that the lowest value has the code 1.
struct LeafSlot {
  u16 word;
  u8 shift;
  u8 width;
  i32 offset;
};

inline i64 decoded(u64 raw, i64 offset) {
  return raw == 0 ? kUndefined : static_cast<i64>(raw) + offset;
}
inline u64 coded(i64 value, i64 offset) {
  return value == kUndefined ? 0 : static_cast<u64>(value - offset);
}
inline void put_raw(Word& word, u32 shift, u64 mask, u64 raw) {
  word = (word & ~(mask << shift)) | (raw << shift);
}

// A leaf that is known.
template <u32 W, u32 Shift, u32 Width, i32 Offset>
inline i64 leaf(const Word* s) {
  return decoded(s[W] >> Shift & ((u64{1} << Width) - 1), Offset);
}
template <u32 W, u32 Shift, u32 Width, i32 Offset>
inline void put(Word* n, i64 value) {
  put_raw(n[W], Shift, (u64{1} << Width) - 1, coded(value, Offset));
}

// Element i of `Size` equal leaves.
template <u32 W, u32 Shift, u32 Width, i32 Offset, u32 PerWord, u32 Size>
inline i64 element(const Word* s, u32 i) {
  const u32 word = Size <= PerWord ? W : W + i / PerWord;
  const u32 shift = Shift + (Size <= PerWord ? i : i % PerWord) * Width;
  return decoded(s[word] >> shift & ((u64{1} << Width) - 1), Offset);
}
template <u32 W, u32 Shift, u32 Width, i32 Offset, u32 PerWord, u32 Size>
inline void put_element(Word* n, u32 i, i64 value) {
  const u32 word = Size <= PerWord ? W : W + i / PerWord;
  const u32 shift = Shift + (Size <= PerWord ? i : i % PerWord) * Width;
  put_raw(n[word], shift, (u64{1} << Width) - 1, coded(value, Offset));
}

// A leaf out of a table.
inline i64 read(const LeafSlot& l, const Word* s) {
  return decoded(s[l.word] >> l.shift & ((u64{1} << l.width) - 1), l.offset);
}
inline void write(const LeafSlot& l, Word* n, i64 value) {
  put_raw(n[l.word], l.shift, (u64{1} << l.width) - 1, coded(value, l.offset));
}

// An address: a leaf, or behind the leaves a register of the array.
struct Places {
  const LeafSlot* leaves;
  i64 leaf_count;
  i64* cells;

  i64 read(const Word* s, i64 address) const {
    return address < leaf_count ? native::read(leaves[address], s) : cells[address - leaf_count];
  }
  void write(Word* n, i64 address, i64 value) const {
    if (address < leaf_count) {
      native::write(leaves[address], n, value);
    } else {
      cells[address - leaf_count] = value;
    }
  }
  void copy(const Word* s, Word* n, i64 from, i64 to, u32 count) const {
    for (u32 i = 0; i < count; ++i) write(n, to + i, read(s, from + i));
  }
  void fill(Word* n, i64 to, u32 count, i64 value) const {
    for (u32 i = 0; i < count; ++i) write(n, to + i, value);
  }
};

// Elements of a multiset in order: free ones, which have nothing but undefined leaves, come last.
inline bool in_order(const LeafSlot* low, u32 size, const Word* n) {
  const LeafSlot* const high = low + size;
  const i64 present_low = read(low[size - 1], n);
  const i64 present_high = read(high[size - 1], n);
  if (present_low != present_high) return present_high == kUndefined;
  for (u32 i = 0; i + 1 < size; ++i) {
    const i64 a = read(low[i], n);
    const i64 b = read(high[i], n);
    if (a != b) return a < b;
  }
  return true;
}
inline void sort(const LeafSlot* first, u32 count, u32 size, Word* n) {
  for (u32 i = 1; i < count; ++i) {
    for (const LeafSlot* low = first + (i - 1) * size; !in_order(low, size, n); low -= size) {
      for (u32 k = 0; k < size; ++k) {
        const i64 kept = read(low[size + k], n);
        write(low[size + k], n, read(low[k], n));
        write(low[k], n, kept);
      }
      if (low == first) break;
    }
  }
}

// How a routine that is a function of its own ends.
enum class Left : u8 { back, failed, abandoned };

// Collects the successors of one state.
template <u32 Words>
struct RuleSink {
  const SuccessorBuffer& out;
  StepWork& work;
  Expansion result = {};
  bool any = false;          // some guard holds
  bool guards_only = false;  // a rule of higher priority is enabled

  // Where the next successor is made, from a copy of the state.
  Word* begin(const Word* s) const {
    Word* const n = out.states + static_cast<std::size_t>(result.count) * Words;
    for (u32 i = 0; i < Words; ++i) n[i] = s[i];
    return n;
  }
  void step(u32 label) {
    any = true;
    if (out.labels != nullptr) out.labels[result.count] = label;
    ++result.count;
  }
  // So many instances fail, from this one on.
  void failed(u32 label, u32 count) {
    any = true;
    if (result.errors == 0) result.error_label = label;
    result.errors += count;
  }
};

}  // namespace xmc::native
