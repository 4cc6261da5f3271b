#include "exec/processes/explain.h"

#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

using ir::Note;

// Values as "i=5 P->j=2", each once.
class ReadText final : public ReadSink {
 public:
  ReadText(const ir::Program& p, u32 process) : p_(p), process_(process) {}

  bool variable(u32 variable, u32 element, i32 value) override {
    const ir::Variable& v = p_.variables[variable];
    add({v.name, v.process, v.is_array, element}, value);
    return true;
  }
  void table(u32 table, u32 element, i32 value) override {
    add({p_.tables[table].name, p_.tables[table].process, true, element}, value);
  }
  bool location(u32 process, u32 location) override {
    const ir::Process& q = p_.processes[process];
    FixedText<2 * limits::kNameBytes + 32> one;
    one.add(q.name).add('=');
    if (location < q.location_count) {
      one.add(p_.location_names[q.first_location + location]);
    } else {
      one.add("(error)");
    }
    once(one.view());
    return true;
  }
  // Pieces that have this form already.
  void pieces(std::string_view text) {
    while (!text.empty()) {
      const std::size_t blank = text.find(' ');
      once(piece_of(text, 0, blank));
      text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
    }
  }
  std::string_view view() const { return out_.view(); }

 private:
  struct Name {
    std::string_view name;
    u32 process;
    bool is_array;
    u32 element;
  };
  void add(const Name& name, i32 value) {
    FixedText<2 * limits::kNameBytes + 64> one;
    if (name.process != kNone && name.process != process_) {
      one.add(p_.processes[name.process].name).add("->");
    }
    one.add(name.name);
    if (name.is_array) one.format("[%u]", static_cast<unsigned>(name.element));
    one.format("=%d", static_cast<int>(value));
    once(one.view());
  }
  void once(std::string_view one) {
    std::string_view rest = out_.view();
    while (!rest.empty()) {
      const std::size_t blank = rest.find(' ');
      if (piece_of(rest, 0, blank) == one) return;
      rest.remove_prefix(blank == std::string_view::npos ? rest.size() : blank + 1);
    }
    if (out_.size() != 0) out_.add(' ');
    out_.add(one);
  }

  const ir::Program& p_;
  u32 process_;
  FixedText<400> out_;
};

class Explanation {
 public:
  Explanation(const ir::Program& p, const Fault& fault, Text& out)
      : p_(p), fault_(fault), out_(out), reads_(p, fault.place.process) {}

  u32 write() {
    what();
    const u32 line = expression();
    values();
    if (!reads_.view().empty()) out_.add(" with ").add(reads_.view());
    return line;
  }

 private:
  const ir::Target& target() const {
    if (fault_.place.part == Note::Part::received) return p_.received[fault_.place.index];
    XMC_CHECK(fault_.place.part == Note::Part::assignment);
    return p_.assignments[fault_.place.index].target;
  }
  void array(std::string_view name, u32 process, u64 size) {
    out_.format("index %d of ", static_cast<int>(fault_.value));
    if (process != kNone && process != fault_.place.process) {
      out_.add(p_.processes[process].name).add("->");
    }
    out_.add(name).format("[%llu]", wide(size));
  }
  void array(const ir::Variable& v) { array(v.name, v.process, v.size); }

  void what() {
    switch (fault_.kind) {
      case Fault::Kind::none:
        break;
      case Fault::Kind::operation: {
        const ir::Expr& e = p_.exprs[fault_.expr];
        if (e.op == ir::Op::element) {
          array(p_.variables[e.a]);
        } else if (e.op == ir::Op::table) {
          const ir::Table& t = p_.tables[e.a];
          array(t.name, t.process, t.values.size());
        } else {
          out_.add("division by zero");
        }
        break;
      }
      case Fault::Kind::index:
        array(p_.variables[target().variable]);
        break;
      case Fault::Kind::value: {
        const ir::Variable& v = p_.variables[target().variable];
        out_.format("%d does not fit %s (%d..%d)", static_cast<int>(fault_.value),
                    v.type_lo < 0 ? "an int" : "a byte", static_cast<int>(v.type_lo),
                    static_cast<int>(v.type_hi));
        break;
      }
    }
  }

  const Note* note_of(Note::Part part, u32 index, ir::ExprId expr) const {
    for (const Note& note : p_.notes) {
      if (note.part == part && note.index == index && note.expr == expr) return &note;
    }
    return nullptr;
  }

  // A name of its own channel, for what is received.
  std::string_view channel() const {
    for (const ir::Transition& t : p_.transitions) {
      const u32 at = fault_.place.index - t.first_value;
      if (t.sync == ir::Sync::receive && fault_.place.index >= t.first_value && at < t.value_count)
        return p_.channels[t.channel].name;
    }
    return {};
  }

  u32 expression() {
    const FaultPlace& place = fault_.place;
    const Note* const note = note_of(place.part, place.index, fault_.expr);
    if (note == nullptr) return 0;
    out_.add(": ");
    if (place.part == Note::Part::received && fault_.expr == kNone) out_.add(channel()).add('?');
    out_.add(note->text);
    constants_ = note->constants;
    if (fault_.kind != Fault::Kind::value || place.sent == kNone) return note->line;
    const Note* const sent = note_of(Note::Part::sent, place.sent, kNone);
    if (sent != nullptr) {
      out_.add(" gets ").add(sent->text);
      more_constants_ = sent->constants;
    }
    return note->line;
  }

  // By evaluating it again; what comes before the failure is fine.
  void values() {
    const auto read_in = [&](Cells cells, ir::ExprId id) {
      if (id != kNone) static_cast<void>(Evaluator(p_, cells, &reads_)(id));
    };
    const auto read = [&](ir::ExprId id) { read_in(fault_.cells, id); };
    if (fault_.kind == Fault::Kind::operation) {
      const ir::Expr& e = p_.exprs[fault_.expr];
      if (!ir::has_index(e.op)) read(e.a);
      read(e.b);
    } else if (fault_.kind != Fault::Kind::none) {
      if (fault_.kind == Fault::Kind::value && fault_.place.part == Note::Part::assignment)
        read(p_.assignments[fault_.place.index].value);
      if (fault_.kind == Fault::Kind::value && fault_.place.sent != kNone)
        read(p_.sent[fault_.place.sent]);
      read_in(fault_.index_cells, target().index);
    }
    reads_.pieces(constants_);
    reads_.pieces(more_constants_);
  }

  const ir::Program& p_;
  const Fault& fault_;
  Text& out_;
  ReadText reads_;
  std::string_view constants_;
  std::string_view more_constants_;
};

}  // namespace

u32 explain_fault(const ir::Program& program, const Fault& fault, Text& out) {
  return Explanation(program, fault, out).write();
}

}  // namespace xmc
