#include "tests/oracle/promela/machine.h"

#include <algorithm>

#include "xmc/arith.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::promela_test {

using namespace promela;

i32 cut(const Leaf& leaf, i32 value) {
  if (leaf.kind == LeafKind::integer) return value;
  if (leaf.kind == LeafKind::short_int) return static_cast<i16>(value);
  if (leaf.width >= 32) return value;
  return static_cast<i32>(static_cast<u32>(value) & ((u32{1} << leaf.width) - 1));
}

std::string State::encode(const System& system) const {
  std::string out;
  const auto add = [&](i32 value) {
    u32 bits = static_cast<u32>(value);
    for (; bits >= 128; bits >>= 7) out.push_back(static_cast<char>(bits | 128));
    out.push_back(static_cast<char>(bits));
  };
  for (const i32 value : globals) add(value);
  for (const Channel& one : channels) {
    add(static_cast<i32>(one.form));
    add(static_cast<i32>(one.messages.size()));
    for (const std::vector<i32>& message : one.messages) {
      for (const i32 value : message) add(value);
    }
  }
  const auto add_process = [&](const Process& process) {
    add(static_cast<i32>(process.type));
    add(static_cast<i32>(process.place));
    if (system.uses_priorities) add(process.priority);
    for (const i32 value : process.locals) add(value);
  };
  for (const Process& process : processes) add_process(process);
  if (system.uses_last) add(last);
  if (trace != kNone) add(static_cast<i32>(trace));
  if (claim.type != kNone) add_process(claim);
  return out;
}

void Machine::fail(const std::string& why) {
  if (!failed_) error = why;
  failed_ = true;
}

Channel* Machine::channel(i32 number) {
  if (number < 1 || static_cast<std::size_t>(number) > state_->channels.size()) {
    fail("channel " + std::to_string(number) + " does not exist");
    return nullptr;
  }
  return &state_->channels[static_cast<std::size_t>(number) - 1];
}

// The process that a remote reference means, or kNone.
u32 Machine::process_of(ExprId pid, u32 type) {
  const u32 count = static_cast<u32>(state_->processes.size());
  if (pid == kNone) {
    for (u32 i = 0; i < count; ++i) {
      if (state_->processes[i].type == type) return i;
    }
    return kNone;
  }
  const i32 number = evaluate(pid);
  if (number < 0 || static_cast<u32>(number) >= count) return kNone;
  return state_->processes[static_cast<u32>(number)].type == type ? static_cast<u32>(number)
                                                                  : kNone;
}

i32* Machine::leaf(const Reference& reference) {
  u32 at = reference.leaf;
  for (u32 i = 0; i < reference.index_count; ++i) {
    const Index& index = system_.indexes[reference.first_index + i];
    const i32 value = evaluate(index.value);
    if (failed_) return nullptr;
    if (value < 0 || static_cast<u32>(value) >= index.bound) {
      fail("index " + std::to_string(value) + " of " + std::to_string(index.bound));
      return nullptr;
    }
    at += static_cast<u32>(value) * index.stride;
  }
  switch (reference.scope) {
    case Scope::global:
      return &state_->globals.at(at);
    case Scope::local:
      return &self().locals.at(at);
    case Scope::remote: {
      const u32 process = process_of(reference.pid, reference.proctype);
      return process == kNone ? nullptr : &state_->processes[process].locals.at(at);
    }
    default:
      return nullptr;
  }
}

i32 Machine::evaluate_load(const Reference& reference) {
  const i32* const value = leaf(reference);
  return value == nullptr ? 0 : *value;
}

void Machine::store(RefId id, i32 value) {
  const Reference& reference = system_.references[id];
  i32* const target = leaf(reference);
  if (target != nullptr) *target = cut(reference.leaf_type, value);
}

i32 Machine::evaluate_run(const Expr& node) {
  std::vector<i32> arguments;
  for (u32 i = 0; i < node.c; ++i) arguments.push_back(evaluate(system_.arguments[node.b + i]));
  if (failed_) return 0;
  if (state_->processes.size() >= limits::kPromelaNumbers) {
    fail("too many processes");
    return 0;
  }
  const u32 pid = static_cast<u32>(state_->processes.size());
  add_process(node.a, arguments, node.value);
  return static_cast<i32>(pid);
}

i32 Machine::evaluate_poll(const Expr& node) {
  Channel* const from = channel(evaluate(node.a));
  if (from == nullptr) return 0;
  if (node.c > system_.channels[from->form].field_count) {
    fail("too many fields");
    return 0;
  }
  for (const std::vector<i32>& message : std::vector(from->messages)) {
    if (matches(node.b, node.c, message)) return 1;
    if (node.value == 0 || failed_) return 0;
  }
  return 0;
}

i32 Machine::evaluate_at_label(const Expr& node) {
  const u32 process = process_of(node.a, node.c);
  if (process == kNone) return 0;
  const PlaceId at = system_.labels[node.b].at;
  return at != kNone && state_->processes[process].place == at;
}

i32 Machine::evaluate_binary(const Expr& node) {
  const i32 a = evaluate(node.a);
  if (failed_) return 0;
  if (node.op == Op::logical_and) return a != 0 && evaluate(node.b) != 0;
  if (node.op == Op::logical_or) return a != 0 || evaluate(node.b) != 0;
  const i32 b = evaluate(node.b);
  if (failed_) return 0;
  switch (node.op) {
    case Op::multiply:
      return arith::multiply(a, b);
    case Op::divide:
    case Op::modulo:
      if (b == 0) {
        fail("division by zero");
        return 0;
      }
      return node.op == Op::divide ? arith::divide(a, b) : arith::modulo(a, b);
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
      XMC_CHECK(node.op == Op::bit_or);
      return a | b;
  }
}

bool Machine::is_at_progress(const State& state) const {
  for (const Process& process : state.processes) {
    if (system_.places[process.place].is_progress) return true;
  }
  return false;
}

i32 Machine::evaluate(ExprId id) {
  if (failed_) return 0;
  const Expr& node = system_.expressions[id];
  switch (node.op) {
    case Op::literal:
      return node.value;
    case Op::load:
      return evaluate_load(system_.references[node.a]);
    case Op::negate:
      return arith::negate(evaluate(node.a));
    case Op::bit_not:
      return ~evaluate(node.a);
    case Op::logical_not:
      return evaluate(node.a) == 0;
    case Op::conditional:
      return evaluate(node.a) != 0 ? evaluate(node.b) : evaluate(node.c);
    case Op::run:
      return evaluate_run(node);
    case Op::length:
    case Op::is_empty:
    case Op::is_not_empty:
    case Op::is_full:
    case Op::is_not_full: {
      const Channel* const of = channel(evaluate(node.a));
      if (of == nullptr) return 0;
      const u32 length = static_cast<u32>(of->messages.size());
      // Between steps a rendezvous channel has no message, so that it is empty and never full.
      const u32 capacity = system_.channels[of->form].capacity;
      const bool full = capacity > 0 && length == capacity;
      if (node.op == Op::length) return static_cast<i32>(length);
      if (node.op == Op::is_empty) return length == 0;
      if (node.op == Op::is_not_empty) return length != 0;
      return node.op == Op::is_full ? full : !full;
    }
    case Op::poll:
      return evaluate_poll(node);
    case Op::timeout:
      return timeout_;
    case Op::own_pid:
      return static_cast<i32>(pid_);
    case Op::process_count:
      return static_cast<i32>(state_->processes.size());
    case Op::last_pid:
      return state_->last;
    case Op::own_priority:
      return self().priority;
    case Op::no_progress:
      return !stands_still && !is_at_progress(*state_);
    case Op::enabled: {
      const i32 pid = evaluate(node.a);
      if (pid == static_cast<i32>(pid_)) fail("a process asks whether it is enabled itself");
      if (failed_ || pid < 0 || static_cast<u32>(pid) >= state_->processes.size()) return 0;
      // The question is asked of the machine again: what it is doing has to be kept.
      State* const state = state_;
      const u32 own = pid_;
      const bool timeout = timeout_;
      State copy = *state;
      const bool out = is_enabled(enabled_self, copy, static_cast<u32>(pid));
      state_ = state;
      pid_ = own;
      timeout_ = timeout;
      failed_ = false;
      return out;
    }
    case Op::priority_of: {
      const i32 pid = evaluate(node.a);
      if (failed_ || pid < 0 || static_cast<u32>(pid) >= state_->processes.size()) return 0;
      return state_->processes[static_cast<u32>(pid)].priority;
    }
    case Op::at_label:
      return evaluate_at_label(node);
    default:
      return evaluate_binary(node);
  }
}

void Machine::set_initials(bool is_global, u32 first, u32 count) {
  for (u32 i = 0; i < count && !failed_; ++i) {
    const Initial& initial =
        is_global ? system_.global_initials[first + i] : system_.local_initials[first + i];
    i32 value = 0;
    if (initial.value != kNone) {
      value = evaluate(initial.value);
    } else {
      if (state_->channels.size() >= limits::kPromelaNumbers) return fail("too many channels");
      state_->channels.push_back({initial.channel, {}});
      value = static_cast<i32>(state_->channels.size());
      if (!is_global) ++self().channels;
    }
    for (u32 j = 0; j < initial.count; ++j) {
      const u32 at = initial.leaf + j;
      if (is_global) {
        state_->globals[at] = cut(system_.global_leaves[at], value);
      } else {
        const u32 begin = system_.proctypes[self().type].first_leaf;
        self().locals[at] = cut(system_.local_leaves[begin + at], value);
      }
    }
  }
}

void Machine::add_process(u32 type, const std::vector<i32>& arguments, i32 priority) {
  const Proctype& proctype = system_.proctypes[type];
  Process process;
  process.type = type;
  process.place = proctype.start;
  process.priority = priority;
  process.locals.assign(proctype.leaf_count, 0);
  for (u32 i = 0; i < arguments.size(); ++i) {
    process.locals[i] = cut(system_.local_leaves[proctype.first_leaf + i], arguments[i]);
  }
  state_->processes.push_back(process);
  const u32 starter = pid_;
  pid_ = static_cast<u32>(state_->processes.size()) - 1;
  set_initials(false, proctype.first_initial, proctype.initial_count);
  pid_ = starter;
}

State Machine::initial(u32 claim) {
  State state;
  state_ = &state;
  pid_ = 0;
  failed_ = false;
  state.globals.assign(system_.global_leaves.size(), 0);
  if (system_.trace != kNone) state.trace = system_.proctypes[system_.trace].start;
  set_initials(true, 0, system_.global_initials.size());
  for (u32 i = 0; i < system_.proctypes.size(); ++i) {
    const Proctype& proctype = system_.proctypes[i];
    for (u32 j = 0; j < proctype.active && !failed_; ++j) {
      if (state.processes.size() >= limits::kPromelaNumbers) fail("too many processes");
      add_process(i, {}, proctype.priority);
    }
  }
  if (claim != kNone) {
    const Proctype& proctype = system_.proctypes[claim];
    state.claim.type = claim;
    state.claim.place = proctype.start;
    state.claim.locals.assign(proctype.leaf_count, 0);
    pid_ = kClaim;
    set_initials(false, proctype.first_initial, proctype.initial_count);
  }
  return state;
}

bool Machine::matches(u32 first, u32 count, const std::vector<i32>& message) {
  for (u32 i = 0; i < count; ++i) {
    const Pattern& pattern = system_.patterns[first + i];
    if (pattern.kind == PatternKind::match && evaluate(pattern.value) != message[i]) return false;
  }
  return !failed_;
}

// Whether the trace means that, if it is there. What it compares: constants of sends, and patterns.
bool Machine::is_event(const Action& event, bool is_send, u32 channel,
                       const std::vector<i32>& message) {
  if ((event.kind == ActionKind::send) != is_send) return false;
  if (evaluate(event.channel) != static_cast<i32>(channel)) return false;
  if (!is_send) return matches(event.first, event.count, message);
  for (u32 i = 0; i < event.count; ++i) {
    const Expr& wanted = system_.expressions[system_.arguments[event.first + i]];
    if (wanted.op == Op::literal && wanted.value != message[i]) return false;
  }
  return true;
}

// Whether the trace names such an event of the channel anywhere.
bool Machine::is_followed(bool is_send, u32 channel) {
  const Proctype& trace = system_.proctypes[system_.trace];
  for (u32 p = 0; p < trace.place_count; ++p) {
    const Place& place = system_.places[trace.first_place + p];
    for (u32 i = 0; i < place.option_count; ++i) {
      const Action& event = system_.actions[system_.options[place.first_option + i].action];
      if ((event.kind == ActionKind::send) != is_send) continue;
      if (evaluate(event.channel) == static_cast<i32>(channel)) return true;
    }
  }
  return false;
}

void Machine::tell(bool is_send, u32 channel, const std::vector<i32>& message) {
  if (state_->trace == kNone || !is_followed(is_send, channel) || failed_) return;
  const Place& place = system_.places[state_->trace];
  PlaceId next = kNone;
  for (u32 i = 0; i < place.option_count; ++i) {
    const Action& event = system_.actions[system_.options[place.first_option + i].action];
    if (!is_event(event, is_send, channel, message)) continue;
    if (next != kNone) fail("the trace has two ways to go on");
    next = event.next;
  }
  if (failed_) return;
  const bool was_last = place.is_last;
  if (next != kNone) state_->trace = next;
  if (!system_.is_forbidden) {
    failed_trace = failed_trace || next == kNone;
    return;
  }
  if (next == kNone) {
    const Proctype& trace = system_.proctypes[system_.trace];
    for (u32 p = 0; p < trace.place_count; ++p) {
      if (system_.places[trace.first_place + p].is_last) state_->trace = trace.first_place + p;
    }
  } else {
    failed_trace = failed_trace || (!was_last && system_.places[next].is_last);
  }
}

bool Machine::tell_rendezvous(State& state, u32 channel, const std::vector<i32>& message) {
  state_ = &state;
  failed_ = false;
  tell(true, channel, message);
  tell(false, channel, message);
  return !failed_;
}

Outcome Machine::send(const Action& action) {
  std::vector<i32> message;
  const i32 number = evaluate(action.channel);
  Channel* const to = channel(number);
  if (to == nullptr) return Outcome::failed;
  const ChannelForm& form = system_.channels[to->form];
  if (action.count != form.field_count) {
    fail("wrong number of fields");
    return Outcome::failed;
  }
  if (failed_) return Outcome::failed;
  if (to->messages.size() >= form.capacity) return Outcome::blocked;
  for (u32 i = 0; i < action.count; ++i) {
    message.push_back(evaluate(system_.arguments[action.first + i]));
  }
  if (failed_) return Outcome::failed;
  // In front of the first larger one, by the values of the statement and not by what the channel
  // keeps of them: the messages need not be in order.
  auto at = to->messages.end();
  if (action.is_special) {
    at = std::find_if(to->messages.begin(), at, [&](const auto& other) { return other > message; });
  }
  for (u32 i = 0; i < action.count; ++i) {
    message[i] = cut(system_.message_leaves[form.first_field + i], message[i]);
  }
  to->messages.insert(at, message);
  tell(true, static_cast<u32>(number), message);
  return failed_ ? Outcome::failed : Outcome::taken;
}

Outcome Machine::receive(const Action& action, const std::vector<i32>* given) {
  const i32 number = evaluate(action.channel);
  Channel* const from = channel(number);
  if (from == nullptr) return Outcome::failed;
  const ChannelForm& form = system_.channels[from->form];
  if (action.count != form.field_count) {
    fail("wrong number of fields");
    return Outcome::failed;
  }
  std::vector<i32> message;
  if (given != nullptr) {
    message = *given;
  } else {
    std::size_t at = 0;
    const std::size_t end =
        action.is_special ? from->messages.size() : std::min<std::size_t>(1, from->messages.size());
    while (at < end && !matches(action.first, action.count, from->messages[at]) && !failed_) ++at;
    if (failed_) return Outcome::failed;
    if (at == end) return Outcome::blocked;
    message = from->messages[at];
    if (!action.stays) {
      from->messages.erase(from->messages.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  for (u32 i = 0; i < action.count; ++i) {
    const Pattern& pattern = system_.patterns[action.first + i];
    if (pattern.kind == PatternKind::store) store(pattern.target, message[i]);
  }
  if (given == nullptr && !action.stays && !failed_) tell(false, static_cast<u32>(number), message);
  return failed_ ? Outcome::failed : Outcome::taken;
}

// Everything but d_step; the place of the process is not changed.
Outcome Machine::basic(const Action& action, const std::vector<i32>* message) {
  Outcome outcome = Outcome::taken;
  switch (action.kind) {
    case ActionKind::condition:
      if (evaluate(action.value) == 0) outcome = Outcome::blocked;
      break;
    case ActionKind::otherwise:
    case ActionKind::always:
    case ActionKind::print:
      break;
    case ActionKind::assign: {
      const i32 value = evaluate(action.value);
      if (!failed_) store(action.target, value);
      break;
    }
    case ActionKind::send:
      outcome = send(action);
      break;
    case ActionKind::receive:
      outcome = receive(action, message);
      break;
    case ActionKind::assertion:
      if (evaluate(action.value) == 0 && !failed_) failed_assertion = true;
      break;
    case ActionKind::set_priority: {
      const i32 pid = evaluate(action.channel);
      const i32 value = evaluate(action.value);
      if (pid >= 0 && static_cast<u32>(pid) < state_->processes.size()) {
        state_->processes[static_cast<u32>(pid)].priority = value;
      }
      break;
    }
    case ActionKind::die:
      if (pid_ + 1 != state_->processes.size()) return Outcome::blocked;
      state_->channels.resize(state_->channels.size() - self().channels);
      state_->processes.pop_back();
      return Outcome::taken;
    case ActionKind::indivisible:
      return indivisible(action, message);
  }
  return failed_ ? Outcome::failed : outcome;
}

Outcome Machine::indivisible(const Action& action, const std::vector<i32>* message) {
  PlaceId at = action.body;
  for (u32 steps = 0; system_.places[at].is_indivisible; ++steps) {
    if (steps > limits::kIndivisibleSteps) {
      fail("endless d_step");
      return Outcome::failed;
    }
    const Place& place = system_.places[at];
    Outcome outcome = Outcome::blocked;
    for (u32 i = 0; i < place.option_count && outcome == Outcome::blocked; ++i) {
      const Action& inner = system_.actions[system_.options[place.first_option + i].action];
      const bool is_receiver = steps == 0 && message != nullptr;
      if (is_receiver && inner.kind != ActionKind::receive) continue;
      outcome = basic(inner, is_receiver ? message : nullptr);
      if (outcome == Outcome::taken) at = inner.next;
    }
    if (outcome == Outcome::taken) continue;
    if (outcome == Outcome::blocked && steps > 0) fail("a d_step is blocked");
    return failed_ ? Outcome::failed : outcome;
  }
  return Outcome::taken;
}

Outcome Machine::execute(State& state, u32 pid, const Action& action, bool timeout,
                         const std::vector<i32>* message) {
  state_ = &state;
  pid_ = pid;
  timeout_ = timeout;
  failed_ = false;
  const Outcome outcome = basic(action, message);
  if (outcome != Outcome::taken) return outcome;
  if (action.kind != ActionKind::die) self().place = action.next;
  state.last = pid == kClaim ? state.last : static_cast<i32>(pid);
  return outcome;
}

bool Machine::is_rendezvous_send(State& state, u32 pid, const Action& action, u32& number,
                                 std::vector<i32>& message) {
  if (action.kind != ActionKind::send) return false;
  state_ = &state;
  pid_ = pid;
  failed_ = false;
  const i32 value = evaluate(action.channel);
  const Channel* const to = failed_ ? nullptr : channel(value);
  if (to == nullptr || system_.channels[to->form].capacity > 0) return false;
  const ChannelForm& form = system_.channels[to->form];
  if (action.count != form.field_count) return false;
  for (u32 i = 0; i < action.count; ++i) {
    const i32 part = evaluate(system_.arguments[action.first + i]);
    message.push_back(cut(system_.message_leaves[form.first_field + i], part));
  }
  number = static_cast<u32>(value);
  return !failed_;
}

bool Machine::receives(State& state, u32 pid, const Action& action, u32 number,
                       const std::vector<i32>& message) {
  if (action.kind == ActionKind::indivisible) {
    const Place& place = system_.places[action.body];
    for (u32 i = 0; i < place.option_count; ++i) {
      const Action& inner = system_.actions[system_.options[place.first_option + i].action];
      if (inner.kind == ActionKind::receive && receives(state, pid, inner, number, message)) {
        return true;
      }
    }
    return false;
  }
  if (action.kind != ActionKind::receive || action.count != message.size()) return false;
  state_ = &state;
  pid_ = pid;
  failed_ = false;
  if (evaluate(action.channel) != static_cast<i32>(number)) return false;
  return matches(action.first, action.count, message);
}

bool Machine::evaluate_in(State& state, u32 pid, ExprId id, i32& value) {
  state_ = &state;
  pid_ = pid;
  failed_ = false;
  value = evaluate(id);
  return !failed_;
}

bool Machine::is_provided(State& state, u32 pid) {
  const ExprId provided = system_.proctypes[state.processes[pid].type].provided;
  if (provided == kNone) return true;
  state_ = &state;
  pid_ = pid;
  failed_ = false;
  return evaluate(provided) != 0;
}

}  // namespace xmc::promela_test
