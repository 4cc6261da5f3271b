#include "exec/processes/assemble.h"

#include <algorithm>

#include "exec/processes/sharing.h"
#include "ir/interval.h"
#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/pool.h"

namespace xmc {

namespace {

using ir::ExprId;
using ir::Op;

// A forward jump: the instructions that wait for the same place are chained through their targets.
struct Label {
  u32 waiting = kNone;
};

class Assembler {
 public:
  Assembler(const ir::Program& program, Arena& arena)
      : p_(program), arena_(arena), code_(arena, "bytecode") {}

  void run(CodeBlock& out);

 private:
  template <class T>
  std::span<T> scratch(u64 count) {
    return {static_cast<T*>(arena_.scratch("bytecode", count * sizeof(T), alignof(T))),
            static_cast<std::size_t>(count)};
  }
  void find_subroutines();
  u32 here() const { return code_.size(); }
  u32 put(const Instruction& i) { return code_.push(i); }
  void put(Code8 op) { code_.push({.op = op}); }
  void bind(Label& label);
  void jump(Code8 op, Label& label, Instruction i = {});

  void value(ExprId id);
  void value_inline(ExprId id);
  void branch(ExprId id, bool jump_if, Label& label);
  bool branch_comparison(ExprId id, bool jump_if, Label& label);
  Instruction field(Code8 op, const Slot& slot, i32 value) const;
  void store(const ir::Target& target);
  void set_location(const ir::Transition& t);
  u32 guard(ExprId id);
  u32 snippet(ExprId id);
  u32 effect(const ir::Transition& t);
  void arrays(CodeBlock& out);
  void subroutines();

  const ir::Program& p_;
  Arena& arena_;
  Pool<Instruction, 8, 16384> code_;
  std::span<u32> subroutine_;  // pc, kNone: inline, kPending: still to be assembled
  static constexpr u32 kPending = kNone - 1;
};

void Assembler::find_subroutines() {
  const std::span<const u8> shared = find_shared(p_, arena_);
  subroutine_ = scratch<u32>(p_.exprs.size());
  for (u32 i = 0; i < p_.exprs.size(); ++i) subroutine_[i] = shared[i] != 0 ? kPending : kNone;
}

void Assembler::bind(Label& label) {
  for (u32 pc = label.waiting; pc != kNone;) {
    const u32 next = code_[pc].target;
    code_[pc].target = here();
    pc = next;
  }
  label.waiting = kNone;
}

void Assembler::jump(Code8 op, Label& label, Instruction i) {
  i.op = op;
  i.target = label.waiting;
  label.waiting = put(i);
}

// A field instruction; `value` is the offset for a load, the raw value for the rest.
Instruction Assembler::field(Code8 op, const Slot& slot, i32 value) const {
  return {.op = op,
          .shift = slot.shift,
          .word = slot.word,
          .mask = static_cast<u32>((u64{1} << slot.width) - 1),
          .value = value};
}

void Assembler::value(ExprId id) {
  if (subroutine_[id] == kNone) return value_inline(id);
  // Operands come first in the program, so the subroutines of shared operands exist already.
  XMC_CHECK(subroutine_[id] != kPending);
  put({.op = Code8::call, .target = subroutine_[id]});
}

void Assembler::value_inline(ExprId id) {
  const ir::Expr& e = p_.exprs[id];
  switch (e.op) {
    case Op::constant:
      put({.op = Code8::constant, .value = static_cast<i32>(e.a)});
      return;
    case Op::load: {
      const Slot slot = ir::element_slot(p_.variables[e.a], e.b);
      if (slot.width == 0) {
        put({.op = Code8::constant, .value = slot.offset});
      } else {
        put(field(Code8::load, slot, slot.offset));
      }
      return;
    }
    case Op::at: {
      const Slot& slot = p_.variables[p_.processes[e.a].location].slot;
      put(field(Code8::at, slot, static_cast<i32>(e.b) - slot.offset));
      return;
    }
    case Op::element:
    case Op::table: {
      value(e.b);
      const Code8 op = e.op == Op::element ? (e.check ? Code8::element_checked : Code8::element)
                                           : (e.check ? Code8::table_checked : Code8::table);
      put({.op = op, .target = e.a});
      return;
    }
    default:
      break;
  }
  if (ir::is_logical(e.op)) {
    Label no;
    Label done;
    branch(id, false, no);
    put({.op = Code8::constant, .value = 1});
    jump(Code8::jump, done);
    bind(no);
    put({.op = Code8::constant, .value = 0});
    bind(done);
    return;
  }
  value(e.a);
  const u32 shift = static_cast<u32>(e.op) - static_cast<u32>(Op::negate);
  Code8 op = static_cast<Code8>(static_cast<u32>(Code8::negate) + shift);
  if (ir::is_unary(e.op)) return put(op);
  if (p_.exprs[e.b].op == Op::constant && (e.op == Op::add || e.op == Op::subtract)) {
    const i32 c = static_cast<i32>(p_.exprs[e.b].a);
    put({.op = Code8::add_constant, .value = e.op == Op::add ? c : arith::negate(c)});
    return;
  }
  value(e.b);
  if (e.check) op = e.op == Op::divide ? Code8::divide_checked : Code8::modulo_checked;
  put(op);
}

// A field compared with a constant: one instruction.
bool Assembler::branch_comparison(ExprId id, bool jump_if, Label& label) {
  const ir::Expr& e = p_.exprs[id];
  Op op = jump_if ? e.op : ir::negate_comparison(e.op);
  const ir::Expr* left = &p_.exprs[e.a];
  const ir::Expr* right = &p_.exprs[e.b];
  if (left->op == Op::constant) {
    std::swap(left, right);
    op = ir::mirror_comparison(op);
  }
  if (left->op != Op::load || right->op != Op::constant) return false;
  const Slot slot = ir::element_slot(p_.variables[left->a], left->b);
  const i64 raw = i64{static_cast<i32>(right->a)} - slot.offset;
  if (slot.width == 0 || slot.width > 31 || raw < ir::kEverything.lo || raw > ir::kEverything.hi)
    return false;
  const u32 which = static_cast<u32>(op) - static_cast<u32>(Op::less);
  jump(static_cast<Code8>(static_cast<u32>(Code8::jump_less) + which), label,
       field(Code8::end, slot, static_cast<i32>(raw)));
  return true;
}

void Assembler::branch(ExprId id, bool jump_if, Label& label) {
  const ir::Expr& e = p_.exprs[id];
  const bool shared = subroutine_[id] != kNone && subroutine_[id] != kPending;
  if (!shared && ir::is_logical(e.op)) {
    // imply is "not a, or b".
    const bool first = e.op == Op::imply ? false : true;
    const bool is_and = e.op == Op::logical_and;
    if (is_and != jump_if) {  // either operand alone decides
      branch(e.a, first == jump_if, label);
      branch(e.b, jump_if, label);
    } else {
      Label skip;
      branch(e.a, first != jump_if, skip);
      branch(e.b, jump_if, label);
      bind(skip);
    }
    return;
  }
  if (!shared && e.op == Op::logical_not) return branch(e.a, !jump_if, label);
  if (!shared && ir::is_comparison(e.op) && branch_comparison(id, jump_if, label)) return;
  if (e.op == Op::at) {
    const Slot& slot = p_.variables[p_.processes[e.a].location].slot;
    jump(jump_if ? Code8::jump_equal : Code8::jump_not_equal, label,
         field(Code8::end, slot, static_cast<i32>(e.b) - slot.offset));
    return;
  }
  if (subroutine_[id] == kPending) {
    value_inline(id);
  } else {
    value(id);
  }
  jump(jump_if ? Code8::jump_nonzero : Code8::jump_zero, label);
}

void Assembler::subroutines() {
  for (u32 i = 0; i < p_.exprs.size(); ++i) {
    if (subroutine_[i] != kPending) continue;
    const u32 pc = here();
    value_inline(i);
    put(Code8::leave);
    subroutine_[i] = pc;
  }
}

void Assembler::store(const ir::Target& target) {
  const ir::Variable& v = p_.variables[target.variable];
  if (target.index == kNone) {
    const Slot slot = ir::element_slot(v, target.element);
    Instruction i =
        field(target.check_value ? Code8::store_checked : Code8::store, slot, slot.offset);
    i.target = target.variable;
    put(i);
    return;
  }
  value(target.index);
  const Code8 op =
      target.check_index
          ? (target.check_value ? Code8::store_element_checked : Code8::store_element_checked_index)
          : (target.check_value ? Code8::store_element_checked_value : Code8::store_element);
  put({.op = op, .target = target.variable});
}

u32 Assembler::snippet(ExprId id) {
  const u32 pc = here();
  value(id);
  put(Code8::end);
  return pc;
}

u32 Assembler::guard(ExprId id) {
  if (id == kNone) return kNone;
  const u32 pc = here();
  Label no;
  branch(id, false, no);
  put({.op = Code8::constant, .value = 1});
  put(Code8::end);
  bind(no);
  put({.op = Code8::constant, .value = 0});
  put(Code8::end);
  return pc;
}

u32 Assembler::effect(const ir::Transition& t) {
  const u32 pc = here();
  const Slot& slot = p_.variables[p_.processes[t.process].location].slot;
  // A target that was proved unreachable has no number in the slot; the transition never fires
  // then.
  const i32 raw = static_cast<i32>(t.target) - slot.offset;
  if (slot.width != 0 && t.source != t.target && t.reachable) put(field(Code8::set, slot, raw));
  for (u32 k = 0; k < t.assignment_count; ++k) {
    const ir::Assignment& a = p_.assignments[t.first_assignment + k];
    value(a.value);
    store(a.target);
  }
  put(Code8::end);
  return pc;
}

void Assembler::arrays(CodeBlock& out) {
  const auto list = arena_.carve_array<ArrayCode>("bytecode", p_.variables.size());
  for (u32 i = 0; i < p_.variables.size(); ++i) {
    const ir::Variable& v = p_.variables[i];
    list[i] = {.word = v.slot.word,
               .shift = v.slot.shift,
               .width = v.slot.width,
               .size = v.size,
               .per_word = v.per_word,
               .mask = static_cast<u32>((u64{1} << v.slot.width) - 1),
               .offset = v.slot.offset,
               .type_lo = v.type_lo,
               .type_hi = v.type_hi};
  }
  out.arrays = list;
  const auto tables = arena_.carve_array<std::span<const i32>>("bytecode", p_.tables.size());
  for (u32 i = 0; i < p_.tables.size(); ++i) tables[i] = p_.tables[i].values;
  out.tables = tables;
}

void Assembler::run(CodeBlock& out) {
  const u64 mark = arena_.scratch_mark();
  arrays(out);
  find_subroutines();
  subroutines();
  u64 values = 0;
  for (const ir::Transition& t : p_.transitions) values += t.value_count;
  const auto value_pcs = arena_.carve_array<u32>("bytecode", values);
  const auto transitions = arena_.carve_array<TransitionCode>("bytecode", p_.transitions.size());
  u32 next = 0;
  for (u32 i = 0; i < p_.transitions.size(); ++i) {
    const ir::Transition& t = p_.transitions[i];
    transitions[i] = {.guard = guard(t.guard), .effect = effect(t), .first_value = next};
    for (u32 k = 0; k < t.value_count; ++k) {
      if (t.sync == ir::Sync::send) {
        value_pcs[next++] = snippet(p_.sent[t.first_value + k]);
      } else {
        value_pcs[next++] = here();
        store(p_.received[t.first_value + k]);
        put(Code8::end);
      }
    }
  }
  const auto predicates = arena_.carve_array<u32>("bytecode", p_.predicates.size());
  for (u32 i = 0; i < p_.predicates.size(); ++i) predicates[i] = guard(p_.predicates[i].condition);
  const auto code = arena_.carve_array<Instruction>("bytecode", code_.size());
  for (u32 i = 0; i < code_.size(); ++i) code[i] = code_[i];
  out.code = code;
  out.transitions = transitions;
  out.values = value_pcs;
  out.predicates = predicates;
  arena_.scratch_release(mark);
}

}  // namespace

Status assemble(const ir::Program& program, Arena& arena, CodeBlock& out) {
  Assembler assembler(program, arena);
  assembler.run(out);
  return {};
}

}  // namespace xmc
