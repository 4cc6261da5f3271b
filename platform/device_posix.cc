#include "platform/device_posix.h"

#include <cerrno>

#include "xmc/check.h"

namespace xmc {
namespace {

Status failed(int negated_errno, const char* name, const char* what, u64 bytes, u64 offset) {
  return Status::fail_os(code_of_error(-negated_errno), -negated_errno,
                         "%s: cannot %s %llu bytes at %llu", name, what, wide(bytes), wide(offset));
}

bool direct_refused(int result) { return result == -EINVAL || result == -EOPNOTSUPP; }

}  // namespace

Result<FileBackend::Opened> PosixFiles::open(const char* path, bool create, bool want_direct) {
  const u32 flags = create ? u32{kOpenCreate} : 0;
  bool direct = want_direct;
  int fd = 0;
  do {
    fd = calls_->open(path, direct ? flags | kOpenDirect : flags);
    if (direct && direct_refused(fd)) {
      direct = false;
      fd = -EINTR;
    }
  } while (fd == -EINTR);
  if (fd < 0) return Status::fail_os(code_of_error(-fd), -fd, "cannot open %s", path);
  if (static_cast<u32>(fd) >= kFileHandles) {
    calls_->close(fd);
    return Status::fail(Code::io, "cannot open %s: more than %u descriptors are in use", path,
                        kFileHandles);
  }
  const i64 size = calls_->size(fd);
  if (size < 0) {
    calls_->close(fd);
    return Status::fail_os(Code::io, static_cast<int>(-size), "cannot look at %s", path);
  }
  direct_[fd] = direct;
  return Opened{static_cast<u32>(fd), static_cast<u64>(size), direct};
}

void PosixFiles::close(const File& file) {
  XMC_CHECK(file.handle < kFileHandles);
  // What had to be durable was synced; Linux frees the descriptor even when close fails.
  static_cast<void>(calls_->close(static_cast<int>(file.handle)));
}

bool PosixFiles::leave_direct(u32 handle) {
  if (!direct_[handle]) return false;
  direct_[handle] = false;
  return calls_->stop_direct(static_cast<int>(handle)) == 0;
}

Status PosixFiles::read_one(const File& file, const ReadRequest& request) {
  XMC_CHECK(file.handle < kFileHandles);
  const u64 bytes = request.into.size();
  i64 got = 0;
  do {
    got = read_fully(*calls_, static_cast<int>(file.handle), request.into.data(), bytes,
                     request.offset, direct_[file.handle]);
  } while (got == -EINVAL && leave_direct(file.handle));
  if (got < 0) return failed(static_cast<int>(got), file.name, "read", bytes, request.offset);
  if (static_cast<u64>(got) == bytes) return {};
  return Status::fail(Code::corrupt, "%s ended after %llu of %llu bytes at %llu", file.name,
                      wide(static_cast<u64>(got)), wide(bytes), wide(request.offset));
}

Status PosixFiles::read(const File& file, std::span<const ReadRequest> batch) {
  for (const ReadRequest& request : batch) XMC_TRY(read_one(file, request));
  return {};
}

Status PosixFiles::write(const File& file, u64 offset, std::span<const u8> blocks) {
  XMC_CHECK(file.handle < kFileHandles);
  const int fd = static_cast<int>(file.handle);
  int result = 0;
  do {
    result = write_fully(*calls_, fd, blocks.data(), blocks.size(), offset, direct_[file.handle]);
  } while (result == -EINVAL && leave_direct(file.handle));
  if (result == 0) return {};
  // Part of it may be there: give the space back, for a full disk needs it, and keep the size
  // honest.
  static_cast<void>(calls_->truncate(fd, offset));
  return failed(result, file.name, "write", blocks.size(), offset);
}

Status PosixFiles::sync(const File& file) {
  XMC_CHECK(file.handle < kFileHandles);
  const int result = sync_fully(*calls_, static_cast<int>(file.handle));
  if (result == 0) return {};
  return Status::fail_os(code_of_error(-result), -result, "%s: cannot sync", file.name);
}

Status PosixFiles::truncate(const File& file, u64 bytes) {
  XMC_CHECK(file.handle < kFileHandles);
  int result = 0;
  do result = calls_->truncate(static_cast<int>(file.handle), bytes);
  while (result == -EINTR);
  if (result == 0) return {};
  return Status::fail_os(Code::io, -result, "%s: cannot cut at %llu bytes", file.name, wide(bytes));
}

Result<bool> PosixFiles::discard(const File& file, u64 offset, u64 bytes) {
  XMC_CHECK(file.handle < kFileHandles);
  int result = 0;
  do result = calls_->punch(static_cast<int>(file.handle), offset, bytes);
  while (result == -EINTR);
  if (result == 0) return true;
  // Giving space back is a favour: vfat and others have no holes.
  if (result == -EOPNOTSUPP || result == -ENOSYS || result == -EINVAL) return false;
  return failed(result, file.name, "discard", bytes, offset);
}

}  // namespace xmc
