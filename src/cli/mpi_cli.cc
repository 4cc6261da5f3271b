// run_cli() of a process that shares its search with the others of an MPI job. MPI begins before
// anything else: the memory that it holds is known when --ram is planned with.
#include "cli/run/session.h"
#include "platform/mpi_peers.h"
#include "platform/terminal.h"
#include "report/verdict.h"
#include "xmc/native.h"
#include "xmc/text.h"

namespace xmc {

int run_cli(int argc, char** argv, const NativeModel* native) {
  Result<ProcessPeers*> peers = begin_mpi(argc, argv);
  if (!peers.ok()) {
    FixedText<limits::kMessageBytes + 32> text;
    text.add("xmc-lite: error: ").add(peers.status().message()).add('\n');
    static_cast<void>(write_all(kStandardError, text.view()));
    return static_cast<int>(decide_failure(peers.status(), false).exit);
  }
  Surroundings surroundings;
  surroundings.peers = peers.value();
  return peers.value()->end(run_cli_in(surroundings, argc, argv, native));
}

}  // namespace xmc
