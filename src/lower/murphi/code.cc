#include "lower/murphi/code.h"

#include "lower/squeeze.h"

namespace xmc::murphi_lower {

u32 Code::emit(const ir::Action& action) {
  if (actions_.full()) {
    overflow_ = true;
    return 0;
  }
  return actions_.push(action);
}

void Code::jump(ir::BodyOp op, u32 r, Label& to, u32 b) {
  to.last = emit({.op = op, .r = r, .a = to.last, .b = b});
}

void Code::jump_back(u32 to) { emit({.op = ir::BodyOp::jump, .a = to}); }

void Code::bind(Label& label) {
  u32 at = label.last;
  while (at != kNone && !overflow_) {
    const u32 before = actions_[at].a;
    actions_[at].a = here();
    at = before;
  }
  label.last = kNone;
}

u16 Code::note(murphi::Span place, std::string_view text) {
  if (notes_.full()) {
    overflow_ = true;
    return 0;
  }
  SqueezedText line;
  if (text.empty()) {
    text = squeeze(piece_of(source_.text, place.begin, place.end - place.begin), line);
  }
  return static_cast<u16>(notes_.push({source_.place(place.begin).line, names_.keep(text)}));
}

void Code::finish(Arena& arena, ir::RuleProgram& program) const {
  program.actions = arena.carve_array<ir::Action>("program", actions_.size());
  for (u32 i = 0; i < actions_.size(); ++i) program.actions[i] = actions_[i];
  const auto notes = arena.carve_array<ir::BodyNote>("program", notes_.size());
  for (u32 i = 0; i < notes_.size(); ++i) notes[i] = notes_[i];
  program.body_notes = notes;
}

}  // namespace xmc::murphi_lower
