// Strongly connected components of a graph: Tarjan, with the stack as data.
#pragma once

#include <span>

#include "ltl/graph/graph.h"

namespace xmc::ltl {

struct Components {
  u32 count = 0;
  std::span<u32> of;     // by state; an arc never leads to a component with a larger number
  std::span<u8> cyclic;  // by component: there is an arc inside
  std::span<u64> marks;  // by component: the marks of its inner arcs

  bool inner(const Arc& arc) const { return of[arc.source] == of[arc.target]; }
  bool accepting(const Graph& graph, u32 component) const {
    return cyclic[component] != 0 && marks[component] == graph.all_marks();
  }
};

// All states, reachable or not; memory is scratch.
Components find_components(const Graph& graph, Arena& arena);

}  // namespace xmc::ltl
