// Formulas: all formulas of one translation, each kept once. A formula is the number of its node,
// so that equal formulas have equal numbers, and the numbers depend on nothing but the order in
// which formulas are made.
//
// The parser makes nodes as they are written. The simplifier (simplify.h) makes its own in
// negation normal form from constants, literals, and, or, next, finally, globally, until and
// release only.
#pragma once

#include <span>

#include "xmc/arena.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc::ltl {

enum class Op : u8 {
  falsity,
  truth,
  proposition,  // a: its number
  negation,
  next,
  finally,
  globally,
  conjunction,
  disjunction,
  exclusive,
  implication,
  equivalence,
  until,
  release,         // a R b: b holds up to and including the first a, or for ever
  weak_until,      // a W b
  strong_release,  // a M b: as release, and there is such an a
};

inline bool is_unary(Op op) { return op >= Op::negation && op <= Op::globally; }
inline bool is_binary(Op op) { return op >= Op::conjunction; }

using Formula = u32;

struct Node {
  Op op = Op::falsity;
  bool eventual = false;   // it holds wherever it holds later: F f = f
  bool universal = false;  // it holds from wherever it holds on: G f = f
  u16 depth = 1;
  u32 a = 0;
  u32 b = 0;
};

class Formulas {
 public:
  static constexpr Formula kFalse = 0;
  static constexpr Formula kTrue = 1;

  explicit Formulas(Arena& arena);

  // The number of this very formula. When a limit is reached, status() fails from then on and the
  // numbers are of no use.
  Formula make(Op op, u32 a = 0, u32 b = 0);
  const Node& operator[](Formula formula) const { return nodes_[formula]; }
  u32 size() const { return size_; }
  const Status& status() const { return status_; }
  // status() fails from now on: there are too many parts.
  void refuse();

  Formula proposition(u32 number) { return make(Op::proposition, number); }
  Formula negation(Formula a) { return make(Op::negation, a); }

 private:
  u32& slot(const Node& node);
  void classify(Node& node) const;

  std::span<Node> nodes_;  // all in place from the start: they outlive scratch of later steps
  u32 size_ = 0;
  std::span<u32> table_;  // open addressing; a number and one, 0 for empty
  Status status_;
};

}  // namespace xmc::ltl
