// d_step: straight code for a graph of statements, each with its first executable option. The code
// of a place is made once; a jump back to it counts, so that none of them is endless.
#include "lower/promela/lowering.h"
#include "xmc/limits.h"

namespace xmc::promela_lower {

using ir::Failure;

// On to the code of a place: it may be there, it may still have to be made, or it is the end.
void Lowering::go_to(PlaceId place) {
  if (code_.is_dead()) return;
  if (!s_.places[place].is_indivisible) return code_.jump(BodyOp::jump, 0, inside_.end);
  PlaceCode& at = place_codes_[place];
  if (at.code == kNone) {
    if (!at.is_waiting) inside_.waiting.push(place);
    at.is_waiting = true;
    return code_.jump(BodyOp::jump, 0, at.label);
  }
  code_.emit({.op = BodyOp::repeat,
              .reason = static_cast<u8>(Failure::endless),
              .note = note(s_.places[place].place),
              .r = inside_.turns,
              .a = limits::kIndivisibleSteps});
  code_.jump_back(at.code);
}

// The options of a place, in order; behind the last one it is blocked.
void Lowering::indivisible_options(PlaceId id, Label* blocked) {
  const promela::Place& place = s_.places[id];
  const PlaceId kept = frame_.place;
  frame_.place = id;
  for (u32 i = 0; i < place.option_count; ++i) {
    const Action& a = s_.actions[s_.options[place.first_option + i].action];
    Label next;
    const u32 top = code_.top();
    basic(a, next);
    code_.give_back(top);
    go_to(a.next);
    code_.bind(next);
  }
  if (blocked != nullptr) {
    code_.jump(BodyOp::jump, 0, *blocked);
  } else {
    fail(Failure::blocked, place.place);
  }
  frame_.place = kept;
}

void Lowering::open_indivisible() {
  inside_.turns = constant(0);
  inside_.end = {};
  inside_.first = inside_.waiting.size();
}

// The code of all places that have been jumped to. The d_step goes on behind it.
void Lowering::close_indivisible() {
  for (u32 i = inside_.first; i < inside_.waiting.size(); ++i) {
    PlaceCode& at = place_codes_[inside_.waiting[i]];
    code_.bind(at.label);
    at.code = code_.here();
    indivisible_options(inside_.waiting[i], nullptr);
  }
  for (u32 i = inside_.first; i < inside_.waiting.size(); ++i)
    place_codes_[inside_.waiting[i]] = {};
  code_.bind(inside_.end);
}

// A first statement that stands alone is asked before the successor is made, unless it may be about
// several channels. A test ends behind the first statement, and makes no successor at all.
void Lowering::indivisible(const Action& a, Label& blocked) {
  open_indivisible();
  const promela::Place& first = s_.places[a.body];
  const ActionKind kind = s_.actions[s_.options[first.first_option].action].kind;
  const bool is_message = kind == ActionKind::send || kind == ActionKind::receive;
  if (!asks_ && (first.option_count != 1 || is_message)) begin();
  indivisible_options(a.body, &blocked);
  close_indivisible();
}

}  // namespace xmc::promela_lower
