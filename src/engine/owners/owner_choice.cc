#include "engine/owners/owner_choice.h"

#include <algorithm>

#include "engine/search/exchange.h"
#include "xmc/bytes.h"

namespace xmc {

namespace {

// Of the sample, the largest part over an even one.
constexpr double kMostUneven = 1.06;
// Steps that leave home, over those that do with a hash of all fields: more is not worth the risk
// that later states are divided less evenly than the first ones.
constexpr double kMostLeaving = 0.8;
constexpr u32 kStride = 4;  // one state of so many is expanded once more

u64 bits_of(const StateField& field) {
  const u64 ones = field.width >= 64 ? ~u64{0} : (u64{1} << field.width) - 1;
  return ones << field.shift;
}

}  // namespace

void OwnerChoice::choose(Search& search, u32 owners, std::span<u8> memory, Word* mask) {
  const u32 words = search.model.state_words;
  std::fill_n(mask, words, ~Word{0});
  const u32 count = static_cast<u32>(search.model.fields.size());
  if (count > kMostFields) return;
  const u64 most = u64{2 * kSample} * (search.model.state_bytes + 16);
  if (memory.size() > most) memory = memory.first(static_cast<std::size_t>(most));
  OwnerChoice choice(search, owners);
  if (choice.take_sample(memory)) {
    choice.count_changes();
    u32 order[kMostFields];
    u32 used = 0;
    for (u32 f = 0; f < count; ++f) {
      if (choice.changes_[f] != 0) order[used++] = f;
    }
    std::sort(order, order + used, [&](u32 a, u32 b) {
      return choice.changes_[a] != choice.changes_[b] ? choice.changes_[a] < choice.changes_[b]
                                                      : a < b;
    });
    for (u32 some = 1; some < used; ++some) {
      if (choice.try_fields(order, some, mask)) break;
      std::fill_n(mask, words, ~Word{0});
    }
  }
  fill_zero(memory);
}

// The first states, without a look at what they violate.
bool OwnerChoice::take_sample(std::span<u8> memory) {
  const Model& model = search_.model;
  const StateTable::Shape shape{model.state_words, std::max(model.state_bytes, 1u), false};
  if (memory.size() < StateTable::minimum_bytes(shape)) return false;
  table_.init(memory, shape);
  const u32 initial = search_.initial();
  if (table_.insert(search_.buffer, initial, nullptr) != initial) return false;
  Word state[limits::kStateWords];
  while (expanded_ < table_.size() && table_.size() < kSample) {
    table_.load(expanded_, state);
    const Expansion expansion =
        model.expand(model.self, state, {search_.buffer, nullptr, search_.buffer_states, true});
    if (Search::is_unfinished(expansion)) break;
    if (table_.insert(search_.buffer, expansion.count, nullptr) != expansion.count) break;
    ++expanded_;
  }
  return expanded_ >= kStride;
}

void OwnerChoice::count_changes() {
  const Model& model = search_.model;
  const std::span<const StateField> fields = model.fields;
  Word state[limits::kStateWords];
  for (u32 i = 0; i < expanded_; i += kStride) {
    table_.load(i, state);
    const Expansion expansion =
        model.expand(model.self, state, {search_.buffer, nullptr, search_.buffer_states});
    steps_ += expansion.count;
    for (u32 s = 0; s < expansion.count; ++s) {
      const Word* const successor = search_.buffer_at(s);
      for (u32 f = 0; f < fields.size(); ++f) {
        const u32 word = fields[f].word;
        if (((state[word] ^ successor[word]) & bits_of(fields[f])) != 0) ++changes_[f];
      }
    }
  }
}

bool OwnerChoice::try_fields(const u32* fields, u32 count, Word* mask) {
  const Model& model = search_.model;
  std::fill_n(mask, model.state_words, Word{0});
  for (u32 i = 0; i < count; ++i) {
    const StateField& field = model.fields[fields[i]];
    mask[field.word] |= bits_of(field);
  }
  OwnerFunction function;
  function.set(model.state_words, owners_, mask);
  u32 load[limits::kOwners] = {};
  Word state[limits::kStateWords];
  for (u32 i = 0; i < table_.size(); ++i) {
    table_.load(i, state);
    ++load[function(state)];
  }
  const u32 largest = *std::max_element(load, load + owners_);
  if (largest > kMostUneven * table_.size() / owners_) return false;
  u32 leaving = 0;
  for (u32 i = 0; i < expanded_; i += kStride) {
    table_.load(i, state);
    const u32 home = function(state);
    const Expansion expansion =
        model.expand(model.self, state, {search_.buffer, nullptr, search_.buffer_states});
    for (u32 s = 0; s < expansion.count; ++s) leaving += function(search_.buffer_at(s)) != home;
  }
  const double all = static_cast<double>(steps_) * (owners_ - 1) / owners_;
  return leaving <= kMostLeaving * all;
}

}  // namespace xmc
