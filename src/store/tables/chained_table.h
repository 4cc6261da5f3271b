// ChainedTable: recent states in a hash table with chains, exact, numbered in order of insertion:
// what Bao and Jones ("Time-Efficient Model Checking with Magnetic Disk", 2005) found much faster
// than the open table of the programs before theirs. It does what StateTable does for RecentStates
// and takes the same region, so that the two can be compared.
//
//   low end                                                                high end
//   | link, state 0 | link, state 1 | ...  entries ->  |  free  |  heads of the chains |
//
// A head or link is index + 1 of the next state of the chain, 0 at its end; the four highest bits
// of a link are the state's note. With a chain per state a table of 8-byte states takes 16 bytes
// each, against 12.9 in a StateTable with notes.
//
// The heads have room for as many chains as states from the beginning, but are used, and touched,
// by doubling: a small search stays small.
#pragma once

#include <span>

#include "store/tables/state_table.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/types.h"

namespace xmc {

class ChainedTable {
 public:
  static constexpr u32 kBatch = StateTable::kBatch;
  static constexpr u64 kMostStates = (u64{1} << 28) - 1;

  constexpr ChainedTable() = default;

  // region: aligned to 4 bytes and a multiple of them, with room for some states.
  void init(std::span<u8> region, const StateTable::Shape& shape);

  // As in StateTable.
  u32 insert(const Word* states, u32 count, StateIndex* indexes);
  void find(const Word* states, u32 count, StateIndex* indexes) const;

  u32 size() const { return size_; }
  void load(StateIndex index, Word* out) const {
    XMC_DASSERT(index < size_);
    const u8* const at = entry(index) + kLinkBytes;
    for (u32 w = 0; w + 1 < words_; ++w) out[w] = load_le<u64>(at + 8 * w);
    out[words_ - 1] = load_le<u64>(at + 8 * (words_ - 1)) & last_mask_;
  }

  u32 note(StateIndex index) const {
    XMC_DASSERT(index < size_);
    return load_le<u32>(entry(index)) >> kNoteShift;
  }
  void set_note(StateIndex index, u32 value) {
    XMC_DASSERT(index < size_ && value < 16);
    const u32 link = load_le<u32>(entry(index)) & kLinkMask;
    store_le<u32>(entry(index), link | value << kNoteShift);
  }

 private:
  template <u32 W>
  friend struct ChainedTableCode;

  static constexpr u32 kLinkBytes = 4;
  static constexpr u32 kNoteShift = 28;
  static constexpr u32 kLinkMask = (1u << kNoteShift) - 1;
  static constexpr u32 kSlack = 8;  // loads and stores of a last word may pass its end

  u8* entry(StateIndex index) const { return base_ + u64{index} * stride_; }
  void grow();

  u8* base_ = nullptr;
  u32* heads_ = nullptr;
  u64 last_mask_ = 0;
  u32 words_ = 0;
  u32 stride_ = 0;
  u32 size_ = 0;
  u32 most_ = 0;    // states that fit, and chains at last
  u32 chains_ = 0;  // at present
};

}  // namespace xmc
