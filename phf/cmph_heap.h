// What CMPH gets instead of a heap: a region of the caller's, for the time of one call.
//
// The build renames the calls that CMPH's archive makes (CMakeLists.txt): malloc is xmc_cmph_malloc
// there, and so on. Nothing else of the program is touched, and CMPH reaches neither the process's
// heap nor its rand() and exit(). Not thread-safe: one call at a time.
#pragma once

#include <span>

#include "xmc/types.h"

namespace xmc::phf {

// Calls `body(context)` with the region as CMPH's heap and `seed` for its random numbers. False if
// CMPH ran out of memory, or gave up by assert() or exit(): it was left in the middle then, and all
// that it had is gone.
bool with_cmph_heap(std::span<u8> region, u32 seed, void (*body)(void*), void* context);
// The most that any call ever took of its region.
u64 cmph_heap_peak();

}  // namespace xmc::phf
