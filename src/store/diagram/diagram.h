// Diagram: a set of keys as a minimal acyclic automaton in a fixed piece of memory.
//
// A key is a string of digits. Equal tails of the set are stored once (hash-consing), so sets with
// structure take far less than their keys: BEEM models need 0.002 to 2.5 bytes per state. Sorted
// batches are inserted level by level: down through the diagram and the batch together, then up
// again with the nodes that change. That tells which keys were new, and leaves a node alone when
// nothing below it is; work is proportional to the new keys' paths. Nodes are immutable: a failed
// insertion leaves the old set as it was.
//
//   node  = header (level << 16 | edges - 1), the edges' digits four to a word, then one word per
//           edge: the child, or, one level above the last, a bitmap over the last digit
//   tail  = header with a mark, the rest of the one key below, as words: a chain of nodes with one
//           edge each would take a node per digit, which wide states have many of
//   slots = open-addressing table of nodes by content, so that equal nodes are one
//
// Garbage is collected in place when memory ends: see diagram_memory.cc.
// One pass for filter, build and union, and the figures, are from our own prototype; Holzmann and
// Puri's minimised automata ("A Minimized Automaton Representation of Reachable States", 1999)
// insert one state at a time. Going level by level is from Ochi, Yasuoka and Yajima
// ("Breadth-First Manipulation of Very Large Binary-Decision Diagrams", 1993); here it is for the
// processor's caches.
#pragma once

#include <span>

#include "xmc/types.h"

namespace xmc {

class Diagram {
 public:
  // One digit of a key: at most 8 bits, the last one at most 5. Digits do not straddle key words,
  // and come from the high end, so that keys compare like their digit strings.
  struct Digit {
    u16 word = 0;
    u8 shift = 0;
    u8 bits = 0;
  };
  static constexpr u32 kLastBits = 5;
  static constexpr u32 kDigitBits = 8;

  static constexpr u32 kTailKeyWords = 4;  // of keys that have tails, if nobody tells

  // Memory for `words` node words and `digits` digits: what init() takes.
  static u64 bytes_for(u64 words, u64 digits) { return bytes_for(words, digits, kFirstTenths); }
  // The same for nodes of the size that they have now.
  u64 bytes_to_hold(u64 words) const { return bytes_for(words, levels_, fitting_tenths()); }
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
  // there is no room, or it is the last digit; only init() helps then.
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
  u64 node_words() const { return top_ - 1; }  // garbage included
  u64 capacity_words() const { return capacity_; }
  u64 collections() const { return collections_; }
  u64 words_after_collection() const { return live_; }  // the last whole one; 0 before it
  u64 words_after_any_collection() const { return old_top_ - 1; }
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

  // What is to become of one node when keys are inserted.
  struct Task {
    u32 old;     // the node, or bitmap; or a tail whose key belongs here, of this level or one
                 // above; 0: none, nor has its parent an edge for it
    u32 result;  // the same with the keys in it
    u16 first;   // of its keys, in the batch
    u16 keys;    // how many; none if only the tail belongs here
    u16 kids;    // tasks of the next level that are its children; none: it becomes a tail
    u8 digit;    // of its edge
    u8 edge;     // of the old parent: its own, or the one that it comes before
  };
  // A node or tail that was written, but not yet compared with others.
  struct Staged {
    u32 task;
    u32 begin;  // in the stage
    u32 words;
    u32 slot;
    u32 tag;
  };
  struct Step {  // of a walk: a node, and its next edge
    u32 node;
    u32 edge;
  };
  static constexpr u32 kMostNodeWords = 1 + 256 / 4 + 256;
  static constexpr u32 kMostKeyWords = 80;
  static constexpr u32 kStageWords = 2048;
  static constexpr u32 kStaged = 32;

  static u64 mark_words(u64 words) { return words / 64 + 2; }
  static u64 tasks_for(u64 words, u64 digits);
  // Tenths of node words for each slot: a node has at least three words, often more than ten.
  static constexpr u32 kFirstTenths = 30;
  static constexpr u32 kLeastTenths = 20;
  static constexpr u32 kMostTenths = 150;
  static u64 bytes_for(u64 words, u64 digits, u64 tenths_per_slot);
  void lay_out(std::span<u8> region);
  void move_nodes(std::span<u8> region);
  u32 fitting_tenths() const;
  bool refit();
  bool try_insert(const Word* keys, u32 count, u64* fresh, u32& root);
  bool open_tasks(const Word* keys, u32 count, u32 root);
  bool close_tasks(const Word* keys, u32 offset, u64* fresh);
  void split(u32 level, u32 task, const Word* keys);
  void split_tail(u32 level, u32 task, const Word* keys);
  void add_kid(u32 old, u32 first, u32 keys, u32 digit, u32 edge);
  bool build(u32 level, const Word* keys, u32 offset, u64* fresh);
  u32 write_node(u32 level, Task& task, std::span<const Task> kids, u32* node) const;
  u32 write_last(Task& task, const Word* keys, u32 offset, u64* fresh, u32* node) const;
  static u32 write_new(u32 level, std::span<const Task> kids, u32* node);
  static u32 write_grown(const u32* old, u32 added, std::span<const Task> kids, u32* node);
  u32 write_tail(u32 level, Task& task, const Word* keys, u32 offset, u64* fresh, u32* node) const;
  bool settle(std::span<Staged> staged);
  u32 settle_one(u32 words);
  u32 put_tail(u32 level, const Word* key, u32* node) const;
  void take_tail(u32 tail, Word* key) const;
  u32 move_tail(const Diagram& old, u32 node, const Apart& apart);
  u32 move_node(const Diagram& old, u32 node, const Apart& apart);
  u32 move_apart(const Diagram& old, u32 node, const Apart& apart);
  void collect();
  void collect_from(u32 begin);
  bool young_pays() const;
  void mark(u32 begin);
  void slide(u32 begin);
  u32 forward(u32 node, u32 begin) const;
  void clear_slots(u32 begin);
  void rebuild_slots();
  u32 count_nodes() const;
  // Over the words of a node: padding bytes of the digits are zero, so equal nodes are equal words.
  static u32 hash(const u32* node, u32 words) {
    u64 h = words;
    const auto mix = [&h](u64 bits) {
      h = (h ^ bits) * 0xFF51'AFD7'ED55'8CCDu;
      h ^= h >> 32;
    };
    for (; words >= 2; words -= 2, node += 2) mix(u64{node[0]} | u64{node[1]} << 32);
    if (words != 0) mix(node[0]);
    return static_cast<u32>(h * 0xC4CE'B9FE'1A85'EC53u >> 32);
  }
  u32 slot_of(u32 hash) const { return static_cast<u32>((u64{hash} * slot_count_) >> 32); }
  u32 tag_of(u32 hash) const { return hash * (index_mask_ + 1); }
  // A node that is going to be filed.
  struct Waiting {
    u32 entry = 0;  // 0: none
    u32 slot = 0;
  };
  void file(u32 node, u32 words);
  void put_slot(const Waiting& waiting);
  void file_waiting();
  u32 size_of(const u32* node) const;
  u32 node_size(u32 node) const { return size_of(heap_ + node); }
  u32 edges(u32 node) const { return (heap_[node] & 0xFFFFu) + 1; }
  u32 level(u32 node) const { return heap_[node] >> 16; }
  const u8* digits(u32 node) const { return reinterpret_cast<const u8*>(heap_ + node + 1); }
  const u32* children(u32 node) const { return heap_ + node + 1 + (edges(node) + 3) / 4; }
  u32 digit(const Word* key, u32 level) const {
    const Digit& d = digits_[level];
    return static_cast<u32>(key[d.word] >> d.shift) & ((1u << d.bits) - 1);
  }
  // Tails stand for single keys below levels 1 to levels_ - 3, in sets of wide states: there they
  // halved the time (leader_election.4, plc.4), but lifts.7, with states of three words, shares the
  // ends of its chains and grew.
  static constexpr u32 kTail = 0x8000;
  // Nodes of the last level but one have bitmaps.
  bool has_children(u32 node) const { return level(node) + 2 < levels_ && !is_tail(node); }
  bool is_tail(u32 node) const { return (heap_[node] & kTail) != 0; }
  bool tail_fits(u32 level) const { return tails_ && level > 0 && level + 2 < levels_; }
  Word tail_mask(u32 level) const;
  Word tail_word(u32 tail, u32 word) const;
  u32 tail_digit(u32 tail, u32 level) const;
  bool tail_equals(u32 tail, const Word* key) const;
  void put_digit(Word* key, u32 level, u32 value) const {
    const Digit& d = digits_[level];
    const Word mask = ((Word{1} << d.bits) - 1) << d.shift;
    key[d.word] = (key[d.word] & ~mask) | Word{value} << d.shift;
  }

  std::span<const Digit> digits_;
  u32 levels_ = 0;  // digits
  u32 key_words_ = 0;
  bool tails_ = false;
  u32* heap_ = nullptr;
  u64 capacity_ = 0;
  u64 top_ = 1;  // word 0 is no node
  u32* slots_ = nullptr;
  u32 slot_count_ = 0;
  u32 slots_used_ = 0;
  u32 tenths_per_slot_ = kFirstTenths;
  std::span<u8> region_;
  u32 index_mask_ = 0;  // of a slot: a node; the other bits are from its hash
  u64* marks_ = nullptr;
  u32* mark_sums_ = nullptr;  // live words before each word of marks
  Step* steps_ = nullptr;     // one for each level
  u32* begins_ = nullptr;     // of each level's tasks
  u32* stage_ = nullptr;
  Task* tasks_ = nullptr;
  u32 task_room_ = 0;
  u32 task_count_ = 0;
  u32 at_once_ = 0;  // keys whose tasks should fit
  u32 root_ = 0;     // 0: empty
  u64 size_ = 0;
  u64 collections_ = 0;
  u64 live_ = 0;
  u32 old_top_ = 1;      // nodes from here on were made since the last collection
  u64 most_growth_ = 0;  // words that one insertion made lately
  static constexpr u32 kWaiting = 16;
  Waiting waiting_[kWaiting];
  u32 waiting_count_ = 0;

  // Of a walk, with its steps.
  u32 walk_level_ = 0;
  u32 walk_bits_ = 0;  // of the bitmap that is being walked
  Word walk_key_[kMostKeyWords] = {};
};

}  // namespace xmc
