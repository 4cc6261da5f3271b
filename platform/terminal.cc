#include "platform/terminal.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace xmc {
namespace {

constexpr u32 kDefaultColumns = 80;
constexpr u32 kMostColumns = 10'000;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

u32 columns_of(std::string_view digits) {
  u32 columns = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9' || columns > kMostColumns) return 0;
    columns = columns * 10 + static_cast<u32>(c - '0');
  }
  return columns > kMostColumns ? 0 : columns;
}

}  // namespace

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(fd, text.data(), text.size());
    if (put >= 0) {
      text.remove_prefix(static_cast<std::size_t>(put));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
    // Somebody made the shared terminal non-blocking: wait for room.
    struct pollfd room = {fd, POLLOUT, 0};
    if (::poll(&room, 1, -1) < 0 && errno != EINTR) return false;
  }
  return true;
}

bool is_terminal(int fd) { return ::isatty(fd) == 1; }

u32 terminal_width(int fd) {
  struct winsize size = {};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const u32 columns = columns_of(environment("COLUMNS"));
  return columns > 0 ? columns : kDefaultColumns;
}

bool colour_allowed(int fd) {
  if (!is_terminal(fd)) return false;
  if (!environment("NO_COLOR").empty()) return false;
  const std::string_view term = environment("TERM");
  return !term.empty() && term != "dumb";
}

}  // namespace xmc
