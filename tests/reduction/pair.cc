#include "pair.h"

#include <algorithm>
#include <map>
#include <vector>

namespace xmc_test {

namespace {

State successor(const SuccessorBuffer& buffer, u32 i, u32 words) {
  return {buffer.states + u64{i} * words, buffer.states + u64{i + 1} * words};
}

// But for how long it took, which is the business of an execution.
bool same_state(const Expansion& x, const Expansion& y) {
  return x.count == y.count && x.errors == y.errors && x.error_label == y.error_label &&
         ((x.flags ^ y.flags) & ~u32{kLong}) == 0 && x.violated == y.violated &&
         x.repeats == y.repeats;
}

struct Buffers {
  explicit Buffers(const Pair& pair) : a(pair.whole), b(pair.reduced), c(pair.twin) {}
  Buffer a;
  Buffer b;
  Buffer c;
};

// What differs between a state and the one that it is mapped to; empty: nothing.
std::string difference(const Pair& pair, const State& whole, const State& reduced,
                       Buffers& buffers) {
  const auto& [a, b, c] = buffers;
  const Expansion x = pair.whole.expand(pair.whole.self, whole.data(), a.buffer);
  const Expansion y = pair.reduced.expand(pair.reduced.self, reduced.data(), b.buffer);
  const Expansion z = pair.twin.expand(pair.twin.self, reduced.data(), c.buffer);
  if (!same_state(x, y)) return "the states do not have the same steps";
  if (!same_state(y, z)) return "the interpreter and the bytecode do not agree";
  if (pair.whole.cycle_class_of(whole.data()) == 0 && (y.flags & kAccepting) != 0)
    return "an accepting state where there should be none";
  State to(pair.reduced.state_words);
  for (u32 i = 0; i < x.count; ++i) {
    if (a.labels[i] != b.labels[i] || b.labels[i] != c.labels[i]) return "a step has another label";
    const State next = successor(a.buffer, i, pair.whole.state_words);
    pair.map.map(pair.map.self, next.data(), to.data());
    if (to != successor(b.buffer, i, pair.reduced.state_words))
      return "a step leads to another state";
    if (to != successor(c.buffer, i, pair.reduced.state_words))
      return "the interpreter leads to another state";
  }
  return {};
}

}  // namespace

std::string unlike(const Pair& pair, const StateGraph& whole, const StateGraph& reduced) {
  State to(pair.reduced.state_words);
  u64 met = 0;
  std::map<State, bool> images;
  Buffers buffers(pair);
  for (const State& state : whole.states) {
    pair.map.map(pair.map.self, state.data(), to.data());
    if (images.empty() && to != reduced.states[0]) return "another initial state";
    if (images.emplace(to, true).second) ++met;
    const std::string found = difference(pair, state, to, buffers);
    if (!found.empty()) return found;
  }
  return met == reduced.states.size() ? "" : "other states are reached";
}

bool walk_apart(const Pair& pair, u64 most) {
  Buffer a(pair.whole);
  Buffer b(pair.reduced);
  pair.whole.initial(pair.whole.self, a.buffer);
  pair.reduced.initial(pair.reduced.self, b.buffer);
  using Both = std::pair<State, State>;
  const auto both = [&](u32 i) {
    return Both(successor(a.buffer, i, pair.whole.state_words),
                successor(b.buffer, i, pair.reduced.state_words));
  };
  std::vector<Both> waiting = {both(0)};
  std::map<Both, bool> seen = {{waiting[0], true}};
  while (!waiting.empty() && seen.size() < most) {
    const Both at = waiting.back();
    waiting.pop_back();
    const Expansion x = pair.whole.expand(pair.whole.self, at.first.data(), a.buffer);
    const Expansion y = pair.reduced.expand(pair.reduced.self, at.second.data(), b.buffer);
    if (!same_state(x, y) || !std::equal(&a.labels[0], &a.labels[x.count], &b.labels[0]))
      return true;
    for (u32 i = 0; i < x.count; ++i) {
      if (seen.emplace(both(i), true).second) waiting.push_back(both(i));
    }
  }
  return false;
}

}  // namespace xmc_test
