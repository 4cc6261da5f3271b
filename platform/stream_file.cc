// Reading from pipes and devices. A signal or a limit of time has to end the wait for a writer that
// never comes, so that every wait here is a short one and asks whether to go on.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "platform/files.h"

namespace xmc {

namespace {

constexpr int kAskMilliseconds = 100;

}  // namespace

bool is_stream(const char* path) {
  struct stat info = {};
  return ::stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

bool is_pipe(const char* path) {
  struct stat info = {};
  return ::stat(path, &info) == 0 && S_ISFIFO(info.st_mode);
}

StreamFile::~StreamFile() {
  if (fd_ >= 0) ::close(fd_);
}

// Opening a pipe in the ordinary way waits for a writer, and no handler of ours ends that.
Status StreamFile::open(const char* path) {
  path_ = path;
  fd_ = ::open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  return fd_ >= 0 ? Status() : Status::fail_os(Code::io, errno, "cannot open %s", path);
}

Result<u64> StreamFile::read(std::span<u8> into, const GoOn& go_on) {
  while (true) {
    // A pipe that had no writer yet is not at its end; poll tells the difference, read does not.
    struct pollfd wait = {fd_, POLLIN, 0};
    const int ready = ::poll(&wait, 1, kAskMilliseconds);
    if (ready > 0) {
      const ssize_t got = ::read(fd_, into.data(), into.size());
      if (got >= 0) return static_cast<u64>(got);
      if (errno != EINTR && errno != EAGAIN)
        return Status::fail_os(Code::io, errno, "cannot read %s", path_);
    }
    if (const Status status = go_on(); !status.ok()) return status;
  }
}

}  // namespace xmc
