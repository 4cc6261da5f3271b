// StateTable: all states of a search in one region of memory, exact, numbered in order of
// discovery.
//
//   low end                                                                            high end
//   | state 0 | state 1 | ...  dense array ->  |  free  |  <- side stack of u32  |  hash index |
//
// The dense array keeps state_bytes bytes per state and nothing else, so a breadth-first queue
// costs nothing: the frontier is a range of it. The index is made of lines of 16 slots of 32 bits,
// one cache line each: a slot holds index + 1 in its low index_bits and a tag of hash bits above; 0
// is empty. A state lives in its home line or, when that is full, in the next one that had room;
// nothing is ever removed, so the first line with an empty slot ends a probe. At the final load of
// 0.92 a slot costs 4.35 bytes per state: 8-byte states take 12.35 bytes each, 7-byte states 11.35.
//
// Growth: pages are touched only as needed, because a small check has to stay small. The index
// starts with 256 lines at the high end and is rebuilt in place, larger, from the dense array; it
// doubles while small and jumps to its final size when doubling would pass half of it. No second
// index ever exists. The side stack (level marks of a breadth-first search, the stack of a
// depth-first one) hangs below the index and moves down with it; dense array and stack grow towards
// each other until they meet.
//
// Notes: with Shape::notes each state has four bits for the search's own use, kept in front of
// every eighth state so that they share its cache line.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/types.h"

namespace xmc {

class StateTable {
 public:
  struct Shape {
    u32 state_words = 0;
    u32 state_bytes = 0;
    bool notes = false;
  };

  // States that are hashed, prefetched and compared together.
  static constexpr u32 kBatch = 64;
  // Of states that are read from a file into an array on the stack, for which a batch of the widest
  // would be too much, so many.
  static constexpr u32 kBatchWords = 64 * 64;
  static constexpr u32 batch_of(u32 state_words) {
    return std::min(kBatch, kBatchWords / state_words);
  }
  // Two bits of an entry of the side stack are left to the search.
  static constexpr u64 kMostStates = (u64{1} << 30) - 1;

  constexpr StateTable() = default;

  // The least region that init() accepts: room for some dozens of states.
  static u64 minimum_bytes(const Shape& shape);
  // region: aligned to 64 bytes and a multiple of them. Only its index pages are touched here.
  // `expected` states get an index that need not be rebuilt for them.
  void init(std::span<u8> region, const Shape& shape, u64 expected = 0);

  // A table that holds this many states is full.
  void set_state_limit(u64 states);

  // Finds or appends each of count states (state_words words each) in order and writes their
  // indexes (indexes may be null). New states are numbered from size() upwards in order of their
  // first occurrence. Returns how many were processed: fewer than count only when the table is
  // full; the first unprocessed state is then certainly not in it, and everything stored stays as
  // it was.
  u32 insert(const Word* states, u32 count, StateIndex* indexes);
  // The same without appending: kNone for a state that is not there.
  void find(const Word* states, u32 count, StateIndex* indexes) const;
  // What lies behind a limit of depth is not stored, but may be there already.
  bool has_all(const Word* states, u32 count) const;

  // States as packed_at() gives them, all different, for a table that has nothing else: nothing may
  // be looked up or inserted before end_packed(). The table has no notes, and room (init() with as
  // many expected).
  void append_packed(std::span<const u8> packed, u32 count);
  void end_packed();
  const u8* packed_at(StateIndex index) const { return state_at(index); }

  // Keeps the states for which keep(index, words) is true, numbered anew in the same order, in a
  // table without notes and stack.
  template <class Keep>
  void keep_if(Keep keep) {
    XMC_CHECK(note_bytes_ == 0 && stack_size_ == 0);
    Word state[limits::kStateWords];
    u32 kept = 0;
    for (StateIndex i = 0; i < size_; ++i) {
      load(i, state);
      if (!keep(i, static_cast<const Word*>(state))) continue;
      const u64 to = u64{kept++} * bytes_;
      copy(std::span<u8>(base_ + to, bytes_), std::span<const u8>(base_ + u64{i} * bytes_, bytes_));
    }
    size_ = kept;
    dense_end_ = u64{kept} * bytes_;
    rebuild();
  }

  // Forgets the oldest states, a multiple of eight; the others keep their order and their notes and
  // are numbered from 0. The stack is empty.
  void drop_first(u32 states);

  u32 size() const { return size_; }
  bool at_state_limit() const { return size_ >= state_limit_; }
  // Copies state_words words.
  void load(StateIndex index, Word* out) const {
    XMC_DASSERT(index < size_);
    const u8* at = state_at(index);
    for (u32 w = 0; w + 1 < words_; ++w) out[w] = load_le<u64>(at + 8 * w);
    out[words_ - 1] = load_le<u64>(at + 8 * (words_ - 1)) & last_mask_;
  }

  u32 note(StateIndex index) const {
    XMC_DASSERT(note_bytes_ != 0 && index < size_);
    return (u32{note_at(index)[index % 8 / 2]} >> (index % 2 * 4)) & 15u;
  }
  void set_note(StateIndex index, u32 value) {
    XMC_DASSERT(note_bytes_ != 0 && index < size_ && value < 16);
    u8& byte = const_cast<u8*>(note_at(index))[index % 8 / 2];
    const u32 shift = index % 2 * 4;
    byte = static_cast<u8>((byte & ~(15u << shift)) | (value << shift));
  }

  // The side stack. push refuses when the region is full. References are void after insert().
  u64 stack_size() const { return stack_size_; }
  bool push(u32 value) {
    if (!room_for_stack(1)) return false;
    ++stack_size_;
    stack(stack_size_ - 1) = value;
    if (stack_size_ > stack_peak_) stack_peak_ = stack_size_;
    return true;
  }
  bool room_for_stack(u64 entries) const {
    return dense_end_ + kSlack + (stack_size_ + entries) * sizeof(u32) <= index_begin_;
  }
  u32& stack(u64 i) {
    XMC_DASSERT(i < stack_size_);
    return slots()[-1 - static_cast<std::ptrdiff_t>(i)];
  }
  // Entry i as an iterator over the entries, which lie downwards in memory.
  std::reverse_iterator<u32*> stack_at(u64 i) {
    return std::make_reverse_iterator(slots()) + static_cast<std::ptrdiff_t>(i);
  }
  void set_stack_size(u64 size) {
    XMC_CHECK(size <= stack_size_);
    stack_size_ = size;
  }

  // Bytes that a table of this many states needs at its final load, its stack apart.
  u64 bytes_for(u64 states) const;
  // The most states whose table needs fewer bytes than these.
  u64 states_in(u64 bytes) const;
  // This many more states, and the few marks that go with them, are sure to find room.
  bool has_room(u64 states) const {
    return bytes_for(size_ + states) + (stack_size_ + 64) * sizeof(u32) + region_bytes_ / 64 <=
           region_bytes_;
  }
  u64 stack_peak_bytes() const { return stack_peak_ * sizeof(u32); }
  u64 region_bytes() const { return region_bytes_; }
  u32 state_bytes() const { return bytes_; }
  u64 index_bytes() const { return u64{lines_} * kLineBytes; }

 private:
  template <u32 W>
  friend struct StateTableCode;

  static constexpr u32 kLineSlots = 16;
  static constexpr u32 kLineBytes = 64;
  static constexpr u32 kSlack = 8;  // loads and stores of a last word may pass its end

  const u8* state_at(StateIndex index) const {
    return base_ + u64{index} * bytes_ + (u64{index / 8} + 1) * note_bytes_;
  }
  const u8* note_at(StateIndex index) const {
    return base_ + u64{index / 8 * 8} * bytes_ + u64{index / 8} * note_bytes_;
  }
  u32* slots() const { return reinterpret_cast<u32*>(base_ + index_begin_); }
  u64 final_lines() const;
  void set_lines(u32 lines);
  bool grow();
  void rebuild();
  void index_from(u32 first);

  u8* base_ = nullptr;
  u64 region_bytes_ = 0;
  u64 dense_end_ = 0;    // offset behind the last state
  u64 index_begin_ = 0;  // offset of the index
  u64 stack_size_ = 0;
  u64 stack_peak_ = 0;
  u64 last_mask_ = 0;
  u32 words_ = 0;
  u32 bytes_ = 0;
  u32 note_bytes_ = 0;  // per eight states
  u32 size_ = 0;
  u32 lines_ = 0;
  u32 grow_at_ = 0;  // size at which a larger index pays
  u32 most_ = 0;     // size that this index can hold
  u32 state_limit_ = 0;
  u32 index_mask_ = 0;
  u32 index_bits_ = 0;
};

}  // namespace xmc
