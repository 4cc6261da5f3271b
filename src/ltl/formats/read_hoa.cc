// The body of an HOA automaton. Edges get the marks of their state, too; a state with several sets
// of labels gets one arc for each cube.
#include <bit>

#include "ltl/formats/guard_cubes.h"
#include "ltl/formats/hoa_header.h"
#include "ltl/formats/read.h"
#include "ltl/graph/graph.h"
#include "ltl/reduce/reduce.h"

namespace xmc::ltl {

namespace {

class BodyReader {
 public:
  BodyReader(HoaCursor& cursor, const HoaHeader& header, const Formulas& formulas, Arena& arena,
             Effort& effort)
      : cursor_(cursor),
        header_(header),
        cubes_(formulas, arena, effort),
        builder_(arena),
        limit_(header.states == kNone ? limits::kAutomatonStates : header.states) {}

  Status read(Arena& arena, Graph& out) {
    while (!cursor_.failed() && cursor_.is_header("State")) read_state();
    if (!cursor_.failed() && !cursor_.is(HoaSign::finish)) cursor_.expected("State: or --END--");
    for (u32 i = 0; i < header_.start_count; ++i) note_state(header_.starts[i]);
    if (cursor_.failed()) return cursor_.status();
    const u32 sets = header_.never ? 1 : static_cast<u32>(std::popcount(header_.required));
    const u32 initial = header_.start_count == 1 ? header_.starts[0] : states_;
    out = builder_.finish(states_ + (header_.start_count == 1 ? 0 : 1), initial, sets);
    return header_.start_count > 1 ? join_starts(arena, out) : Status();
  }

 private:
  void note_state(u32 state) {
    if (state >= states_) states_ = state + 1;
  }

  void add(u32 source, u32 target, u64 marks, const Cube& cube) {
    if (cursor_.failed()) return;
    const Status status = builder_.add({source, target, marks, cube});
    if (!status.ok()) cursor_.fail(cursor_.now(), status);
  }

  // A new initial state with the arcs of all that were given.
  Status join_starts(Arena& arena, Graph& graph) {
    GraphBuilder builder(arena);
    for (const Arc& arc : graph.arcs) XMC_TRY(builder.add(arc));
    for (u32 i = 0; i < header_.start_count; ++i) {
      for (Arc arc : graph.arcs_of(header_.starts[i])) {
        arc.source = graph.initial;
        XMC_TRY(builder.add(arc));
      }
    }
    graph = builder.finish(graph.states, graph.initial, graph.sets);
    return {};
  }

  // The sets between braces, if there are any, as marks of those that count.
  u64 read_marks() {
    if (!cursor_.take_mark('{')) return 0;
    u64 sets = 0;
    while (!cursor_.failed() && !cursor_.is_mark('}')) {
      sets |= u64{1} << cursor_.need_number("the number of an acceptance set", header_.sets);
    }
    cursor_.need_mark('}');
    u64 marks = 0;
    u32 next = 0;
    for (u64 rest = header_.required; rest != 0; rest &= rest - 1, ++next) {
      const u64 set = rest & (~rest + 1);
      if ((sets & set) != 0) marks |= u64{1} << next;
    }
    return header_.never ? 0 : marks;
  }

  // False without a label.
  bool read_label(std::span<const Cube>& out) {
    if (!cursor_.is_mark('[')) return false;
    const HoaToken open = cursor_.now();
    cursor_.advance();
    const Formula label = cursor_.parse_label(header_.proposition_count);
    cursor_.need_mark(']');
    if (cursor_.failed()) return true;
    const Status status = cubes_.expand(label, out);
    if (!status.ok()) cursor_.fail(open, status);
    return true;
  }

  void read_state() {
    const HoaToken head = cursor_.now();
    cursor_.advance();
    std::span<const Cube> cubes;
    const bool labelled = read_label(cubes);
    // The label of an edge would overwrite that of the state; a state has at most one of both.
    const u32 state = cursor_.need_number("the number of a state", limit_);
    if (cursor_.is(HoaSign::string)) cursor_.advance();
    const u64 marks = read_marks();
    note_state(state);
    if (seen(state)) {
      cursor_.fail(head, Status::fail(Code::model, "state %u is described twice", state));
    }
    u32 implicit = 0;
    while (!cursor_.failed() && (cursor_.is_mark('[') || cursor_.is(HoaSign::number))) {
      read_edge(state, marks, labelled, cubes, implicit);
    }
    if (implicit > 0 && u64{implicit} != u64{1} << header_.proposition_count) {
      cursor_.fail(head,
                   Status::fail(Code::model,
                                "state %u has %u edges without labels; %llu are needed, one for "
                                "each letter",
                                state, implicit, 1ull << header_.proposition_count));
    }
  }

  void read_edge(u32 state, u64 marks, bool labelled, std::span<const Cube> cubes, u32& implicit) {
    const HoaToken head = cursor_.now();
    const bool own = cursor_.is_mark('[');
    if (own && labelled) {
      return cursor_.fail(head, Status::fail(Code::model, "the state has a label already"));
    }
    if (own) read_label(cubes);
    const u32 target = cursor_.need_number("the number of a state", limit_);
    if (cursor_.is_mark('&')) {
      return cursor_.fail(cursor_.now(),
                          Status::fail(Code::unsupported, "alternating automata are not read"));
    }
    marks |= read_marks();
    note_state(target);
    if (own || labelled) {
      for (const Cube& cube : cubes) add(state, target, marks, cube);
      return;
    }
    const u32 all = header_.proposition_count == 32 ? ~0u : (1u << header_.proposition_count) - 1;
    if (implicit > all) {
      return cursor_.fail(head, Status::fail(Code::model, "there are no more letters for edges"));
    }
    add(state, target, marks, {implicit, all & ~implicit});
    ++implicit;
  }

  bool seen(u32 state) {
    const u64 bit = u64{1} << (state % 64);
    const bool before = (seen_[state / 64] & bit) != 0;
    seen_[state / 64] |= bit;
    return before;
  }

  HoaCursor& cursor_;
  const HoaHeader& header_;
  GuardCubes cubes_;
  GraphBuilder builder_;
  u32 limit_;
  u32 states_ = 0;
  u64 seen_[limits::kAutomatonStates / 64] = {};
};

Status read_in_scratch(std::string_view text, Arena& arena, Automaton& out, TextRange& where) {
  Formulas formulas(arena);
  Effort effort(limits::kTranslationSteps / 2);
  HoaCursor cursor(text, formulas, arena);
  HoaHeader header;
  read_hoa_header(cursor, arena, header);
  Graph graph;
  const Status status =
      cursor.failed() ? cursor.status()
                      : BodyReader(cursor, header, formulas, arena, effort).read(arena, graph);
  where = cursor.where();
  XMC_TRY(status);
  const std::span<const std::string_view> texts{header.propositions, header.proposition_count};
  XMC_TRY(make_small(graph, texts, arena, effort, out));
  out.places = places_of(texts, text, arena);
  return {};
}

}  // namespace

Status read_hoa(std::string_view text, Arena& arena, Automaton& out, TextRange& where) {
  where = {};
  if (text.size() > limits::kAutomatonBytes) {
    return Status::fail(Code::model, "the text has %zu bytes, and %u are the limit", text.size(),
                        limits::kAutomatonBytes);
  }
  const u64 mark = arena.scratch_mark();
  const Status status = read_in_scratch(text, arena, out, where);
  arena.scratch_release(mark);
  return status;
}

}  // namespace xmc::ltl
