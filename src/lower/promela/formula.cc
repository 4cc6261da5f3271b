#include "lower/promela/formula.h"

#include "lower/promela/words.h"
#include "ltl/formula/formula.h"
#include "ltl/translate.h"
#include "xmc/limits.h"
#include "xmc/scratch.h"

namespace xmc {

namespace {

using promela::Expr;
using promela::ExprId;
using promela::FormulaOp;
using promela::Op;
using promela::RefId;

ltl::Op op_of(FormulaOp op) {
  switch (op) {
    case FormulaOp::negation:
      return ltl::Op::negation;
    case FormulaOp::always:
      return ltl::Op::globally;
    case FormulaOp::eventually:
      return ltl::Op::finally;
    case FormulaOp::next:
      return ltl::Op::next;
    case FormulaOp::conjunction:
      return ltl::Op::conjunction;
    case FormulaOp::disjunction:
      return ltl::Op::disjunction;
    case FormulaOp::implies:
      return ltl::Op::implication;
    case FormulaOp::equivalent:
      return ltl::Op::equivalence;
    case FormulaOp::until:
      return ltl::Op::until;
    case FormulaOp::weak_until:
      return ltl::Op::weak_until;
    default:
      return ltl::Op::release;
  }
}

class Translation {
 public:
  Translation(const promela::System& system, Arena& arena)
      : s_(system), words_(system, arena), formulas_(arena) {}

  ltl::Formula build(u32 id);
  Status finish(ltl::Formula root, Arena& arena, FormulaAutomaton& out);

 private:
  u32 proposition(ExprId id);
  bool same(RefId left, RefId right) const;
  bool same_or_none(ExprId left, ExprId right) const;
  bool same_expression(ExprId left, ExprId right) const;

  const promela::System& s_;
  promela_lower::Words words_;
  ltl::Formulas formulas_;
  ExprId propositions_[limits::kPropositions] = {};
  std::string_view texts_[limits::kPropositions];
  u32 count_ = 0;
  bool full_ = false;
};

bool Translation::same(RefId left, RefId right) const {
  const promela::Reference& a = s_.references[left];
  const promela::Reference& b = s_.references[right];
  const bool is_same = a.scope == b.scope && a.leaf == b.leaf && a.index_count == b.index_count &&
                       a.proctype == b.proctype && same_or_none(a.pid, b.pid);
  if (!is_same) return false;
  for (u32 i = 0; i < a.index_count; ++i) {
    const promela::Index& x = s_.indexes[a.first_index + i];
    const promela::Index& y = s_.indexes[b.first_index + i];
    if (x.stride != y.stride || !same_expression(x.value, y.value)) return false;
  }
  return true;
}

bool Translation::same_or_none(ExprId left, ExprId right) const {
  return left == right || (left != kNone && right != kNone && same_expression(left, right));
}

// Whether both are written alike; two that only mean the same are two propositions.
bool Translation::same_expression(ExprId left, ExprId right) const {
  if (left == right) return true;
  const Expr& a = s_.expressions[left];
  const Expr& b = s_.expressions[right];
  if (a.op != b.op) return false;
  switch (a.op) {
    case Op::literal:
      return a.value == b.value;
    case Op::load:
      return same(a.a, b.a);
    case Op::negate:
    case Op::bit_not:
    case Op::logical_not:
    case Op::length:
    case Op::is_empty:
    case Op::is_not_empty:
    case Op::is_full:
    case Op::is_not_full:
      return same_expression(a.a, b.a);
    case Op::at_label:
      return a.b == b.b && a.c == b.c && same_or_none(a.a, b.a);
    default:
      if (a.op < Op::multiply || a.op > Op::logical_or) return false;
      return same_expression(a.a, b.a) && same_expression(a.b, b.b);
  }
}

u32 Translation::proposition(ExprId id) {
  const std::string_view text = words_.piece(s_.expressions[id].place);
  for (u32 i = 0; i < count_; ++i) {
    if (same_expression(propositions_[i], id)) return i;
  }
  if (count_ == limits::kPropositions) {
    full_ = true;
    return 0;
  }
  propositions_[count_] = id;
  texts_[count_] = text;
  return count_++;
}

ltl::Formula Translation::build(u32 id) {
  const promela::Formula& f = s_.formulas[id];
  if (f.op == FormulaOp::expression) {
    const Expr& e = s_.expressions[f.expr];
    if (e.op == promela::Op::literal)
      return e.value != 0 ? ltl::Formulas::kTrue : ltl::Formulas::kFalse;
    return formulas_.proposition(proposition(f.expr));
  }
  const ltl::Formula a = build(f.a);
  if (f.b == kNone) return formulas_.make(op_of(f.op), a);
  return formulas_.make(op_of(f.op), a, build(f.b));
}

Status Translation::finish(ltl::Formula root, Arena& arena, FormulaAutomaton& out) {
  if (full_) {
    return Status::fail(Code::model,
                        "a formula has more than %u propositions (limit kPropositions)",
                        limits::kPropositions);
  }
  XMC_TRY(formulas_.status());
  XMC_TRY(ltl::translate(formulas_, root, true, {texts_, count_}, arena, out.automaton));
  const auto kept = arena.carve_array<ExprId>("property", count_);
  for (u32 i = 0; i < count_; ++i) kept[i] = propositions_[i];
  out.propositions = kept;
  return {};
}

}  // namespace

Status translate_formula(const promela::System& system, u32 formula, Arena& arena,
                         FormulaAutomaton& out) {
  const u64 mark = arena.scratch_mark();
  Translation translation(system, arena);
  const ltl::Formula root = translation.build(formula);
  const Status status = translation.finish(root, arena, out);
  arena.scratch_release(mark);
  return status;
}

promela::ExprId expression_of(promela::System& system, u32 formula) {
  const promela::Formula& f = system.formulas[formula];
  if (f.op == FormulaOp::expression) return f.expr;
  const ExprId a = expression_of(system, f.a);
  const ExprId b = f.b == kNone ? kNone : expression_of(system, f.b);
  if (a == kNone || (f.b != kNone && b == kNone) || system.expressions.full()) return kNone;
  Expr e;
  e.a = a;
  e.b = b;
  e.place = system.expressions[a].place;
  const auto add = [&](promela::Op op, ExprId left, ExprId right) {
    e.op = op;
    e.a = left;
    e.b = right;
    return system.expressions.push(e);
  };
  switch (f.op) {
    case FormulaOp::negation:
      return add(promela::Op::logical_not, a, 0);
    case FormulaOp::conjunction:
      return add(promela::Op::logical_and, a, b);
    case FormulaOp::disjunction:
      return add(promela::Op::logical_or, a, b);
    case FormulaOp::implies:
      return add(promela::Op::logical_or, add(promela::Op::logical_not, a, 0), b);
    case FormulaOp::equivalent:
      return add(promela::Op::equal, add(promela::Op::logical_not, a, 0),
                 add(promela::Op::logical_not, b, 0));
    default:
      return kNone;
  }
}

}  // namespace xmc
