#include "cli/run/input/first_states.h"

#include <algorithm>

#include "xmc/check.h"
#include "xmc/hash.h"
#include "xmc/scratch.h"

namespace xmc {

namespace {

constexpr const char* kName = "first states";
constexpr u32 kMarks = 1u << 15;
constexpr u32 kMostMarks = kMarks / 3 * 2;
constexpr u64 kRingBytes = 64 << 10;
constexpr u32 kLeastRing = 16;  // states, however long

u32 ring_of(const Model& model) {
  const u64 each = u64{model.state_words} * sizeof(Word);
  return static_cast<u32>(std::max<u64>(kRingBytes / each, kLeastRing));
}

}  // namespace

FirstStates::FirstStates(const Model& model, Arena& arena)
    : model_(model), capacity_(ring_of(model)) {
  states_ = scratch_array<Word>(arena, kName, u64{capacity_} * model.state_words);
  marks_ = scratch_array<u16>(arena, kName, kMarks);
  const u64 words = u64{model.max_successors} * model.state_words;
  buffer_ = {scratch_array<Word>(arena, kName, words).data(), nullptr, model.max_successors, true};
}

u64 FirstStates::bytes(const Model& model) {
  const u64 states = u64{ring_of(model)} + model.max_successors;
  return states * model.state_words * sizeof(Word) + u64{kMarks} * sizeof(u16) + 256;
}

bool FirstStates::is_new(const Word* state) {
  const u64 hash = hash_words(state, model_.state_words);
  const u16 mark = static_cast<u16>(hash >> 48 | 1);
  for (u32 at = static_cast<u32>(hash) % kMarks;; at = (at + 1) % kMarks) {
    if (marks_[at] == mark) return false;
    if (marks_[at] != 0) continue;
    marks_[at] = mark;
    return true;
  }
}

void FirstStates::add(u32 count, u32 most) {
  const u32 words = model_.state_words;
  for (u32 i = 0; i < count && known_ < most && waiting_ < capacity_; ++i) {
    const Word* const next = buffer_.states + u64{i} * words;
    if (!is_new(next)) continue;
    const u64 at = (first_ + waiting_++) % capacity_;
    std::copy_n(next, words, states_.data() + at * words);
    ++known_;
  }
}

u32 FirstStates::expand(u32 most) {
  XMC_CHECK(most <= kMostMarks);
  add(model_.initial(model_.self, buffer_), most);
  while (waiting_ != 0) {
    const Word* const state = states_.data() + u64{first_} * model_.state_words;
    const Expansion expansion = model_.expand(model_.self, state, buffer_);
    // The search comes to it as well.
    if ((expansion.flags & kUnfinished) != 0) break;
    first_ = (first_ + 1) % capacity_;
    --waiting_;
    add(expansion.count, most);
  }
  return known_;
}

}  // namespace xmc
