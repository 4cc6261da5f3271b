// OperationCache: results of operations on sets, for as long as there is room.
//
// An entry is an operation with up to three operands, and its result, 16 bytes; four entries share
// a line of the cache. A hit climbs one place in its line, a new entry takes the second place, and
// what was in the last place is lost. Losing an entry costs time only. But a cache that is far too
// small makes recursive operations take exponential time: half of the memory is not too much.
#pragma once

#include <span>

#include "store/symbolic/list_nodes.h"
#include "xmc/types.h"
#include "xmc/wide_count.h"

namespace xmc {

// What is remembered. An operand is a node where the name of the operation says so.
enum class SetOp : u8 {
  none,
  unite,      // set, set
  subtract,   // set, set
  intersect,  // set, set
  saturate,   // set, level
  image,      // set, relation, group and level
  preimage,   // set, relation, group and level
  join,       // relation, relation, group and place
  project,    // set, step and level
  count,      // set; the other words are the lowest 64 bits of the number, and what follows
  count_last = count + WideCount::kWords - 1,  // and the highest
};

class OperationCache {
 public:
  static constexpr u32 kPlaces = 4;

  struct Entry {
    u32 key = 0;  // SetOp above the first node
    u32 b = 0;
    u32 c = 0;
    u32 result = 0;
  };

  // The memory is zeroed and aligned to a line of the cache.
  void init(std::span<u8> memory);
  u64 entries() const { return entries_.size(); }

  bool find(SetOp op, Node a, u32 b, u32 c, Node& result);
  void keep(SetOp op, Node a, u32 b, u32 c, Node result);
  // The same for a number: an entry for each word of it that is needed. It is forgotten with any
  // of them.
  bool find_count(Node a, WideCount& result);
  void keep_count(Node a, const WideCount& result);

  void clear();
  // Its memory, for another use until clear().
  std::span<u64> lend();
  // Entries with a node that is not marked are dropped: its number may soon be another node's.
  void keep_marked(const ListNodes& nodes);

 private:
  static u32 key_of(SetOp op, Node a) { return static_cast<u32>(op) << ListNodes::kNodeBits | a; }
  Entry* line_of(u32 key, u32 b, u32 c);
  void put(Entry* line, const Entry& entry);

  std::span<Entry> entries_;
  u64 lines_ = 0;
};

}  // namespace xmc
