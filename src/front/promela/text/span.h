// A byte range of the texts of a model. The text that is checked begins at 0; each text that it
// includes has the bytes behind those before it.
#pragma once

#include "xmc/types.h"

namespace xmc::promela {

struct Span {
  u32 begin = 0;
  u32 end = 0;
};

// From the first to the last; `b` may be the place of a macro's use in front of `a`.
inline Span join(Span a, Span b) { return {a.begin, b.end > a.begin ? b.end : a.end}; }

}  // namespace xmc::promela
