#include "exec/rules/rules.h"

#include <algorithm>
#include <new>

#include "exec/rules/generator.h"
#include "exec/rules/rule_output.h"
#include "exec/state_fields.h"
#include "xmc/native.h"

namespace xmc {

namespace {

// Scratch of two machines never shares a cache line.

class RuleExpander : public RuleOutput {
 public:
  RuleExpander(RuleVm& vm, const Word* state, const SuccessorBuffer& out)
      : RuleOutput(vm, state, out), ask_{&p_, vm.asked_cells.data(), &vm.work} {}

  Expansion run();
  // Which instances of liveness properties are true here.
  u32 live();
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

  BodyRun ask_;
  bool any_ = false;  // some guard holds
};

// How many of the parameters this result depends on.
u32 RuleExpander::try_instance(u32 step, const ir::Rule& rule) {
  i64 asked = 0;
  Word* const next = target();
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
    case BodyEnd::unfinished:
      note_unfinished(step, kNone, asked);
      return 0;
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
    // The instances of one parameter are as many turns of a loop.
    if (!vm_.work.spend(q.count)) return false;
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
  if (p_.property != kNone) begin_product();
  result_.violated = violated(static_cast<u32>(p_.predicates.size()));
  if (!p_.covers.empty()) covers();
  for (u32 i = 0; i < p_.rules.size(); ++i) {
    const bool lower = i != 0 && p_.rules[i].priority != p_.rules[i - 1].priority;
    if (lower && any_) run_.stop_at_begin = true;
    try_rule(p_.rules[i]);
  }
  if (vm_.work.ended()) return {.flags = vm_.work.flags()};
  result_.flags |= vm_.work.flags();
  if (any_) return result_;
  result_.flags |= kDeadlock;
  stutter();
  return result_;
}

Expansion expand_rules(void* self, const Word* state, const SuccessorBuffer& out) {
  RuleVm& vm = *static_cast<RuleVm*>(self);
  vm.work.begin(out.may_stop);
  if (vm.bad_start == kNone) return RuleExpander(vm, state, out).run();
  return {.errors = 1, .error_label = ir::step_label(*vm.program, vm.bad_start, 0)};
}

Expansion expand_generator(void* self, const Word* state, const SuccessorBuffer& out) {
  RuleVm& vm = *static_cast<RuleVm*>(self);
  vm.work.begin(out.may_stop);
  return vm.bad_start == kNone ? generate(vm, state, out) : expand_rules(self, state, out);
}

Expansion expand_native(void* self, const Word* state, const SuccessorBuffer& out) {
  RuleVm& vm = *static_cast<RuleVm*>(self);
  if (vm.bad_start != kNone) return expand_rules(self, state, out);
  vm.work.begin(out.may_stop);
  Expansion result = vm.native->expand_rules({vm.cells.data(), &vm.work, &vm.chain}, state, out);
  const u32 asked = vm.program->asked_predicates;
  if (result.violated != kNone) result.violated += asked;
  if (asked != 0) {
    const u32 first = RuleExpander(vm, state, out).violated(asked);
    if (first != kNone) result.violated = first;
  }
  result.flags |= vm.work.flags();
  return result;
}

Expansion expand_compiled(void* self, const Word* state, const SuccessorBuffer& out) {
  RuleVm& vm = *static_cast<RuleVm*>(self);
  vm.work.begin(out.may_stop);
  return vm.bad_start == kNone ? generate_compiled(vm, state, out) : expand_rules(self, state, out);
}

// What expands the states of a program.
auto expander_of(const ir::RuleProgram& program, const NativeModel* native) {
  if (program.generates) return native != nullptr ? expand_compiled : expand_generator;
  return native != nullptr ? expand_native : expand_rules;
}

u32 live_rules(void* self, const Word* state) {
  const SuccessorBuffer nowhere;
  RuleVm& vm = *static_cast<RuleVm*>(self);
  vm.work.begin(false);
  return RuleExpander(vm, state, nowhere).live();
}

u32 initial_rules(void* self, const SuccessorBuffer& out) {
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
  const SuccessorBuffer out{vm.starts.data(), nullptr, count, true};
  vm.work.begin(true);
  const Expansion made = RuleExpander(vm, p.initial.data(), out).start();
  if (vm.work.ended()) return stop_of_steps();
  vm.bad_start = made.error_label;
  vm.start_count = drop_repeats(vm.starts.data(), made.count, p.state_words);
  const bool is_given = p.generates && p.starts.empty();
  if (vm.bad_start == kNone && vm.start_count == 0 && !p.may_be_empty && !is_given) {
    return Status::fail(Code::model,
                        "no startstate makes a state, so there is nothing to begin with");
  }
  if (vm.bad_start == kNone && !is_given) return {};
  std::copy(p.initial.begin(), p.initial.end(), vm.starts.begin());
  vm.start_count = 1;
  return {};
}

void carve_rule_cells(RuleVm& vm, Arena& arena) {
  const u32 cells = vm.program->body_cells;
  vm.cells = arena.carve_array<i64>("machine", cells, kLineBytes);
  if (vm.program->property != kNone) {
    vm.moves = arena.carve_array<AutomatonMove>("machine", vm.program->property_moves);
    vm.base = arena.carve_array<Word>("machine", vm.program->state_words);
  }
  carve_chain(*vm.program, "machine", arena, vm.chain);
  if (vm.program->assumptions.empty()) return;
  vm.asked_cells = arena.carve_array<i64>("machine", cells, kLineBytes);
}

void* fork_rules(const void* self, Arena& arena) {
  const RuleVm& from = *static_cast<const RuleVm*>(self);
  RuleVm* vm = ::new (arena.carve("machine", sizeof(RuleVm), kLineBytes)) RuleVm(from);
  carve_rule_cells(*vm, arena);
  return vm;
}

u32 cycle_class_rules(const void* self, const Word* state) {
  return ir::cycle_class_of(*static_cast<const RuleVm*>(self)->program, state);
}

}  // namespace

Status make_rules(const ir::RuleProgram& program, const NativeModel* native, Arena& arena,
                  Model& model) {
  RuleVm* vm = ::new (arena.carve("machine", sizeof(RuleVm), kLineBytes)) RuleVm{};
  vm->program = &program;
  vm->native = native;
  carve_rule_cells(*vm, arena);
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
           .initial = initial_rules,
           .expand = expander_of(program, native),
           .fork = fork_rules,
           .covered = vm->covered,
           .cover_count = static_cast<u32>(program.covers.size()),
           .live = program.liveness.empty() ? nullptr : live_rules,
           .live_count = ir::instances_of(program.liveness),
           .cycle_class = program.buchi ? cycle_class_rules : nullptr,
           .state_bytes = program.state_bytes,
           .fields = make_fields(program, arena)};
  return {};
}

}  // namespace xmc
