#include "ltl/reduce/prune.h"

#include "ltl/graph/components.h"
#include "xmc/bytes.h"

namespace xmc::ltl {

namespace {

// Each pair of sets costs a look at all arcs: with more sets none of them is compared.
constexpr u32 kSetsCompared = 16;

class Pruning {
 public:
  Pruning(Graph& graph, Arena& arena)
      : graph_(graph), arena_(arena), components_(find_components(graph, arena)) {}

  bool counts(const Arc& arc) const {
    return components_.inner(arc) && components_.accepting(graph_, components_.of[arc.source]);
  }

  // Components have smaller numbers than those that lead to them.
  void drop_useless_states() {
    const std::span<u8> useful = scratch_array<u8>(arena_, components_.count);
    for (u32 c = 0; c < components_.count; ++c) useful[c] = components_.accepting(graph_, c);
    const std::span<u32> order = states_by_component();
    for (const u32 state : order) {
      for (const Arc& arc : graph_.arcs_of(state)) {
        if (useful[components_.of[arc.target]]) useful[components_.of[state]] = 1;
      }
    }
    // A component is known as useful only behind its last state.
    const std::span<u32> to = scratch_array<u32>(arena_, graph_.states);
    u32 count = 0;
    for (u32 s = 0; s < graph_.states; ++s) {
      const bool stays = useful[components_.of[s]] != 0 || s == graph_.initial;
      to[s] = stays ? count++ : kNone;
    }
    for (Arc& arc : graph_.arcs) {
      if (!useful[components_.of[arc.target]]) arc.target = kNone;
    }
    rename(graph_, to, count);
    components_ = find_components(graph_, arena_);
  }

  void level_marks(Idle idle) {
    for (Arc& arc : graph_.arcs) {
      if (counts(arc)) continue;
      const bool on_cycle = components_.inner(arc);
      arc.marks = on_cycle || idle == Idle::without_marks ? 0 : graph_.all_marks();
    }
    for (u32 set = 0; set < graph_.sets; ++set) fill_if_unavoidable(set);
    for (u32 set = 0; set < graph_.sets && graph_.sets <= kSetsCompared; ++set) {
      for (u32 other = 0; other < graph_.sets; ++other) {
        if (other != set) fill_if_implied(set, other);
      }
    }
  }

  // One set may have to stay, for components that no run may stay in.
  void drop_full_sets() {
    u64 full = graph_.all_marks();
    bool rejecting = false;
    for (const Arc& arc : graph_.arcs) {
      if (counts(arc)) {
        full &= arc.marks;
      } else if (components_.inner(arc)) {
        rejecting = true;
      }
    }
    if (rejecting && full == graph_.all_marks()) full &= full - 1;
    for (u32 set = graph_.sets; set-- > 0;) {
      if ((full >> set & 1) == 0) continue;
      const u64 below = (u64{1} << set) - 1;
      for (Arc& arc : graph_.arcs) arc.marks = (arc.marks & below) | (arc.marks >> 1 & ~below);
      --graph_.sets;
    }
  }

  // All arcs of a state have the marks of its inner ones.
  void mark_states(Idle idle) {
    for (u32 state = 0; state < graph_.states; ++state) {
      const u32 component = components_.of[state];
      u64 marks = 0;
      if (!components_.cyclic[component]) marks = idle == Idle::with_marks ? 1 : 0;
      for (const Arc& arc : graph_.arcs_of(state)) {
        if (counts(arc)) marks |= arc.marks;
      }
      for (Arc& arc : graph_.arcs_of(state)) arc.marks = marks;
    }
  }

 private:
  std::span<u32> states_by_component() {
    const std::span<u32> begin = scratch_array<u32>(arena_, components_.count + 1);
    const std::span<u32> order = scratch_array<u32>(arena_, graph_.states);
    fill_zero(begin);
    for (u32 s = 0; s < graph_.states; ++s) ++begin[components_.of[s] + 1];
    for (u32 c = 0; c < components_.count; ++c) begin[c + 1] += begin[c];
    for (u32 s = 0; s < graph_.states; ++s) order[begin[components_.of[s]]++] = s;
    return order;
  }

  // In a component where every cycle has the mark, all arcs may have it.
  void fill_if_unavoidable(u32 set) {
    const u64 mark = arena_.scratch_mark();
    const std::span<u32> degree = scratch_array<u32>(arena_, graph_.states);
    const std::span<u32> queue = scratch_array<u32>(arena_, graph_.states);
    const std::span<u8> avoidable = scratch_array<u8>(arena_, components_.count);
    fill_zero(degree);
    fill_zero(avoidable);
    const auto avoids = [&](const Arc& arc) { return counts(arc) && !(arc.marks >> set & 1); };
    for (const Arc& arc : graph_.arcs) degree[arc.target] += avoids(arc) ? 1u : 0u;
    u32 count = 0;
    for (u32 s = 0; s < graph_.states; ++s) {
      if (degree[s] == 0) queue[count++] = s;
    }
    for (u32 at = 0; at < count; ++at) {
      for (const Arc& arc : graph_.arcs_of(queue[at])) {
        if (avoids(arc) && --degree[arc.target] == 0) queue[count++] = arc.target;
      }
    }
    for (u32 s = 0; s < graph_.states; ++s)
      if (degree[s] != 0) avoidable[components_.of[s]] = 1;
    for (Arc& arc : graph_.arcs) {
      if (counts(arc) && !avoidable[components_.of[arc.source]]) arc.marks |= u64{1} << set;
    }
    arena_.scratch_release(mark);
  }

  // In a component where all arcs with mark `other` have mark `set`, all arcs may have that.
  void fill_if_implied(u32 set, u32 other) {
    const u64 mark = arena_.scratch_mark();
    const std::span<u8> open = scratch_array<u8>(arena_, components_.count);
    fill_zero(open);
    for (const Arc& arc : graph_.arcs) {
      const bool alone = (arc.marks >> other & 1) && !(arc.marks >> set & 1);
      if (counts(arc) && alone) open[components_.of[arc.source]] = 1;
    }
    for (Arc& arc : graph_.arcs) {
      if (counts(arc) && !open[components_.of[arc.source]]) arc.marks |= u64{1} << set;
    }
    arena_.scratch_release(mark);
  }

  Graph& graph_;
  Arena& arena_;
  Components components_;
};

}  // namespace

void prune(Graph& graph, Arena& arena, bool by_state, Idle idle) {
  const u64 mark = arena.scratch_mark();
  Pruning pruning(graph, arena);
  pruning.drop_useless_states();
  pruning.level_marks(idle);
  if (by_state) {
    pruning.mark_states(idle);
  } else {
    pruning.drop_full_sets();
  }
  arena.scratch_release(mark);
}

}  // namespace xmc::ltl
