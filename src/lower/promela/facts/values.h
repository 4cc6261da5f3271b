// What expressions can be, under what is known and what a row says of the process that evaluates
// them; and what such a row becomes when an expression is true or false.
#pragma once

#include "lower/promela/facts/known.h"

namespace xmc::promela {

// Cells that a reference can mean.
struct Targets {
  u32 count = 0;
  bool is_strong = false;  // there is one, and it stands for one leaf
  u32 cells[Cells::kSpread];
};

// Who evaluates. Without a row its locals are whatever they can be anywhere.
struct View {
  u32 slot = kNone;
  u32 type = kNone;
  std::span<ir::Interval> row;  // local cells, then the tracked ones of globals
  ir::Interval alive;           // processes
  Numbers* counts = nullptr;    // the same, where it can be narrowed
};

class Values {
 public:
  // `reader` notes what was read; it may be null.
  Values(const Known& known, const View& view, Instance* reader)
      : k_(known), s_(known.s), view_(view), reader_(reader) {}

  // Empty: it fails whatever the state is.
  ir::Interval value(ExprId id);
  Numbers channels(ExprId id);
  bool may_fail(ExprId id);
  // Narrows the row to what can be when the expression has that truth; false: it cannot.
  bool refine(ExprId id, bool truth);
  // The cells of a reference to a global or local variable; false: the indexes are never right.
  bool resolve(const Reference& reference, Targets& out);
  bool index_may_fail(const Reference& reference);
  ir::Interval cell(const Reference& reference, u32 cell);
  // The cell's place in the row, or kNone.
  u32 column(const Reference& reference, u32 cell) const;
  // Messages that a channel of these can have been sent, in that field.
  ir::Interval message(u32 number, u32 field);
  bool can_carry(u32 number, u32 fields) const;
  const Frame& frame(const Reference& reference) const;

 private:
  ir::Interval processes() const {
    const ir::Interval all{0, static_cast<i32>(k_.most_alive)};
    return view_.alive.empty() ? all : view_.alive;
  }
  u32 type_of(const Reference& reference) const;
  ir::Interval load(const Reference& reference);
  ir::Interval combined(const Expr& node);
  ir::Interval queue(const Expr& node);
  bool narrow(ExprId id, ir::Op op, ir::Interval other);
  void shrink(const Reference& reference);

  const Known& k_;
  const System& s_;
  View view_;
  Instance* reader_;
  bool has_run_ = false;  // a process was added by what is evaluated
};

}  // namespace xmc::promela
