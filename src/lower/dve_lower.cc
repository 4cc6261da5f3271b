#include "lower/dve_lower.h"

#include <algorithm>

#include "ir/layout.h"
#include "ir/steps.h"
#include "lower/components.h"
#include "lower/dve_exprs.h"
#include "lower/dve_notes.h"
#include "lower/dve_text.h"
#include "lower/name_store.h"
#include "lower/ranges.h"
#include "xmc/bytes.h"

namespace xmc {

namespace {

class Lowering {
 public:
  Lowering(const dve::System& system, const LowerRequest& request, bool fold_constants,
           Arena& arena, ir::Program& program)
      : system_(system),
        request_(request),
        fold_constants_(fold_constants),
        arena_(arena),
        names_(arena),
        p_(program) {}

  Status run();
  // Some variable was folded away although its value is not the error state's.
  bool folded_values() const { return folded_values_; }
  NameStore& names() { return names_; }
  LoweredNames lowered() const { return {process_map_, variable_map_, expr_map_}; }

 private:
  template <class T>
  std::span<T> scratch(u64 count) {
    return {static_cast<T*>(arena_.scratch("lowering", count * sizeof(T), alignof(T))),
            static_cast<std::size_t>(count)};
  }

  void number_processes();
  void find_assigned();
  bool is_zero(const dve::Variable& v) const;
  void lower_tables();
  void lower_variables();
  void add_variable(ir::Variable v, std::span<const i32> initial);
  void add_model_variable(u32 id);
  void add_channels();
  void add_locations(u32 process);
  Status lower_expressions();
  void lower_transitions();
  void order_transitions();
  void lower_receivers();
  void lower_predicates();
  ir::Target target(const dve::LValue& l) const;
  bool kept(u32 process) const { return process == kNone || process_map_[process] != kNone; }

  const dve::System& system_;
  const LowerRequest& request_;
  const bool fold_constants_;
  bool folded_values_ = false;
  Arena& arena_;
  NameStore names_;
  ir::Program& p_;
  std::span<u32> process_map_;  // DVE process -> IR process or kNone
  std::span<VariableMap> variable_map_;
  std::span<u8> assigned_;
  std::span<const u32> expr_map_;
  ExprLowering* exprs_ = nullptr;
  u32 variable_count_ = 0;
  u32 value_count_ = 0;
};

// A property process that is not asked for is no part of the system.
void Lowering::number_processes() {
  process_map_ = scratch<u32>(system_.processes.size());
  u32 next = 0;
  for (u32 i = 0; i < system_.processes.size(); ++i) {
    const bool left_out = i == system_.property && i != request_.property;
    process_map_[i] = left_out ? kNone : next++;
    if (i == request_.property) p_.property = process_map_[i];
  }
  p_.processes = arena_.carve_array<ir::Process>("program", next);
}

void Lowering::find_assigned() {
  assigned_ = scratch<u8>(system_.variables.size());
  fill_zero(assigned_);
  for (u32 i = 0; i < system_.transitions.size(); ++i) {
    const dve::Transition& t = system_.transitions[i];
    if (!kept(t.process)) continue;
    for (u32 k = 0; k < t.assignment_count; ++k) {
      assigned_[system_.assignments[t.first_assignment + k].target.variable] = 1;
    }
    if (t.sync != dve::Sync::receive) continue;
    for (u32 k = 0; k < t.value_count; ++k)
      assigned_[system_.received[t.first_value + k].variable] = 1;
  }
}

bool Lowering::is_zero(const dve::Variable& v) const {
  for (u32 k = 0; k < v.size; ++k) {
    if (system_.values[v.first_value + k] != 0) return false;
  }
  return true;
}

// Arrays that are never assigned become tables, scalars constants: neither takes a bit of the
// state. Only the error state, in which every variable is 0, can tell them from declared constants.
void Lowering::lower_tables() {
  variable_map_ = scratch<VariableMap>(system_.variables.size());
  u32 tables = 0;
  for (u32 i = 0; i < system_.variables.size(); ++i) {
    const dve::Variable& v = system_.variables[i];
    VariableMap& m = variable_map_[i];
    m = {};
    if (!kept(v.process)) {
      m.kind = VariableMap::Kind::dropped;
    } else if (assigned_[i] != 0 || (!fold_constants_ && !v.is_constant && !is_zero(v))) {
      m.kind = VariableMap::Kind::variable;
    } else if (v.is_array) {
      m = {VariableMap::Kind::table, tables++, 0};
    } else {
      m = {VariableMap::Kind::constant_scalar, 0, system_.values[v.first_value]};
    }
    const bool folded =
        m.kind != VariableMap::Kind::variable && m.kind != VariableMap::Kind::dropped;
    folded_values_ = folded_values_ || (folded && !v.is_constant && !is_zero(v));
  }
  p_.tables = arena_.carve_array<ir::Table>("program", tables);
  for (u32 i = 0; i < system_.variables.size(); ++i) {
    if (variable_map_[i].kind != VariableMap::Kind::table) continue;
    const dve::Variable& v = system_.variables[i];
    const std::span<i32> values = arena_.carve_array<i32>("program", v.size);
    for (u32 k = 0; k < v.size; ++k) values[k] = system_.values[v.first_value + k];
    p_.tables[variable_map_[i].index] = {values, names_.keep(v.name),
                                         v.process == kNone ? kNone : process_map_[v.process]};
  }
}

void Lowering::add_variable(ir::Variable v, std::span<const i32> initial) {
  v.first_initial = value_count_;
  for (u32 k = 0; k < v.size; ++k)
    p_.initial_values[value_count_++] = initial.empty() ? 0 : initial[k];
  p_.variables[variable_count_++] = v;
}

void Lowering::add_model_variable(u32 id) {
  if (variable_map_[id].kind != VariableMap::Kind::variable) return;
  const dve::Variable& d = system_.variables[id];
  variable_map_[id].index = variable_count_;
  ir::Variable v{.name = names_.keep(d.name),
                 .is_array = d.is_array,
                 .process = d.process == kNone ? kNone : process_map_[d.process],
                 .size = d.size};
  v.type_lo = d.is_byte ? 0 : -32768;
  v.type_hi = d.is_byte ? 255 : 32767;
  v.first_initial = value_count_;
  for (u32 k = 0; k < d.size; ++k)
    p_.initial_values[value_count_++] = system_.values[d.first_value + k];
  p_.variables[variable_count_++] = v;
}

void Lowering::add_channels() {
  p_.channels = arena_.carve_array<ir::Channel>("program", system_.channels.size());
  p_.channel_is_byte = arena_.carve_array<u8>("program", system_.types.size());
  for (u32 i = 0; i < system_.types.size(); ++i) p_.channel_is_byte[i] = system_.types[i];
  for (u32 i = 0; i < system_.channels.size(); ++i) {
    const dve::Channel& d = system_.channels[i];
    ir::Channel& c = p_.channels[i];
    c = {.name = names_.keep(d.name),
         .typed = d.typed,
         .capacity = d.capacity,
         .value_count = d.value_count,
         .first_type = d.first_type};
    if (c.capacity == 0) continue;
    c.length = variable_count_;
    add_variable(
        {.name = c.name, .role = ir::Role::channel_length, .type_hi = static_cast<i32>(c.capacity)},
        {});
    c.first_cell = variable_count_;
    for (u32 k = 0; k < c.value_count; ++k) {
      const bool is_byte = p_.channel_is_byte[c.first_type + k] != 0;
      add_variable({.name = c.name,
                    .role = ir::Role::channel_cell,
                    .is_array = true,
                    .size = c.capacity,
                    .type_lo = is_byte ? 0 : -32768,
                    .type_hi = is_byte ? 255 : 32767},
                   {});
    }
  }
}

void Lowering::add_locations(u32 process) {
  const dve::Process& d = system_.processes[process];
  ir::Process& q = p_.processes[process_map_[process]];
  q.name = names_.keep(d.name);
  q.initial = d.initial;
  q.location_count = d.state_count;
  q.location = variable_count_;
  const i32 start = static_cast<i32>(d.initial);
  add_variable({.name = q.name,
                .role = ir::Role::location,
                .process = process_map_[process],
                .type_hi = static_cast<i32>(d.state_count) - 1},
               {&start, 1});
  for (u32 k = 0; k < d.state_count; ++k) {
    const dve::State& s = system_.states[d.first_state + k];
    const u32 at = q.first_location + k;
    p_.location_names[at] = names_.keep(s.name);
    const bool is_property = process == request_.property;
    if (s.committed && !is_property) p_.location_flags[at] |= ir::kCommitted;
    if (s.accepting && is_property) p_.location_flags[at] |= ir::kAcceptingLocation;
    if (s.committed && !is_property) p_.has_commit = true;
  }
}

void Lowering::lower_variables() {
  u64 variables = 0;
  u64 values = 0;
  u64 locations = 0;
  for (u32 i = 0; i < system_.variables.size(); ++i) {
    if (variable_map_[i].kind != VariableMap::Kind::variable) continue;
    ++variables;
    values += system_.variables[i].size;
  }
  for (u32 i = 0; i < system_.channels.size(); ++i) {
    const dve::Channel& c = system_.channels[i];
    if (c.capacity == 0) continue;
    variables += 1 + c.value_count;
    values += 1 + u64{c.capacity} * c.value_count;
  }
  u32 next_location = 0;
  for (u32 i = 0; i < system_.processes.size(); ++i) {
    if (!kept(i)) continue;
    p_.processes[process_map_[i]].first_location = next_location;
    next_location += system_.processes[i].state_count;
  }
  locations = next_location;
  variables += p_.processes.size();
  values += p_.processes.size();
  p_.variables = arena_.carve_array<ir::Variable>("program", variables);
  p_.initial_values = arena_.carve_array<i32>("program", values);
  p_.location_names = arena_.carve_array<std::string_view>("program", locations);
  p_.location_flags = arena_.carve_array<u8>("program", locations);
  p_.by_location = arena_.carve_array<ir::Range>("program", locations);
  for (u32 i = 0; i < system_.variables.size(); ++i) {
    if (system_.variables[i].process == kNone) add_model_variable(i);
  }
  add_channels();
  for (u32 i = 0; i < system_.processes.size(); ++i) {
    if (!kept(i)) continue;
    add_locations(i);
    const dve::Process& d = system_.processes[i];
    for (u32 k = 0; k < d.variable_count; ++k) add_model_variable(d.first_variable + k);
  }
  XMC_CHECK(variable_count_ == variables);
  XMC_CHECK(value_count_ == values);
}

Status Lowering::lower_expressions() {
  const dve::System& s = system_;
  for (u32 i = 0; i < s.transitions.size(); ++i) {
    const dve::Transition& t = s.transitions[i];
    if (!kept(t.process)) continue;
    exprs_->need(t.guard);
    for (u32 k = 0; k < t.value_count; ++k) {
      if (t.sync == dve::Sync::send) exprs_->need(s.sent[t.first_value + k]);
      if (t.sync == dve::Sync::receive) exprs_->need(s.received[t.first_value + k].index);
    }
    for (u32 k = 0; k < t.assignment_count; ++k) {
      exprs_->need(s.assignments[t.first_assignment + k].value);
      exprs_->need(s.assignments[t.first_assignment + k].target.index);
    }
  }
  for (u32 i = 0; i < s.assertions.size(); ++i) {
    if (kept(s.assertions[i].process)) exprs_->need(s.assertions[i].condition);
  }
  XMC_TRY(exprs_->convert());
  // Predicates of the command line come last and change nothing before them: emitted code stays
  // valid.
  p_.model_exprs = exprs_->size();
  exprs_->need(request_.invariant);
  exprs_->need(request_.reach);
  XMC_TRY(exprs_->convert());
  p_.exprs = exprs_->finish(arena_);
  return {};
}

ir::Target Lowering::target(const dve::LValue& l) const {
  const u32 variable = variable_map_[l.variable].index;
  if (l.index == kNone) return {.variable = variable};
  const ir::ExprId index = exprs_->get(l.index);
  const ir::Expr& e = p_.exprs[index];
  const i32 known = static_cast<i32>(e.a);
  if (e.op == ir::Op::constant && known >= 0 &&
      static_cast<u32>(known) < p_.variables[variable].size) {
    return {.variable = variable, .element = static_cast<u32>(known)};
  }
  return {.variable = variable, .index = index};
}

void Lowering::lower_transitions() {
  const dve::System& s = system_;
  u32 count = 0;
  for (u32 i = 0; i < s.transitions.size(); ++i) count += kept(s.transitions[i].process) ? 1u : 0u;
  p_.transitions = arena_.carve_array<ir::Transition>("program", count);
  p_.sent = arena_.carve_array<ir::ExprId>("program", s.sent.size());
  p_.received = arena_.carve_array<ir::Target>("program", s.received.size());
  p_.assignments = arena_.carve_array<ir::Assignment>("program", s.assignments.size());
  u32 next = 0;
  for (u32 i = 0; i < s.transitions.size(); ++i) {
    const dve::Transition& d = s.transitions[i];
    if (!kept(d.process)) continue;
    ir::Transition& t = p_.transitions[next];
    t = {.process = process_map_[d.process],
         .source = d.source,
         .target = d.target,
         .guard = exprs_->get(d.guard),
         .sync = static_cast<ir::Sync>(d.sync),
         .channel = d.channel,
         .first_value = d.first_value,
         .value_count = d.value_count,
         .first_assignment = d.first_assignment,
         .assignment_count = d.assignment_count};
    ir::Process& q = p_.processes[t.process];
    if (q.transition_count++ == 0) q.first_transition = next;
    for (u32 k = 0; k < d.value_count; ++k) {
      const u32 at = d.first_value + k;
      if (d.sync == dve::Sync::send) p_.sent[at] = exprs_->get(s.sent[at]);
      if (d.sync == dve::Sync::receive) p_.received[at] = target(s.received[at]);
    }
    for (u32 k = 0; k < d.assignment_count; ++k) {
      const u32 at = d.first_assignment + k;
      p_.assignments[at] = {target(s.assignments[at].target), exprs_->get(s.assignments[at].value)};
    }
    ++next;
  }
}

void Lowering::order_transitions() {
  p_.order = arena_.carve_array<u32>("program", p_.transitions.size());
  for (const ir::Transition& t : p_.transitions) {
    ++p_.by_location[p_.processes[t.process].first_location + t.source].count;
  }
  u32 next = 0;
  for (ir::Range& r : p_.by_location) {
    r.first = next;
    next += r.count;
    r.count = 0;
  }
  for (u32 i = 0; i < p_.transitions.size(); ++i) {
    const ir::Transition& t = p_.transitions[i];
    ir::Range& r = p_.by_location[p_.processes[t.process].first_location + t.source];
    p_.order[r.first + r.count++] = i;
  }
}

void Lowering::lower_receivers() {
  u32 count = 0;
  const auto receives = [&](const ir::Transition& t) {
    return t.sync == ir::Sync::receive && p_.channels[t.channel].capacity == 0;
  };
  for (const ir::Transition& t : p_.transitions) count += receives(t) ? 1u : 0u;
  p_.receivers = arena_.carve_array<u32>("program", count);
  u32 next = 0;
  for (u32 c = 0; c < p_.channels.size(); ++c) {
    p_.channels[c].first_receiver = next;
    for (u32 i = 0; i < p_.transitions.size(); ++i) {
      if (receives(p_.transitions[i]) && p_.transitions[i].channel == c) p_.receivers[next++] = i;
    }
    p_.channels[c].receiver_count = next - p_.channels[c].first_receiver;
  }
}

void Lowering::lower_predicates() {
  const dve::System& s = system_;
  u32 count = (request_.invariant != kNone ? 1u : 0u) + (request_.reach != kNone ? 1u : 0u);
  for (u32 i = 0; i < s.assertions.size(); ++i) count += kept(s.assertions[i].process) ? 1u : 0u;
  p_.predicates = arena_.carve_array<ir::Predicate>("program", count);
  u32 next = 0;
  if (request_.reach != kNone) {
    p_.predicates[next++] = {.kind = PredicateText::Kind::goal,
                             .condition = exprs_->get(request_.reach)};
  }
  if (request_.invariant != kNone) {
    p_.predicates[next++] = {.kind = PredicateText::Kind::invariant,
                             .condition = exprs_->get(request_.invariant)};
  }
  for (u32 i = 0; i < s.assertions.size(); ++i) {
    const dve::Assertion& a = s.assertions[i];
    if (!kept(a.process)) continue;
    p_.predicates[next++] = {.kind = PredicateText::Kind::assertion,
                             .process = process_map_[a.process],
                             .location = a.state,
                             .condition = exprs_->get(a.condition)};
  }
}

Status Lowering::run() {
  number_processes();
  find_assigned();
  lower_tables();
  lower_variables();
  ExprLowering exprs(system_, variable_map_, process_map_, arena_);
  exprs_ = &exprs;
  XMC_TRY(lower_expressions());
  lower_transitions();
  order_transitions();
  lower_receivers();
  lower_predicates();
  expr_map_ = exprs.map();
  exprs_ = nullptr;
  return {};
}

}  // namespace

Status lower_dve(const dve::System& system, const Source& source, const LowerRequest& request,
                 Arena& arena, ir::Program& program, ModelText& text) {
  program = {};
  Lowering folding(system, request, true, arena, program);
  Lowering keeping(system, request, false, arena, program);
  Lowering* lowering = &folding;
  XMC_TRY(lowering->run());
  analyse_ranges(program, arena, request.error_state);
  if (program.error_state && folding.folded_values()) {
    program = {};
    lowering = &keeping;
    XMC_TRY(lowering->run());
    analyse_ranges(program, arena, request.error_state);
  }
  mark_components(program, request.errors_lead_on && program.error_state, arena);
  XMC_TRY(ir::assign_layout(program, arena));
  XMC_TRY(ir::number_steps(program));
  describe_dve(system, source, request, lowering->lowered().processes, lowering->names(), arena,
               program, text);
  note_failures(system, source, request, lowering->lowered(), lowering->names(), arena, program);
  program.hash = ir::program_hash(program);
  return {};
}

}  // namespace xmc
