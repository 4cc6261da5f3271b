// Numbers as people write them on a command line. Every function refuses what it does not fully
// understand and says why; `what` is the option's name for the message.
#pragma once

#include <string_view>

#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

// Of a text in a message: cut, so that the message stays readable.
inline int shown(std::string_view text) {
  return static_cast<int>(text.size() < 60 ? text.size() : 60);
}

Result<u64> parse_count(std::string_view what, std::string_view text);    // digits only
Result<u64> parse_decimal(std::string_view what, std::string_view text);  // 2.5: thousandths
Result<u64> parse_size(std::string_view what,
                       std::string_view text);  // 33554432, 512K, 32M, 4G, 1T, 32MiB: bytes
Result<u64> parse_duration(std::string_view what,
                           std::string_view text);  // 90s, 30m, 8h, 2d: seconds
Result<u64> parse_clock(std::string_view what,
                        std::string_view text);  // 07:00, 7:00: minutes since midnight

// Edit distance with swapped neighbours as one edit; `limit` + 1 stands for anything larger.
u32 edit_distance(std::string_view a, std::string_view b, u32 limit);

}  // namespace xmc
