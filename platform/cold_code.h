// The part of the image that makes programs of texts (front ends, lowering, formulas, the
// emitter), and commands other than check. While a check searches, nothing of it is called, and
// --ram can have its memory. And of front ends only that of the model's language is ever called.
//
// The linker keeps it together (cold_code.ld). Where it did not, there are 0 bytes of it.
#pragma once

#include <span>
#include <string_view>

#include "xmc/types.h"

namespace xmc {

// Whole pages: functions, then constants, then the commands.
std::span<u8> cold_code();
// Those of functions.
std::span<u8> cold_functions();
// Those of functions for one language; empty where they are not apart from others.
std::span<u8> code_of_language(std::string_view name);
// The commands, and what they alone have.
std::span<u8> code_of_commands();
// What tells of frames when something is thrown, which nothing does.
std::span<u8> unwind_tables();

// The pages are never brought into memory together with others beside them.
void keep_apart(std::span<u8> pages);

// Takes all of it out of memory. What is used of it all the same comes back, page by page: names
// that -v prints of the pieces of the arena are among the constants.
void drop_cold_code();

}  // namespace xmc
