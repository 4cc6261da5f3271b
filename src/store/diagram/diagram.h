// Diagram: a set of keys as a minimal acyclic automaton in a fixed piece of memory.
//
// A key is a string of digits. Equal tails of the set are stored once (hash-consing), so sets with
// structure take far less than their keys: BEEM models need 0.002 to 2.5 bytes per state. Sorted
// batches are inserted level by level: down through the diagram and the batch together, then up
// again with the nodes that change. That tells which keys were new, and leaves a node alone when
// nothing below it is; work is proportional to the new keys' paths. Nodes are immutable: a failed
// insertion leaves the old set as it was.
//
// diagram_nodes.h has the nodes, diagram_insertion.h the batch on its way, node_marks.h the
// collection of garbage, in place, when memory ends.
//
// One pass for filter, build and union, and the figures, are from our own prototype; Holzmann and
// Puri's minimised automata ("A Minimized Automaton Representation of Reachable States", 1999)
// insert one state at a time. Going level by level is from Ochi, Yasuoka and Yajima
// ("Breadth-First Manipulation of Very Large Binary-Decision Diagrams", 1993); here it is for the
// processor's caches.
#pragma once

#include <span>

#include "store/diagram/diagram_insertion.h"
#include "store/diagram/diagram_nodes.h"
#include "store/diagram/node_marks.h"
#include "xmc/limits.h"
#include "xmc/types.h"

namespace xmc {

class Diagram {
 public:
  using Digit = DiagramDigit;
  static constexpr u32 kLastBits = 5;
  static constexpr u32 kDigitBits = 8;

  static constexpr u32 kTailKeyWords = 4;  // of keys that have tails, if nobody tells

  // Memory for `words` node words and `digits` digits: what init() takes.
  static u64 bytes_for(u64 words, u64 digits) { return bytes_for(words, digits, kFirstTenths); }
  // The same for nodes of the size that they have now.
  u64 bytes_to_hold(u64 words) const { return bytes_for(words, nodes_.levels, fitting_tenths()); }
  // The whole region is used; it has to be 8-byte aligned. Empties the set.
  // `tails`: keys are expected to differ from all others in long ends.
  void init(std::span<u8> region, std::span<const Digit> digits, u32 key_words, bool tails);
  void init(std::span<u8> region, std::span<const Digit> digits, u32 key_words) {
    init(region, digits, key_words, key_words >= kTailKeyWords);
  }
  void clear();
  // A digit that becomes several.
  struct Apart {
    u32 level = 0;                  // which one
    u32 parts = 0;                  // digits that it becomes; 0: keys are different altogether
    std::span<const Digit> before;  // digits until now
    const Word* keys = nullptr;  // with the parts of each of its values in turn, in the new digits
    std::span<u8> spare;         // memory outside of the diagram, if there is some
  };
  // The same set with other digits, in a piece of memory that ends where the old one does. False:
  // there is no room; only init() helps then.
  bool take_apart(std::span<u8> region, std::span<const Digit> digits, u32 key_words,
                  const Apart& apart);
  // The same set in another piece of memory, which may overlap the old one. False: it would be more
  // than half full; nothing has changed but garbage.
  bool move_to(std::span<u8> region);

  // Inserts `count` sorted distinct keys. Bit i of `fresh` tells that key i was not there before.
  // False: no room even after a collection; the set is as it was.
  bool insert(const Word* keys, u32 count, u64* fresh);
  bool contains(const Word* key) const;
  // Clears bit i of `absent` for each of the sorted keys i that is there; bits that are not set are
  // not looked at.
  void drop_known(const Word* keys, u32 count, u64* absent);
  // All keys in ascending order: the first ones, then the next ones, at most `room` at a time; none
  // at the end. The set must not change meanwhile.
  void begin_walk();
  u32 walk(Word* keys, u32 room);

  u64 size() const { return size_; }
  u64 node_words() const { return nodes_.top - 1; }  // garbage included
  u64 capacity_words() const { return nodes_.capacity; }
  u64 collections() const { return past_.collections; }
  u64 words_after_collection() const { return past_.live; }  // the last whole one; 0 before it
  u64 words_after_any_collection() const { return past_.old_top - 1; }
  // Words in use after a collection now.
  u64 live_words();

  // All nodes without garbage, for a file, and where the root is.
  std::span<const u32> nodes();
  u32 root() const { return root_; }
  // The same set again, after init() with the same digits: room for so many words, empty if there
  // is none; then the nodes that were put there. False: they do not fit, and the set is empty.
  std::span<u32> room_for(u64 words);
  bool load(std::span<const u32> nodes, u32 root, u64 size);

 private:
  friend class Rank;  // takes the nodes of a finished set over

  struct Step {  // a node, and its next edge
    u32 node;
    u32 edge;
  };
  struct Walk {
    Step* steps = nullptr;  // one for each level
    u32 level = 0;
    u32 bits = 0;  // of the bitmap that is being walked
    Word key[limits::kKeyWords] = {};
  };
  // What was collected, and when the next collection pays.
  struct Past {
    u64 collections = 0;  // whole ones
    u64 live = 0;         // words after the last of them
    u32 old_top = 1;      // nodes from here on were made since the last collection
    u64 most_growth = 0;  // words that one insertion made lately
  };

  // Tenths of node words for each slot: a node has at least three words, often more than ten.
  static constexpr u32 kFirstTenths = 30;
  static constexpr u32 kLeastTenths = 20;
  static constexpr u32 kMostTenths = 150;
  static u64 bytes_for(u64 words, u64 digits, u64 tenths_per_slot);
  void lay_out(std::span<u8> region);
  void move_nodes(std::span<u8> region);
  u32 fitting_tenths() const;
  bool refit();
  u32 move_tail(const DiagramNodes& old, u32 node, const Apart& apart);
  u32 move_node(const DiagramNodes& old, u32 node, const Apart& apart);
  struct ApartEdge;
  u32 differs_at(const ApartEdge& a, const ApartEdge& b, u32 end, const Apart& apart) const;
  void sort_parts(std::span<ApartEdge> edges, const Apart& apart) const;
  u32 move_apart(const DiagramNodes& old, u32 node, const Apart& apart);
  u32 move_bitmap(u32 bitmap, const Apart& apart);
  u32 move_bitmaps(const DiagramNodes& old, u32 node, const Apart& apart);
  u32 stack_up(std::span<ApartEdge> all, u32 end, const Apart& apart);
  void collect();
  void collect_from(u32 begin);
  bool young_pays() const;
  // After a load or a move that leaves garbage behind, as after a whole collection.
  void note_no_garbage();

  std::span<u8> region_;
  u32 tenths_per_slot_ = kFirstTenths;
  DiagramNodes nodes_;
  u32 root_ = 0;  // 0: empty
  u64 size_ = 0;
  DiagramInsertion insertion_;
  NodeMarks marks_;
  Past past_;
  Walk walk_;
};

}  // namespace xmc
