#include "ltl/graph/components.h"

#include <algorithm>

#include "xmc/bytes.h"

namespace xmc::ltl {

namespace {

class Tarjan {
 public:
  Tarjan(const Graph& graph, Components& out, Arena& arena)
      : graph_(graph),
        out_(out),
        low_(scratch_array<u32>(arena, graph.states)),
        order_(scratch_array<u32>(arena, graph.states)),
        next_arc_(scratch_array<u32>(arena, graph.states)),
        path_(scratch_array<u32>(arena, graph.states)),
        open_(scratch_array<u32>(arena, graph.states)) {
    fill_zero(order_);
  }

  void run() {
    for (u32 state = 0; state < graph_.states; ++state) {
      if (order_[state] == 0) visit_from(state);
    }
  }

 private:
  void enter(u32 state) {
    order_[state] = low_[state] = ++met_;
    next_arc_[state] = graph_.first[state];
    path_[depth_++] = state;
    open_[open_count_++] = state;
    out_.of[state] = kNone;
  }

  void leave(u32 state) {
    --depth_;
    if (depth_ > 0) low_[path_[depth_ - 1]] = std::min(low_[path_[depth_ - 1]], low_[state]);
    if (low_[state] != order_[state]) return;
    u32 member = 0;
    do {
      member = open_[--open_count_];
      out_.of[member] = out_.count;
    } while (member != state);
    ++out_.count;
  }

  void visit_from(u32 root) {
    enter(root);
    while (depth_ > 0) {
      const u32 state = path_[depth_ - 1];
      if (next_arc_[state] == graph_.first[state + 1]) {
        leave(state);
        continue;
      }
      const u32 target = graph_.arcs[next_arc_[state]++].target;
      if (order_[target] == 0) {
        enter(target);
      } else if (out_.of[target] == kNone) {
        low_[state] = std::min(low_[state], order_[target]);
      }
    }
  }

  const Graph& graph_;
  Components& out_;
  std::span<u32> low_;
  std::span<u32> order_;  // 0 for not met
  std::span<u32> next_arc_;
  std::span<u32> path_;
  std::span<u32> open_;  // met, and of no component yet
  u32 met_ = 0;
  u32 depth_ = 0;
  u32 open_count_ = 0;
};

}  // namespace

Components find_components(const Graph& graph, Arena& arena) {
  Components out;
  out.of = scratch_array<u32>(arena, graph.states);
  out.cyclic = scratch_array<u8>(arena, graph.states);
  out.marks = scratch_array<u64>(arena, graph.states);
  const u64 mark = arena.scratch_mark();
  Tarjan(graph, out, arena).run();
  arena.scratch_release(mark);
  fill_zero(out.cyclic);
  fill_zero(out.marks);
  for (const Arc& arc : graph.arcs) {
    if (!out.inner(arc)) continue;
    out.cyclic[out.of[arc.source]] = 1;
    out.marks[out.of[arc.source]] |= arc.marks;
  }
  return out;
}

}  // namespace xmc::ltl
