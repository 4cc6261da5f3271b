#include "store/diagram/value_codes.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr Word kMix = 0x9E37'79B9'7F4A'7C15u;
constexpr u32 kSlotShift = 2;       // slots per number: 4
constexpr u32 kBlocksPerLook = 32;  // at how often a group's value changes

// Groups with values to number, on average of one and a half words and 256 numbers: where there are
// more, numbers do not help.
constexpr u64 coded_groups(u64 state_bits) { return std::min<u64>(state_bits / 8 + 4, 48); }
constexpr u64 value_words(u64 state_bits) {
  return coded_groups(state_bits) * 3 / 2 << ValueCodes::kCodeBits;
}
constexpr u64 slots_for(u64 state_bits) {
  return coded_groups(state_bits) << (ValueCodes::kCodeBits + kSlotShift);
}

template <u32 P>
inline Word hash(const Word* value) {
  Word h = (value[0] ^ value[0] >> 32) * kMix;
  for (u32 p = 1; p < P; ++p) h = (h ^ h >> 32 ^ value[p]) * kMix;
  return h;
}

// Bits of a word, in rows of words.
struct Bits {
  u32 step;  // from a row to the next
  u32 shift;
};
void move_bits(const Word* from, Bits there, Word* to, Bits here, Word mask, u32 count) {
  for (; count > 0; --count, from += there.step, to += here.step) {
    *to |= (*from >> there.shift & mask) << here.shift;
  }
}

}  // namespace

u64 ValueCodes::bytes_for(u64 most_groups, u64 state_bits) {
  return most_groups * (sizeof(Group) + kMostParts * sizeof(Part)) +
         value_words(state_bits) * sizeof(Word) + slots_for(state_bits) * sizeof(u16) +
         4 * kLineBytes;
}

void ValueCodes::plan(u64 most_groups, u64 state_bits, Arena& arena) {
  groups_ = arena.carve_array<Group>("order", most_groups);
  parts_ = arena.carve_array<Part>("order", most_groups * kMostParts);
  values_ = arena.carve_array<Word>("order", value_words(state_bits), kLineBytes);
  slots_ = arena.carve_array<u16>("order", slots_for(state_bits), kLineBytes);
}

void ValueCodes::clear() { group_count_ = part_count_ = value_count_ = slot_count_ = 0; }

bool ValueCodes::add(std::span<const Part> parts, u32 bits, u32 key_word, u32 key_shift) {
  XMC_CHECK(!parts.empty());
  XMC_CHECK(parts.size() <= kMostParts);
  XMC_CHECK(bits <= kCodeBits);
  if (group_count_ == groups_.size()) return false;
  Group g = {};
  g.first_part = part_count_;
  g.parts = static_cast<u32>(parts.size());
  g.key_word = static_cast<u16>(key_word);
  g.key_shift = static_cast<u8>(key_shift);
  g.bits = static_cast<u8>(bits);
  const Word mask = parts[0].mask;
  const u32 low = static_cast<u32>(std::countr_zero(mask));
  if (parts.size() == 1 && mask >> low == (Word{1} << bits) - 1) {
    g.slots = kNone;
    g.shift = static_cast<u8>(low);
  } else {
    const u32 slot_bits = bits + kSlotShift;
    g.slots = slot_count_;
    g.values = value_count_;
    g.shift = static_cast<u8>(64 - slot_bits);
    if (slot_count_ + (1u << slot_bits) > slots_.size()) return false;
    if (value_count_ + (g.parts << bits) > values_.size()) return false;
    std::fill_n(&slots_[slot_count_], 1u << slot_bits, u16{0});
    slot_count_ += 1u << slot_bits;
    value_count_ += g.parts << bits;
  }
  std::copy(parts.begin(), parts.end(), &parts_[part_count_]);
  part_count_ += g.parts;
  groups_[group_count_++] = g;
  return true;
}

// Number of a value of the group; kNone: it has none, and belongs to `slot`.
template <u32 P>
inline u32 ValueCodes::code_of(const Group& g, const Word* value, u32& slot) const {
  const u16* const slots = slots_.data() + g.slots;
  const u32 mask = (1u << (g.bits + kSlotShift)) - 1;
  for (slot = static_cast<u32>(hash<P>(value) >> g.shift); slots[slot] != 0;
       slot = (slot + 1) & mask) {
    const u32 code = slots[slot] - 1u;
    if (std::equal(value, value + P, values_.data() + g.values + code * P)) return code;
  }
  return kNone;
}

template <u32 P>
bool ValueCodes::learn(Group& g, const Word* value, u32 slot) {
  if (g.codes == 1u << g.bits) return false;
  std::copy_n(value, P, values_.data() + g.values + g.codes * P);
  slots_[g.slots + slot] = ++g.codes;
  return true;
}

// The number of a value, which may be new unless `Self` is constant. kNone: none left.
template <u32 P, class Self, class GroupOf>
inline u32 ValueCodes::number(Self& self, GroupOf& g, const Word* value) {
  u32 slot = 0;
  const u32 code = self.template code_of<P>(g, value, slot);
  if constexpr (!std::is_const_v<Self>) {
    if (code == kNone && self.template learn<P>(g, value, slot)) return g.codes - 1u;
  }
  return code;
}

// A group of P parts whose value is mostly that of the state before. `changes`: how often it is
// not.
template <u32 P, class Self>
bool ValueCodes::encode_steady(Self& self, u32 group, const Word* state, u32 count, Word* key,
                               Shape shape, u32& changes) {
  auto& g = self.groups_[group];
  const u32 key_shift = g.key_shift;
  Part part[P];
  std::copy_n(self.parts_.data() + g.first_part, P, part);
  Word last[P] = {};
  u32 code = kNone;
  for (; count > 0; --count, state += shape.state_words, key += shape.key_words) {
    Word value[P];
    Word changed = 0;
    for (u32 p = 0; p < P; ++p) {
      value[p] = state[part[p].word] & part[p].mask;
      changed |= value[p] ^ last[p];
    }
    if (changed != 0 || code == kNone) {
      code = number<P>(self, g, value);
      if (code == kNone) return false;
      std::copy_n(value, P, last);
      ++changes;
    }
    *key |= Word{code} << key_shift;
  }
  return true;
}

// The same for values that change often: each is looked up, without branches that nobody can
// foretell, as long as it is at the first place of its hash (telephony.4 -5%; but lifts.7, whose
// groups are many and steady, would take 10% longer).
template <u32 P, class Self>
bool ValueCodes::encode_restless(Self& self, u32 group, const Word* state, u32 count, Word* key,
                                 Shape shape) {
  auto& g = self.groups_[group];
  const u32 key_shift = g.key_shift;
  const u32 shift = g.shift;
  Part part[P];
  std::copy_n(self.parts_.data() + g.first_part, P, part);
  const u16* const slots = self.slots_.data() + g.slots;
  const Word* const values = self.values_.data() + g.values;
  for (; count > 0; --count, state += shape.state_words, key += shape.key_words) {
    Word value[P];
    for (u32 p = 0; p < P; ++p) value[p] = state[part[p].word] & part[p].mask;
    const u32 entry = slots[hash<P>(value) >> shift];
    u32 code = entry != 0 ? entry - 1 : 0;
    Word wrong = entry == 0 ? 1 : 0;
    for (u32 p = 0; p < P; ++p) wrong |= values[code * P + p] ^ value[p];
    if (wrong != 0) {
      code = number<P>(self, g, value);
      if (code == kNone) return false;
    }
    *key |= Word{code} << key_shift;
  }
  return true;
}

// Now and then a block tells how the values behave.
template <u32 P, class Self>
bool ValueCodes::encode_parts(Self& self, u32 group, const Word* states, u32 count, Word* key,
                              Shape shape) {
  auto& g = self.groups_[group];
  if constexpr (!std::is_const_v<Self>) {
    if (g.blocks++ % kBlocksPerLook == 0) g.restless = false;
  }
  if (g.restless) return encode_restless<P>(self, group, states, count, key, shape);
  u32 changes = 0;
  if (!encode_steady<P>(self, group, states, count, key, shape, changes)) return false;
  if constexpr (!std::is_const_v<Self>) g.restless = changes > count / 4;
  return true;
}

template <class Self>
bool ValueCodes::encode_group(Self& self, u32 group, const Word* states, u32 count, Word* keys,
                              Shape shape) {
  const Group& g = self.groups_[group];
  Word* const key = keys + g.key_word;
  if (g.slots == kNone) {
    move_bits(states + self.parts_[g.first_part].word, {shape.state_words, g.shift}, key,
              {shape.key_words, g.key_shift}, (Word{1} << g.bits) - 1, count);
    return true;
  }
  static_assert(kMostParts == 4);
  switch (g.parts) {
    case 1:
      return encode_parts<1>(self, group, states, count, key, shape);
    case 2:
      return encode_parts<2>(self, group, states, count, key, shape);
    case 3:
      return encode_parts<3>(self, group, states, count, key, shape);
    default:
      return encode_parts<4>(self, group, states, count, key, shape);
  }
}

template <class Self>
bool ValueCodes::encode_all(Self& self, const Word* states, u32 count, Word* keys, Shape shape) {
  std::fill_n(keys, u64{count} * shape.key_words, Word{0});
  for (u32 i = 0; i < self.group_count_; ++i) {
    if (encode_group(self, i, states, count, keys, shape)) continue;
    if constexpr (!std::is_const_v<Self>) self.full_group_ = i;
    return false;
  }
  return true;
}

template bool ValueCodes::encode_all(ValueCodes&, const Word*, u32, Word*, Shape);
template bool ValueCodes::encode_all(const ValueCodes&, const Word*, u32, Word*, Shape);

void ValueCodes::put_value(u32 group, u32 code, Word* state) const {
  const Group& g = groups_[group];
  const Part* const part = parts_.data() + g.first_part;
  if (g.slots == kNone) {
    state[part[0].word] |= Word{code} << g.shift;
    return;
  }
  const Word* const value = values_.data() + g.values + code * g.parts;
  for (u32 p = 0; p < g.parts; ++p) state[part[p].word] |= value[p];
}

// One part of a group.
void ValueCodes::decode_part(const Group& g, u32 p, const Word* key, u32 count, Word* state,
                             Shape shape) const {
  const u32 key_shift = g.key_shift;
  const u32 mask = (1u << g.bits) - 1;
  const u32 parts = g.parts;
  const Word* const value = values_.data() + g.values + p;
  for (; count > 0; --count, key += shape.key_words, state += shape.state_words) {
    *state |= value[(static_cast<u32>(*key >> key_shift) & mask) * parts];
  }
}

void ValueCodes::decode(const Word* keys, u32 count, Word* states, Shape shape) const {
  std::fill_n(states, u64{count} * shape.state_words, Word{0});
  for (const Group& g : groups_.first(group_count_)) {
    const Part* const part = parts_.data() + g.first_part;
    const Word* const key = keys + g.key_word;
    if (g.slots == kNone) {
      move_bits(key, {shape.key_words, g.key_shift}, states + part[0].word,
                {shape.state_words, g.shift}, (Word{1} << g.bits) - 1, count);
      continue;
    }
    for (u32 p = 0; p < g.parts; ++p) {
      decode_part(g, p, key, count, states + part[p].word, shape);
    }
  }
}

}  // namespace xmc
