#include "state_graph.h"

#include <algorithm>

namespace xmc_test {

bool StateGraph::explore(const Model& model, u64 most) {
  std::map<State, u32> seen;
  Buffer buffer(model);
  model.initial(model.self, buffer.buffer);
  const auto take = [&](u32 i, u32 depth) {
    const Word* const first = buffer.words.data() + u64{i} * model.state_words;
    State state(first, first + model.state_words);
    const auto [at, is_new] = seen.emplace(state, static_cast<u32>(states.size()));
    if (is_new) {
      states.push_back(std::move(state));
      depths.push_back(depth);
    }
    return at->second;
  };
  take(0, 0);
  for (u32 i = 0; i < states.size(); ++i) {
    if (states.size() > most) return false;
    const State state = states[i];
    expansions.push_back(model.expand(model.self, state.data(), buffer.buffer));
    successors.emplace_back();
    for (u32 k = 0; k < expansions[i].count; ++k) successors[i].push_back(take(k, depths[i] + 1));
  }
  return true;
}

Answers StateGraph::answers() const {
  Answers found;
  const auto note = [](u32& first, u32 depth) { first = std::min(first, depth); };
  for (u32 i = 0; i < states.size(); ++i) {
    const Expansion& e = expansions[i];
    if ((e.flags & kDeadlock) != 0) note(found.deadlock, depths[i]);
    if (e.errors != 0 || (e.flags & kErrorState) != 0) note(found.error, depths[i]);
    if ((e.flags & kAccepting) != 0) note(found.accepting, depths[i]);
    if (e.violated != kNone)
      note(found.violated.emplace(e.violated, depths[i]).first->second, depths[i]);
  }
  found.cycle = has_accepting_cycle();
  return found;
}

// Tarjan's components: one of them has an accepting state and an edge inside.
bool StateGraph::has_accepting_cycle() const {
  struct Visit {
    u32 state;
    u32 next;
  };
  const u32 count = static_cast<u32>(states.size());
  std::vector<u32> low(count, kNone);
  std::vector<u32> number(count, kNone);
  std::vector<bool> open(count);
  std::vector<u32> opened;
  std::vector<Visit> way;
  u32 numbers = 0;
  const auto enter = [&](u32 state) {
    low[state] = number[state] = numbers++;
    open[state] = true;
    opened.push_back(state);
    way.push_back({state, 0});
  };
  const auto closes = [&](u32 root) {
    bool accepts = false;
    bool has_edge = false;
    u32 size = 0;
    for (u32 state = kNone; state != root; ++size) {
      state = opened.back();
      opened.pop_back();
      open[state] = false;
      accepts = accepts || (expansions[state].flags & kAccepting) != 0;
      const std::vector<u32>& to = successors[state];
      has_edge = has_edge || std::find(to.begin(), to.end(), state) != to.end();
    }
    return accepts && (size > 1 || has_edge);
  };
  for (u32 root = 0; root < count; ++root) {
    if (number[root] == kNone) enter(root);
    while (!way.empty()) {
      Visit& at = way.back();
      const u32 state = at.state;
      if (at.next < successors[state].size()) {
        const u32 next = successors[state][at.next++];
        if (number[next] == kNone) {
          enter(next);
        } else if (open[next]) {
          low[state] = std::min(low[state], number[next]);
        }
        continue;
      }
      way.pop_back();
      if (!way.empty()) low[way.back().state] = std::min(low[way.back().state], low[state]);
      if (low[state] == number[state] && closes(state)) return true;
    }
  }
  return false;
}

}  // namespace xmc_test
