// An automaton as HOA version 1. The questions that its `properties` answer are asked here, with a
// bound of work: a property that is not known in time is not claimed.
#include "ltl/formats/write.h"
#include "ltl/graph/effort.h"
#include "ltl/graph/guard.h"

namespace xmc::ltl {

namespace {

constexpr u64 kQuestionSteps = u64{1} << 22;  // for a property that is only told if it is known

void write_cube(TextOut& out, const Cube& cube) {
  bool first = true;
  for (u32 p = 0; p < 32; ++p) {
    const bool positive = (cube.positive >> p & 1) != 0;
    if (!positive && (cube.negative >> p & 1) == 0) continue;
    out.add(first ? "" : "&").add(positive ? "" : "!").number(p);
    first = false;
  }
  if (first) out.add("t");
}

void write_guard(TextOut& out, std::span<const Cube> guard) {
  for (std::size_t i = 0; i < guard.size(); ++i) {
    if (i > 0) out.add(" | ");
    write_cube(out, guard[i]);
  }
}

void write_header(TextOut& out, const Automaton& automaton, std::string_view name) {
  out.add("HOA: v1\n");
  if (!name.empty()) out.add("name: \"").escaped(name).add("\"\n");
  out.add("States: ").number(automaton.state_count()).add("\nStart: 0\nAP: ");
  out.number(automaton.propositions.size());
  for (const std::string_view text : automaton.propositions) {
    out.add(" \"").escaped(text).add("\"");
  }
  out.add("\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n");
  out.add("properties: trans-labels explicit-labels state-acc");
  if (is_complete(automaton)) out.add(" complete");
  if (is_deterministic(automaton)) out.add(" deterministic");
  if (automaton.terminal) {
    out.add(" terminal");
  } else if (automaton.weak) {
    out.add(" weak");
  }
  out.add("\n");
}

}  // namespace

bool is_deterministic(const Automaton& automaton) {
  for (u32 s = 0; s < automaton.state_count(); ++s) {
    const std::span<const Edge> edges = automaton.edges_of(s);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      for (std::size_t k = i + 1; k < edges.size(); ++k) {
        for (const Cube& a : automaton.guard(edges[i])) {
          for (const Cube& b : automaton.guard(edges[k])) {
            if (consistent(meet(a, b))) return false;
          }
        }
      }
    }
  }
  return true;
}

bool is_complete(const Automaton& automaton) {
  Effort effort(kQuestionSteps);
  for (u32 s = 0; s < automaton.state_count(); ++s) {
    const std::span<const Edge> edges = automaton.edges_of(s);
    if (edges.empty()) return false;
    // The cubes of all edges of a state are next to each other.
    const Edge& last = edges.back();
    const u32 count = last.first_cube + last.cube_count - edges.front().first_cube;
    if (!covered({}, automaton.cubes.subspan(edges.front().first_cube, count), effort)) {
      return false;
    }
  }
  return true;
}

Status write_hoa(const Automaton& automaton, std::string_view name, Sink sink) {
  TextOut out(sink);
  write_header(out, automaton, name);
  out.add("--BODY--\n");
  for (u32 s = 0; s < automaton.state_count(); ++s) {
    out.add("State: ").number(s).add(automaton.accepting[s] ? " {0}\n" : "\n");
    for (const Edge& edge : automaton.edges_of(s)) {
      out.add("[");
      write_guard(out, automaton.guard(edge));
      out.add("] ").number(edge.target).add("\n");
    }
  }
  out.add("--END--\n");
  return out.status();
}

}  // namespace xmc::ltl
