// A piece of a model text as one short line, for people.
#pragma once

#include <string_view>

#include "xmc/text.h"

namespace xmc {

inline constexpr u32 kTextBytes = 120;  // of a transition or expression that is shown
using SqueezedText = FixedText<kTextBytes + 8>;

// Without comments and repeated blanks, cut with "...".
std::string_view squeeze(std::string_view raw, SqueezedText& out);

}  // namespace xmc
