#include "lower/murphi/code.h"

#include "lower/squeeze.h"

namespace xmc::murphi_lower {

u16 Code::note(Span place, std::string_view text) {
  SqueezedText line;
  if (text.empty()) {
    text = squeeze(piece_of(source_.text, place.begin, place.end - place.begin), line);
  }
  return BodyCode::note(source_.place(place.begin).line, text);
}

void Code::fail(ir::Failure reason, Span place, std::string_view text) {
  emit({.op = BodyOp::fail, .reason = static_cast<u8>(reason), .note = note(place, text)});
}

void Code::refuse(Span place, const char* what) {
  diagnostics_.error(place.begin, place.end, "%s is not supported yet", what);
}

void Code::warn(Span place, const char* what) {
  diagnostics_.warning(place.begin, place.end, "%s", what);
}

u32 Code::add_cover(std::string_view name, Span place, u32 body) {
  if (cover_bodies_.size() == limits::kMarks) {
    diagnostics_.error(place.begin, place.end, "more than %u covers (limit kMarks)",
                       limits::kMarks);
    return 0;
  }
  cover_places_[cover_bodies_.size()] = {name, place};
  return cover_bodies_.push(body);
}

}  // namespace xmc::murphi_lower
