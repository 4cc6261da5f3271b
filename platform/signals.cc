#include "platform/signals.h"

#include <signal.h>
#include <unistd.h>

namespace xmc {
namespace {

volatile sig_atomic_t g_stop_signal = 0;
volatile sig_atomic_t g_progress = 0;
volatile sig_atomic_t g_interrupts = 0;
volatile sig_atomic_t g_interrupt_exit_status = 75;

extern "C" void xmc_on_signal(int number) {
  if (number == SIGUSR1) {
    g_progress = 1;
    return;
  }
  if (number == SIGINT) {
    if (g_interrupts != 0) ::_exit(g_interrupt_exit_status);
    g_interrupts = 1;
  }
  if (g_stop_signal == 0) g_stop_signal = number;
}

void handle(int number, bool keep_ignored) {
  struct sigaction action = {};
  if (keep_ignored && ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
    return;
  action = {};
  action.sa_handler = &xmc_on_signal;
  // System calls go on where they can; the device layer retries EINTR where they cannot.
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  static_cast<void>(::sigaction(number, &action, nullptr));
}

}  // namespace

void install_signal_handlers() {
  handle(SIGTERM, false);
  handle(SIGUSR1, false);
  handle(SIGINT, true);
  handle(SIGHUP, true);
}

void ignore_broken_pipes() {
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  ::sigemptyset(&ignore.sa_mask);
  static_cast<void>(::sigaction(SIGPIPE, &ignore, nullptr));
}

void set_interrupt_exit_status(int status) { g_interrupt_exit_status = status; }

bool stop_requested() { return g_stop_signal != 0; }

void request_stop(int signal) {
  if (g_stop_signal == 0) g_stop_signal = signal;
}

int stop_signal() { return g_stop_signal; }

bool take_progress_request() {
  if (g_progress == 0) return false;
  g_progress = 0;
  return true;
}

void clear_signal_flags() {
  g_stop_signal = 0;
  g_progress = 0;
  g_interrupts = 0;
}

}  // namespace xmc
