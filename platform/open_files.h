// How many files are open at once. One place for folders and for backends: a backend with fewer
// handles than a folder has devices fails in the middle of a search.
#pragma once

#include "xmc/limits.h"
#include "xmc/types.h"

namespace xmc {

// Devices that one folder has open at once, where several owners of a divided search have files of
// their own: a slot costs about 1500 bytes, which are touched when it is used. One owner keeps to
// few: more files open for writing than a card has open erase units are a mistake.
inline constexpr u32 kOpenDevices = 160;

// What a process has open beside: while states are divided anew, a file in the folder of each of
// the owners before; and its terminal, locks and output files, since the handles of POSIX are
// descriptors.
inline constexpr u32 kOpenBeside = limits::kOwners + 32;

// Handles that each backend of files has, for all folders together.
inline constexpr u32 kFileHandles = kOpenDevices + kOpenBeside;
static_assert(kFileHandles <= 1024, "more descriptors than a process may have by default");

}  // namespace xmc
