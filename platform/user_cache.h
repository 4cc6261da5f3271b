// Where the programs of this user keep what they can make again: $XDG_CACHE_HOME, or ~/.cache. The
// path of our folder there into `out`, which has kPathBytes bytes; the folder is made. A failure
// is no reason to stop anything.
#pragma once

#include "platform/files.h"

namespace xmc {

Status user_cache_folder(char* out);

}  // namespace xmc
