// An automaton as a picture for Graphviz, for people: accepting states are double circles, and an
// edge has a line for each cube of its guard.
#include "ltl/formats/write.h"

namespace xmc::ltl {

namespace {

void write_cube(TextOut& out, const Automaton& automaton, const Cube& cube) {
  bool first = true;
  for (u32 p = 0; p < automaton.propositions.size(); ++p) {
    const bool positive = (cube.positive >> p & 1) != 0;
    if (!positive && (cube.negative >> p & 1) == 0) continue;
    out.add(first ? "" : " & ").add(positive ? "" : "!").escaped(automaton.propositions[p]);
    first = false;
  }
  if (first) out.add("true");
}

}  // namespace

Status write_dot(const Automaton& automaton, std::string_view name, Sink sink) {
  TextOut out(sink);
  out.add("digraph automaton {\n  rankdir=LR;\n");
  if (!name.empty()) out.add("  label=\"").escaped(name).add("\";\n");
  out.add("  start [shape=point];\n  start -> 0;\n");
  for (u32 s = 0; s < automaton.state_count(); ++s) {
    out.add("  ").number(s).add(automaton.accepting[s] ? " [shape=doublecircle];\n"
                                                       : " [shape=circle];\n");
  }
  for (const Edge& edge : automaton.edges) {
    out.add("  ").number(edge.source).add(" -> ").number(edge.target).add(" [label=\"");
    const std::span<const Cube> guard = automaton.guard(edge);
    for (std::size_t i = 0; i < guard.size(); ++i) {
      if (i > 0) out.add("\\n");
      write_cube(out, automaton, guard[i]);
    }
    out.add("\"];\n");
  }
  out.add("}\n");
  return out.status();
}

}  // namespace xmc::ltl
