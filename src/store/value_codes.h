// ValueCodes: small numbers for the values that groups of bits take together.
//
// Most fields of a wide state follow from others: 888 bits of leader_election.4 take a few values
// each, and neighbours go together. A group of fields that has few values gets a number for each
// value that occurs, in order of appearance, up to 256 of them; a state becomes a short string of
// such numbers, and comes back from them. (The collapse compression of Holzmann, "State Compression
// in SPIN", 1997, does this for whole processes.)
#pragma once

#include <span>

#include "xmc/arena.h"
#include "xmc/types.h"

namespace xmc {

class ValueCodes {
 public:
  static constexpr u32 kMostParts = 4;  // words of a state that a group may touch
  static constexpr u32 kCodeBits = 8;

  // Bits of one word of a state.
  struct Part {
    u16 word;
    Word mask;
  };

  static u64 bytes_for(u64 most_groups, u64 state_bits);
  void plan(u64 most_groups, u64 state_bits, Arena& arena);

  // No groups.
  void clear();
  // One more group, whose numbers have `bits` bits and go to a place in the key. False: no room.
  bool add(std::span<const Part> parts, u32 bits, u32 key_word, u32 key_shift);

  // The key of a state. Values that are new get their numbers; false: full_group() has none left.
  bool encode(const Word* state, Word* key, u32 key_words);
  // The same without new values; false: there is one.
  bool find(const Word* state, Word* key, u32 key_words) const;
  void decode(const Word* key, Word* state, u32 state_words) const;
  // The same for neighbours, which have most values in common. `key` and `state` are those of the
  // state before; `changed` tells the bits in which the next one differs, word by word. Only groups
  // with such bits are looked at.
  bool encode_next(const Word* state, const Word* changed, Word* key);
  bool find_next(const Word* state, const Word* changed, Word* key) const;
  void decode_next(const Word* key, const Word* changed, Word* state) const;
  u32 full_group() const { return full_group_; }
  u32 codes(u32 group) const { return groups_[group].codes; }
  // The bits of a group in a state that has none of them set.
  void put_value(u32 group, u32 code, Word* state) const;

 private:
  struct Group {
    u32 first_part;
    u32 parts;
    u32 values;  // offset of its values, `parts` words each
    u32 slots;   // offset of its slots; kNone: the bits are the number
    u16 key_word;
    u8 key_shift;
    u8 bits;
    u8 shift;   // of a hash, to a slot; without slots: of the bits
    u16 codes;  // given so far
  };

  u32 code_of(const Group& group, const Word* state, u32& slot) const;
  void put(const Group& group, u32 code, Word* state) const;
  bool touched(const Group& group, const Word* changed) const;
  bool learn(Group& group, const Word* state, u32 slot);

  std::span<Group> groups_;
  std::span<Part> parts_;
  std::span<Word> values_;
  std::span<u16> slots_;  // a number plus one; 0: free
  u32 group_count_ = 0;
  u32 part_count_ = 0;
  u32 value_count_ = 0;
  u32 slot_count_ = 0;
  u32 full_group_ = 0;
};

}  // namespace xmc
