// States of a queue file as sorted keys: what diagrams are made of.
#pragma once

#include "store/diagram/key_order.h"
#include "store/files/key_file.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

// Room for sorting.
struct KeyBuffers {
  Word* first = nullptr;
  Word* second = nullptr;
  u32 keys = 0;  // in each
};

// The next `count` states that a reader has, as keys of an order. False: one of them cannot be made
// (KeyOrder::to_key).
Result<bool> read_keys(KeyReader& reader, KeyOrder& order, u32 count, Word* keys);
// The same, sorted, at most buffers.keys; they are in one of the buffers. Null: one of them cannot
// be made.
Result<Word*> read_sorted_keys(KeyReader& reader, KeyOrder& order, const KeyBuffers& buffers,
                               u32 count);

// Leaves one of equal keys; their number.
u32 drop_repeated(Word* sorted, u32 count, u32 words);

// Keys of some of the first `states` states of a reader that is at its beginning, at most `most` of
// them and evenly spread: for KeyOrder::join(). Nothing is joined yet. Their number.
Result<u32> read_some_keys(KeyReader& reader, KeyOrder& order, u64 states, u32 most, Word* keys);
// As many of them tell enough.
inline constexpr u32 kJoinSample = 16384;

// Of the first `states` states of a reader's file, which has as many, those of whole levels: all
// but the last one's. The reader is somewhere else then.
Result<u64> whole_levels(KeyReader& reader, u64 states);

}  // namespace xmc
