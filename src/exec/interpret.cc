#include "exec/interpret.h"

#include <new>

#include "ir/layout.h"
#include "ir/steps.h"
#include "xmc/arith.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

using ir::Op;

// Scratch of two judges never shares a cache line.
constexpr u64 kOwnLine = 64;

// All fields of a state, element by element, in the order of Program::initial_values.
using Cells = std::span<i32>;

struct Judge {
  const ir::Program* program;
  ErrorRule errors;
  Cells source;
  Cells system;  // after the system's part of a step
  Cells target;
};

class Evaluator {
 public:
  Evaluator(const ir::Program& p, Cells cells) : p_(p), cells_(cells) {}
  bool failed() const { return failed_; }

  i32 operator()(ir::ExprId id) {
    const ir::Expr& e = p_.exprs[id];
    if (failed_) return 0;
    switch (e.op) {
      case Op::constant:
        return static_cast<i32>(e.a);
      case Op::load:
        return cells_[p_.variables[e.a].first_initial + e.b];
      case Op::element:
        return indexed(cells_.subspan(p_.variables[e.a].first_initial, p_.variables[e.a].size),
                       e.b);
      case Op::table:
        return indexed(p_.tables[e.a].values, e.b);
      case Op::at: {
        const ir::Variable& v = p_.variables[p_.processes[e.a].location];
        return cells_[v.first_initial] == static_cast<i32>(e.b) ? 1 : 0;
      }
      case Op::negate:
        return arith::negate((*this)(e.a));
      case Op::bit_not:
        return ~(*this)(e.a);
      case Op::logical_not:
        return (*this)(e.a) == 0 ? 1 : 0;
      case Op::logical_and:
        return (*this)(e.a) != 0 && (*this)(e.b) != 0 ? 1 : 0;
      case Op::logical_or:
        return (*this)(e.a) != 0 || (*this)(e.b) != 0 ? 1 : 0;
      case Op::imply:
        return (*this)(e.a) == 0 || (*this)(e.b) != 0 ? 1 : 0;
      default:
        break;
    }
    const i32 a = (*this)(e.a);
    return binary(e.op, a, (*this)(e.b));
  }

 private:
  i32 indexed(std::span<const i32> values, ir::ExprId index) {
    const i32 i = (*this)(index);
    if (!failed_ && i >= 0 && static_cast<u32>(i) < values.size())
      return values[static_cast<u32>(i)];
    failed_ = true;
    return 0;
  }

  i32 binary(Op op, i32 a, i32 b) {
    switch (op) {
      case Op::multiply:
        return arith::multiply(a, b);
      case Op::divide:
      case Op::modulo:
        if (b == 0) failed_ = true;
        if (b == 0) return 0;
        return op == Op::divide ? arith::divide(a, b) : arith::modulo(a, b);
      case Op::add:
        return arith::add(a, b);
      case Op::subtract:
        return arith::subtract(a, b);
      case Op::shift_left:
        return arith::shift_left(a, b);
      case Op::shift_right:
        return arith::shift_right(a, b);
      case Op::less:
        return a < b;
      case Op::less_equal:
        return a <= b;
      case Op::greater:
        return a > b;
      case Op::greater_equal:
        return a >= b;
      case Op::equal:
        return a == b;
      case Op::not_equal:
        return a != b;
      case Op::bit_and:
        return a & b;
      case Op::bit_xor:
        return a ^ b;
      default:
        XMC_CHECK(op == Op::bit_or);
        return a | b;
    }
  }

  const ir::Program& p_;
  Cells cells_;
  bool failed_ = false;
};

enum class Truth : u8 { no, yes, error };

class Stepper {
 public:
  Stepper(Judge& judge, const Word* state, const SuccessorBuffer& out)
      : j_(judge), p_(*judge.program), out_(out) {
    for (const ir::Variable& v : p_.variables) {
      for (u32 k = 0; k < v.size; ++k)
        j_.source[v.first_initial + k] = slot_value(ir::element_slot(v, k), state);
    }
  }

  Expansion run();

 private:
  u32 where(u32 process) const {
    return static_cast<u32>(j_.source[p_.variables[p_.processes[process].location].first_initial]);
  }
  bool lost(u32 process) const { return where(process) == p_.processes[process].location_count; }
  bool is_committed(u32 process) const {
    return !lost(process) && (ir::flags_of(p_, process, where(process)) & ir::kCommitted) != 0;
  }
  bool may_move(u32 process) const {
    return process != p_.property && !lost(process) && (!committed_ || is_committed(process));
  }
  bool at_source(const ir::Transition& t) const { return where(t.process) == t.source; }

  Truth guard(const ir::Transition& t) const {
    if (t.guard == kNone) return Truth::yes;
    Evaluator eval(p_, j_.source);
    const i32 v = eval(t.guard);
    return eval.failed() ? Truth::error : v != 0 ? Truth::yes : Truth::no;
  }
  void predicates();
  void try_single(u32 index);
  void try_pairs(u32 index);
  bool evaluate(Cells in, ir::ExprId id, i32& v) const {
    Evaluator eval(p_, in);
    v = eval(id);
    return !eval.failed();
  }
  bool store(const ir::Target& t, i32 value, Cells index_in, Cells to) const;
  bool effects(const ir::Transition& t, Cells n) const;
  bool transmit_buffered(const ir::Transition& t, Cells n) const;
  bool transmit(const ir::Transition& t, const ir::Transition& u, Cells n) const;
  i32 converted(const ir::Channel& c, u32 value, i32 v) const {
    if (!c.typed) return v;
    return p_.channel_is_byte[c.first_type + value] != 0 ? arith::to_byte(v) : arith::to_int(v);
  }
  void system_step(u32 step, bool ok);
  void successor(u32 label, bool ok, Cells cells);

  Judge& j_;
  const ir::Program& p_;
  const SuccessorBuffer& out_;
  Expansion result_;
  bool committed_ = false;
  bool any_ = false;
};

void Stepper::predicates() {
  for (u32 i = 0; i < p_.predicates.size() && result_.violated == kNone; ++i) {
    const ir::Predicate& q = p_.predicates[i];
    if (q.process != kNone && where(q.process) != q.location) continue;
    i32 v = 0;
    const bool ok = evaluate(j_.source, q.condition, v);
    const bool bad = q.kind == PredicateText::Kind::goal ? ok && v != 0 : !ok || v == 0;
    if (bad) result_.violated = i;
  }
}

bool Stepper::store(const ir::Target& t, i32 value, Cells index_in, Cells to) const {
  const ir::Variable& v = p_.variables[t.variable];
  i32 index = static_cast<i32>(t.element);
  if (t.index != kNone && !evaluate(index_in, t.index, index)) return false;
  if (index < 0 || static_cast<u32>(index) >= v.size) return false;
  if (value < v.type_lo || value > v.type_hi) return false;
  to[v.first_initial + static_cast<u32>(index)] = value;
  return true;
}

bool Stepper::effects(const ir::Transition& t, Cells n) const {
  n[p_.variables[p_.processes[t.process].location].first_initial] = static_cast<i32>(t.target);
  for (u32 k = 0; k < t.assignment_count; ++k) {
    const ir::Assignment& a = p_.assignments[t.first_assignment + k];
    i32 v = 0;
    if (!evaluate(n, a.value, v) || !store(a.target, v, n, n)) return false;
  }
  return true;
}

bool Stepper::transmit(const ir::Transition& t, const ir::Transition& u, Cells n) const {
  for (u32 k = 0; k < t.value_count && k < u.value_count; ++k) {
    i32 v = 0;
    if (!evaluate(n, p_.sent[t.first_value + k], v)) return false;
    v = converted(p_.channels[t.channel], k, v);
    if (!store(p_.received[u.first_value + k], v, j_.source, n)) return false;
  }
  return true;
}

bool Stepper::transmit_buffered(const ir::Transition& t, Cells n) const {
  const ir::Channel& c = p_.channels[t.channel];
  i32& length = n[p_.variables[c.length].first_initial];
  for (u32 k = 0; k < c.value_count; ++k) {
    const Cells queue = n.subspan(p_.variables[c.first_cell + k].first_initial, c.capacity);
    if (t.sync == ir::Sync::send) {
      i32 v = 0;
      if (k < t.value_count && !evaluate(j_.source, p_.sent[t.first_value + k], v)) return false;
      queue[static_cast<u32>(length)] = converted(c, k, v);
      continue;
    }
    const i32 oldest = queue[0];
    for (u32 e = 0; e + 1 < c.capacity; ++e) queue[e] = queue[e + 1];
    queue[c.capacity - 1] = 0;
    if (k < t.value_count && !store(p_.received[t.first_value + k], oldest, j_.source, n))
      return false;
  }
  length += t.sync == ir::Sync::send ? 1 : -1;
  return true;
}

void Stepper::successor(u32 label, bool ok, Cells cells) {
  if (!ok && j_.errors == ErrorRule::report) {
    if (result_.errors++ == 0) result_.error_label = label;
    return;
  }
  XMC_CHECK(result_.count < out_.capacity);
  Word* to = out_.states + u64{result_.count} * p_.state_words;
  const std::span<Word> words(to, p_.state_words);
  if (ok) {
    fill_zero(words);
    for (const ir::Variable& v : p_.variables) {
      for (u32 k = 0; k < v.size; ++k)
        ir::write_slot(ir::element_slot(v, k), cells[v.first_initial + k], to);
    }
  } else {
    copy(words, std::span<const Word>(p_.error));
  }
  if (out_.labels != nullptr) out_.labels[result_.count] = label;
  ++result_.count;
}

// The system part is in j_.system; in a product every enabled move of the property is added to it.
void Stepper::system_step(u32 step, bool ok) {
  any_ = true;
  if (p_.property == kNone) return successor(ir::step_label(p_, step, 0), ok, j_.system);
  if (lost(p_.property)) return;
  const ir::Process& property = p_.processes[p_.property];
  for (u32 m = 0; m < property.transition_count; ++m) {
    const ir::Transition& t = p_.transitions[property.first_transition + m];
    if (!at_source(t)) continue;
    const Truth truth = guard(t);
    if (truth == Truth::no) continue;
    bool fine = ok && truth == Truth::yes;
    copy(j_.target, std::span<const i32>(j_.system));
    fine = fine && effects(t, j_.target);
    successor(ir::step_label(p_, step, m), fine, j_.target);
  }
}

void Stepper::try_single(u32 index) {
  const ir::Transition& t = p_.transitions[index];
  if (t.sync != ir::Sync::none) {
    const ir::Channel& c = p_.channels[t.channel];
    const i32 length = j_.source[p_.variables[c.length].first_initial];
    if (t.sync == ir::Sync::send && length == static_cast<i32>(c.capacity)) return;
    if (t.sync == ir::Sync::receive && length == 0) return;
  }
  const Truth truth = guard(t);
  if (truth == Truth::no) return;
  copy(j_.system, std::span<const i32>(j_.source));
  bool ok = truth == Truth::yes;
  ok = ok && (t.sync == ir::Sync::none || transmit_buffered(t, j_.system));
  system_step(index, ok && effects(t, j_.system));
}

void Stepper::try_pairs(u32 index) {
  const ir::Transition& t = p_.transitions[index];
  const ir::Channel& c = p_.channels[t.channel];
  const Truth sender = guard(t);
  if (sender == Truth::no) return;
  for (u32 r = 0; r < c.receiver_count; ++r) {
    const ir::Transition& u = p_.transitions[p_.receivers[c.first_receiver + r]];
    if (u.process == t.process || !may_move(u.process) || !at_source(u)) continue;
    const Truth receiver = guard(u);
    if (receiver == Truth::no) continue;
    copy(j_.system, std::span<const i32>(j_.source));
    bool ok = sender == Truth::yes && receiver == Truth::yes;
    ok = ok && transmit(t, u, j_.system) && effects(u, j_.system) && effects(t, j_.system);
    system_step(t.first_pair + r, ok);
  }
}

Expansion Stepper::run() {
  for (u32 i = 0; i < p_.processes.size(); ++i) {
    if (lost(i)) result_.flags |= kErrorState;
    if (is_committed(i)) committed_ = true;
  }
  if (p_.property != kNone && !lost(p_.property) &&
      (ir::flags_of(p_, p_.property, where(p_.property)) & ir::kAcceptingLocation) != 0) {
    result_.flags |= kAccepting;
  }
  const bool error_state = (result_.flags & kErrorState) != 0;
  if (error_state && j_.errors == ErrorRule::stop) return result_;
  if (!error_state) predicates();
  for (u32 i = 0; i < p_.transitions.size(); ++i) {
    const ir::Transition& t = p_.transitions[i];
    if (!may_move(t.process) || !at_source(t)) continue;
    const bool rendezvous = t.sync != ir::Sync::none && p_.channels[t.channel].capacity == 0;
    if (!rendezvous) try_single(i);
    if (rendezvous && t.sync == ir::Sync::send) try_pairs(i);
  }
  if (any_) return result_;
  result_.flags |= kDeadlock;
  copy(j_.system, std::span<const i32>(j_.source));
  if (p_.property != kNone) system_step(ir::stutter_step(p_), true);
  return result_;
}

Expansion expand(void* self, const Word* state, const SuccessorBuffer& out) {
  return Stepper(*static_cast<Judge*>(self), state, out).run();
}

u32 initial(void* self, const SuccessorBuffer& out) {
  const ir::Program& p = *static_cast<const Judge*>(self)->program;
  copy(std::span<Word>(out.states, p.state_words), std::span<const Word>(p.initial));
  if (out.labels != nullptr) out.labels[0] = kNone;
  return 1;
}

void carve_cells(Judge& judge, Arena& arena) {
  const u64 count = judge.program->initial_values.size();
  judge.source = arena.carve_array<i32>("judge", count);
  judge.system = arena.carve_array<i32>("judge", count);
  judge.target = arena.carve_array<i32>("judge", count);
}

void* fork_judge(const void* self, Arena& arena) {
  Judge* judge =
      ::new (arena.carve("judge", sizeof(Judge), kOwnLine)) Judge(*static_cast<const Judge*>(self));
  carve_cells(*judge, arena);
  return judge;
}

}  // namespace

Status make_interpreter(const ir::Program& program, ErrorRule errors, Arena& arena, Model& model) {
  Judge* judge = ::new (arena.carve("judge", sizeof(Judge), kOwnLine)) Judge{};
  judge->program = &program;
  judge->errors = errors;
  carve_cells(*judge, arena);
  model = {.state_words = program.state_words,
           .state_bits = program.state_bits,
           .max_successors = program.max_successors,
           .predicate_count = static_cast<u32>(program.predicates.size()),
           .buchi = program.property != kNone,
           .self = judge,
           .initial = initial,
           .expand = expand,
           .fork = fork_judge,
           .state_bytes = program.state_bytes};
  return {};
}

}  // namespace xmc
