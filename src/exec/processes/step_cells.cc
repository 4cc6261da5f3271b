#include "exec/processes/step_cells.h"

#include "xmc/arith.h"

namespace xmc {

namespace {

using Part = ir::Note::Part;

// Reads of expressions, as cells.
class CellReads final : public ReadSink {
 public:
  CellReads(const ir::Program& p, CellWatch& watch, bool result)
      : p_(p), watch_(watch), result_(result) {}

  bool variable(u32 variable, u32 element, i32) override {
    return watch_.read(p_.variables[variable].first_initial + element, result_);
  }
  void table(u32, u32, i32) override {}
  bool location(u32 process, u32) override {
    return watch_.read(p_.variables[p_.processes[process].location].first_initial, result_);
  }

 private:
  const ir::Program& p_;
  CellWatch& watch_;
  bool result_;
};

}  // namespace

bool StepCells::evaluate(const FaultPlace& place, Cells in, ir::ExprId id, i32& v) {
  const auto judge = [&](Evaluator& eval) {
    v = eval(id);
    withheld_ = withheld_ || eval.withheld();
    if (eval.failed() && !withheld_) {
      note({Fault::Kind::operation, place, eval.failed_expr(), eval.failed_index(), in, in});
    }
    return !eval.failed();
  };
  if (watch_ == nullptr) {
    Evaluator eval(p_, in);
    return judge(eval);
  }
  CellReads reads(p_, *watch_, in.data() != source_.data());
  Evaluator eval(p_, in, &reads);
  return judge(eval);
}

bool StepCells::watched_read(u32 cell, bool result) {
  if (watch_ == nullptr || watch_->read(cell, result)) return true;
  withheld_ = true;
  return false;
}

void StepCells::write(Cells to, u32 cell, i32 value) {
  to[cell] = value;
  if (watch_ != nullptr) watch_->write(cell);
}

Truth StepCells::guard(u32 index) {
  const ir::Transition& t = p_.transitions[index];
  if (t.guard == kNone) return Truth::yes;
  i32 v = 0;
  if (!evaluate({Part::guard, index, t.process}, source_, t.guard, v)) return Truth::error;
  return v != 0 ? Truth::yes : Truth::no;
}

bool StepCells::store(const FaultPlace& place, const ir::Target& t, i32 value, Cells index_in,
                      Cells to) {
  const ir::Variable& v = p_.variables[t.variable];
  i32 index = static_cast<i32>(t.element);
  if (t.index != kNone && !evaluate(place, index_in, t.index, index)) return false;
  if (index < 0 || static_cast<u32>(index) >= v.size) {
    note({Fault::Kind::index, place, kNone, index, to, index_in});
    return false;
  }
  if (value < v.type_lo || value > v.type_hi) {
    note({Fault::Kind::value, place, kNone, value, to, index_in});
    return false;
  }
  write(to, v.first_initial + static_cast<u32>(index), value);
  return true;
}

bool StepCells::effects(const ir::Transition& t, Cells n) {
  write(n, location_cell(t.process), static_cast<i32>(t.target));
  for (u32 k = 0; k < t.assignment_count; ++k) {
    const FaultPlace place{Part::assignment, t.first_assignment + k, t.process};
    const ir::Assignment& a = p_.assignments[place.index];
    i32 v = 0;
    if (!evaluate(place, n, a.value, v) || !store(place, a.target, v, n, n)) return false;
  }
  return true;
}

i32 StepCells::converted(const ir::Channel& c, u32 value, i32 v) const {
  if (!c.typed) return v;
  return p_.channel_is_byte[c.first_type + value] != 0 ? arith::to_byte(v) : arith::to_int(v);
}

bool StepCells::transmit(const ir::Transition& t, const ir::Transition& u, Cells n) {
  for (u32 k = 0; k < t.value_count && k < u.value_count; ++k) {
    const FaultPlace from{Part::sent, t.first_value + k, t.process};
    const FaultPlace to{Part::received, u.first_value + k, u.process, from.index};
    i32 v = 0;
    if (!evaluate(from, n, p_.sent[from.index], v)) return false;
    v = converted(p_.channels[t.channel], k, v);
    if (!store(to, p_.received[to.index], v, source_, n)) return false;
  }
  return true;
}

bool StepCells::can_transmit(const ir::Transition& t) {
  const ir::Channel& c = p_.channels[t.channel];
  const u32 cell = p_.variables[c.length].first_initial;
  if (!watched_read(cell, false)) return false;
  const i32 length = source_[cell];
  return t.sync == ir::Sync::send ? length < static_cast<i32>(c.capacity) : length > 0;
}

// Cells of a channel behind its last message are 0, so that only those before are read.
bool StepCells::receive(const ir::Transition& t, u32 value, i32 length, Cells n) {
  const ir::Channel& c = p_.channels[t.channel];
  const u32 first = p_.variables[c.first_cell + value].first_initial;
  for (u32 e = 0; e < static_cast<u32>(length); ++e) {
    if (!watched_read(first + e, true)) return false;
  }
  const i32 oldest = n[first];
  for (u32 e = 0; e < static_cast<u32>(length); ++e) {
    write(n, first + e, e + 1 < static_cast<u32>(length) ? n[first + e + 1] : 0);
  }
  const u32 at = t.first_value + value;
  const FaultPlace place{Part::received, at, t.process};
  return value >= t.value_count || store(place, p_.received[at], oldest, source_, n);
}

bool StepCells::transmit_buffered(const ir::Transition& t, Cells n) {
  const ir::Channel& c = p_.channels[t.channel];
  const u32 length_cell = p_.variables[c.length].first_initial;
  const i32 length = n[length_cell];
  for (u32 k = 0; k < c.value_count; ++k) {
    if (t.sync == ir::Sync::receive) {
      if (!receive(t, k, length, n)) return false;
      continue;
    }
    const u32 at = t.first_value + k;
    i32 v = 0;
    if (k < t.value_count && !evaluate({Part::sent, at, t.process}, source_, p_.sent[at], v)) {
      return false;
    }
    const u32 first = p_.variables[c.first_cell + k].first_initial;
    write(n, first + static_cast<u32>(length), converted(c, k, v));
  }
  write(n, length_cell, length + (t.sync == ir::Sync::send ? 1 : -1));
  return true;
}

}  // namespace xmc
