#include "lower/murphi/code.h"

#include "lower/squeeze.h"

namespace xmc::murphi_lower {

u16 Code::note(murphi::Span place, std::string_view text) {
  SqueezedText line;
  if (text.empty()) {
    text = squeeze(piece_of(source_.text, place.begin, place.end - place.begin), line);
  }
  return BodyCode::note(source_.place(place.begin).line, text);
}

}  // namespace xmc::murphi_lower
