#include "lower/body_code.h"

#include "lower/keep.h"

namespace xmc {

namespace {

bool is_last(ir::BodyOp op) {
  return op == ir::BodyOp::jump || op == ir::BodyOp::jump_table || op >= ir::BodyOp::disabled;
}

}  // namespace

u32 BodyCode::emit(const ir::Action& action) {
  if (is_dead_) return 0;
  if (actions_.full()) {
    overflow_ = true;
    return 0;
  }
  is_dead_ = leaves_out_ && is_last(action.op);
  return actions_.push(action);
}

void BodyCode::move(u32 to, u32 from) { emit({.op = ir::BodyOp::move, .r = to, .a = from}); }

void BodyCode::offset(u32 to, u32 from, u32 by) {
  emit({.op = ir::BodyOp::offset, .r = to, .a = from, .b = by});
}

void BodyCode::set(u32 r, i64 value) {
  const u64 bits = static_cast<u64>(value);
  emit({.op = ir::BodyOp::constant,
        .r = r,
        .a = static_cast<u32>(bits),
        .b = static_cast<u32>(bits >> 32)});
}

u32 BodyCode::constant(i64 value) {
  const u32 r = temporary();
  set(r, value);
  return r;
}

void BodyCode::close_body(u32 result) {
  emit({.op = ir::BodyOp::result, .r = result});
  close_body();
}

void BodyCode::jump(ir::BodyOp op, u32 r, Label& to, u32 b) {
  if (is_dead_) return;
  to.last = emit({.op = op, .r = r, .a = to.last, .b = b});
}

void BodyCode::jump_back(u32 to) { emit({.op = ir::BodyOp::jump, .a = to}); }

void BodyCode::attempt(u32 label, Label& next) {
  if (is_dead_) return;
  next.last = emit({.op = ir::BodyOp::attempt, .a = label, .b = next.last});
}

void BodyCode::bind(Label& label) {
  u32 at = label.last;
  if (at != kNone) is_dead_ = false;
  while (at != kNone && !overflow_) {
    ir::Action& x = actions_[at];
    u32& target = x.op == ir::BodyOp::attempt ? x.b : x.a;
    at = target;
    target = here();
  }
  label.last = kNone;
}

void BodyCode::jump_table(u32 r, u32 count) {
  emit({.op = ir::BodyOp::jump_table, .r = r, .a = targets_.size(), .b = count});
}

void BodyCode::add_targets(u32 count, u32 to) {
  for (u32 i = 0; i < count; ++i) {
    if (targets_.full()) {
      overflow_ = true;
      return;
    }
    targets_.push(to);
  }
}

u16 BodyCode::note(u32 line, std::string_view text) {
  if (notes_.full()) {
    overflow_ = true;
    return 0;
  }
  return static_cast<u16>(notes_.push({line, names_.keep(text)}));
}

void BodyCode::finish(Arena& arena, ir::RuleProgram& program) const {
  program.actions = keep(actions_, arena);
  program.body_notes = keep(notes_, arena);
  program.jump_targets = keep(targets_, arena);
}

}  // namespace xmc
