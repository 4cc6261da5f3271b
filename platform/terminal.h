// Where text goes: standard streams and terminals.
#pragma once

#include <string_view>

#include "xmc/types.h"

namespace xmc {

inline constexpr int kStandardOutput = 1;
inline constexpr int kStandardError = 2;

// Writes everything; short writes and EINTR are retried. False when the stream is gone (closed
// pipe, full disk): messages have nowhere else to go, so most callers do not look.
bool write_all(int fd, std::string_view text);

bool is_terminal(int fd);

// Columns: of the terminal, else of COLUMNS, else 80.
u32 terminal_width(int fd);

// A terminal, NO_COLOR unset or empty (no-color.org), and TERM neither missing nor "dumb".
bool colour_allowed(int fd);

}  // namespace xmc
