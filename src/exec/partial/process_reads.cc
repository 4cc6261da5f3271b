#include "exec/partial/process_reads.h"

#include "ir/steps.h"

namespace xmc {

void ProcessReads::expr(ir::ExprId id) {
  if (id == kNone) return;
  const ir::Expr& e = p_.exprs[id];
  switch (e.op) {
    case ir::Op::constant:
      return;
    case ir::Op::load:
      return cell(p_.variables[e.a].first_initial + e.b);
    case ir::Op::at:
      return location(e.a);
    case ir::Op::element:
      variable(e.a);
      return expr(e.b);
    case ir::Op::table:
      return expr(e.b);
    default:
      expr(e.a);
      if (ir::is_binary(e.op)) expr(e.b);
  }
}

void ProcessReads::transition(const ir::Transition& t) {
  location(t.process);
  expr(t.guard);
  for (u32 k = 0; k < t.assignment_count; ++k) {
    const ir::Assignment& a = p_.assignments[t.first_assignment + k];
    expr(a.value);
    expr(a.target.index);
  }
  if (t.sync == ir::Sync::none) return;
  for (u32 k = 0; k < t.value_count; ++k) {
    if (t.sync == ir::Sync::send) expr(p_.sent[t.first_value + k]);
    if (t.sync == ir::Sync::receive) expr(p_.received[t.first_value + k].index);
  }
  const ir::Channel& c = p_.channels[t.channel];
  if (c.capacity == 0) return;
  variable(c.length);
  for (u32 k = 0; k < c.value_count; ++k) variable(c.first_cell + k);
}

// What it may write, where that has to be compared with what was there.
void ProcessReads::targets(const ir::Transition& t) {
  for (u32 k = 0; k < t.assignment_count; ++k) {
    variable(p_.assignments[t.first_assignment + k].target.variable);
  }
  for (u32 k = 0; k < t.value_count && t.sync == ir::Sync::receive; ++k) {
    variable(p_.received[t.first_value + k].variable);
  }
}

void ProcessReads::of(PartialQuestion question, u32 index) {
  if (p_.error_state) location(0);
  if (question == PartialQuestion::halted) return;
  if (question == PartialQuestion::accepting) return location(p_.property);
  if (question == PartialQuestion::violated) {
    const ir::Predicate& q = p_.predicates[index];
    if (q.process != kNone) location(q.process);
    return expr(q.condition);
  }
  if (question == PartialQuestion::move) {
    return transition(p_.transitions[p_.processes[p_.property].first_transition + index]);
  }
  if (question == PartialQuestion::changes && errors_ != ErrorRule::report) {
    for (u8& field : fields_) field = 1;  // the error state may differ in any
    return;
  }
  const StepText parts = ir::decode_step(p_, ir::step_label(p_, index, 0));
  if (question == PartialQuestion::changes) {
    targets(p_.transitions[parts.transition]);
    if (parts.partner != kNone) targets(p_.transitions[parts.partner]);
  }
  transition(p_.transitions[parts.transition]);
  if (parts.partner != kNone) transition(p_.transitions[parts.partner]);
  if (!p_.has_commit) return;
  for (u32 q = 0; q < p_.processes.size(); ++q) location(q);
}

}  // namespace xmc
