// A number that no other call gives, on this machine or another: what tells one run's files from
// those of all others. It has no other use; nothing that is computed depends on it.
#pragma once

#include "xmc/types.h"

namespace xmc {

u64 unique_number();

}  // namespace xmc
