#include "exec/processes/vm.h"

#include <algorithm>
#include <new>

#include "exec/processes/assemble.h"
#include "exec/state_fields.h"
#include "ir/layout.h"
#include "ir/steps.h"
#include "xmc/arith.h"
#include "xmc/check.h"

namespace xmc {

namespace {

enum class Truth : u8 { no, yes, error };

struct Move {
  u32 transition;  // of the property
  bool failed;     // its guard is erroneous
};

// An enabled step, for take().
struct Found {
  u32 transition;
  u32 receiver;  // its transition, or kNone
  bool failed;   // a guard is erroneous
};

struct Halves {
  std::span<u32> steps;    // that find() found, and what they are
  std::span<Found> found;  // of bytecode
  std::span<u32> taken;    // of compiled code: those of the steps that take() wants
  u32 found_count = 0;
};

struct Vm {
  const ir::Program* program;
  CodeBlock code;
  ErrorRule errors;
  const NativeModel* native;
  std::span<Move> moves;     // room for the property's moves of one state
  std::span<u32> where;      // location of each process
  std::span<Word> base;      // system successor that the property's moves are added to
  Halves* halves = nullptr;  // of who expands step by step
};

// One expansion: the state, where its successors go, and what is known so far.
class Expander {
 public:
  Expander(Vm& vm, const Word* state, const SuccessorBuffer& out)
      : vm_(vm), p_(*vm.program), s_(state), out_(out), product_(p_.property != kNone) {}

  Expansion run();
  // The enabled steps; and then the successors by some of them.
  void find();
  Expansion take(const u64* places);
  // Only the predicates of the state: added to what compiled code found out.
  void judge(Expansion& result);

 private:
  void locate();
  void evaluate_predicates();
  void find_moves();
  bool property_is_lost() const;
  // With kFinds steps are noted instead of taken. That is asked at compile time, for the sake of
  // whoever takes all of them.
  template <bool kFinds>
  void expand_process(u32 process);
  void find_committed();
  template <bool kFinds>
  void system_steps();
  template <bool kFinds>
  void single(u32 t);
  [[gnu::always_inline]] inline void take_single(u32 t, bool guard_failed);
  template <bool kFinds>
  void send(u32 t);
  void pair(u32 t, u32 u, u32 step, bool guards_failed);
  void note(u32 step, const Found& found) {
    vm_.halves->steps[vm_.halves->found_count] = step;
    vm_.halves->found[vm_.halves->found_count++] = found;
  }
  void stutter();
  Truth guard(u32 t) const;
  bool committed(u32 process) const { return (flags(process) & ir::kCommitted) != 0; }
  u32 flags(u32 process) const { return ir::flags_of(p_, process, vm_.where[process]); }

  // A step begins with a copy of the state and ends as a successor or as an error.
  Word* begin() { return product_ ? vm_.base.data() : next_slot(); }
  Word* next_slot() { return out_.states + u64{result_.count} * p_.state_words; }
  void copy_state(Word* to, const Word* from) const {
    for (u32 i = 0; i < p_.state_words; ++i) to[i] = from[i];
  }
  bool effect(u32 t, Word* n) const {
    i32 top = 0;
    return run_code(vm_.code, vm_.code.transitions[t].effect, n, n, top);
  }
  bool buffered(const ir::Transition& t, const TransitionCode& code, Word* n) const;
  i32 converted(const ir::Channel& c, u32 value, i32 v) const;
  void finish(u32 step, bool ok);
  void emit(u32 label, bool ok);

  Vm& vm_;
  const ir::Program& p_;
  const Word* s_;
  const SuccessorBuffer& out_;
  const bool product_;
  Expansion result_;
  u32 move_count_ = 0;
  bool any_step_ = false;
  bool any_committed_ = false;
};

void Expander::locate() {
  for (u32 i = 0; i < p_.processes.size(); ++i) {
    const u32 at = static_cast<u32>(slot_value(p_.variables[p_.processes[i].location].slot, s_));
    vm_.where[i] = at;
    if (at == p_.processes[i].location_count) result_.flags |= kErrorState;
  }
}

void Expander::evaluate_predicates() {
  for (u32 i = 0; i < p_.predicates.size(); ++i) {
    const ir::Predicate& q = p_.predicates[i];
    if (q.process != kNone && vm_.where[q.process] != q.location) continue;
    i32 value = 0;
    const bool ok = run_code(vm_.code, vm_.code.predicates[i], s_, nullptr, value);
    // An erroneous invariant or assertion does not hold; an erroneous goal is not reached.
    const bool goal = q.kind == PredicateText::Kind::goal;
    if (goal ? ok && value != 0 : !ok || value == 0) {
      result_.violated = i;
      return;
    }
  }
}

Truth Expander::guard(u32 t) const {
  const u32 pc = vm_.code.transitions[t].guard;
  if (pc == kNone) return Truth::yes;
  i32 value = 0;
  if (!run_code(vm_.code, pc, s_, nullptr, value)) return Truth::error;
  return value != 0 ? Truth::yes : Truth::no;
}

bool Expander::property_is_lost() const {
  return vm_.where[p_.property] == p_.processes[p_.property].location_count;
}

void Expander::find_moves() {
  if (property_is_lost()) return;
  const u32 at = vm_.where[p_.property];
  const ir::Range r = ir::transitions_at(p_, p_.property, at);
  for (u32 i = 0; i < r.count; ++i) {
    const u32 t = p_.order[r.first + i];
    if (!p_.transitions[t].reachable) continue;
    const Truth truth = guard(t);
    if (truth != Truth::no) vm_.moves[move_count_++] = {t, truth == Truth::error};
  }
}

void Expander::emit(u32 label, bool ok) {
  if (!ok && vm_.errors == ErrorRule::report) {
    if (result_.errors++ == 0) result_.error_label = label;
    return;
  }
  if (!ok) copy_state(next_slot(), p_.error.data());
  XMC_DASSERT(result_.count < out_.capacity);
  if (out_.labels != nullptr) out_.labels[result_.count] = label;
  ++result_.count;
}

// The system's part of a step is done: in begin()'s place, or erroneous.
void Expander::finish(u32 step, bool ok) {
  any_step_ = true;
  if (!product_) return emit(step, ok);
  const u32 first = p_.processes[p_.property].first_transition;
  for (u32 i = 0; i < move_count_; ++i) {
    const Move& move = vm_.moves[i];
    bool fine = ok && !move.failed;
    if (fine) {
      Word* n = next_slot();
      copy_state(n, vm_.base.data());
      fine = effect(move.transition, n);
    }
    emit(ir::step_label(p_, step, move.transition - first), fine);
  }
}

i32 Expander::converted(const ir::Channel& c, u32 value, i32 v) const {
  if (!c.typed) return v;
  return p_.channel_is_byte[c.first_type + value] != 0 ? arith::to_byte(v) : arith::to_int(v);
}

// Transmission on a buffered channel: the values of a send and the indexes of a receive are those
// of the source state.
bool Expander::buffered(const ir::Transition& t, const TransitionCode& code, Word* n) const {
  const ir::Channel& c = p_.channels[t.channel];
  const ir::Variable& length_variable = p_.variables[c.length];
  const u32 length = static_cast<u32>(slot_value(length_variable.slot, s_));
  for (u32 k = 0; k < c.value_count; ++k) {
    const ir::Variable& cells = p_.variables[c.first_cell + k];
    if (t.sync == ir::Sync::send) {
      i32 v = 0;
      if (k < t.value_count &&
          !run_code(vm_.code, vm_.code.values[code.first_value + k], s_, nullptr, v)) {
        return false;
      }
      ir::write_slot(ir::element_slot(cells, length), k < t.value_count ? converted(c, k, v) : 0,
                     n);
      continue;
    }
    i32 v = slot_value(ir::element_slot(cells, 0), s_);
    for (u32 e = 0; e < length; ++e) {
      const i32 moved = e + 1 < length ? slot_value(ir::element_slot(cells, e + 1), s_) : 0;
      ir::write_slot(ir::element_slot(cells, e), moved, n);
    }
    if (k < t.value_count && !run_code(vm_.code, vm_.code.values[code.first_value + k], s_, n, v))
      return false;
  }
  const i32 change = t.sync == ir::Sync::send ? 1 : -1;
  ir::write_slot(length_variable.slot, static_cast<i32>(length) + change, n);
  return true;
}

void Expander::take_single(u32 index, bool guard_failed) {
  const ir::Transition& t = p_.transitions[index];
  const bool on_buffer = t.sync != ir::Sync::none;
  bool ok = !guard_failed;
  if (ok) {
    Word* n = begin();
    copy_state(n, s_);
    ok = (!on_buffer || buffered(t, vm_.code.transitions[index], n)) && effect(index, n);
  }
  finish(index, ok);
}

// A step of one process: local, or on a buffered channel.
template <bool kFinds>
void Expander::single(u32 index) {
  const ir::Transition& t = p_.transitions[index];
  const bool on_buffer = t.sync != ir::Sync::none;
  if (on_buffer) {
    const ir::Channel& c = p_.channels[t.channel];
    const u32 length = static_cast<u32>(slot_value(p_.variables[c.length].slot, s_));
    if (t.sync == ir::Sync::send ? length == c.capacity : length == 0) return;
  }
  const Truth truth = guard(index);
  if (truth == Truth::no) return;
  if constexpr (kFinds) {
    note(index, {index, kNone, truth == Truth::error});
  } else {
    take_single(index, truth == Truth::error);
  }
}

void Expander::pair(u32 ti, u32 ui, u32 step, bool guards_failed) {
  const ir::Transition& t = p_.transitions[ti];
  const ir::Transition& u = p_.transitions[ui];
  bool ok = !guards_failed;
  if (ok) {
    Word* n = begin();
    copy_state(n, s_);
    const ir::Channel& c = p_.channels[t.channel];
    const u32 first_sent = vm_.code.transitions[ti].first_value;
    const u32 first_received = vm_.code.transitions[ui].first_value;
    for (u32 k = 0; ok && k < t.value_count && k < u.value_count; ++k) {
      i32 v = 0;
      ok = run_code(vm_.code, vm_.code.values[first_sent + k], n, nullptr, v);
      v = converted(c, k, v);
      ok = ok && run_code(vm_.code, vm_.code.values[first_received + k], s_, n, v);
    }
    ok = ok && effect(ui, n) && effect(ti, n);
  }
  finish(step, ok);
}

template <bool kFinds>
void Expander::send(u32 ti) {
  const ir::Transition& t = p_.transitions[ti];
  const ir::Channel& c = p_.channels[t.channel];
  Truth sender = Truth::no;
  bool known = false;
  for (u32 r = 0; r < c.receiver_count; ++r) {
    const u32 ui = p_.receivers[c.first_receiver + r];
    const ir::Transition& u = p_.transitions[ui];
    if (vm_.where[u.process] != u.source || u.process == t.process || !u.reachable) continue;
    if (any_committed_ && !committed(u.process)) continue;
    if (!known) sender = guard(ti);
    known = true;
    if (sender == Truth::no) return;
    const Truth receiver = guard(ui);
    if (receiver == Truth::no) continue;
    const bool failed = sender == Truth::error || receiver == Truth::error;
    if constexpr (kFinds) {
      note(t.first_pair + r, {ti, ui, failed});
    } else {
      pair(ti, ui, t.first_pair + r, failed);
    }
  }
}

template <bool kFinds>
void Expander::expand_process(u32 process) {
  if (vm_.where[process] == p_.processes[process].location_count) return;
  if (any_committed_ && !committed(process)) return;
  const ir::Range r = ir::transitions_at(p_, process, vm_.where[process]);
  for (u32 i = 0; i < r.count; ++i) {
    const u32 t = p_.order[r.first + i];
    const ir::Transition& transition = p_.transitions[t];
    if (!transition.reachable) continue;
    if (transition.sync == ir::Sync::none || p_.channels[transition.channel].capacity != 0) {
      single<kFinds>(t);
    } else if (transition.sync == ir::Sync::send) {
      send<kFinds>(t);
    }
  }
}

// The system has no step: the property moves alone, so that finite runs are checked as if their
// last state repeated.
void Expander::stutter() {
  result_.flags |= kDeadlock;
  if (!product_) return;
  copy_state(vm_.base.data(), s_);
  finish(ir::stutter_step(p_), true);
}

Expansion Expander::run() {
  locate();
  if (product_ && !property_is_lost() && (flags(p_.property) & ir::kAcceptingLocation) != 0) {
    result_.flags |= kAccepting;
  }
  if (result_.flags & kErrorState) {
    if (vm_.errors == ErrorRule::stop) return result_;
  } else {
    evaluate_predicates();
  }
  if (product_) find_moves();
  system_steps<false>();
  if (!any_step_) stutter();
  return result_;
}

void Expander::find_committed() {
  for (u32 i = 0; i < p_.processes.size() && p_.has_commit; ++i) {
    if (vm_.where[i] != p_.processes[i].location_count && committed(i)) any_committed_ = true;
  }
}

template <bool kFinds>
void Expander::system_steps() {
  find_committed();
  for (u32 i = 0; i < p_.processes.size(); ++i) {
    if (i != p_.property) expand_process<kFinds>(i);
  }
}

void Expander::find() {
  locate();
  vm_.halves->found_count = 0;
  system_steps<true>();
}

Expansion Expander::take(const u64* places) {
  if (product_ && !property_is_lost() && (flags(p_.property) & ir::kAcceptingLocation) != 0)
    result_.flags |= kAccepting;
  evaluate_predicates();
  if (product_) find_moves();
  for (u32 i = 0; i < vm_.halves->found_count; ++i) {
    if ((places[i / 64] >> i % 64 & 1) == 0) continue;
    const Found& found = vm_.halves->found[i];
    if (found.receiver == kNone) {
      take_single(found.transition, found.failed);
    } else {
      pair(found.transition, found.receiver, vm_.halves->steps[i], found.failed);
    }
  }
  return result_;
}

void Expander::judge(Expansion& result) {
  locate();
  if ((result_.flags & kErrorState) == 0) evaluate_predicates();
  result.violated = result_.violated;
}

Expansion expand_vm(void* self, const Word* state, const SuccessorBuffer& out) {
  return Expander(*static_cast<Vm*>(self), state, out).run();
}

Expansion expand_native(void* self, const Word* state, const SuccessorBuffer& out) {
  Vm& vm = *static_cast<Vm*>(self);
  Expansion result = vm.native->expand(vm.errors, state, out);
  if (!vm.program->predicates.empty()) Expander(vm, state, out).judge(result);
  return result;
}

u32 find_steps(void* self, const Word* state, const u32*& steps) {
  Vm& vm = *static_cast<Vm*>(self);
  Expander(vm, state, {}).find();
  steps = vm.halves->steps.data();
  return vm.halves->found_count;
}

// Locations are still those that find() saw.
Expansion take_steps(void* self, const Word* state, const u64* places, const SuccessorBuffer& out) {
  return Expander(*static_cast<Vm*>(self), state, out).take(places);
}

u32 find_native(void* self, const Word* state, const u32*& steps) {
  Vm& vm = *static_cast<Vm*>(self);
  steps = vm.halves->steps.data();
  return vm.halves->found_count = vm.native->find(state, vm.halves->steps.data());
}

Expansion take_native(void* self, const Word* state, const u64* places,
                      const SuccessorBuffer& out) {
  Vm& vm = *static_cast<Vm*>(self);
  u32 count = 0;
  for (u32 i = 0; i < vm.halves->found_count; ++i) {
    if ((places[i / 64] >> i % 64 & 1) != 0) vm.halves->taken[count++] = vm.halves->steps[i];
  }
  Expansion result = vm.native->take(vm.errors, state, vm.halves->taken.data(), count, out);
  if (!vm.program->predicates.empty()) Expander(vm, state, out).judge(result);
  return result;
}

u32 initial_vm(void* self, const SuccessorBuffer& out) {
  const ir::Program& p = *static_cast<const Vm*>(self)->program;
  for (u32 i = 0; i < p.state_words; ++i) out.states[i] = p.initial[i];
  if (out.labels != nullptr) out.labels[0] = kNone;
  return 1;
}

void carve_steps(Vm& vm, Arena& arena) {
  const u64 most = std::max<u64>(ir::most_steps(*vm.program), 1);
  vm.halves = ::new (arena.carve("machine", sizeof(Halves), kLineBytes)) Halves{};
  vm.halves->steps = arena.carve_array<u32>("machine", most);
  if (vm.native == nullptr) vm.halves->found = arena.carve_array<Found>("machine", most);
  if (vm.native != nullptr) vm.halves->taken = arena.carve_array<u32>("machine", most);
}

void carve_vm_scratch(Vm& vm, Arena& arena) {
  vm.where = arena.carve_array<u32>("machine", vm.program->processes.size());
  vm.moves = arena.carve_array<Move>("machine", vm.program->property_moves);
  vm.base = arena.carve_array<Word>("machine", vm.program->state_words);
  if (vm.halves != nullptr) carve_steps(vm, arena);
}

// The code is only read, the compiled one has no state at all.
void* fork_vm(const void* self, Arena& arena) {
  const Vm& from = *static_cast<const Vm*>(self);
  Vm* vm = ::new (arena.carve("machine", sizeof(Vm), kLineBytes)) Vm(from);
  carve_vm_scratch(*vm, arena);
  return vm;
}

u32 cycle_class_vm(const void* self, const Word* state) {
  return ir::cycle_class_of(*static_cast<const Vm*>(self)->program, state);
}

}  // namespace

Status make_process_vm(const ir::Program& program, ErrorRule errors, const NativeModel* native,
                       Arena& arena, Model& model) {
  Vm* vm = ::new (arena.carve("machine", sizeof(Vm), kLineBytes)) Vm{};
  vm->program = &program;
  vm->errors = errors;
  vm->native = native;
  XMC_TRY(assemble(program, arena, vm->code));
  carve_vm_scratch(*vm, arena);
  model = {.state_words = program.state_words,
           .state_bits = program.state_bits,
           .max_successors = program.max_successors,
           .predicate_count = static_cast<u32>(program.predicates.size()),
           .buchi = program.buchi,
           .weak = program.weak_property,
           .self = vm,
           .initial = initial_vm,
           .expand = native != nullptr ? expand_native : expand_vm,
           .fork = fork_vm,
           .cycle_class = program.buchi ? cycle_class_vm : nullptr,
           .state_bytes = program.state_bytes,
           .fields = make_fields(program, arena)};
  return {};
}

Stepwise make_stepwise_vm(const ir::Program& program, const Model& model, Arena& arena) {
  if (program.has_rules) return {};
  Vm& vm = *static_cast<Vm*>(model.self);
  XMC_CHECK(vm.program == &program);
  if (vm.native != nullptr && vm.native->find == nullptr) return {};
  carve_steps(vm, arena);
  if (vm.native != nullptr) return {find_native, take_native};
  return {find_steps, take_steps};
}

}  // namespace xmc
