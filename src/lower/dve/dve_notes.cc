#include "lower/dve/dve_notes.h"

#include "front/dve/lexer.h"
#include "lower/squeeze.h"
#include "xmc/pool.h"

namespace xmc {

namespace {

using dve::Tok;
using ir::Note;

struct Piece {
  u32 begin = 0;
  u32 end = 0;
};

void ignore(void*, std::string_view) {}

// The constants that an expression names, as "N=3 T[2]=7". Their values are nowhere else in the
// program: they were folded.
class Constants {
 public:
  Constants(const dve::System& system, const LoweredNames& lowered)
      : system_(system), lowered_(lowered) {}

  // `process` is where the expression stands, kNone for one of the command line.
  std::string_view find(std::string_view expression, u32 process) {
    out_.clear();
    const Source source{"", expression};
    Diagnostics diagnostics(source, ignore, nullptr);
    dve::Lexer lexer(source, diagnostics);
    dve::Token token = lexer.next();
    while (token.kind != Tok::end) {
      const dve::Token name = token;
      token = lexer.next();
      if (name.kind != Tok::name) continue;
      u32 owner = process;
      dve::Token last = name;
      if (token.kind == Tok::dot || token.kind == Tok::arrow) {
        const bool remote = token.kind == Tok::arrow;
        last = lexer.next();
        token = lexer.next();
        if (!remote) continue;  // a state, not a variable
        owner = process_of(lexer.text(name));
      }
      const u32 variable = variable_of(lexer.text(last), owner);
      if (!folded(variable)) continue;
      u32 element = 0;
      if (system_.variables[variable].is_array && !known_element(lexer, token, process, element))
        continue;
      add(piece_of(expression, name.begin, last.end - name.begin), variable, element);
    }
    return out_.view();
  }

 private:
  u32 process_of(std::string_view name) const {
    for (u32 i = 0; i < system_.processes.size(); ++i) {
      if (system_.processes[i].name == name) return i;
    }
    return kNone;
  }
  u32 variable_of(std::string_view name, u32 process) const {
    u32 found = kNone;
    for (u32 i = 0; i < system_.variables.size(); ++i) {
      const dve::Variable& v = system_.variables[i];
      if (v.name != name) continue;
      if (v.process == process) return i;
      if (v.process == kNone) found = i;
    }
    return found;
  }
  bool folded(u32 variable) const {
    if (variable == kNone) return false;
    const VariableMap::Kind kind = lowered_.variables[variable].kind;
    return kind == VariableMap::Kind::constant_scalar || kind == VariableMap::Kind::table;
  }
  i32 value(u32 variable, u32 element) const {
    return system_.values[system_.variables[variable].first_value + element];
  }

  // "[2]" or "[N]": other elements are found when the expression is evaluated.
  bool known_element(dve::Lexer& lexer, dve::Token& token, u32 process, u32& element) const {
    element = 0;
    if (token.kind != Tok::left_bracket) return true;
    const dve::Token index = lexer.next();
    token = index;
    const dve::Token close = dve::Lexer(lexer).next();
    if (close.kind != Tok::right_bracket) return false;
    i32 at = index.value;
    if (index.kind == Tok::name) {
      const u32 constant = variable_of(lexer.text(index), process);
      if (!folded(constant) || system_.variables[constant].is_array) return false;
      at = value(constant, 0);
    } else if (index.kind != Tok::number) {
      return false;
    }
    element = static_cast<u32>(at);
    return at >= 0;
  }

  void add(std::string_view name, u32 variable, u32 element) {
    const dve::Variable& v = system_.variables[variable];
    if (element >= v.size) return;
    FixedText<2 * limits::kNameBytes + 32> one;
    one.add(name);
    if (v.is_array) one.format("[%u]", static_cast<unsigned>(element));
    one.format("=%d", static_cast<int>(value(variable, element)));
    if (has(one.view())) return;
    if (out_.size() != 0) out_.add(' ');
    out_.add(one.view());
  }
  bool has(std::string_view one) const {
    std::string_view rest = out_.view();
    while (!rest.empty()) {
      const std::size_t blank = rest.find(' ');
      if (piece_of(rest, 0, blank) == one) return true;
      rest.remove_prefix(blank == std::string_view::npos ? rest.size() : blank + 1);
    }
    return false;
  }

  const dve::System& system_;
  const LoweredNames& lowered_;
  FixedText<kTextBytes> out_;
};

class Noting {
 public:
  Noting(const dve::System& system, const LoweredNames& lowered, NameStore& names, Arena& arena,
         ir::Program& program)
      : system_(system),
        lowered_(lowered),
        names_(names),
        p_(program),
        notes_(arena, "notes"),
        constants_(system, lowered) {}

  void transitions(std::string_view text, u32 spots);
  void predicates(std::string_view text, const LowerRequest& request);
  void finish(Arena& arena) {
    const std::span<Note> out = arena.carve_array<Note>("text", notes_.size());
    for (u32 i = 0; i < notes_.size(); ++i) out[i] = notes_[i];
    p_.notes = out;
  }

 private:
  // What the notes of one piece of text have in common.
  struct Place {
    std::string_view text;
    u32 process = kNone;  // of the DVE tree
    u32 base = 0;         // an offset whose line is known
    u32 line = 0;         // 0: no lines
    u32 first_spot = 0;
    u32 end_spot = 0;
  };

  bool may_fail(ir::ExprId id) const { return id != kNone && p_.exprs[id].may_fail; }
  bool may_fail(const ir::Target& t) const {
    return t.check_index || t.check_value || may_fail(t.index);
  }
  bool stores_unchecked(u32 channel) const;
  u32 spots_from(u32 offset, const Place& place) const;
  void add(Note::Part part, u32 index, ir::ExprId expr, const Place& place, Piece piece);
  // The operations that may fail in a piece of text.
  void operations(Note::Part part, u32 index, const Place& place, Piece piece);
  void values(const dve::Transition& t, const Place& place);

  const dve::System& system_;
  const LoweredNames& lowered_;
  NameStore& names_;
  ir::Program& p_;
  Pool<Note, 6> notes_;
  Constants constants_;
};

// The first spot that ends behind `offset`.
u32 Noting::spots_from(u32 offset, const Place& place) const {
  u32 low = place.first_spot;
  u32 high = place.end_spot;
  while (low < high) {
    const u32 middle = low + (high - low) / 2;
    if (system_.spots[middle].end <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void Noting::add(Note::Part part, u32 index, ir::ExprId expr, const Place& place, Piece piece) {
  if (notes_.full()) return;
  Note note;
  note.part = part;
  note.index = index;
  note.expr = expr;
  note.line = place.line;
  for (u32 i = place.base; place.line != 0 && i < piece.begin; ++i) {
    note.line += place.text[i] == '\n' ? 1u : 0u;
  }
  const std::string_view raw = piece_of(place.text, piece.begin, piece.end - piece.begin);
  SqueezedText line;
  note.text = names_.keep(squeeze(raw, line));
  note.constants = names_.keep(constants_.find(raw, place.process));
  notes_.push(note);
}

void Noting::operations(Note::Part part, u32 index, const Place& place, Piece piece) {
  for (u32 i = spots_from(piece.begin, place); i < place.end_spot; ++i) {
    const dve::Spot& spot = system_.spots[i];
    if (spot.end > piece.end) break;
    const ir::ExprId expr = lowered_.exprs[spot.expr];
    if (expr != kNone && p_.exprs[expr].check) {
      add(part, index, expr, place, {spot.begin, spot.end});
    }
  }
}

// A value that is sent on this channel may not fit where it is received.
bool Noting::stores_unchecked(u32 channel) const {
  for (const ir::Transition& t : p_.transitions) {
    if (t.sync != ir::Sync::receive || t.channel != channel) continue;
    for (u32 k = 0; k < t.value_count; ++k) {
      if (p_.received[t.first_value + k].check_value) return true;
    }
  }
  return false;
}

void Noting::values(const dve::Transition& t, const Place& place) {
  const bool whole = t.sync == dve::Sync::send && system_.channels[t.channel].capacity == 0 &&
                     stores_unchecked(t.channel);
  for (u32 k = 0; k < t.value_count; ++k) {
    const u32 at = t.first_value + k;
    if (t.sync == dve::Sync::receive) {
      const dve::LValue& l = system_.received[at];
      if (!may_fail(p_.received[at])) continue;
      operations(Note::Part::received, at, place, {l.text_begin, l.text_end});
      add(Note::Part::received, at, kNone, place, {l.text_begin, l.text_end});
      continue;
    }
    if (!whole && !may_fail(p_.sent[at])) continue;
    // The spots of a sent value are those inside of its own.
    for (u32 i = spots_from(t.text_begin, place); i < place.end_spot; ++i) {
      const dve::Spot& spot = system_.spots[i];
      if (spot.end > t.text_end) break;
      if (spot.expr != system_.sent[at]) continue;
      operations(Note::Part::sent, at, place, {spot.begin, spot.end});
      if (whole) add(Note::Part::sent, at, kNone, place, {spot.begin, spot.end});
      break;
    }
  }
}

void Noting::transitions(std::string_view text, u32 spots) {
  u32 next = 0;
  for (u32 i = 0; i < system_.transitions.size(); ++i) {
    const dve::Transition& d = system_.transitions[i];
    if (lowered_.processes[d.process] == kNone) continue;
    const ir::Transition& t = p_.transitions[next];
    const u32 number = next++;
    if (!t.reachable) continue;
    const Place place{text, d.process, d.text_begin, d.line, 0, spots};
    if (may_fail(t.guard))
      operations(Note::Part::guard, number, place, {d.guard_begin, d.guard_end});
    if (d.sync != dve::Sync::none) values(d, place);
    for (u32 k = 0; k < d.assignment_count; ++k) {
      const u32 at = d.first_assignment + k;
      const ir::Assignment& a = p_.assignments[at];
      if (!may_fail(a.value) && !may_fail(a.target)) continue;
      const dve::Assignment& written = system_.assignments[at];
      const Piece piece{written.target.text_begin, written.text_end};
      operations(Note::Part::assignment, at, place, piece);
      add(Note::Part::assignment, at, kNone, place, piece);
    }
  }
}

void Noting::predicates(std::string_view text, const LowerRequest& request) {
  u32 next = request.automaton == nullptr
                 ? 0
                 : static_cast<u32>(request.automaton->alarms.size());  // without notes
  const auto whole = [&](std::string_view option, u32 first, u32 end) {
    const u32 number = next++;
    if (!may_fail(p_.predicates[number].condition)) return;
    const Place place{option, kNone, 0, 0, first, end};
    operations(Note::Part::predicate, number, place, {0, static_cast<u32>(option.size())});
  };
  if (request.reach != kNone) whole(request.reach_text, request.reach_spots, system_.spots.size());
  if (request.invariant != kNone)
    whole(request.invariant_text, request.invariant_spots, request.reach_spots);
  for (u32 i = 0; i < system_.assertions.size(); ++i) {
    const dve::Assertion& a = system_.assertions[i];
    if (lowered_.processes[a.process] == kNone) continue;
    const u32 number = next++;
    if (!may_fail(p_.predicates[number].condition)) continue;
    const Place place{text, a.process, a.text_begin, a.line, 0, request.invariant_spots};
    operations(Note::Part::predicate, number, place, {a.text_begin, a.text_end});
  }
}

}  // namespace

void note_failures(const dve::System& system, const Source& source, const LowerRequest& request,
                   const LoweredNames& lowered, NameStore& names, Arena& arena,
                   ir::Program& program) {
  Noting noting(system, lowered, names, arena, program);
  noting.transitions(source.text, request.invariant_spots);
  noting.predicates(source.text, request);
  noting.finish(arena);
}

}  // namespace xmc
