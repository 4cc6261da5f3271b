#include "ltl/simulation.h"

#include "ltl/guard.h"

namespace xmc::ltl {

namespace {

// The relation has a bit for each pair of states: 128 KiB.
constexpr u32 kStatesMax = 1024;

class Simulation {
 public:
  Simulation(Graph& graph, Arena& arena, Effort& effort)
      : graph_(graph),
        effort_(effort),
        row_words_((graph.states + 63) / 64),
        bits_(scratch_array<u64>(arena, u64{graph.states} * row_words_)),
        cubes_(scratch_array<Cube>(arena, graph.arcs.size())),
        to_(scratch_array<u32>(arena, graph.states)) {
    for (u64& word : bits_) word = ~u64{0};
  }

  // False when the effort does not do: the relation is too large then.
  bool refine() {
    for (bool changed = true; changed;) {
      changed = false;
      for (u32 s = 0; s < graph_.states; ++s) {
        for (u32 t = 0; t < graph_.states; ++t) {
          if (s == t || !below(s, t)) continue;
          if (step_by_step(s, t)) continue;
          if (effort_.left() == 0) return false;
          bits_[u64{s} * row_words_ + t / 64] &= ~(u64{1} << (t % 64));
          changed = true;
        }
      }
    }
    return true;
  }

  bool merge() {
    const std::size_t arcs = graph_.arcs.size();
    const u32 states = graph_.states;
    drop_arcs();
    u32 count = 0;
    for (u32 s = 0; s < states; ++s) {
      to_[s] = kNone;
      for (u32 t = 0; t < s && to_[s] == kNone; ++t) {
        if (equivalent(s, t)) to_[s] = to_[t];
      }
      if (to_[s] == kNone) to_[s] = count++;
    }
    keep_first_of_each();
    rename(graph_, to_, count);
    return count < states || graph_.arcs.size() < arcs;
  }

 private:
  bool below(u32 s, u32 t) const {
    return (bits_[u64{s} * row_words_ + t / 64] >> (t % 64) & 1) != 0;
  }
  bool equivalent(u32 s, u32 t) const { return below(s, t) && below(t, s); }
  bool no_better(const Arc& a, const Arc& b) const {
    return (a.marks & ~b.marks) == 0 && (a.target == b.target || below(a.target, b.target));
  }

  bool step_by_step(u32 s, u32 t) {
    for (const Arc& arc : graph_.arcs_of(s)) {
      if (!answered(arc, graph_.arcs_of(t))) return false;
    }
    return true;
  }

  bool answered(const Arc& arc, std::span<const Arc> others) {
    if (!effort_.spend(others.size() + 1)) return false;
    u32 count = 0;
    for (const Arc& other : others) {
      if (!consistent(meet(arc.cube, other.cube)) || !no_better(arc, other)) continue;
      if (contains(other.cube, arc.cube)) return true;
      cubes_[count++] = other.cube;
    }
    return count > 1 && covered(arc.cube, cubes_.first(count), effort_);
  }

  // An arc goes where others of its state that are no worse take all of its letters. One at a time:
  // of two that stand for each other one stays.
  void drop_arcs() {
    for (u32 s = 0; s < graph_.states; ++s) {
      const std::span<Arc> arcs = graph_.arcs_of(s);
      for (Arc& arc : arcs) {
        u32 count = 0;
        for (const Arc& other : arcs) {
          const bool same = &other == &arc || other.target == kNone;
          if (!same && no_better(arc, other)) cubes_[count++] = other.cube;
        }
        if (count > 0 && covered(arc.cube, cubes_.first(count), effort_)) arc.target = kNone;
      }
    }
  }

  // A class has the arcs of its first state.
  void keep_first_of_each() {
    u32 next = 0;
    for (u32 s = 0; s < graph_.states; ++s) {
      if (to_[s] == next) {
        ++next;
        continue;
      }
      for (Arc& arc : graph_.arcs_of(s)) arc.target = kNone;
    }
  }

  Graph& graph_;
  Effort& effort_;
  u32 row_words_;
  std::span<u64> bits_;
  std::span<Cube> cubes_;
  std::span<u32> to_;
};

}  // namespace

bool reduce_by_simulation(Graph& graph, Arena& arena, Effort& effort) {
  if (graph.states > kStatesMax) return false;
  const u64 mark = arena.scratch_mark();
  Simulation simulation(graph, arena, effort);
  const bool smaller = simulation.refine() && simulation.merge();
  arena.scratch_release(mark);
  return smaller;
}

}  // namespace xmc::ltl
