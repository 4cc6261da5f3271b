#include "exec/rules/rules.h"

#include <algorithm>
#include <new>

#include "exec/rules/run_body.h"
#include "exec/state_fields.h"
#include "ir/layout.h"
#include "ir/steps.h"
#include "xmc/check.h"
#include "xmc/native.h"

namespace xmc {

namespace {

// Scratch of two machines never shares a cache line.
constexpr u64 kOwnLine = 64;

struct Move {
  u32 transition;  // of the automaton
  bool failed;     // its guard is erroneous
};

struct RuleVm {
  const ir::RuleProgram* program;
  std::span<i64> cells;
  std::span<i64> asked_cells;  // for bodies that are run between those of instances
  std::span<Word> starts;      // initial states, none twice
  u32 start_count;
  u32 bad_start;  // label of the first startstate that failed, or kNone
  u32* covered;
  std::span<Move> moves;  // room for the automaton's moves of one state
  std::span<Word> base;   // what a rule made of the state, which they are added to
  const NativeModel* native;
};

class RuleExpander {
 public:
  RuleExpander(RuleVm& vm, const Word* state, const SuccessorBuffer& out)
      : vm_(vm),
        p_(*vm.program),
        s_(state),
        out_(out),
        run_{&p_, vm.cells.data(), vm.covered},
        ask_{&p_, vm.asked_cells.data()} {}

  Expansion run();
  // Which instances of liveness properties are true here.
  u32 live();
  // Whichever of the first `count` predicates is violated first.
  u32 violated(u32 count);
  // The startstates, on the state in which all is undefined.
  Expansion start() {
    for (const ir::Rule& r : p_.starts) try_rule(r);
    return result_;
  }

 private:
  template <class F>
  void for_instances(const ir::Rule& rule, F&& f);
  void try_rule(const ir::Rule& rule);
  u32 try_instance(u32 step, const ir::Rule& rule);
  void covers();
  bool is_assumed(u32 step, const Word* next);
  bool next_instance(std::span<const ir::Parameter> parameters);

  void locate();
  void find_moves();
  void finish(u32 step, bool ok);
  void emit(u32 label, bool ok);
  Word* next_slot() { return out_.states + u64{result_.count} * p_.state_words; }

  RuleVm& vm_;
  const ir::RuleProgram& p_;
  const Word* s_;
  const SuccessorBuffer& out_;
  BodyRun run_;
  BodyRun ask_;
  Expansion result_;
  bool any_ = false;      // some guard holds
  bool product_ = false;  // the automaton moves along; it does not when startstates run
  u32 location_ = 0;      // of the automaton
  u32 move_count_ = 0;
};

void RuleExpander::locate() {
  const ir::Process& automaton = p_.processes[p_.property];
  location_ = static_cast<u32>(slot_value(p_.variables[automaton.location].slot, s_));
  if ((ir::flags_of(p_, p_.property, location_) & ir::kAcceptingLocation) != 0)
    result_.flags |= kAccepting;
}

void RuleExpander::find_moves() {
  const ir::Range r = ir::transitions_at(p_, p_.property, location_);
  for (u32 i = 0; i < r.count; ++i) {
    const u32 t = p_.order[r.first + i];
    i64 open = 0;
    const bool known = run_body(run_, p_.transitions[t].guard, s_, nullptr, open) == BodyEnd::value;
    if (!known || open != 0) vm_.moves[move_count_++] = {t, !known};
  }
}

void RuleExpander::emit(u32 label, bool ok) {
  if (!ok) {
    if (result_.errors++ == 0) result_.error_label = label;
    return;
  }
  XMC_DASSERT(result_.count < out_.capacity);
  if (out_.labels != nullptr) out_.labels[result_.count] = label;
  ++result_.count;
}

// The rule has done its part: where it wrote to, or erroneously.
void RuleExpander::finish(u32 step, bool ok) {
  if (!product_) return emit(step, ok);
  const ir::Process& automaton = p_.processes[p_.property];
  for (u32 i = 0; i < move_count_; ++i) {
    const Move& move = vm_.moves[i];
    if (ok) {
      std::copy(vm_.base.begin(), vm_.base.end(), next_slot());
      ir::write_slot(p_.variables[automaton.location].slot,
                     static_cast<i32>(p_.transitions[move.transition].target), next_slot());
    }
    emit(ir::step_label(p_, step, move.transition - automaton.first_transition),
         ok && !move.failed);
  }
}

// How many of the parameters this result depends on.
u32 RuleExpander::try_instance(u32 step, const ir::Rule& rule) {
  i64 asked = 0;
  Word* const next = product_ ? vm_.base.data() : next_slot();
  switch (run_body(run_, rule.code, s_, next, asked)) {
    case BodyEnd::failed:
      any_ = true;
      finish(step, false);
      break;
    case BodyEnd::done:
      any_ = true;
      if (p_.assumptions.empty() || is_assumed(step, next)) finish(step, true);
      break;
    case BodyEnd::disabled:
      return static_cast<u32>(asked);
    default:
      break;
  }
  return rule.parameter_count;
}

// Where an assumption cannot be evaluated, the step is erroneous.
bool RuleExpander::is_assumed(u32 step, const Word* next) {
  for (const u32 code : p_.assumptions) {
    i64 value = 0;
    if (run_body(ask_, code, next, nullptr, value) != BodyEnd::value) {
      finish(step, false);
      return false;
    }
    if (value != 0) continue;
    result_.dropped += product_ ? move_count_ : 1;
    return false;
  }
  return true;
}

// Counts like an odometer; false after the last instance.
bool RuleExpander::next_instance(std::span<const ir::Parameter> parameters) {
  for (std::size_t i = parameters.size(); i-- > 0;) {
    const ir::Parameter& q = parameters[i];
    i64& value = run_.cells[q.cell];
    const i64 last = i64{q.low} + i64{q.step} * (i64{q.count} - 1);
    if (value != last) {
      value += q.step;
      return true;
    }
    value = q.low;
  }
  return false;
}

// f(the number of the instance), with its parameters in their registers; its result is how many of
// them it depends on: instances that differ in the others only are left out.
template <class F>
void RuleExpander::for_instances(const ir::Rule& rule, F&& f) {
  if (rule.step_count == 0) return;
  const std::span<const ir::Parameter> parameters =
      p_.parameters.subspan(rule.first_parameter, rule.parameter_count);
  for (const ir::Parameter& q : parameters) run_.cells[q.cell] = q.low;
  u32 step = rule.first_step;
  u32 asked = 0;
  do {
    asked = f(step);
    u32 skipped = 1;
    for (const ir::Parameter& q : parameters.subspan(asked)) skipped *= q.count;
    step += skipped;
  } while (next_instance(parameters.first(asked)));
}

void RuleExpander::try_rule(const ir::Rule& rule) {
  for_instances(rule, [&](u32 step) { return try_instance(step, rule); });
}

// One that cannot be evaluated is not true.
u32 RuleExpander::live() {
  u32 bits = 0;
  for (const ir::Rule& rule : p_.liveness) {
    for_instances(rule, [&](u32 instance) {
      i64 value = 0;
      const BodyEnd end = run_body(run_, rule.code, s_, nullptr, value);
      if (end == BodyEnd::value && value != 0) bits |= u32{1} << instance;
      return rule.parameter_count;
    });
  }
  return bits;
}

u32 RuleExpander::violated(u32 count) {
  for (u32 i = 0; i < count; ++i) {
    const ir::Predicate& q = p_.predicates[i];
    if (q.process != kNone && q.location != location_) continue;
    i64 value = 0;
    const bool ok = run_body(run_, q.condition, s_, nullptr, value) == BodyEnd::value;
    const bool goal = q.kind == PredicateText::Kind::goal;
    if (goal ? ok && value != 0 : !ok || value == 0) return i;
  }
  return kNone;
}

// One that cannot be evaluated in a state is not reached there.
void RuleExpander::covers() {
  for (u32 i = 0; i < p_.covers.size(); ++i) {
    if (p_.covers[i] == kNone || (*run_.covered >> i & 1) != 0) continue;
    i64 value = 0;
    const BodyEnd end = run_body(run_, p_.covers[i], s_, nullptr, value);
    if (end == BodyEnd::value && value != 0) note_covered(run_.covered, i);
  }
}

// Rules are in the order of their priorities. Behind one that is enabled, those of lower priority
// are only asked for errors of their guards.
Expansion RuleExpander::run() {
  product_ = p_.property != kNone;
  if (product_) {
    locate();
    find_moves();
  }
  result_.violated = violated(static_cast<u32>(p_.predicates.size()));
  if (!p_.covers.empty()) covers();
  for (u32 i = 0; i < p_.rules.size(); ++i) {
    const bool lower = i != 0 && p_.rules[i].priority != p_.rules[i - 1].priority;
    if (lower && any_) run_.stop_at_begin = true;
    try_rule(p_.rules[i]);
  }
  if (any_) return result_;
  // Finite runs are judged as if their last state repeated: only the automaton moves.
  result_.flags |= kDeadlock;
  if (product_) {
    std::copy_n(s_, p_.state_words, vm_.base.data());
    finish(ir::stutter_step(p_), true);
  }
  return result_;
}

Expansion expand(void* self, const Word* state, const SuccessorBuffer& out) {
  RuleVm& vm = *static_cast<RuleVm*>(self);
  if (vm.bad_start == kNone) return RuleExpander(vm, state, out).run();
  return {.errors = 1, .error_label = ir::step_label(*vm.program, vm.bad_start, 0)};
}

Expansion expand_native(void* self, const Word* state, const SuccessorBuffer& out) {
  RuleVm& vm = *static_cast<RuleVm*>(self);
  if (vm.bad_start != kNone) return expand(self, state, out);
  Expansion result = vm.native->expand_rules(vm.cells.data(), state, out);
  const u32 asked = vm.program->asked_predicates;
  if (result.violated != kNone) result.violated += asked;
  if (asked == 0) return result;
  const u32 first = RuleExpander(vm, state, out).violated(asked);
  if (first != kNone) result.violated = first;
  return result;
}

u32 live(void* self, const Word* state) {
  const SuccessorBuffer nowhere;
  return RuleExpander(*static_cast<RuleVm*>(self), state, nowhere).live();
}

u32 initial(void* self, const SuccessorBuffer& out) {
  const RuleVm& vm = *static_cast<const RuleVm*>(self);
  std::copy(
      vm.starts.begin(),
      vm.starts.begin() + static_cast<std::ptrdiff_t>(vm.start_count * vm.program->state_words),
      out.states);
  if (out.labels != nullptr) std::fill_n(out.labels, vm.start_count, kNone);
  return vm.start_count;
}

// Startstates often make the same state.
u32 drop_repeats(Word* states, u32 count, u32 words) {
  u32 kept = 0;
  for (u32 i = 0; i < count; ++i) {
    const Word* const state = states + u64{i} * words;
    bool known = false;
    for (u32 k = 0; k < kept && !known; ++k)
      known = std::equal(state, state + words, states + u64{k} * words);
    if (known) continue;
    std::copy_n(state, words, states + u64{kept} * words);
    ++kept;
  }
  return kept;
}

Status run_starts(RuleVm& vm, Arena& arena) {
  const ir::RuleProgram& p = *vm.program;
  u32 count = 0;
  for (const ir::Rule& r : p.starts) count += r.step_count;
  vm.starts = arena.carve_array<Word>("machine", u64{std::max(count, 1u)} * p.state_words);
  const SuccessorBuffer out{vm.starts.data(), nullptr, count};
  const Expansion made = RuleExpander(vm, p.initial.data(), out).start();
  vm.bad_start = made.error_label;
  vm.start_count = drop_repeats(vm.starts.data(), made.count, p.state_words);
  if (vm.bad_start == kNone && vm.start_count == 0 && !p.may_be_empty) {
    return Status::fail(Code::model,
                        "no startstate makes a state, so there is nothing to begin with");
  }
  if (vm.bad_start == kNone) return {};
  std::copy(p.initial.begin(), p.initial.end(), vm.starts.begin());
  vm.start_count = 1;
  return {};
}

void carve_cells(RuleVm& vm, Arena& arena) {
  const u32 cells = vm.program->body_cells;
  vm.cells = arena.carve_array<i64>("machine", cells, kOwnLine);
  if (vm.program->property != kNone) {
    vm.moves = arena.carve_array<Move>("machine", vm.program->property_moves);
    vm.base = arena.carve_array<Word>("machine", vm.program->state_words);
  }
  if (vm.program->assumptions.empty()) return;
  vm.asked_cells = arena.carve_array<i64>("machine", cells, kOwnLine);
}

void* fork_rules(const void* self, Arena& arena) {
  const RuleVm& from = *static_cast<const RuleVm*>(self);
  RuleVm* vm = ::new (arena.carve("machine", sizeof(RuleVm), kOwnLine)) RuleVm(from);
  carve_cells(*vm, arena);
  return vm;
}

u32 cycle_class(const void* self, const Word* state) {
  return ir::cycle_class_of(*static_cast<const RuleVm*>(self)->program, state);
}

}  // namespace

Status make_rules(const ir::RuleProgram& program, const NativeModel* native, Arena& arena,
                  Model& model) {
  RuleVm* vm = ::new (arena.carve("machine", sizeof(RuleVm), kOwnLine)) RuleVm{};
  vm->program = &program;
  vm->native = native;
  carve_cells(*vm, arena);
  if (!program.covers.empty()) vm->covered = arena.carve_array<u32>("machine", 1).data();
  XMC_TRY(run_starts(*vm, arena));
  model = {.state_words = program.state_words,
           .state_bits = program.state_bits,
           .max_successors = program.max_successors,
           .predicate_count = static_cast<u32>(program.predicates.size()),
           .buchi = program.buchi,
           .empty = vm->start_count == 0,
           .weak = program.weak_property,
           .self = vm,
           .initial = initial,
           .expand = native != nullptr ? expand_native : expand,
           .fork = fork_rules,
           .covered = vm->covered,
           .cover_count = static_cast<u32>(program.covers.size()),
           .live = program.liveness.empty() ? nullptr : live,
           .live_count = ir::instances_of(program.liveness),
           .cycle_class = program.buchi ? cycle_class : nullptr,
           .state_bytes = program.state_bytes,
           .fields = make_fields(program, arena)};
  return {};
}

}  // namespace xmc
