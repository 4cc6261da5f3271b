#include "report/page/html.h"

#include "report/characters.h"
#include "xmc/text.h"

namespace xmc {

namespace {

std::string_view entity_of(char c) {
  switch (c) {
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '&':
      return "&amp;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

// A page is UTF-8, and XML has a place for few control characters.
void add_escaped(Output& out, std::string_view text) {
  while (!text.empty()) {
    const u32 length = xml_length(text);
    const std::string_view entity = entity_of(text.front());
    if (!entity.empty()) {
      out.add(entity);
    } else {
      out.add(length == 0 ? kNoCharacter : piece_of(text, 0, length));
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
}

Html& Html::grouped(u64 value) {
  FixedText<32> text;
  return raw(text.grouped(value).view());
}

Html& Html::bytes(u64 value) {
  FixedText<32> text;
  return raw(text.bytes(value).view());
}

Html& Html::seconds(double value) {
  FixedText<32> text;
  return raw(text.seconds(value).view());
}

Html& Html::percent(double share) {
  out_.format("%.1f%%", share * 100);
  return *this;
}

Html& Html::row(std::string_view name) {
  return raw("<tr><th scope=row>").text(name).raw("</th><td>");
}

}  // namespace xmc
