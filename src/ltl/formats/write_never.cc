// In the manner of Spin: the initial state first, labels of accepting states begin with accept, and
// a state that accepts everything is accept_all.
#include "ltl/formats/write.h"
#include "ltl/formula/formula_parser.h"
#include "xmc/text.h"

namespace xmc::ltl {

namespace {

class NeverWriter {
 public:
  NeverWriter(const Automaton& automaton, Sink sink) : automaton_(automaton), out_(sink) {
    for (u32 s = automaton.state_count(); s-- > 0;) {
      if (accepts_all(automaton, s)) all_ = s;
    }
  }

  Status write(std::string_view name) {
    out_.add("never {");
    if (!name.empty()) write_comment(name);
    out_.add("\n");
    // accept_all is last: behind its skip the claim ends.
    for (u32 s = 0; s < automaton_.state_count(); ++s) {
      if (s != all_) write_state(s);
    }
    if (all_ != kNone) write_state(all_);
    out_.add("}\n");
    return out_.status();
  }

 private:
  void write_comment(std::string_view name) {
    out_.add(" /* ");
    std::size_t begin = 0;
    for (std::size_t i = 0; i + 1 < name.size(); ++i) {
      if (name[i] != '*' || name[i + 1] != '/') continue;
      out_.add(piece_of(name, begin, i + 1 - begin)).add(" ");
      begin = i + 1;
    }
    out_.add(piece_of(name, begin)).add(" */");
  }

  void write_label(u32 state) {
    if (state == all_) {
      out_.add("accept_all");
      return;
    }
    out_.add(automaton_.accepting[state] ? "accept_" : "T0_");
    if (state == 0) {
      out_.add("init");
    } else {
      out_.add("S").number(state);
    }
  }

  void write_state(u32 state) {
    write_label(state);
    out_.add(":\n");
    if (state == all_) {
      out_.add("  skip\n");
      return;
    }
    const std::span<const Edge> edges = automaton_.edges_of(state);
    if (edges.empty()) {
      out_.add("  false;\n");
      return;
    }
    out_.add("  if\n");
    for (const Edge& edge : edges) {
      out_.add("  :: (");
      write_guard(automaton_.guard(edge));
      out_.add(") -> goto ");
      write_label(edge.target);
      out_.add("\n");
    }
    out_.add("  fi;\n");
  }

  void write_guard(std::span<const Cube> guard) {
    for (std::size_t i = 0; i < guard.size(); ++i) {
      if (i > 0) out_.add(" || ");
      if (guard.size() > 1) out_.add("(");
      write_cube(guard[i]);
      if (guard.size() > 1) out_.add(")");
    }
  }

  void write_cube(const Cube& cube) {
    bool first = true;
    for (u32 p = 0; p < automaton_.propositions.size(); ++p) {
      const bool positive = (cube.positive >> p & 1) != 0;
      if (!positive && (cube.negative >> p & 1) == 0) continue;
      out_.add(first ? "" : " && ").add(positive ? "" : "!");
      write_proposition(automaton_.propositions[p]);
      first = false;
    }
    if (first) out_.add("1");
  }

  void write_proposition(std::string_view text) {
    const bool bare = is_bare_proposition(text);
    out_.add(bare ? "(" : "\"").add(text).add(bare ? ")" : "\"");
  }

  const Automaton& automaton_;
  TextOut out_;
  u32 all_ = kNone;  // the state with the name accept_all
};

}  // namespace

bool accepts_all(const Automaton& automaton, u32 state) {
  const std::span<const Edge> edges = automaton.edges_of(state);
  if (edges.size() != 1 || !automaton.accepting[state] || edges[0].target != state) return false;
  for (const Cube& cube : automaton.guard(edges[0])) {
    if (cube == Cube{}) return true;
  }
  return false;
}

Status write_never(const Automaton& automaton, std::string_view name, Sink sink) {
  return NeverWriter(automaton, sink).write(name);
}

}  // namespace xmc::ltl
