// The whole tool behind one call. Checkers built from a model hand their compiled code in;
// everything else is the same.
#pragma once

#include "xmc/native.h"

namespace xmc {

int run_cli(int argc, char** argv, const NativeModel* native);

}  // namespace xmc
