#include "report/characters.h"

#include "xmc/text.h"

namespace xmc {

u32 utf8_length(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<u8>(text[i]) : u8{0}; };
  const auto tail = [&](std::size_t i) { return (at(i) & 0xC0) == 0x80; };
  const u8 first = at(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return tail(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const u8 low = first == 0xE0 ? 0xA0 : 0x80;
    const u8 high = first == 0xED ? 0x9F : 0xBF;
    return at(1) >= low && at(1) <= high && tail(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const u8 low = first == 0xF0 ? 0x90 : 0x80;
    const u8 high = first == 0xF4 ? 0x8F : 0xBF;
    return at(1) >= low && at(1) <= high && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

u32 shown_length(std::string_view text) {
  const u32 length = utf8_length(text);
  const u8 first = text.empty() ? u8{0} : static_cast<u8>(text[0]);
  if (length == 1) return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7F ? 0 : 1;
  // U+0080 to U+009F: old terminals obey those as well.
  return length == 2 && first == 0xC2 && static_cast<u8>(text[1]) < 0xA0 ? 0 : length;
}

u32 xml_length(std::string_view text) {
  const u32 length = shown_length(text);
  // U+FFFE and U+FFFF.
  const bool none =
      length == 3 && piece_of(text, 0, 2) == "\xef\xbf" && static_cast<u8>(text[2]) > 0xBD;
  return none ? 0 : length;
}

u32 unfinished_bytes(std::string_view text) {
  for (u32 back = 1; back <= 3 && back <= text.size(); ++back) {
    const u8 byte = static_cast<u8>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;
    const u32 wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
    return wanted > back ? back : 0;
  }
  return 0;
}

}  // namespace xmc
