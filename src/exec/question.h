// What a judge is to explain instead of expanding: the first erroneous step with this label, or the
// failure of this predicate.
#pragma once

#include "xmc/model.h"
#include "xmc/text.h"
#include "xmc/types.h"

namespace xmc {

struct Question {
  u32 label = kNone;
  u32 predicate = kNone;
  Text* out = nullptr;
  u32 line = 0;
  bool answered = false;
  ErrorKind kind = ErrorKind::error;  // of rules: processes have one kind
};

}  // namespace xmc
