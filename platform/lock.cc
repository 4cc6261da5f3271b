#include "platform/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "platform/terminal.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {
namespace {

// Behind the number, so that the file tells who made it.
constexpr std::string_view kMaker = " xmc-lite\n";

// A holder may remove the file between our open and our lock; then we hold a lock on nothing and
// try again.
constexpr u32 kAttempts = 100;

bool same_file(int fd, const char* path) {
  struct stat opened = {};
  struct stat named = {};
  return ::fstat(fd, &opened) == 0 && ::stat(path, &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

int lock_now(int fd, int kind) {
  int result = 0;
  do result = ::flock(fd, kind | LOCK_NB);
  while (result != 0 && errno == EINTR);
  return result == 0 ? 0 : errno;
}

// The holder writes its number right after locking; a reader in between sees none: 0.
u64 number_in(int fd) {
  char digits[24] = {};
  const ssize_t got = ::pread(fd, digits, sizeof digits - 1, 0);
  u64 pid = 0;
  for (ssize_t i = 0; i < got && digits[i] >= '0' && digits[i] <= '9'; ++i) {
    pid = pid * 10 + static_cast<u64>(digits[i] - '0');
  }
  return pid;
}

Status held_by_other(int fd, const char* folder) {
  const u64 pid = number_in(fd);
  if (pid == 0) return Status::fail(Code::usage, "%s is in use: held by another process", folder);
  return Status::fail(Code::usage, "%s is in use: held by pid %llu", folder, wide(pid));
}

}  // namespace

Status FolderLock::acquire(const char* folder) {
  XMC_CHECK(!held());
  XMC_TRY(join_path(path_, folder, kName));
  for (u32 attempt = 0; attempt < kAttempts; ++attempt) {
    const int fd = ::open(path_, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return Status::fail_os(Code::io, errno, "cannot make the lock file %s", path_);
    const int error = lock_now(fd, LOCK_EX);
    if (error == 0 && same_file(fd, path_)) {
      fd_ = fd;
      FixedText<40> pid;
      pid.number(static_cast<u64>(::getpid())).add(kMaker);
      if (::ftruncate(fd, 0) == 0) static_cast<void>(write_all(fd, pid.view()));
      return {};
    }
    const Status refused = error == EWOULDBLOCK ? held_by_other(fd, folder) : Status();
    ::close(fd);
    if (!refused.ok()) return refused;
    if (error != 0) return Status::fail_os(Code::io, error, "cannot lock %s", path_);
  }
  return Status::fail(Code::usage, "%s is in use: its lock file keeps changing", folder);
}

FolderLock::Holder FolderLock::holder(const char* folder) {
  Holder out;
  char path[kPathBytes];
  if (!join_path(path, folder, kName).ok()) return out;
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return out;
  if (lock_now(fd, LOCK_SH) == EWOULDBLOCK) {
    out.running = true;
    out.pid = number_in(fd);
  }
  ::close(fd);
  return out;
}

bool FolderLock::is_ours(const char* folder) {
  char path[kPathBytes];
  if (!join_path(path, folder, kName).ok()) return false;
  u8 text[64];
  if (!is_regular_file(path)) return false;
  const Result<u64> got = read_file(path, text);
  if (!got.ok()) return false;
  // Killed between making it and writing to it. There is nothing in it that could be lost.
  if (got.value() == 0) return true;
  const std::string_view rest(reinterpret_cast<const char*>(text),
                              static_cast<std::size_t>(got.value()));
  const std::size_t digits = rest.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && piece_of(rest, digits) == kMaker;
}

void FolderLock::release() {
  if (!held()) return;
  // Unlink while still locked, so that nobody can lock the old file and believe in it.
  ::unlink(path_);
  ::close(fd_);
  fd_ = -1;
}

}  // namespace xmc
