// Owners that are threads, and owners on a simulated network, keep to the contract of Peers.
#include "peers_conformance.h"
#include "peers_rigs.h"

namespace xmc::test {
namespace peers_test {
namespace {

TEST_CASE_TEMPLATE("peers: everything arrives, in order, and level by level", Owners, ThreadOwners,
                   SimulatedOwners) {
  check_everything_arrives<Owners>();
}

TEST_CASE_TEMPLATE("peers: values of all", Owners, ThreadOwners, SimulatedOwners) {
  check_gather<Owners>();
}

TEST_CASE_TEMPLATE("peers: a stop ends every wait, and the first reason counts", Owners,
                   ThreadOwners, SimulatedOwners) {
  check_stop<Owners>();
}

TEST_CASE_TEMPLATE("peers: after a stop nobody waits for anybody", Owners, ThreadOwners,
                   SimulatedOwners) {
  check_stop_ends_waiting<Owners>();
}

}  // namespace

}  // namespace peers_test
}  // namespace xmc::test
