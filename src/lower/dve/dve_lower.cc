#include "lower/dve/dve_lower.h"

#include <algorithm>

#include "lower/dead_variables.h"
#include "lower/dve/dve_lowering.h"
#include "lower/dve/dve_notes.h"
#include "lower/dve/dve_text.h"
#include "lower/product.h"
#include "lower/ranges.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

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
  if (is_foreign()) {
    for (const dve::ExprId guard : request_.automaton->guards) exprs_->need(guard);
  }
  for (u32 i = 0; i < s.assertions.size(); ++i) {
    if (kept(s.assertions[i].process)) exprs_->need(s.assertions[i].condition);
  }
  XMC_TRY(exprs_->convert());
  if (request_.dead_variables) add_initial_constants();
  // Predicates of the command line come last and change nothing before them: emitted code stays
  // valid.
  p_.model_exprs = exprs_->size();
  exprs_->need(request_.invariant);
  exprs_->need(request_.reach);
  for (const DveAutomaton::Alarm& alarm : alarms()) exprs_->need(alarm.condition);
  for (const dve::ExprId proposition : request_.propositions) exprs_->need(proposition);
  XMC_TRY(exprs_->convert());
  p_.exprs = exprs_->finish(arena_);
  return {};
}

// What a dead variable can be set to: 0, or what it begins with.
void Lowering::add_initial_constants() {
  static_cast<void>(exprs_->constant(0));
  const std::span<i32> values = scratch<i32>(p_.initial_values.size());
  copy(values, std::span<const i32>(p_.initial_values));
  std::sort(values.begin(), values.end());
  i32 last = 0;
  for (const i32 value : values) {
    if (value != 0 && value != last) static_cast<void>(exprs_->constant(value));
    last = value;
  }
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

// Values and assignments have the places that they have in the tree.
void Lowering::lower_parts(const dve::Transition& t) {
  const dve::System& s = system_;
  for (u32 k = 0; k < t.value_count; ++k) {
    const u32 at = t.first_value + k;
    if (t.sync == dve::Sync::send) p_.sent[at] = exprs_->get(s.sent[at]);
    if (t.sync == dve::Sync::receive) p_.received[at] = target(s.received[at]);
  }
  for (u32 k = 0; k < t.assignment_count; ++k) {
    const u32 at = t.first_assignment + k;
    p_.assignments[at] = {target(s.assignments[at].target), exprs_->get(s.assignments[at].value)};
  }
}

void Lowering::lower_transitions() {
  const dve::System& s = system_;
  u32 count = is_foreign() ? automaton_edges() : 0;
  for (u32 i = 0; i < s.transitions.size(); ++i) count += kept(s.transitions[i].process) ? 1u : 0u;
  p_.transitions = arena_.carve_array<ir::Transition>("program", count);
  p_.sent = arena_.carve_array<ir::ExprId>("program", s.sent.size());
  p_.received = arena_.carve_array<ir::Target>("program", s.received.size());
  p_.assignments = arena_.carve_array<ir::Assignment>("program", s.assignments.size());
  u32 next = 0;
  for (u32 i = 0; i < s.processes.size(); ++i) {
    if (!kept(i)) continue;
    const dve::Process& d = s.processes[i];
    ir::Process& q = p_.processes[process_map_[i]];
    for (u32 k = 0; k < d.transition_count; ++k) lower_parts(s.transitions[d.first_transition + k]);
    if (i == property()) {
      next = lower_automaton(next);
      continue;
    }
    q.first_transition = d.transition_count == 0 ? 0 : next;
    q.transition_count = d.transition_count;
    for (u32 k = 0; k < d.transition_count; ++k) {
      const dve::Transition& t = s.transitions[d.first_transition + k];
      p_.transitions[next++] = {.process = process_map_[i],
                                .source = t.source,
                                .target = t.target,
                                .guard = exprs_->get(t.guard),
                                .sync = static_cast<ir::Sync>(t.sync),
                                .channel = t.channel,
                                .first_value = t.first_value,
                                .value_count = t.value_count,
                                .first_assignment = t.first_assignment,
                                .assignment_count = t.assignment_count};
    }
  }
  if (is_foreign()) next = lower_automaton(next);
  XMC_CHECK(next == count);
}

// The automaton is all in terms of the program once its guards are. Returns where its transitions
// end.
u32 Lowering::lower_automaton(u32 first_transition) {
  const DveAutomaton& a = *request_.automaton;
  XMC_CHECK(a.guards.size() == a.automaton.edges.size());
  for (std::size_t i = 0; i < a.guards.size(); ++i)
    a.automaton.edges[i].guard = exprs_->get(a.guards[i]);
  put_automaton(a.automaton, automaton_, first_transition, p_);
  return first_transition + automaton_edges();
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
  count += static_cast<u32>(alarms().size());
  for (u32 i = 0; i < s.assertions.size(); ++i) count += kept(s.assertions[i].process) ? 1u : 0u;
  p_.predicates = arena_.carve_array<ir::Predicate>("program", count);
  u32 next = 0;
  for (const DveAutomaton::Alarm& alarm : alarms()) {
    p_.predicates[next++] = {.kind = PredicateText::Kind::bad_prefix,
                             .process = automaton_,
                             .location = alarm.location,
                             .condition = exprs_->get(alarm.condition)};
  }
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
  const auto propositions = arena_.carve_array<ir::ExprId>("program", request_.propositions.size());
  for (std::size_t i = 0; i < propositions.size(); ++i)
    propositions[i] = exprs_->get(request_.propositions[i]);
  p_.propositions = propositions;
  expr_map_ = exprs.map();
  exprs_ = nullptr;
  return {};
}

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
  XMC_TRY(finish_program({request.errors_lead_on, request.fair}, arena, program));
  describe_dve(system, source, request, lowering->lowered().processes, lowering->names(), arena,
               program, text);
  note_failures(system, source, request, lowering->lowered(), lowering->names(), arena, program);
  return {};
}

Status reduce_dve(const LowerRequest& request, const ir::Program& whole, Arena& arena,
                  ir::Program& reduced, ir::DeadVariables& dead) {
  DeadRequest asked;
  asked.errors_lead_on = request.errors_lead_on;
  asked.fair = request.fair;
  asked.want_error_state = request.error_state;
  return remove_dead_variables(whole, asked, arena, reduced, dead);
}

}  // namespace xmc
