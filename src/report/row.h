// Row: text that is broken at blanks so that no line is longer than the terminal. Words are held
// back until the next blank; what cannot be broken is longer.
#pragma once

#include <string_view>

#include "report/output.h"
#include "xmc/text.h"
#include "xmc/types.h"

namespace xmc {

inline constexpr u32 kDefaultColumns = 80;
inline constexpr u32 kReportIndent = 10;  // of what stands behind the first word of a report's line

class Row {
 public:
  // Lines after a break begin at column `indent`.
  Row(Output& out, u32 columns, u32 indent = 0) : out_(&out), columns_(columns), indent_(indent) {}
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  // Breaks at blanks; a line break in the text ends the line.
  Row& add(std::string_view text);
  Row& add(char c) { return add(std::string_view(&c, 1)); }
  [[gnu::format(printf, 2, 3)]] Row& format(const char* pattern, ...);  // as Output::format()
  // Does not break inside.
  Row& whole(std::string_view text);
  // As it is, wherever that ends. For what stands at the beginning of a line.
  Row& raw(std::string_view text);
  // Bytes that take no column, as those of colours.
  Row& unseen(std::string_view bytes);
  // Blanks up to a column, or two when the text is beyond it; later lines begin there, too.
  Row& to(u32 column);
  // Later lines begin at this column.
  void indent(u32 column) { indent_ = column; }
  // The line is done.
  void end();

  u32 column();

 private:
  void place();

  Output* out_;
  u32 columns_;
  u32 indent_;
  u32 column_ = 0;
  bool blank_ = false;  // one is due before the next word
  FixedText<512> word_;
};

}  // namespace xmc
