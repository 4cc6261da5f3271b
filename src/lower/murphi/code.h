// The list of actions while it grows: forward jumps, registers, and notes of what can fail.
#pragma once

#include "front/murphi/ast.h"
#include "front/source.h"
#include "ir/ir.h"
#include "lower/name_store.h"
#include "xmc/pool.h"

namespace xmc::murphi_lower {

// Where jumps go that were made before their target was known. They are chained through Action::a.
struct Label {
  u32 last = kNone;
};

class Code {
 public:
  Code(const Source& source, Arena& arena, NameStore& names)
      : source_(source), names_(names), actions_(arena, "actions"), notes_(arena, "action notes") {
    notes_.push({});
  }

  u32 here() const { return actions_.size(); }
  u32 emit(const ir::Action& action);
  void jump(ir::BodyOp op, u32 r, Label& to, u32 b = 0);
  void jump_back(u32 to);
  // The label is here.
  void bind(Label& label);

  // The actions behind this one that can fail are about this piece of the text.
  u16 note(murphi::Span place, std::string_view text = {});

  // Registers of one body: its fixed ones, then temporaries, taken and given back like a stack.
  void begin_body(u32 fixed) { first_temporary_ = top_ = most_ = fixed; }
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

  bool overflow() const { return overflow_; }
  // Copies of everything into the arena for good.
  void finish(Arena& arena, ir::RuleProgram& program) const;

 private:
  const Source& source_;
  NameStore& names_;
  Pool<ir::Action, 8, 1024> actions_;
  Pool<ir::BodyNote, 6, 1024> notes_;
  u32 first_temporary_ = 0;
  u32 top_ = 0;
  u32 most_ = 0;
  bool overflow_ = false;
};

}  // namespace xmc::murphi_lower
