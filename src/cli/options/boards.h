// The option files of boards, ports/boards/NAME/options, which are part of the program.
#pragma once

#include <string_view>

namespace xmc {

#define XMC_BOARD(id)                    \
  extern const char board_##id##_text[]; \
  extern const unsigned board_##id##_size;
XMC_BOARD(pi_zero)
XMC_BOARD(pi_3_4_5)
XMC_BOARD(beaglebone_black)
XMC_BOARD(eeepc)
XMC_BOARD(generic)
#undef XMC_BOARD

// The text of a board; empty if there is none of this name.
std::string_view board_options(std::string_view name);

}  // namespace xmc
