// The list of actions while it grows: forward jumps, registers, and notes of what can fail.
#pragma once

#include <string_view>

#include "ir/ir.h"
#include "lower/name_store.h"
#include "xmc/pool.h"

namespace xmc {

// Where jumps go that were made before their target was known. They are chained through Action::a,
// or Action::b of an `attempt`.
struct Label {
  u32 last = kNone;
};

class BodyCode {
 public:
  // With `leaves_out`, what nothing leads to is left out: behind a jump, until a label or enter().
  BodyCode(Arena& arena, NameStore& names, bool leaves_out = false)
      : names_(names),
        actions_(arena, "actions"),
        notes_(arena, "action notes"),
        targets_(arena, "jumps"),
        leaves_out_(leaves_out) {
    notes_.push({});
  }

  u32 here() const { return actions_.size(); }
  // What comes now is reached from elsewhere.
  u32 enter() {
    is_dead_ = false;
    return here();
  }
  bool is_dead() const { return is_dead_; }
  // The number of the action.
  u32 emit(const ir::Action& action);
  void jump(ir::BodyOp op, u32 r, Label& to, u32 b = 0);
  void jump_back(u32 to);
  // Step `label` is tried from here on; an error goes on at `next`.
  void attempt(u32 label, Label& next);
  // The label is here.
  void bind(Label& label);
  void move(u32 to, u32 from);
  void offset(u32 to, u32 from, u32 by);
  void set(u32 r, i64 value);
  // In a register of its own.
  u32 constant(i64 value);
  bool has_jumps(const Label& label) const { return label.last != kNone; }

  // A jump to one of `count` targets, which are added and set one by one.
  void jump_table(u32 r, u32 count);
  u32 targets() const { return targets_.size(); }
  void add_targets(u32 count, u32 to);
  void set_target(u32 index, u32 to) { targets_[index] = to; }

  // The actions behind this one that can fail are about this piece of the text.
  u16 note(u32 line, std::string_view text);

  // Registers of one body: its fixed ones, then temporaries, taken and given back like a stack.
  void begin_body(u32 fixed) {
    first_temporary_ = top_ = most_ = fixed;
    is_dead_ = false;
  }
  u32 temporary(u32 count = 1) {
    const u32 first = top_;
    top_ += count;
    reserve(top_);
    return first;
  }
  void reserve(u32 cells) { most_ = cells > most_ ? cells : most_; }
  u32 top() const { return top_; }
  void give_back(u32 top) { top_ = top; }
  bool is_temporary(u32 cell) const { return cell >= first_temporary_; }
  u32 cells() const { return most_; }

  // A body of a rule or a property; its place in the code.
  u32 open_body(u32 fixed) {
    begin_body(fixed);
    return here();
  }
  void close_body() { widest_ = most_ > widest_ ? most_ : widest_; }
  void close_body(u32 result);
  // Registers of the largest of these bodies.
  u32 widest() const { return widest_; }

  bool overflow() const { return overflow_; }
  // Copies of everything into the arena for good.
  void finish(Arena& arena, ir::RuleProgram& program) const;

 private:
  NameStore& names_;
  Pool<ir::Action, 8, 8192> actions_;
  Pool<ir::BodyNote, 6, 1024> notes_;
  Pool<u32, 8, 8192> targets_;
  u32 first_temporary_ = 0;
  u32 top_ = 0;
  u32 most_ = 0;
  u32 widest_ = 0;
  bool overflow_ = false;
  const bool leaves_out_;
  bool is_dead_ = false;  // nothing leads here
};

}  // namespace xmc
