// LocalTime: how far the clock on the wall is from UTC, by TZ or /etc/localtime.
//
// The C library knows, too, but its way to the files of time zones brings 150 KiB of code into a
// static image, and allocates. This reads what is in such a file (RFC 8536) and nothing else: the
// offsets of its list, and behind the end of that the rule of its last line.
#pragma once

#include <span>
#include <string_view>

#include "xmc/types.h"

namespace xmc {

// Seconds to add to UTC at a time in seconds since 1970. 0 where nothing is known.
i64 utc_offset(i64 when);

// The same by the contents of a file of a time zone, and by a rule as "CET-1CEST,M3.5.0,M10.5.0/3".
// False: they cannot be understood.
bool offset_by_file(std::span<const u8> file, i64 when, i64& offset);
bool offset_by_rule(std::string_view rule, i64 when, i64& offset);

}  // namespace xmc
