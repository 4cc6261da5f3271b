#include "ltl/formats/text_out.h"

#include "xmc/text.h"

namespace xmc::ltl {

TextOut& TextOut::number(u64 value) {
  FixedText<24> text;
  text.number(value);
  return add(text.view());
}

TextOut& TextOut::escaped(std::string_view text) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '"' && text[i] != '\\') continue;
    add(piece_of(text, begin, i - begin)).add("\\");
    begin = i;
  }
  return add(piece_of(text, begin));
}

}  // namespace xmc::ltl
