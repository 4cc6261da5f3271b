// The lowering of a DVE tree, one method for each part of the program. What has a place in the
// state is in dve_variables.cc, what happens to it in dve_lower.cc.
#pragma once

#include "front/dve/dve_ast.h"
#include "ir/ir.h"
#include "lower/dve/dve_exprs.h"
#include "lower/dve/dve_lower.h"
#include "lower/dve/dve_notes.h"
#include "lower/name_store.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc {

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
  void add_process(u32 process, std::string_view name, u32 initial, u32 locations);
  void add_locations(u32 process);
  void add_automaton();
  Status lower_expressions();
  void add_initial_constants();
  void lower_parts(const dve::Transition& t);
  void lower_transitions();
  u32 lower_automaton(u32 first_transition);
  void order_transitions();
  void lower_receivers();
  void lower_predicates();
  ir::Target target(const dve::LValue& l) const;
  bool kept(u32 process) const { return process == kNone || process_map_[process] != kNone; }
  // The process of the text that the automaton was made from, and whether it comes from elsewhere.
  u32 property() const {
    return request_.automaton == nullptr ? kNone : request_.automaton->process;
  }
  bool is_foreign() const { return request_.automaton != nullptr && property() == kNone; }
  std::span<const DveAutomaton::Alarm> alarms() const {
    if (request_.automaton == nullptr) return {};
    return request_.automaton->alarms;
  }
  u32 automaton_edges() const {
    return static_cast<u32>(request_.automaton->automaton.edges.size());
  }

  const dve::System& system_;
  const LowerRequest& request_;
  const bool fold_constants_;
  bool folded_values_ = false;
  Arena& arena_;
  NameStore names_;
  ir::Program& p_;
  std::span<u32> process_map_;  // DVE process -> IR process or kNone
  u32 automaton_ = kNone;       // IR process
  std::span<VariableMap> variable_map_;
  std::span<u8> assigned_;
  std::span<const u32> expr_map_;
  ExprLowering* exprs_ = nullptr;
  u32 variable_count_ = 0;
  u32 value_count_ = 0;
};

}  // namespace xmc
