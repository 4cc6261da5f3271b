#include "lower/promela/words.h"

#include "xmc/text.h"

namespace xmc::promela_lower {

const Source& Words::source_at(u32 offset) const {
  u32 found = 0;
  for (u32 i = 0; i < s_.files.size(); ++i) {
    if (s_.files[i].first <= offset) found = i;
  }
  return s_.files[found];
}

std::string_view Words::piece(promela::Span place) const {
  const Source& source = source_at(place.begin);
  const u32 length = place.end > place.begin ? place.end - place.begin : 0;
  return piece_of(source.text, place.begin - source.first, length);
}

u32 Words::line(promela::Span place) const {
  const Source& source = source_at(place.begin);
  return source.place(place.begin - source.first).line;
}

}  // namespace xmc::promela_lower
