#include "platform/file_calls.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "xmc/bytes.h"

namespace xmc {
namespace {

// A call that moves nothing and names no error is tried again this often before it counts as EIO.
constexpr u32 kIdleCalls = 8;
// One call moves at most this much: the kernel stops short of 2 GiB, and a 32-bit ssize_t ends
// there.
constexpr u64 kCallBytes = u64{1} << 30;

int or_errno(int result) { return result < 0 ? -errno : result; }

int call_open(const char* path, u32 flags) {
  int how = O_RDWR | O_CLOEXEC;
  if ((flags & kOpenCreate) != 0) how |= O_CREAT | O_TRUNC;
#ifdef O_DIRECT
  if ((flags & kOpenDirect) != 0) how |= O_DIRECT;
#else
  if ((flags & kOpenDirect) != 0) return -EINVAL;
#endif
  return or_errno(::open(path, how, 0666));
}

int call_close(int fd) { return or_errno(::close(fd)); }

i64 call_size(int fd) {
  struct stat info = {};
  return ::fstat(fd, &info) == 0 ? static_cast<i64>(info.st_size) : -errno;
}

i64 call_read(int fd, u8* into, u64 bytes, u64 offset) {
  const ssize_t got =
      ::pread(fd, into, static_cast<std::size_t>(bytes), static_cast<off_t>(offset));
  return got < 0 ? -errno : static_cast<i64>(got);
}

i64 call_write(int fd, const u8* from, u64 bytes, u64 offset) {
  const ssize_t put =
      ::pwrite(fd, from, static_cast<std::size_t>(bytes), static_cast<off_t>(offset));
  return put < 0 ? -errno : static_cast<i64>(put);
}

int call_sync(int fd) { return or_errno(::fdatasync(fd)); }

int call_truncate(int fd, u64 bytes) {
  return or_errno(::ftruncate(fd, static_cast<off_t>(bytes)));
}

int call_punch(int fd, u64 offset, u64 bytes) {
#ifdef FALLOC_FL_PUNCH_HOLE
  return or_errno(::fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                              static_cast<off_t>(offset), static_cast<off_t>(bytes)));
#else
  static_cast<void>(fd + static_cast<int>(offset + bytes));
  return -EOPNOTSUPP;
#endif
}

int call_allocate(int fd, u64 bytes) {
#ifdef FALLOC_FL_KEEP_SIZE
  return or_errno(::fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)));
#else
  static_cast<void>(fd + static_cast<int>(bytes));
  return -EOPNOTSUPP;
#endif
}

int call_stop_direct(int fd) {
#ifdef O_DIRECT
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0) return -errno;
  return or_errno(::fcntl(fd, F_SETFL, flags & ~O_DIRECT));
#else
  return fd >= 0 ? 0 : -EBADF;
#endif
}

static_assert(sizeof(off_t) == 8, "files beyond 2 GiB need -D_FILE_OFFSET_BITS=64");

}  // namespace

const FileCalls kSystemCalls = {call_open,        call_close,   call_size,     call_read,
                                call_write,       call_sync,    call_truncate, call_punch,
                                call_stop_direct, call_allocate};

int write_fully(const FileCalls& calls, int fd, const u8* from, u64 bytes, u64 offset,
                bool direct) {
  u64 done = 0;
  for (u32 idle = 0; done < bytes;) {
    const u64 left = bytes - done;
    const i64 put =
        calls.write(fd, from + done, left < kCallBytes ? left : kCallBytes, offset + done);
    if (put == -EINTR) continue;
    if (put < 0) return static_cast<int>(put);
    const u64 moved =
        direct ? round_down(static_cast<u64>(put), kPageBytes) : static_cast<u64>(put);
    XMC_CHECK(moved <= left);
    done += moved;
    idle = moved > 0 ? 0 : idle + 1;
    if (idle == kIdleCalls) return -EIO;
  }
  return 0;
}

i64 read_fully(const FileCalls& calls, int fd, u8* into, u64 bytes, u64 offset, bool direct) {
  u64 done = 0;
  for (u32 idle = 0; done < bytes;) {
    const u64 left = bytes - done;
    const i64 got =
        calls.read(fd, into + done, left < kCallBytes ? left : kCallBytes, offset + done);
    if (got == -EINTR) continue;
    if (got < 0) return got;
    if (got == 0) break;
    const u64 moved =
        direct ? round_down(static_cast<u64>(got), kPageBytes) : static_cast<u64>(got);
    XMC_CHECK(moved <= left);
    done += moved;
    idle = moved > 0 ? 0 : idle + 1;
    if (idle == kIdleCalls) return -EIO;
  }
  return static_cast<i64>(done);
}

int sync_fully(const FileCalls& calls, int fd) {
  int result = 0;
  do result = calls.sync(fd);
  while (result == -EINTR);
  return result;
}

Code code_of_error(int os_error) {
  return os_error == ENOSPC || os_error == EDQUOT ? Code::disk_full : Code::io;
}

}  // namespace xmc
