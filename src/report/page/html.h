// Html: what a page is written with. Everything that comes from a model, a name or a person goes
// through text(), which leaves nothing that a browser could take for markup, inside attributes
// neither.
#pragma once

#include <string_view>

#include "report/output.h"
#include "xmc/types.h"

namespace xmc {

void add_escaped(Output& out, std::string_view text);

class Html {
 public:
  explicit Html(Output& out) : out_(out) {}
  Html& raw(std::string_view markup) {
    out_.add(markup);
    return *this;
  }
  Html& text(std::string_view text) {
    add_escaped(out_, text);
    return *this;
  }
  Html& number(u64 value) {
    out_.number(value);
    return *this;
  }
  Html& grouped(u64 value);
  Html& bytes(u64 value);
  Html& seconds(double value);
  Html& percent(double share);
  // A row of a table of facts: its name, and what text() or raw() say until end_row().
  Html& row(std::string_view name);
  Html& end_row() { return raw("</td></tr>\n"); }
  Output& out() { return out_; }

 private:
  Output& out_;
};

// An Output whose bytes come out escaped: for those who write plain text.
class EscapedOutput : public Output {
 public:
  explicit EscapedOutput(Output& to) : Output(buffer_, &write, &to) {}

 private:
  static Status write(void* self, std::string_view bytes) {
    add_escaped(*static_cast<Output*>(self), bytes);
    return {};
  }
  char buffer_[256];
};

}  // namespace xmc
