// Owners that are the processes of an MPI job, which mpiexec starts. The one thread that searches
// is the one that calls MPI.
//
// Memory. Blocks are sent from and received into buffers that are given: four to send and two to
// receive, for each other process. Sends are synchronous (MPI_Issend), so one counts as under way
// until its receive has begun: what the library may have to keep by itself is bounded by these
// buffers. What MPI takes for itself is no part of it (ports/rack/README.md).
//
// Blocks have a communicator of their own, in which receives are always posted. Stops, values and
// farewells have another one. gather() goes through process 0, by single messages, so that a stop
// can end it: a collective of MPI that somebody does not come to never ends. MPI cannot wait for a
// message or a signal, so wait() asks for a while and then sleeps in growing steps of up to a
// millisecond.
//
// A signal that asks one process to stop is passed on to process 0, which stops all where the
// search leaves a checkpoint. An error of MPI is a stop; the job is then aborted at its end,
// because nobody can be sure to hear a farewell.
#pragma once

#include "platform/process_peers.h"

namespace xmc {

// Calls MPI_Init: before anything else, because it may take arguments away. Code::io when there are
// more processes than owners can be.
Result<ProcessPeers*> begin_mpi(int& argc, char**& argv);

}  // namespace xmc
