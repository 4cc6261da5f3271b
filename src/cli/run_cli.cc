// run_cli() of a process that is alone. mpi_cli.cc has another one; which of them is linked decides
// what a program is.
#include "cli/run/session.h"
#include "xmc/native.h"

namespace xmc {

int run_cli(int argc, char** argv, const NativeModel* native) {
  return run_cli_in({}, argc, argv, native);
}

}  // namespace xmc
