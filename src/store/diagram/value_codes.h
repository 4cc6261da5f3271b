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

  // Widths of what is coded, in words.
  struct Shape {
    u32 state_words;
    u32 key_words;
  };
  // The keys of some states, group by group: often a state has the value of the one before. Values
  // that are new get their numbers; false: full_group() has none left.
  bool encode(const Word* states, u32 count, Word* keys, Shape shape) {
    return encode_all(*this, states, count, keys, shape);
  }
  // The same without new values; false: there is one.
  bool find(const Word* states, u32 count, Word* keys, Shape shape) const {
    return encode_all(*this, states, count, keys, shape);
  }
  void decode(const Word* keys, u32 count, Word* states, Shape shape) const;
  u32 full_group() const { return full_group_; }
  u32 groups() const { return group_count_; }
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
    u8 shift;       // of a hash, to a slot; without slots: of the bits
    u16 codes;      // given so far
    bool restless;  // its value changes often from state to state
    u32 blocks;     // coded so far
  };

  template <class Self>
  static bool encode_all(Self& self, const Word* states, u32 count, Word* keys, Shape shape);
  template <class Self>
  static bool encode_group(Self& self, u32 group, const Word* states, u32 count, Word* keys,
                           Shape shape);
  template <u32 P, class Self>
  static bool encode_parts(Self& self, u32 group, const Word* state, u32 count, Word* key,
                           Shape shape);
  template <u32 P, class Self>
  static bool encode_steady(Self& self, u32 group, const Word* state, u32 count, Word* key,
                            Shape shape, u32& changes);
  template <u32 P, class Self>
  static bool encode_restless(Self& self, u32 group, const Word* state, u32 count, Word* key,
                              Shape shape);
  template <u32 P, class Self, class GroupOf>
  static u32 number(Self& self, GroupOf& group, const Word* value);
  template <u32 P>
  u32 code_of(const Group& group, const Word* value, u32& slot) const;
  template <u32 P>
  bool learn(Group& group, const Word* value, u32 slot);
  void decode_part(const Group& group, u32 part, const Word* key, u32 count, Word* state,
                   Shape shape) const;

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
