#include <doctest/doctest.h>
#include <signal.h>

#include "platform/signals.h"
#include "platform/terminal.h"
#include "support.h"

namespace xmc::test {
namespace signals_test {

TEST_CASE("TERM and HUP and INT ask to stop, the first one is remembered") {
  for (const int number : {SIGTERM, SIGHUP, SIGINT}) {
    const int status = status_of_child([number] {
      install_signal_handlers();
      if (stop_requested() || stop_signal() != 0) ::_exit(1);
      ::raise(number);
      if (!stop_requested() || stop_signal() != number) ::_exit(2);
      ::raise(SIGTERM);
      if (stop_signal() != number) ::_exit(3);
      clear_signal_flags();
      if (stop_requested()) ::_exit(4);
    });
    CHECK(status == 0);
  }
}

TEST_CASE("the second INT ends the process at once") {
  CHECK(status_of_child([] {
          install_signal_handlers();
          ::raise(SIGINT);
          ::raise(SIGINT);
        }) == 75);
  CHECK(status_of_child([] {
          install_signal_handlers();
          set_interrupt_exit_status(2);
          ::raise(SIGTERM);  // does not count as the first INT
          ::raise(SIGINT);
          ::raise(SIGINT);
        }) == 2);
  CHECK(status_of_child([] {
          install_signal_handlers();
          ::raise(SIGTERM);
          ::raise(SIGTERM);
          ::raise(SIGINT);
        }) == 0);
}

TEST_CASE("USR1 asks for one progress line") {
  CHECK(status_of_child([] {
          install_signal_handlers();
          if (take_progress_request()) ::_exit(1);
          ::raise(SIGUSR1);
          ::raise(SIGUSR1);
          if (!take_progress_request()) ::_exit(2);
          if (take_progress_request()) ::_exit(3);
          if (stop_requested()) ::_exit(4);
        }) == 0);
}

TEST_CASE("nohup stays nohup") {
  CHECK(status_of_child([] {
          ::signal(SIGHUP, SIG_IGN);
          install_signal_handlers();
          ::raise(SIGHUP);
          if (stop_requested()) ::_exit(1);
        }) == 0);
}

TEST_CASE("a closed pipe is an error of the write, not the end") {
  CHECK(status_of_child([] {
          ignore_broken_pipes();
          int ends[2];
          if (::pipe(ends) != 0) ::_exit(1);
          ::close(ends[0]);
          if (write_all(ends[1], "text")) ::_exit(2);
        }) == 0);
}

}  // namespace signals_test
}  // namespace xmc::test
