#include "cli/run/input/first_states.h"

#include <algorithm>

#include "xmc/hash.h"
#include "xmc/scratch.h"

namespace xmc {

namespace {

constexpr const char* kName = "first states";
constexpr u32 kMarks = 1u << 15;
static_assert(FirstStates::kMost < kMarks / 3 * 2);
constexpr u64 kRingBytes = 128 << 10;
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
  if (!add(model.initial(model.self, buffer_))) waiting_ = 0;
  seen_.states = known_;
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

bool FirstStates::add(u32 count) {
  const u32 words = model_.state_words;
  for (u32 i = 0; i < count; ++i) {
    const Word* const next = buffer_.states + u64{i} * words;
    if (!is_new(next)) continue;
    if (known_ == kMost || waiting_ == capacity_) return false;
    const u64 at = (first_ + waiting_++) % capacity_;
    std::copy_n(next, words, states_.data() + at * words);
    ++known_;
  }
  return true;
}

bool FirstStates::expand(u32 states, FirstLook& out) {
  for (; states != 0; --states) {
    const Word* const state = states_.data() + u64{first_} * model_.state_words;
    const Expansion expansion = model_.expand(model_.self, state, buffer_);
    // The search comes to it as well.
    if ((expansion.flags & kUnfinished) != 0) return false;
    first_ = (first_ + 1) % capacity_;
    --waiting_;
    ++out.expanded;
    out.successors += expansion.count;
    if (!add(expansion.count)) return false;
  }
  return true;
}

bool FirstStates::expand_level() {
  FirstLook more = seen_;
  if (waiting_ == 0 || !expand(waiting_, more)) {
    waiting_ = 0;
    return false;
  }
  ++more.levels;
  more.states = known_;
  more.whole = waiting_ == 0;
  seen_ = more;
  return true;
}

}  // namespace xmc
