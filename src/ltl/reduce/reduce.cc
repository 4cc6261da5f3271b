#include "ltl/reduce/reduce.h"

#include <utility>

#include "ltl/reduce/degeneralize.h"
#include "ltl/reduce/finish.h"
#include "ltl/reduce/prune.h"
#include "ltl/reduce/simulation.h"

namespace xmc::ltl {

namespace {

// More orders than these are not tried.
constexpr u32 kOrders = 6;

struct Variant {
  bool as_it_is = false;  // no levels: the graph has accepting states already
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

// What the variants begin with.
struct Input {
  Graph graph;     // reduced
  Graph original;  // with accepting states; without states if it has none
};

bool has_accepting_states(const Graph& graph) {
  if (graph.sets != 1) return false;
  for (u32 s = 0; s < graph.states; ++s) {
    for (const Arc& arc : graph.arcs_of(s)) {
      if (arc.marks != graph.arcs_of(s)[0].marks) return false;
    }
  }
  return true;
}

Status copy_graph(const Graph& graph, Arena& arena, Graph& out) {
  GraphBuilder builder(arena);
  for (const Arc& arc : graph.arcs) XMC_TRY(builder.add(arc));
  out = builder.finish(graph.states, graph.initial, graph.sets);
  return {};
}

Status build(const Input& input, const Variant& variant, Arena& arena, Effort& effort, Graph& out) {
  if (variant.as_it_is) {
    XMC_TRY(copy_graph(input.original, arena, out));
  } else {
    XMC_TRY(degeneralize(input.graph, variant.levels, arena, out));
  }
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

u32 variants_of(const Input& input) { return 4 * orders_of(input.graph.sets) + 2; }

// The last two are as it is; false if there is no such variant.
bool choose_variant(const Input& input, u32 n, Variant& out) {
  out.idle = (n & 1) != 0 ? Idle::with_marks : Idle::without_marks;
  out.as_it_is = n + 2 >= variants_of(input);
  if (out.as_it_is) return input.original.states > 0;
  out.levels.enter_high = (n & 2) != 0;
  choose_order(n / 4, input.graph.sets, out.levels);
  return true;
}

Status try_variants(const Input& input, Arena& arena, Effort& effort, Best& best) {
  const u32 count = variants_of(input);
  for (u32 n = 0; n < count; ++n) {
    Variant variant;
    if (!choose_variant(input, n, variant)) continue;
    const u64 mark = arena.scratch_mark();
    Graph made;
    // What is spent on one variant is not missing for the next.
    Effort own(effort.left() / count);
    const Status status = build(input, variant, arena, own, made);
    if (status.ok()) best.offer(variant, made);
    if (!status.ok() && n == 0) best.status = status;
    arena.scratch_release(mark);
  }
  return best.states == kNone ? best.status : Status();
}

}  // namespace

Status make_small(Graph& graph, std::span<const std::string_view> propositions, Arena& arena,
                  Effort& effort, Automaton& out) {
  const u64 mark = arena.scratch_mark();
  Effort first(effort.left() / 4);
  Input input;
  if (has_accepting_states(graph)) XMC_TRY(copy_graph(graph, arena, input.original));
  shrink(graph, arena, first, false, Idle::without_marks);
  input.graph = graph;
  Best best;
  XMC_TRY(try_variants(input, arena, effort, best));
  Graph made;
  Effort own(effort.left() / variants_of(input));
  XMC_TRY(build(input, best.variant, arena, own, made));
  // Without room for the new arcs the old ones do.
  const Graph blunt = made;
  if (!sharpen(made, arena, own).ok()) made = blunt;
  out = finish_automaton(made, propositions, arena, effort);
  arena.scratch_release(mark);
  return {};
}

}  // namespace xmc::ltl
