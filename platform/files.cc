#include "platform/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdio>  // rename

#include "xmc/bytes.h"
#include "xmc/hash.h"
#include "xmc/text.h"

namespace xmc {
namespace {

// read(2) up to the end of the buffer or the file. -1 with errno on failure.
i64 read_fully(int fd, std::span<u8> into) {
  std::size_t filled = 0;
  while (filled < into.size()) {
    const ssize_t got = ::read(fd, into.data() + filled, into.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return static_cast<i64>(filled);
}

// The error number, or 0.
int sync_and_close(int fd) {
  int result = 0;
  do result = ::fsync(fd);
  while (result != 0 && errno == EINTR);
  const int error = result == 0 ? 0 : errno;
  ::close(fd);
  return error;
}

// The kernel's own record of getdents64: opendir would allocate.
constexpr u32 kEntryLengthAt = 16;
constexpr u32 kEntryNameAt = 19;

struct FileSystem {
  u32 magic;
  const char* name;
};
constexpr FileSystem kFileSystems[] = {
    {0xEF53, "ext4"},         {0x01021994, "tmpfs"}, {0x4D44, "vfat"},
    {0x2011BAB0, "exfat"},    {0x6969, "nfs"},       {0x58465342, "xfs"},
    {0x9123683E, "btrfs"},    {0xF2F52010, "f2fs"},  {0x794C7630, "overlay"},
    {0x858458F6, "ramfs"},    {0x5346544E, "ntfs"},  {0x65735546, "fuse"},
    {0xFF534D42, "cifs"},     {0xFE534D42, "smb2"},  {0x517B, "smb"},
    {0x24051905, "ubifs"},    {0x72B6, "jffs2"},     {0x2FC12FC1, "zfs"},
    {0x73717368, "squashfs"}, {0x01021997, "9p"},    {0xF15F, "ecryptfs"},
    {0x137F, "minix"},        {0x3153464A, "jfs"},   {0x52654973, "reiserfs"},
    {0xCA451A4E, "bcachefs"},
};

}  // namespace

Status join_path(char* out, const char* folder, const char* name) {
  Text path(out, kPathBytes);
  path.add(folder);
  if (path.size() > 0 && path.view().back() != '/') path.add('/');
  path.add(name);
  if (path.cut())
    return Status::fail(Code::usage, "path is longer than %u bytes: %.64s...", kPathBytes - 1, out);
  return {};
}

bool file_exists(const char* path) {
  struct stat info = {};
  return ::lstat(path, &info) == 0;
}

bool folder_exists(const char* path) {
  struct stat info = {};
  return ::stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool is_regular_file(const char* path) {
  struct stat info = {};
  return ::lstat(path, &info) == 0 && S_ISREG(info.st_mode);
}

Result<u64> file_bytes(const char* path) {
  struct stat info = {};
  if (::stat(path, &info) != 0) return Status::fail_os(Code::io, errno, "cannot look at %s", path);
  return static_cast<u64>(info.st_size);
}

Result<u64> changed_seconds(const char* path) {
  struct stat info = {};
  if (::stat(path, &info) != 0) return Status::fail_os(Code::io, errno, "cannot look at %s", path);
  return info.st_mtime > 0 ? static_cast<u64>(info.st_mtime) : u64{0};
}

Result<u64> stored_bytes(const char* path) {
  struct stat info = {};
  if (::stat(path, &info) != 0) return Status::fail_os(Code::io, errno, "cannot look at %s", path);
  return static_cast<u64>(info.st_blocks) * 512;  // POSIX: always in units of 512
}

Result<u64> read_file(const char* path, std::span<u8> into) {
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Status::fail_os(Code::io, errno, "cannot open %s", path);
  const i64 got = read_fully(fd, into);
  const int error = errno;
  // A pipe has no size: what is left is found out by asking for one byte more.
  u8 extra = 0;
  const bool more = got >= 0 && read_fully(fd, {&extra, 1}) > 0;
  struct stat info = {};
  const u64 size = ::fstat(fd, &info) == 0 ? static_cast<u64>(info.st_size) : 0;
  ::close(fd);
  if (got < 0) return Status::fail_os(Code::io, error, "cannot read %s", path);
  if (more) {
    return Status::fail(Code::budget, "%s has %llu bytes, room is for %llu", path, wide(size),
                        wide(into.size()));
  }
  return static_cast<u64>(got);
}

Result<u64> read_beginning(const char* path, std::span<u8> into) {
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Status::fail_os(Code::io, errno, "cannot open %s", path);
  const i64 got = read_fully(fd, into);
  const int error = errno;
  ::close(fd);
  if (got < 0) return Status::fail_os(Code::io, error, "cannot read %s", path);
  return static_cast<u64>(got);
}

Status can_make_files_in(const char* folder) {
  if (::faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0) return {};
  return Status::fail_os(Code::io, errno, "cannot make files in %s", folder);
}

Status make_folder(const char* path) {
  if (::mkdir(path, 0777) == 0) return {};
  const int error = errno;
  if (error == EEXIST && folder_exists(path)) return {};
  return Status::fail_os(Code::io, error, "cannot make the folder %s", path);
}

Status remove_file(const char* path) {
  if (::unlink(path) == 0 || errno == ENOENT) return {};
  return Status::fail_os(Code::io, errno, "cannot remove %s", path);
}

Status remove_folder(const char* path) {
  if (::rmdir(path) == 0 || errno == ENOENT) return {};
  return Status::fail_os(Code::io, errno, "cannot remove the folder %s", path);
}

Status rename_file(const char* from, const char* to) {
  if (::rename(from, to) == 0) return {};
  return Status::fail_os(Code::io, errno, "cannot rename %s to %s", from, to);
}

Status sync_file(const char* path) {
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Status::fail_os(Code::io, errno, "cannot open %s", path);
  const int error = sync_and_close(fd);
  return error == 0 ? Status() : Status::fail_os(Code::io, error, "cannot sync %s", path);
}

Status sync_folder(const char* path) {
  const int fd = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return Status::fail_os(Code::io, errno, "cannot open the folder %s", path);
  const int error = sync_and_close(fd);
  // Some file systems have nothing to sync in a folder and say EINVAL.
  if (error == 0 || error == EINVAL) return {};
  return Status::fail_os(Code::io, error, "cannot sync the folder %s", path);
}

Status list_folder(const char* path, VisitEntry visit, void* self) {
  const int fd = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return Status::fail_os(Code::io, errno, "cannot open the folder %s", path);
  alignas(8) u8 buffer[4096];
  bool go_on = true;
  long got = 0;
  while (go_on && (got = ::syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0) {
    for (long at = 0; go_on && at < got;) {
      const u8* entry = buffer + at;
      const char* name = reinterpret_cast<const char*>(entry + kEntryNameAt);
      const std::string_view text(name);
      if (text != "." && text != "..") go_on = visit(self, name);
      u16 length = 0;
      copy(std::as_writable_bytes(std::span(&length, 1)),
           std::as_bytes(std::span(entry + kEntryLengthAt, 2)));
      at += length;
    }
  }
  const int error = errno;
  ::close(fd);
  if (got < 0) return Status::fail_os(Code::io, error, "cannot list the folder %s", path);
  return {};
}

Result<u64> free_space(const char* path) {
  struct statvfs info = {};
  if (::statvfs(path, &info) != 0)
    return Status::fail_os(Code::io, errno, "cannot ask for free space at %s", path);
  return u64{info.f_bavail} * u64{info.f_frsize};
}

const char* file_system_name(const char* path) {
  struct statfs info = {};
  if (::statfs(path, &info) != 0) return "unknown";
  const u32 magic = static_cast<u32>(info.f_type);
  for (const FileSystem& known : kFileSystems) {
    if (known.magic == magic) return known.name;
  }
  return "unknown";
}

// Neither is enough: file systems without an id of their own give the number of their device, which
// the next card in the same reader has, too.
Result<u64> file_system_id(const char* path) {
  struct statfs info = {};
  struct stat place = {};
  if (::statfs(path, &info) != 0 || ::stat(path, &place) != 0)
    return Status::fail_os(Code::io, errno, "cannot look at %.200s", path);
  u8 key[32];
  store_le<u64>(key, std::bit_cast<u64>(info.f_fsid));
  store_le<u64>(key + 8, place.st_dev);
  store_le<u64>(key + 16, static_cast<u64>(info.f_type));
  store_le<u64>(key + 24, static_cast<u64>(info.f_blocks) * static_cast<u64>(info.f_bsize));
  return hash_bytes(key);
}

}  // namespace xmc
