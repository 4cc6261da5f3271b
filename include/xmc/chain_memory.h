// ChainMemory: what an execution of a generator remembers of chains, which are the statements
// behind a step that keeps control: the states on the way and those that are still to be followed,
// from the bottom of one array, and states that have been followed, from its top. The latter are
// there to be met again; they make room for the others at any time.
#pragma once

#include <algorithm>

#include "xmc/types.h"

namespace xmc {

// The ways on from a state of a chain, by where they lead. They are counted with multiplicity, up
// to the largest number.
struct ChainWays {
  u64 ends = 0;
  u64 errors = 0;

  static u64 sum(u64 a, u64 b) { return a + b < a ? ~u64{0} : a + b; }
  static u64 product(u64 a, u64 b) { return a != 0 && b > ~u64{0} / a ? ~u64{0} : a * b; }

  void add(const ChainWays& more) {
    ends = sum(ends, more.ends);
    errors = sum(errors, more.errors);
  }
};

struct ChainMemory {
  Word* states = nullptr;
  u32* keepers = nullptr;     // by state: the rule that goes on from it
  u32* steps = nullptr;       // by state: the label of the chain's first step
  u32* labels = nullptr;      // by state: that of the statement that led to it
  ChainWays* ways = nullptr;  // by state: how many there were when it was entered; later, its own
  u32* path = nullptr;        // three for each state on the way, see ChainWalk
  u16* slots = nullptr;       // hash table of the states that have been followed
  u32 slot_count = 0;         // a power of two, at least 2 * most
  u32 most = 0;
  u32 words = 0;
  u32 followed = 0;  // states that have been and are remembered, from `most` downwards

  // States at the bottom have room below this one.
  u32 room() const { return most - followed; }
  Word* state(u32 i) const { return states + u64{i} * words; }

  void forget() {
    if (followed == 0) return;
    std::fill_n(slots, slot_count, u16{0});
    followed = 0;
  }
  // The one that equals this state of the bottom; kNone: none.
  u32 find(u32 i) const {
    const u16 slot = slots[slot_of(i)];
    return slot == 0 ? kNone : most - slot;
  }
  // A state of the bottom, where `used` are in use, has so many ways on.
  void remember(u32 i, const ChainWays& on, u32 used) {
    if (used >= room()) forget();
    if (used >= room()) return;
    const u32 slot = slot_of(i);
    if (slots[slot] != 0) return;
    const u32 to = most - ++followed;
    std::copy_n(state(i), words, state(to));
    keepers[to] = keepers[i];
    steps[to] = steps[i];
    ways[to] = on;
    slots[slot] = static_cast<u16>(followed);
  }
  bool same(u32 a, u32 b) const {
    return keepers[a] == keepers[b] && steps[a] == steps[b] &&
           std::equal(state(a), state(a) + words, state(b));
  }

 private:
  u32 slot_of(u32 i) const {
    u64 hash = u64{keepers[i]} << 32 | steps[i];
    for (u32 w = 0; w < words; ++w) hash = (hash ^ state(i)[w]) * 0x9e3779b97f4a7c15 ^ hash >> 29;
    u32 slot = static_cast<u32>(hash >> 32) & (slot_count - 1);
    while (slots[slot] != 0 && !same(most - slots[slot], i)) slot = (slot + 1) & (slot_count - 1);
    return slot;
  }
};

}  // namespace xmc
