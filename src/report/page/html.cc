#include "report/page/html.h"

#include "xmc/text.h"

namespace xmc {

void add_escaped(Output& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '<':
        out.add("&lt;");
        break;
      case '>':
        out.add("&gt;");
        break;
      case '&':
        out.add("&amp;");
        break;
      case '"':
        out.add("&quot;");
        break;
      case '\'':
        out.add("&#39;");
        break;
      default:
        // A page has no other control characters.
        out.add(static_cast<unsigned char>(c) < ' ' && c != '\n' ? ' ' : c);
        break;
    }
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
