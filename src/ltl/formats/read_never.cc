// A never claim to a graph with accepting states. A state is what stands behind one or more labels;
// it accepts if one of them begins with accept. The claim has matched, and everything after is
// accepted, where it ends: behind skip, at an assertion that does not hold.
#include "ltl/formats/claim_lexer.h"
#include "ltl/formats/guard_cubes.h"
#include "ltl/formats/read.h"
#include "ltl/graph/graph.h"
#include "ltl/reduce/reduce.h"
#include "xmc/bytes.h"

namespace xmc::ltl {

namespace {

constexpr u32 kLabelTable = 4 * limits::kAutomatonStates;

class ClaimReader {
 public:
  ClaimReader(std::string_view text, Arena& arena)
      : text_(text),
        arena_(arena),
        lexer_(text),
        formulas_(arena),
        cubes_(formulas_, arena, effort_),
        builder_(arena),
        labels_(arena, "automaton"),
        table_(scratch_array<u32>(arena, kLabelTable)),
        accepting_(scratch_array<u8>(arena, limits::kAutomatonStates)) {
    fill_zero(table_);
    fill_zero(accepting_);
  }

  Status read(Automaton& out, TextRange& where) {
    advance();
    read_claim();
    if (!failed()) check_labels();
    where = where_;
    XMC_TRY(status_);
    if (has_end_) XMC_TRY(builder_.add({states_, states_, 0, {}}));
    Graph graph = finish();
    XMC_TRY(make_small(graph, propositions_.texts(), arena_, effort_, out));
    out.places = places_of(propositions_.texts(), text_, arena_);
    return {};
  }

 private:
  struct Label {
    std::string_view name;
    u32 state;  // kNone until it is met
    ClaimToken used;
  };

  // Until all labels are known, the target of an arc to one is its number above all states.
  static constexpr u32 kToLabel = 1u << 31;

  bool failed() const { return !status_.ok(); }
  bool is(ClaimSign sign) const { return now_.sign == sign; }
  bool is_word(std::string_view word) const { return is(ClaimSign::word) && text() == word; }
  std::string_view text() const { return lexer_.text(now_); }

  void advance() {
    if (!failed()) now_ = lexer_.next();
  }

  void fail(u32 begin, u32 end, const Status& status) {
    if (failed()) return;
    status_ = status;
    where_ = {begin, end};
    now_ = {};
  }

  void expected(const char* what) {
    if (failed()) return;
    const std::string_view seen = text();
    const Status status =
        is(ClaimSign::end)
            ? Status::fail(Code::model, "expected %s, found the end", what)
            : Status::fail(Code::model, "expected %s, found '%.*s'", what,
                           static_cast<int>(seen.size() < 40 ? seen.size() : 40), seen.data());
    fail(now_.begin, now_.end, status);
  }

  void need(ClaimSign sign, const char* what) {
    if (!is(sign)) return expected(what);
    advance();
  }

  bool take_word(std::string_view word) {
    if (!is_word(word)) return false;
    advance();
    return true;
  }

  void skip_semicolons() {
    while (is(ClaimSign::semicolon)) advance();
  }

  void read_claim() {
    if (!take_word("never")) return expected("never");
    if (is(ClaimSign::word)) advance();
    need(ClaimSign::open, "'{'");
    skip_semicolons();
    while (!failed() && !is(ClaimSign::close)) read_state();
    if (!failed() && states_ == 0) expected("a state of the claim");
  }

  void read_state() {
    if (states_ == limits::kAutomatonStates) {
      return fail(now_.begin, now_.end, too_many_states());
    }
    state_ = states_++;
    ClaimToken word = now_;
    while (is(ClaimSign::word) && read_label_if(word)) word = now_;
    read_statement();
    skip_semicolons();
  }

  // The word, if a colon is behind it.
  bool read_label_if(const ClaimToken& word) {
    const std::string_view name = text();
    if (name == "if" || name == "do" || name == "skip" || name == "false" || name == "goto") {
      return false;
    }
    advance();
    if (!is(ClaimSign::colon)) {
      fail(word.begin, word.end,
           Status::fail(Code::model, "expected if, do, skip, false, goto or a label with ':'"));
      return false;
    }
    advance();
    const u32 number = label_of(name, word);
    if (failed()) return false;
    Label& label = labels_[number];
    if (label.state != kNone) {
      fail(word.begin, word.end, Status::fail(Code::model, "this label is there twice"));
      return false;
    }
    label.state = state_;
    if (name.starts_with("accept")) accepting_[state_] = 1;
    return true;
  }

  void read_statement() {
    if (is_word("if") || is_word("do")) return read_options();
    if (take_word("false")) return;
    if (is_word("goto")) return read_goto(Formulas::kTrue, now_);
    if (!is_word("skip")) return expected("if, do, skip, false, goto or a label");
    advance();
    skip_semicolons();
    // In the middle of a claim skip is a step to what follows, but tools that put accept_all there
    // mean its end.
    if (accepting_[state_] != 0) return add(state_, Formulas::kTrue, now_);
    add(is(ClaimSign::close) ? end_state() : states_, Formulas::kTrue, now_);
  }

  void read_options() {
    const ClaimToken head = now_;
    const bool loops = is_word("do");
    advance();
    while (!failed() && is(ClaimSign::option)) read_option(loops);
    if (!take_word(loops ? "od" : "fi")) {
      fail(head.begin, head.end,
           Status::fail(Code::model, loops ? "do has no od" : "if has no fi"));
    }
  }

  void read_option(bool loops) {
    advance();
    bool atomic = false;
    if (take_word("atomic")) {
      atomic = true;
      need(ClaimSign::open, "'{'");
    }
    const ClaimToken guard_text = lexer_.skip_guard(now_.begin);
    if (failed()) return;
    const Formula guard = read_guard(guard_text);
    advance();
    if (is(ClaimSign::arrow) || is(ClaimSign::semicolon)) advance();
    skip_semicolons();
    if (is_word("goto")) {
      read_goto(guard, guard_text);
    } else if (take_word("assert")) {
      const ClaimToken assertion = lexer_.skip_guard(now_.begin);
      advance();
      add(end_state(), guard, assertion);
    } else if (loops) {
      take_word("skip");
      add(state_, guard, guard_text);
    } else {
      expected("goto behind the guard");
    }
    skip_semicolons();
    if (atomic) need(ClaimSign::close, "'}'");
    skip_semicolons();
  }

  Formula read_guard(const ClaimToken& place) {
    Formula guard = Formulas::kFalse;
    if (lexer_.text(place) == "else") {
      fail(place.begin, place.end, Status::fail(Code::unsupported, "else is not read"));
      return guard;
    }
    TextRange where;
    const Status status = parse_guard(lexer_.text(place), formulas_, propositions_, guard, where);
    if (!status.ok()) fail(place.begin + where.begin, place.begin + where.end, status);
    return guard;
  }

  void read_goto(Formula guard, const ClaimToken& place) {
    advance();
    if (!is(ClaimSign::word)) return expected("a label");
    const u32 label = label_of(text(), now_);
    advance();
    add(kToLabel + label, guard, place);
  }

  // The number of the label with this name, a new one if there is none.
  u32 label_of(std::string_view name, const ClaimToken& place) {
    u32 hash = 2166136261u;
    for (const char c : name) hash = (hash ^ static_cast<u8>(c)) * 16777619u;
    u32 at = hash % kLabelTable;
    while (table_[at] != 0 && labels_[table_[at] - 1].name != name) at = (at + 1) % kLabelTable;
    if (table_[at] == 0) {
      if (labels_.full()) {
        fail(place.begin, place.end, too_many_states());
        return 0;
      }
      table_[at] = labels_.push({name, kNone, place}) + 1;
    }
    return table_[at] - 1;
  }

  // Accepts everything; its number is known at the end.
  u32 end_state() {
    has_end_ = true;
    return kNone;
  }

  void add(u32 target, Formula guard, const ClaimToken& place) {
    if (failed()) return;
    std::span<const Cube> cubes;
    Status status = cubes_.expand(guard, cubes);
    for (const Cube& cube : cubes) {
      if (status.ok()) status = builder_.add({state_, target, 0, cube});
    }
    if (!status.ok()) fail(place.begin, place.end, status);
  }

  void check_labels() {
    for (u32 i = 0; i < labels_.size(); ++i) {
      const Label& label = labels_[i];
      if (label.state != kNone) continue;
      fail(label.used.begin, label.used.end,
           Status::fail(Code::model, "there is no state with this label"));
    }
  }

  // The state behind the last one is the end of the claim.
  Graph finish() {
    Graph graph = builder_.finish(states_ + 1, 0, 1);
    for (Arc& arc : graph.arcs) {
      if (arc.target == kNone) {
        arc.target = states_;
      } else if (arc.target >= kToLabel) {
        arc.target = labels_[arc.target - kToLabel].state;
      }
      arc.marks = arc.source == states_ ? 1 : accepting_[arc.source];
    }
    return graph;
  }

  std::string_view text_;
  Arena& arena_;
  ClaimLexer lexer_;
  Formulas formulas_;
  Effort effort_{limits::kTranslationSteps / 2};
  GuardCubes cubes_;
  GraphBuilder builder_;
  Propositions propositions_;
  Pool<Label, 6, 2 * limits::kAutomatonStates / 64> labels_;
  std::span<u32> table_;  // open addressing; a number and one, 0 for empty
  std::span<u8> accepting_;
  ClaimToken now_;
  u32 states_ = 0;
  u32 state_ = 0;
  bool has_end_ = false;
  Status status_;
  TextRange where_;
};

}  // namespace

Status read_never(std::string_view text, Arena& arena, Automaton& out, TextRange& where) {
  where = {};
  if (text.size() > limits::kAutomatonBytes) {
    return Status::fail(Code::model, "the text has %zu bytes, and %u are the limit", text.size(),
                        limits::kAutomatonBytes);
  }
  const u64 mark = arena.scratch_mark();
  const Status status = ClaimReader(text, arena).read(out, where);
  arena.scratch_release(mark);
  return status;
}

}  // namespace xmc::ltl
