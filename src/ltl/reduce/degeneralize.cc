#include "ltl/reduce/degeneralize.h"

#include "ltl/graph/components.h"
#include "xmc/bytes.h"

namespace xmc::ltl {

namespace {

class Levels {
 public:
  Levels(const Graph& graph, const LevelChoice& choice, Arena& arena)
      : graph_(graph),
        choice_(choice),
        components_(find_components(graph, arena)),
        common_(scratch_array<u64>(arena, components_.count)),
        copies_(scratch_array<u32>(arena, u64{graph.states} * (graph.sets + 1))),
        copy_states_(arena, "automaton"),
        builder_(arena) {
    fill_zero(copies_);
    for (u64& marks : common_) marks = graph.all_marks();
    for (const Arc& arc : graph.arcs) {
      if (components_.inner(arc)) common_[components_.of[arc.source]] &= arc.marks;
    }
  }

  Status run(Graph& out) {
    u32 copy = 0;
    XMC_TRY(copy_of(graph_.initial, entry_level(graph_.initial), copy));
    for (u32 at = 0; at < copy_states_.size(); ++at) {
      const Copy from = copy_states_[at];
      for (const Arc& arc : graph_.arcs_of(from.state)) {
        XMC_TRY(copy_of(arc.target, next_level(from.level, arc), copy));
        XMC_TRY(builder_.add({at, copy, from.level == graph_.sets ? 1u : 0u, arc.cube}));
      }
    }
    out = builder_.finish(copy_states_.size(), 0, 1);
    return {};
  }

 private:
  struct Copy {
    u32 state;
    u32 level;
  };

  u32 next_level(u32 level, const Arc& arc) const {
    const bool stays = components_.inner(arc);
    if (!stays) return entry_level(arc.target);
    if (!components_.accepting(graph_, components_.of[arc.source])) return level;
    if (level == graph_.sets) level = 0;
    while (level < graph_.sets && (arc.marks >> choice_.order[level] & 1) != 0) ++level;
    return level;
  }

  u32 entry_level(u32 state) const {
    const u32 component = components_.of[state];
    if (!components_.accepting(graph_, component)) return 0;
    if (common_[component] == graph_.all_marks()) return graph_.sets;
    for (u32 level = 0; level <= graph_.sets; ++level) {
      if (copies_[state * (graph_.sets + 1) + level] != 0) return level;
    }
    return choice_.enter_high ? graph_.sets : 0;
  }

  Status copy_of(u32 state, u32 level, u32& out) {
    u32& copy = copies_[state * (graph_.sets + 1) + level];
    if (copy == 0) {
      if (copy_states_.full()) return too_many_states();
      copy = copy_states_.push({state, level}) + 1;
    }
    out = copy - 1;
    return {};
  }

  const Graph& graph_;
  const LevelChoice& choice_;
  Components components_;
  std::span<u64> common_;  // by component: marks that all inner arcs have
  std::span<u32> copies_;  // by state and level: a number and one, 0 for none
  Pool<Copy, 8, limits::kAutomatonStates / 256> copy_states_;
  GraphBuilder builder_;
};

}  // namespace

Status degeneralize(const Graph& graph, const LevelChoice& choice, Arena& arena, Graph& out) {
  return Levels(graph, choice, arena).run(out);
}

}  // namespace xmc::ltl
