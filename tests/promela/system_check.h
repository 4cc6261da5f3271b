// What every consumer of a checked Promela model takes for granted.
#pragma once

#include "front/promela/system.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::promela_test {

class SystemCheck {
 public:
  explicit SystemCheck(const promela::System& system) : system_(system) {}

  void check() const {
    for (u32 i = 0; i < system_.expressions.size(); ++i) check_expression(i);
    for (u32 i = 0; i < system_.channels.size(); ++i) check_channel(system_.channels[i]);
    for (u32 i = 0; i < system_.global_initials.size(); ++i) {
      check_initial(system_.global_initials[i], system_.global_leaves.size());
    }
    for (u32 i = 0; i < system_.globals.size(); ++i) {
      const promela::Variable& variable = system_.globals[i];
      XMC_CHECK(variable.leaf + variable.leaves <= system_.global_leaves.size());
    }
    u32 active = 0;
    for (u32 i = 0; i < system_.proctypes.size(); ++i) {
      check_proctype(system_.proctypes[i]);
      active += system_.proctypes[i].active;
    }
    XMC_CHECK(active > 0);
    for (u32 i = 0; i < system_.properties.size(); ++i) check_property(system_.properties[i]);
    for (u32 i = 0; i < system_.formulas.size(); ++i) check_formula(i);
  }

 private:
  void check_earlier(u32 id, promela::ExprId child) const { XMC_CHECK(child < id); }

  void check_expression(u32 id) const {
    using promela::Op;
    const promela::Expr& node = system_.expressions[id];
    XMC_CHECK(node.height >= 1 && node.height <= limits::kTreeDepth);
    XMC_CHECK(node.place.begin <= node.place.end);
    switch (node.op) {
      case Op::literal:
      case Op::timeout:
      case Op::own_pid:
      case Op::process_count:
      case Op::last_pid:
      case Op::own_priority:
      case Op::no_progress:
        return;
      case Op::load:
        return check_reference(node.a);
      case Op::run:
        XMC_CHECK(node.a < system_.proctypes.size());
        XMC_CHECK(node.c == system_.proctypes[node.a].parameter_leaves);
        return check_arguments(node.b, node.c);
      case Op::poll:
        check_earlier(id, node.a);
        return check_patterns(node.b, node.c);
      case Op::at_label: {
        if (node.a != kNone) check_earlier(id, node.a);
        XMC_CHECK(node.c < system_.proctypes.size());
        const promela::Proctype& proctype = system_.proctypes[node.c];
        XMC_CHECK(node.b >= proctype.first_label);
        XMC_CHECK(node.b < proctype.first_label + proctype.label_count);
        return;
      }
      case Op::conditional:
        check_earlier(id, node.c);
        [[fallthrough]];
      default:
        check_earlier(id, node.a);
        if (node.op >= Op::multiply && node.op <= Op::conditional) check_earlier(id, node.b);
    }
  }

  void check_arguments(u32 first, u32 count) const {
    XMC_CHECK(u64{first} + count <= system_.arguments.size());
    for (u32 i = 0; i < count; ++i) {
      XMC_CHECK(system_.arguments[first + i] < system_.expressions.size());
    }
  }

  void check_patterns(u32 first, u32 count) const {
    XMC_CHECK(count > 0);
    XMC_CHECK(u64{first} + count <= system_.patterns.size());
    for (u32 i = 0; i < count; ++i) {
      const promela::Pattern& pattern = system_.patterns[first + i];
      if (pattern.kind == promela::PatternKind::store) check_reference(pattern.target);
      if (pattern.kind == promela::PatternKind::match) {
        XMC_CHECK(pattern.value < system_.expressions.size());
      }
    }
  }

  // The largest leaf that a reference can reach is in its frame.
  void check_reference(promela::RefId id) const {
    XMC_CHECK(id < system_.references.size());
    const promela::Reference& reference = system_.references[id];
    XMC_CHECK(u64{reference.first_index} + reference.index_count <= system_.indexes.size());
    u64 last = reference.leaf;
    for (u32 i = 0; i < reference.index_count; ++i) {
      const promela::Index& index = system_.indexes[reference.first_index + i];
      XMC_CHECK(index.value < system_.expressions.size());
      XMC_CHECK(index.bound > 0);
      last += u64{index.bound - 1} * index.stride;
    }
    switch (reference.scope) {
      case promela::Scope::global:
        XMC_CHECK(last < system_.global_leaves.size());
        return;
      case promela::Scope::local:
        XMC_CHECK(last < system_.local_leaves.size());
        return;
      case promela::Scope::remote:
        XMC_CHECK(last < system_.proctypes[reference.proctype].leaf_count);
        XMC_CHECK(reference.pid == kNone || reference.pid < system_.expressions.size());
        return;
      default:
        return;
    }
  }

  void check_channel(const promela::ChannelForm& form) const {
    XMC_CHECK(form.capacity <= limits::kPromelaNumbers);
    XMC_CHECK(form.field_count > 0);
    XMC_CHECK(u64{form.first_field} + form.field_count <= system_.message_leaves.size());
  }

  void check_initial(const promela::Initial& initial, u32 leaves) const {
    XMC_CHECK(u64{initial.leaf} + initial.count <= leaves);
    if (initial.value == kNone) {
      XMC_CHECK(initial.channel < system_.channels.size());
    } else {
      XMC_CHECK(initial.value < system_.expressions.size());
    }
  }

  void check_proctype(const promela::Proctype& proctype) const {
    XMC_CHECK(proctype.parameter_leaves <= proctype.leaf_count);
    XMC_CHECK(u64{proctype.first_leaf} + proctype.leaf_count <= system_.local_leaves.size());
    XMC_CHECK(u64{proctype.first_place} + proctype.place_count <= system_.places.size());
    check_place_of(proctype, proctype.start);
    XMC_CHECK(!system_.places[proctype.start].is_indivisible);
    for (u32 i = 0; i < proctype.initial_count; ++i) {
      check_initial(system_.local_initials[proctype.first_initial + i], proctype.leaf_count);
    }
    u32 ends = 0;
    for (u32 i = 0; i < proctype.place_count; ++i) {
      const promela::Place& place = system_.places[proctype.first_place + i];
      ends += place.is_last;
      XMC_CHECK(place.option_count > 0 || place.is_last);
      XMC_CHECK(u64{place.first_option} + place.option_count <= system_.options.size());
      for (u32 j = 0; j < place.option_count; ++j) {
        const promela::Option& option = system_.options[place.first_option + j];
        check_action(proctype, system_.actions[option.action]);
      }
    }
    XMC_CHECK(ends == 1);
    for (u32 i = 0; i < proctype.label_count; ++i) {
      const promela::PlaceId at = system_.labels[proctype.first_label + i].at;
      if (at != kNone) check_place_of(proctype, at);
    }
  }

  void check_place_of(const promela::Proctype& proctype, promela::PlaceId place) const {
    XMC_CHECK(place >= proctype.first_place);
    XMC_CHECK(place < proctype.first_place + proctype.place_count);
  }

  void check_action(const promela::Proctype& proctype, const promela::Action& action) const {
    using promela::ActionKind;
    if (action.kind == ActionKind::die) return;
    check_place_of(proctype, action.next);
    const u32 expressions = system_.expressions.size();
    switch (action.kind) {
      case ActionKind::condition:
      case ActionKind::assertion:
        XMC_CHECK(action.value < expressions);
        return;
      case ActionKind::assign:
        XMC_CHECK(action.value < expressions);
        return check_reference(action.target);
      case ActionKind::send:
        XMC_CHECK(action.channel < expressions);
        XMC_CHECK(action.count > 0);
        return check_arguments(action.first, action.count);
      case ActionKind::receive:
        XMC_CHECK(action.channel < expressions);
        return check_patterns(action.first, action.count);
      case ActionKind::print:
        return check_arguments(action.first, action.count);
      case ActionKind::set_priority:
        XMC_CHECK(action.channel < expressions);
        XMC_CHECK(action.value < expressions);
        return;
      case ActionKind::indivisible:
        check_place_of(proctype, action.body);
        XMC_CHECK(system_.places[action.body].is_indivisible);
        XMC_CHECK(!system_.places[action.next].is_indivisible);
        return;
      default:
        return;
    }
  }

  void check_property(const promela::Property& property) const {
    XMC_CHECK((property.claim == kNone) != (property.formula == kNone));
    XMC_CHECK(!property.name.empty());
    if (property.claim != kNone) XMC_CHECK(property.claim < system_.proctypes.size());
    if (property.formula != kNone) XMC_CHECK(property.formula < system_.formulas.size());
  }

  void check_formula(u32 id) const {
    const promela::Formula& formula = system_.formulas[id];
    XMC_CHECK(formula.height >= 1 && formula.height <= limits::kFormulaDepth);
    if (formula.op == promela::FormulaOp::expression) {
      XMC_CHECK(formula.expr < system_.expressions.size());
      return;
    }
    XMC_CHECK(formula.a < id);
    if (formula.op >= promela::FormulaOp::conjunction) XMC_CHECK(formula.b < id);
  }

  const promela::System& system_;
};

inline void check_system(const promela::System& system) { SystemCheck(system).check(); }

}  // namespace xmc::promela_test
