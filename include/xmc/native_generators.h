// What emitted code of a generator is written in, beside xmc/native_rules.h: leaves that are never
// undefined, queues, and the collector of successors, which follows chains. The order is that of
// the machine (exec/rules/generator.h); emitted code includes this file.
#pragma once

#include "xmc/model.h"
#include "xmc/native.h"
#include "xmc/native_rules.h"
#include "xmc/types.h"

namespace xmc::native {

// A leaf that is known, of a type without undefined.
template <u32 W, u32 Shift, u32 Width, i32 Offset>
inline i64 total(const Word* s) {
  return static_cast<i64>(s[W] >> Shift & ((u64{1} << Width) - 1)) + Offset;
}
template <u32 W, u32 Shift, u32 Width, i32 Offset>
inline void put_total(Word* n, i64 value) {
  put_raw(n[W], Shift, (u64{1} << Width) - 1, static_cast<u64>(value - Offset));
}
template <u32 W, u32 Shift, u32 Width, i32 Offset, u32 PerWord, u32 Size>
inline i64 total_element(const Word* s, u32 i) {
  const u32 word = Size <= PerWord ? W : W + i / PerWord;
  const u32 shift = Shift + (Size <= PerWord ? i : i % PerWord) * Width;
  return static_cast<i64>(s[word] >> shift & ((u64{1} << Width) - 1)) + Offset;
}
template <u32 W, u32 Shift, u32 Width, i32 Offset, u32 PerWord, u32 Size>
inline void put_total_element(Word* n, u32 i, i64 value) {
  const u32 word = Size <= PerWord ? W : W + i / PerWord;
  const u32 shift = Shift + (Size <= PerWord ? i : i % PerWord) * Width;
  put_raw(n[word], shift, (u64{1} << Width) - 1, static_cast<u64>(value - Offset));
}

// Leaves out of a table: `count` elements of `size` leaves.
inline i64 total(const LeafSlot& l, const Word* s) {
  return static_cast<i64>(s[l.word] >> l.shift & ((u64{1} << l.width) - 1)) + l.offset;
}
inline void put_total(const LeafSlot& l, Word* n, i64 value) {
  put_raw(n[l.word], l.shift, (u64{1} << l.width) - 1, static_cast<u64>(value - l.offset));
}
inline void remove(const LeafSlot* first, u32 count, u32 size, i64 element, Word* n) {
  u32 at = static_cast<u32>(element) * size;
  for (; at + size < count * size; ++at) put_total(first[at], n, total(first[at + size], n));
  for (; at < count * size; ++at) put_total(first[at], n, 0);
}
inline void insert(const LeafSlot* first, u32 count, u32 size, i64 element, Word* n) {
  const u32 from = (static_cast<u32>(element) + 1) * size;
  for (u32 at = count * size; at-- > from;) put_total(first[at], n, total(first[at - size], n));
}

// A queue whose cells are side by side in one word, the first one at Shift.
template <u32 W, u32 Shift, u32 Width, i32 Offset, u32 Count>
inline void remove_cell(Word* n, i64 element) {
  constexpr u64 kCells = Count * Width == 64 ? ~u64{0} : (u64{1} << Count * Width) - 1;
  const u64 cells = n[W] >> Shift & kCells;
  const u64 below = (u64{1} << static_cast<u32>(element) * Width) - 1;
  const u64 moved = Width == 64 ? 0 : cells >> (Width % 64);
  const u64 last = static_cast<u64>(-i64{Offset}) << (Count - 1) * Width;
  put_raw(n[W], Shift, kCells, (cells & below) | (moved & ~below) | last);
}
template <u32 W, u32 Shift, u32 Width, i32 Offset, u32 Count>
inline void insert_cell(Word* n, i64 element) {
  constexpr u64 kCells = Count * Width == 64 ? ~u64{0} : (u64{1} << Count * Width) - 1;
  const u64 cells = n[W] >> Shift & kCells;
  // Those up to and with the element stay: what is put there comes next.
  const u64 kept = (u64{2} << ((static_cast<u32>(element) + 1) * Width - 1)) - 1;
  const u64 moved = Width == 64 ? 0 : cells << (Width % 64);
  put_raw(n[W], Shift, kCells, ((cells & kept) | (moved & ~kept)) & kCells);
}

// An address is one of a leaf, or of a register.
struct TotalPlaces {
  const LeafSlot* leaves;
  i64 leaf_count;
  i64* cells;

  i64 read(const Word* s, i64 address) const {
    return address < leaf_count ? total(leaves[address], s) : cells[address - leaf_count];
  }
  void write(Word* n, i64 address, i64 value) const {
    if (address < leaf_count) {
      put_total(leaves[address], n, value);
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

// Collects the successors of one state. `Ends` bounds those of chains; 0: there are none.
template <u32 Words, u32 Ends>
struct GeneratorSink {
  const SuccessorBuffer& out;
  const NativeScratch& chain;
  Expansion result = {};
  bool any = false;      // some step can be taken
  bool yielded = false;  // some step of the rule that is asked
  u32 step = kNone;      // the first one of the chain that is followed
  u32 count = 0;         // of remembered states
  u32 depth = 0;
  u32 ends = 0;

  Word* begin(const Word* s) const {
    Word* const n = out.states + static_cast<std::size_t>(result.count) * Words;
    for (u32 i = 0; i < Words; ++i) n[i] = s[i];
    return n;
  }
  void failed(u32 label) {
    if (Ends > 0 && step != kNone) label = step;
    if (result.errors++ == 0) result.error_label = label;
  }
  void yield(u32 label) {
    yielded = true;
    if constexpr (Ends > 0) {
      if (step != kNone) return end(label);
    }
    put(label);
  }
  // The step keeps control: a rule goes on.
  void keep(u32 label, u32 keeper, const Word* n) {
    yielded = true;
    if (step != kNone) label = step;
    if (count == chain.most) return failed(label);
    copy(n, remembered(count));
    chain.keepers[count] = keeper;
    chain.steps[count] = label;
    ++count;
  }
  // Behind a rule: its chains. `ask` has the steps of a rule on a state.
  template <class Ask>
  void follow(const Ask& ask) {
    any = any || yielded;
    if constexpr (Ends > 0) {
      if (count != 0) follow_chains(ask);
    }
  }

 private:
  void put(u32 label) {
    if (out.labels != nullptr) out.labels[result.count] = label;
    ++result.count;
  }
  [[gnu::noinline]] void end(u32) {
    if (ends == Ends) return failed(step);
    ++ends;
    put(step);
  }
  static void copy(const Word* from, Word* to) {
    for (u32 i = 0; i < Words; ++i) to[i] = from[i];
  }
  Word* remembered(u32 state) const {
    return chain.states + static_cast<std::size_t>(state) * Words;
  }
  u32& at(u32 d) const { return chain.path[2 * d]; }
  u32& end_of(u32 d) const { return chain.path[2 * d + 1]; }

  bool is_on_path(u32 state) const {
    const Word* const one = remembered(state);
    for (u32 d = 0; d < depth; ++d) {
      const Word* const other = remembered(at(d));
      bool same = chain.keepers[at(d)] == chain.keepers[state];
      for (u32 i = 0; i < Words && same; ++i) same = one[i] == other[i];
      if (same) return true;
    }
    return false;
  }
  template <class Ask>
  void go_on(u32 state, const Ask& ask) {
    step = chain.steps[state];
    if (is_on_path(state)) return failed(step);
    yielded = false;
    ask(chain.keepers[state], remembered(state));
    if (yielded) return;
    begin(remembered(state));
    end(step);
  }
  template <class Ask>
  [[gnu::noinline]] void follow_chains(const Ask& ask) {
    depth = 0;
    at(0) = 0;
    end_of(0) = count;
    while (true) {
      const u32 beside = end_of(depth);
      count = beside;
      if (at(depth) == beside) {
        if (depth == 0) break;
        ++at(--depth);
        continue;
      }
      go_on(at(depth), ask);
      if (count == beside) {
        ++at(depth);
      } else {
        at(++depth) = beside;
        end_of(depth) = count;
      }
    }
    count = 0;
    step = kNone;
  }
};

}  // namespace xmc::native
