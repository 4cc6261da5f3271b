// The variables of a DVE model: which processes count, what is never assigned and so becomes a
// table or a constant, and the cells of all that is left.
#include "lower/dve/dve_lowering.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

// A property process that is not asked for is no part of the system.
void Lowering::number_processes() {
  process_map_ = scratch<u32>(system_.processes.size());
  u32 next = 0;
  for (u32 i = 0; i < system_.processes.size(); ++i) {
    const bool left_out = i == system_.property && i != property();
    process_map_[i] = left_out ? kNone : next++;
    if (i == property()) automaton_ = process_map_[i];
  }
  if (is_foreign()) automaton_ = next++;
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

void Lowering::add_process(u32 process, std::string_view name, u32 initial, u32 locations) {
  ir::Process& q = p_.processes[process];
  q.name = names_.keep(name);
  q.initial = initial;
  q.location_count = locations;
  q.location = variable_count_;
  const i32 start = static_cast<i32>(initial);
  add_variable({.name = q.name,
                .role = ir::Role::location,
                .process = process,
                .type_hi = static_cast<i32>(locations) - 1},
               {&start, 1});
}

void Lowering::add_locations(u32 process) {
  const dve::Process& d = system_.processes[process];
  add_process(process_map_[process], d.name, d.initial, d.state_count);
  const u32 first = p_.processes[process_map_[process]].first_location;
  for (u32 k = 0; k < d.state_count; ++k) {
    const dve::State& s = system_.states[d.first_state + k];
    p_.location_names[first + k] = names_.keep(s.name);
    if (!s.committed) continue;
    p_.location_flags[first + k] |= ir::kCommitted;
    p_.has_commit = true;
  }
}

void Lowering::add_automaton() {
  const ir::Automaton& a = request_.automaton->automaton;
  const u32 locations = static_cast<u32>(a.locations.size());
  add_process(automaton_, a.name, a.initial, locations);
  const u32 first = p_.processes[automaton_].first_location;
  for (u32 k = 0; k < locations; ++k) p_.location_names[first + k] = names_.keep(a.locations[k]);
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
  if (is_foreign()) {
    p_.processes[automaton_].first_location = next_location;
    next_location += static_cast<u32>(request_.automaton->automaton.locations.size());
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
    if (i == property()) {
      add_automaton();
    } else {
      add_locations(i);
    }
    const dve::Process& d = system_.processes[i];
    for (u32 k = 0; k < d.variable_count; ++k) add_model_variable(d.first_variable + k);
  }
  if (is_foreign()) add_automaton();
  XMC_CHECK(variable_count_ == variables);
  XMC_CHECK(value_count_ == values);
}

}  // namespace xmc
