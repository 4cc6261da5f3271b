// What emitted code of a generator is written in, beside xmc/native_rules.h: leaves that are never
// undefined, queues, and the collector of successors, which follows chains. The order is that of
// the machine (exec/rules/generator.h); emitted code includes this file.
#pragma once

#include "xmc/chain_walk.h"
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
  const NativeScratch& scratch;
  StepWork& work = *scratch.work;
  ChainWalk<Words> walk = ChainWalk<Words>(*scratch.chain);
  Expansion result = {};
  bool any = false;       // some step can be taken
  bool yielded = false;   // some step of the rule that is asked
  bool too_wide = false;  // chains have more ends than there is room for
  u32 step = kNone;       // the first one of the chain that is followed
  u32 ends = 0;
  ChainWays ways = {};  // of chains

  Word* begin(const Word* s) const {
    Word* const n = out.states + static_cast<std::size_t>(result.count) * Words;
    for (u32 i = 0; i < Words; ++i) n[i] = s[i];
    return n;
  }
  void failed(u32 label) {
    if constexpr (Ends > 0) {
      if (step != kNone) {
        label = step;
        ways.add({0, 1});
      }
    }
    if (result.errors++ == 0) result.error_label = label;
  }
  void yield(u32 label) {
    yielded = true;
    if constexpr (Ends > 0) {
      if (step != kNone) return end();
    }
    put(label);
  }
  // The step keeps control: a rule goes on.
  void keep(u32 label, u32 keeper, const Word* n) {
    yielded = true;
    const u32 first = step != kNone ? step : label;
    if (walk.keep(n, keeper, first, label) == kNone) failed(first);
  }
  // Behind a rule: its chains. `ask` has the steps of a rule on a state.
  template <class Ask>
  void follow(const Ask& ask) {
    any = any || yielded;
    if constexpr (Ends > 0) {
      if (!walk.empty()) follow_chains(ask);
    }
  }

 private:
  template <class Ask>
  struct Chains {
    GeneratorSink& sink;
    const Ask& ask_rule;

    bool ask(u32 keeper, const Word* state, u32 first) {
      sink.step = first;
      sink.yielded = false;
      if (sink.work.spend()) ask_rule(keeper, state);
      return sink.yielded;
    }
    void loop(u32 first) {
      sink.step = first;
      sink.failed(first);
    }
    void end(u32, const Word* state) {
      sink.begin(state);
      sink.end();
    }
    void again(u32, const ChainWays& more) {
      sink.ways.add(more);
      sink.result.repeats = ChainWays::sum(sink.result.repeats, more.ends);
      sink.result.errors = ChainWays::sum(sink.result.errors, more.errors);
    }
    ChainWays total() const { return sink.ways; }
    bool over() const { return sink.too_wide || sink.work.ended(); }
  };

  void put(u32 label) {
    if (out.labels != nullptr) out.labels[result.count] = label;
    ++result.count;
  }
  [[gnu::noinline]] void end() {
    if (ends == Ends) {
      too_wide = true;
      return failed(step);
    }
    ++ends;
    ways.add({1, 0});
    put(step);
  }
  template <class Ask>
  [[gnu::noinline]] void follow_chains(const Ask& ask) {
    Chains<Ask> chains{*this, ask};
    walk.follow(chains);
    if (LongStep* const place = work.place(); place != nullptr) note_place(*place);
    walk.clear();
    step = kNone;
  }
  void note_place(LongStep& place) const {
    place.add(step);
    for (u32 d = 0; d <= walk.depth(); ++d) place.add(walk.label(walk.on_way(d)));
  }
};

}  // namespace xmc::native
