#include "lower/promela/expr/writer.h"

#include "lower/squeeze.h"

namespace xmc::promela_lower {

// One for each place of the text.
u16 note(Writer& w, promela::Span place) {
  if (place.begin >= w.notes.size()) return 0;
  u16& known = w.notes[place.begin];
  if (known == 0) {
    SqueezedText text;
    known = w.code.note(w.words.line(place), squeeze(w.words.piece(place), text));
  }
  return known;
}

void fail(Writer& w, ir::Failure failure, promela::Span place) {
  w.code.emit({.op = ir::BodyOp::fail, .reason = static_cast<u8>(failure), .note = note(w, place)});
}

}  // namespace xmc::promela_lower
