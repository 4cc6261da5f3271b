// The whole tool in a simulated night: its clock is virtual, its files are on a simulated card
// whose power may fail and which may be full. Built by the tests' CMakeLists.txt, run by night.py.
//
//   night_bench CARD CPU_FACTOR CUT_S FULL_MIB ARGUMENTS...
//
// CARD: a profile of platform/card_profiles.h. CPU_FACTOR: how much slower the CPU of the board is.
// CUT_S: the power fails after that many virtual seconds, 0: never. What was not synced by then is
// lost; the exit status is 137. FULL_MIB: the card takes that many MiB from this process and is
// full then, 0: it never is. ARGUMENTS: those of xmc-lite.
//
// Time is CPU time times the factor, plus what the card would have taken (platform/clock.h).
// Limits, checkpoints, progress and the result follow that clock. The data is in real files, so
// that the next process goes on from what the card has.
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "cli/run/session.h"
#include "platform/clock.h"
#include "platform/device_fault.h"
#include "platform/device_sim.h"

namespace xmc {
namespace {

constexpr std::size_t kJournalBytes = std::size_t{256} << 20;
constexpr int kNoPower = 137;

Clock* g_clock = nullptr;
const CardProfile* g_card = nullptr;
u64 g_cut_ns = 0;
FaultPlan g_plan;

// What is not synced is in the journal of the FaultFolder, in memory, and goes with the process.
void look_at_power(int) {
  if (g_clock->now_ns() >= g_cut_ns) ::_exit(kNoPower);
}

void watch_power() {
  struct sigaction action = {};
  action.sa_handler = &look_at_power;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGALRM, &action, nullptr);
  const itimerval every = {{0, 5000}, {0, 5000}};
  ::setitimer(ITIMER_REAL, &every, nullptr);
}

FolderBase* card_in_front_of(FolderBase& files) {
  static std::unique_ptr<u8[]> journal(new u8[kJournalBytes]);
  static FaultFolder fault(files, {journal.get(), kJournalBytes});
  static SimFolder card(fault, *g_card, *g_clock);
  fault.arm(g_plan);
  return &card;
}

int night(int argc, char** argv) {
  g_card = find_card_profile(argv[1]);
  const double factor = std::atof(argv[2]);
  if (g_card == nullptr || factor <= 0) {
    std::fprintf(stderr, "night_bench: no card %s, or no factor %s\n", argv[1], argv[2]);
    return 64;
  }
  static Clock clock(Clock::Kind::virtual_time, static_cast<u32>(factor * 1000));
  g_clock = &clock;
  follow_clock(&clock);
  g_cut_ns = static_cast<u64>(std::atof(argv[3]) * 1e9);
  if (const double full = std::atof(argv[4]); full > 0) {
    g_plan.full_after_bytes = static_cast<u64>(full * (1 << 20));
  }
  if (g_cut_ns != 0) watch_power();
  return run_cli_in({&card_in_front_of}, argc - 4, argv + 4, nullptr);
}

}  // namespace
}  // namespace xmc

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "night_bench CARD CPU_FACTOR CUT_S FULL_MIB ARGUMENTS...\n");
    return 64;
  }
  return xmc::night(argc, argv);
}
