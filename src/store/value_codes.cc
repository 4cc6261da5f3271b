#include "store/value_codes.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr Word kMix = 0x9E37'79B9'7F4A'7C15u;
constexpr u64 kAlignment = 64;

// Groups with values to number, on average of one and a half words and 256 numbers: where there are
// more, numbers do not help.
constexpr u64 coded_groups(u64 state_bits) { return std::min<u64>(state_bits / 8 + 4, 48); }
constexpr u64 value_words(u64 state_bits) {
  return coded_groups(state_bits) * 3 / 2 << ValueCodes::kCodeBits;
}
constexpr u64 slots_for(u64 state_bits) {
  return coded_groups(state_bits) << (ValueCodes::kCodeBits + 1);
}

}  // namespace

u64 ValueCodes::bytes_for(u64 most_groups, u64 state_bits) {
  return most_groups * (sizeof(Group) + kMostParts * sizeof(Part)) +
         value_words(state_bits) * sizeof(Word) + slots_for(state_bits) * sizeof(u16) +
         4 * kAlignment;
}

void ValueCodes::plan(u64 most_groups, u64 state_bits, Arena& arena) {
  groups_ = arena.carve_array<Group>("order", most_groups);
  parts_ = arena.carve_array<Part>("order", most_groups * kMostParts);
  values_ = arena.carve_array<Word>("order", value_words(state_bits), kAlignment);
  slots_ = arena.carve_array<u16>("order", slots_for(state_bits), kAlignment);
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
    const u32 slot_bits = bits + 1;
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

// Number of the group's value in a state; kNone: it has none, and belongs to `slot`.
inline u32 ValueCodes::code_of(const Group& g, const Word* state, u32& slot) const {
  const Part* const part = parts_.data() + g.first_part;
  const Word first = state[part[0].word] & part[0].mask;
  if (g.slots == kNone) return static_cast<u32>(first >> g.shift);
  Word h = (first ^ first >> 32) * kMix;
  for (u32 p = 1; p < g.parts; ++p) {
    const Word next = state[part[p].word] & part[p].mask;
    h = (h ^ h >> 32 ^ next) * kMix;
  }
  const u16* const slots = slots_.data() + g.slots;
  const u32 mask = (2u << g.bits) - 1;
  for (slot = static_cast<u32>(h >> g.shift); slots[slot] != 0; slot = (slot + 1) & mask) {
    const u32 code = slots[slot] - 1u;
    const Word* const value = values_.data() + g.values + code * g.parts;
    if (value[0] != first) continue;
    u32 p = 1;
    while (p < g.parts && value[p] == (state[part[p].word] & part[p].mask)) ++p;
    if (p == g.parts) return code;
  }
  return kNone;
}

bool ValueCodes::learn(Group& g, const Word* state, u32 slot) {
  if (g.codes == 1u << g.bits) return false;
  const Part* const part = parts_.data() + g.first_part;
  Word* const value = values_.data() + g.values + g.codes * g.parts;
  for (u32 p = 0; p < g.parts; ++p) value[p] = state[part[p].word] & part[p].mask;
  slots_[g.slots + slot] = ++g.codes;
  return true;
}

// The number of one state's value, which may be new unless `Self` is constant. kNone: none left.
template <class Self, class GroupOf>
inline u32 ValueCodes::number(Self& self, GroupOf& g, const Word* state) {
  u32 slot = 0;
  const u32 code = self.code_of(g, state, slot);
  if constexpr (!std::is_const_v<Self>) {
    if (code == kNone && self.learn(g, state, slot)) return g.codes - 1u;
  }
  return code;
}

template <class Self>
bool ValueCodes::encode_group(Self& self, u32 group, const Word* states, u32 count, Word* keys,
                              Shape shape) {
  auto& g = self.groups_[group];
  const Part* const part = self.parts_.data() + g.first_part;
  const u32 key_shift = g.key_shift;
  const Word* state = states;
  Word* key = keys + g.key_word;
  if (g.slots == kNone) {
    const Part bits = part[0];
    const u32 shift = g.shift;
    for (; count > 0; --count, state += shape.state_words, key += shape.key_words) {
      *key |= (state[bits.word] & bits.mask) >> shift << key_shift;
    }
    return true;
  }
  u32 code = number(self, g, state);
  for (;;) {
    if (code == kNone) return false;
    *key |= Word{code} << key_shift;
    if (--count == 0) return true;
    const Word* const before = state;
    state += shape.state_words;
    key += shape.key_words;
    Word changed = 0;
    for (u32 p = 0; p < g.parts; ++p) {
      changed |= (state[part[p].word] ^ before[part[p].word]) & part[p].mask;
    }
    if (changed != 0) code = number(self, g, state);
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

inline void ValueCodes::put(const Group& g, u32 code, Word* state) const {
  const Part* const part = parts_.data() + g.first_part;
  if (g.slots == kNone) {
    state[part[0].word] |= Word{code} << g.shift;
    return;
  }
  const Word* const value = values_.data() + g.values + code * g.parts;
  for (u32 p = 0; p < g.parts; ++p) state[part[p].word] |= value[p];
}

void ValueCodes::put_value(u32 group, u32 code, Word* state) const {
  put(groups_[group], code, state);
}

void ValueCodes::decode(const Word* keys, u32 count, Word* states, Shape shape) const {
  std::fill_n(states, u64{count} * shape.state_words, Word{0});
  for (const Group& g : groups_.first(group_count_)) {
    const Word* key = keys + g.key_word;
    const u32 mask = (1u << g.bits) - 1;
    Word* state = states;
    for (u32 i = 0; i < count; ++i, key += shape.key_words, state += shape.state_words) {
      put(g, static_cast<u32>(*key >> g.key_shift) & mask, state);
    }
  }
}

}  // namespace xmc
