#include "lower/squeeze.h"

namespace xmc {

std::string_view squeeze(std::string_view raw, SqueezedText& out) {
  out.clear();
  bool blank = false;
  for (std::size_t i = 0; i < raw.size() && out.size() < kTextBytes; ++i) {
    const char c = raw[i];
    if (c == '/' && i + 1 < raw.size() && raw[i + 1] == '/') {
      while (i < raw.size() && raw[i] != '\n') ++i;
      blank = true;
    } else if (c == '/' && i + 1 < raw.size() && raw[i + 1] == '*') {
      const std::size_t end = raw.find("*/", i + 2);
      i = end == std::string_view::npos ? raw.size() : end + 1;
      blank = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      blank = true;
    } else {
      if (blank && out.size() != 0) out.add(' ');
      blank = false;
      out.add(c);
    }
  }
  if (out.size() >= kTextBytes) out.add("...");
  return out.view();
}

}  // namespace xmc
