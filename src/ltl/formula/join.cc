#include "ltl/formula/join.h"

#include "ltl/graph/graph.h"
#include "xmc/bytes.h"

namespace xmc::ltl {

namespace {

class Joining {
 public:
  Joining(Formulas& formulas, Arena& arena)
      : formulas_(formulas), done_(scratch_array<u32>(arena, limits::kFormulaNodes)) {
    fill_zero(done_);
  }

  Formula walk(Formula formula) {
    if (done_[formula] != 0) return done_[formula] - 1;
    const Node node = formulas_[formula];
    Formula result = formula;
    if (node.op == Op::disjunction) {
      result = walk_disjunction(formula);
    } else if (node.op != Op::negation && (is_unary(node.op) || is_binary(node.op))) {
      const Formula a = walk(node.a);
      result = formulas_.make(node.op, a, is_binary(node.op) ? walk(node.b) : 0);
    }
    done_[formula] = result + 1;
    return result;
  }

 private:
  Formula walk_disjunction(Formula formula) {
    Formula inner = Formulas::kFalse;     // of all F together
    Formula eventual = Formulas::kFalse;  // e with F e = e
    Formula rest = Formulas::kFalse;
    for (Formula at = formula;;) {
      const Node node = formulas_[at];
      const bool more = node.op == Op::disjunction;
      const Formula one = walk(more ? node.a : at);
      if (formulas_[one].op == Op::finally) {
        inner = either(inner, formulas_[one].a);
      } else if (formulas_[one].eventual) {
        eventual = either(eventual, one);
      } else {
        rest = either(rest, one);
      }
      if (!more) break;
      at = node.b;
    }
    if (inner == Formulas::kFalse) return either(eventual, rest);
    return either(formulas_.make(Op::finally, either(inner, eventual)), rest);
  }

  Formula either(Formula a, Formula b) {
    if (a == Formulas::kFalse) return b;
    if (b == Formulas::kFalse) return a;
    return formulas_.make(Op::disjunction, a, b);
  }

  Formulas& formulas_;
  std::span<u32> done_;  // by formula: a number and one, 0 for not known
};

}  // namespace

Formula join_eventualities(Formulas& formulas, Formula formula, Arena& arena) {
  const u64 mark = arena.scratch_mark();
  const Formula result = Joining(formulas, arena).walk(formula);
  arena.scratch_release(mark);
  return result;
}

}  // namespace xmc::ltl
