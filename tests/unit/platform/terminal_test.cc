#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/ioctl.h>

#include <string>

#include "platform/terminal.h"
#include "support.h"

namespace xmc::test {
namespace terminal_test {
namespace {

// A terminal of our own: the slave end of a pseudo terminal.
struct PseudoTerminal {
  PseudoTerminal() : master(::posix_openpt(O_RDWR | O_NOCTTY)) {
    if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) return;
    slave = ::open(::ptsname(master), O_RDWR | O_NOCTTY);
  }
  ~PseudoTerminal() {
    if (slave >= 0) ::close(slave);
    if (master >= 0) ::close(master);
  }
  int master = -1;
  int slave = -1;
};

}  // namespace

TEST_CASE("everything is written, through a pipe that is shorter than the text") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const std::string text(300'000, 'x');
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
    ::_exit(write_all(ends[1], text) ? 0 : 1);
  }
  ::close(ends[1]);
  std::size_t total = 0;
  char buffer[1000];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    total += static_cast<std::size_t>(got);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(total == text.size());
  CHECK(status == 0);
  CHECK(!write_all(-1, "nowhere"));
  CHECK(write_all(-1, ""));
}

TEST_CASE("a terminal has a width and may have colours") {
  PseudoTerminal terminal;
  if (terminal.slave < 0) {
    MESSAGE("no pseudo terminal here");
    return;
  }
  CHECK(is_terminal(terminal.slave));
  struct winsize size = {};
  size.ws_col = 132;
  REQUIRE(::ioctl(terminal.slave, TIOCSWINSZ, &size) == 0);
  CHECK(terminal_width(terminal.slave) == 132);

  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "xterm", 1);
  CHECK(colour_allowed(terminal.slave));
  ::setenv("TERM", "dumb", 1);
  CHECK(!colour_allowed(terminal.slave));
  ::unsetenv("TERM");
  CHECK(!colour_allowed(terminal.slave));
  ::setenv("TERM", "xterm", 1);
  ::setenv("NO_COLOR", "1", 1);
  CHECK(!colour_allowed(terminal.slave));
  ::setenv("NO_COLOR", "", 1);
  CHECK(colour_allowed(terminal.slave));
  ::unsetenv("NO_COLOR");
}

TEST_CASE("a file is no terminal") {
  const int fd = ::open("/dev/null", O_WRONLY);
  REQUIRE(fd >= 0);
  CHECK(!is_terminal(fd));
  CHECK(!colour_allowed(fd));
  ::setenv("COLUMNS", "60", 1);
  CHECK(terminal_width(fd) == 60);
  ::setenv("COLUMNS", "sixty", 1);
  CHECK(terminal_width(fd) == 80);
  ::unsetenv("COLUMNS");
  CHECK(terminal_width(fd) == 80);
  ::close(fd);
}

}  // namespace terminal_test
}  // namespace xmc::test
