#include "ltl/reduce.h"

#include <utility>

#include "ltl/degeneralize.h"
#include "ltl/finish.h"
#include "ltl/prune.h"
#include "ltl/simulation.h"

namespace xmc::ltl {

namespace {

// More orders than these are not tried.
constexpr u32 kOrders = 6;

struct Variant {
  LevelChoice levels;
  Idle idle = Idle::without_marks;
};

void shrink(Graph& graph, Arena& arena, Effort& effort, bool by_state, Idle idle) {
  do {
    prune(graph, arena, by_state, idle);
  } while (reduce_by_simulation(graph, arena, effort));
}

// The n-th order of the sets: for two and three sets all of them, else rotations.
void choose_order(u32 n, u32 sets, LevelChoice& out) {
  for (u32 i = 0; i < sets; ++i) out.order[i] = static_cast<u8>((i + n / 2) % sets);
  if (n % 2 != 0) {
    for (u32 i = 0, k = sets - 1; i < k; ++i, --k) std::swap(out.order[i], out.order[k]);
  }
}

u32 orders_of(u32 sets) {
  if (sets <= 1) return 1;
  return sets == 2 ? 2 : kOrders;
}

Status build(const Graph& graph, const Variant& variant, Arena& arena, Effort& effort, Graph& out) {
  XMC_TRY(degeneralize(graph, variant.levels, arena, out));
  shrink(out, arena, effort, true, variant.idle);
  return {};
}

struct Best {
  Variant variant;
  u32 states = kNone;
  u64 arcs = 0;
  Status status;  // of the first one, if none could be built

  void offer(const Variant& tried, const Graph& graph) {
    if (graph.states > states || (graph.states == states && graph.arcs.size() >= arcs)) return;
    variant = tried;
    states = graph.states;
    arcs = graph.arcs.size();
  }
};

Status try_variants(const Graph& graph, Arena& arena, Effort& effort, Best& best) {
  const u32 count = 4 * orders_of(graph.sets);
  for (u32 i = 0; i < count; ++i) {
    Variant variant;
    choose_order(i / 4, graph.sets, variant.levels);
    variant.levels.enter_high = (i & 1) != 0;
    variant.idle = (i & 2) != 0 ? Idle::with_marks : Idle::without_marks;
    const u64 mark = arena.scratch_mark();
    Graph made;
    // What is spent on one variant is not missing for the next.
    Effort own(effort.left() / count);
    const Status status = build(graph, variant, arena, own, made);
    if (status.ok()) best.offer(variant, made);
    if (!status.ok() && i == 0) best.status = status;
    arena.scratch_release(mark);
  }
  return best.states == kNone ? best.status : Status();
}

}  // namespace

Status make_small(Graph& graph, std::span<const std::string_view> propositions, Arena& arena,
                  Effort& effort, Automaton& out) {
  const u64 mark = arena.scratch_mark();
  Effort first(effort.left() / 4);
  shrink(graph, arena, first, false, Idle::without_marks);
  Best best;
  XMC_TRY(try_variants(graph, arena, effort, best));
  Graph made;
  Effort own(effort.left() / (4 * orders_of(graph.sets)));
  XMC_TRY(build(graph, best.variant, arena, own, made));
  out = finish_automaton(made, propositions, arena, effort);
  arena.scratch_release(mark);
  return {};
}

}  // namespace xmc::ltl
