#include "cli/options/boards.h"

namespace xmc {

std::string_view board_options(std::string_view name) {
  if (name == "pi-zero") return {board_pi_zero_text, board_pi_zero_size};
  if (name == "pi-3-4-5") return {board_pi_3_4_5_text, board_pi_3_4_5_size};
  if (name == "beaglebone-black") return {board_beaglebone_black_text, board_beaglebone_black_size};
  if (name == "eeepc") return {board_eeepc_text, board_eeepc_size};
  if (name == "generic") return {board_generic_text, board_generic_size};
  return {};
}

}  // namespace xmc
