// Actions of a Murphi text, and what it says where they can fail.
#pragma once

#include "front/murphi/ast.h"
#include "front/source.h"
#include "lower/body_code.h"

namespace xmc::murphi_lower {

using xmc::Label;

class Code : public BodyCode {
 public:
  Code(const Source& source, Arena& arena, NameStore& names)
      : BodyCode(arena, names), source_(source) {}

  // The actions behind this one that can fail are about this piece of the text.
  u16 note(murphi::Span place, std::string_view text = {});

 private:
  const Source& source_;
};

}  // namespace xmc::murphi_lower
