// Characters of texts that come from outside: which bytes are UTF-8, and which of those may be
// shown.
#pragma once

#include <string_view>

#include "xmc/types.h"

namespace xmc {

// U+FFFD, which stands for what is no character.
inline constexpr std::string_view kNoCharacter = "\xef\xbf\xbd";

// Length of the UTF-8 sequence at the front of `text`, or 0 if there is none (RFC 3629: no overlong
// forms, no surrogates, nothing above U+10FFFF).
u32 utf8_length(std::string_view text);

// The same, and 0 for what a terminal may obey: control characters but line breaks and tabs.
u32 shown_length(std::string_view text);

// The same, and 0 for what XML 1.0 has no place for, either.
u32 xml_length(std::string_view text);

// Bytes at the end that begin a character which is not complete.
u32 unfinished_bytes(std::string_view text);

}  // namespace xmc
