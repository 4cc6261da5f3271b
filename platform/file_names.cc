// What the name of a file leads to: its identity, links, paths that are joined. It asks the system
// without opening anything, and takes nothing from the heap.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "platform/files.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// As many as the kernel follows.
constexpr u32 kLinks = 40;

Status too_long(const char* path) {
  return Status::fail(Code::usage, "path is longer than %u bytes: %.64s...", kPathBytes - 1, path);
}

}  // namespace

FileIdentity identity_of(const char* path) {
  FileIdentity identity;
  struct stat info = {};
  if (::stat(path, &info) != 0) return identity;
  identity.exists = true;
  identity.regular = S_ISREG(info.st_mode);
  identity.folder = S_ISDIR(info.st_mode);
  identity.device = static_cast<u64>(info.st_dev);
  identity.inode = static_cast<u64>(info.st_ino);
  return identity;
}

// realpath(3) may allocate, and wants the end of the chain to exist.
Status follow_links(const char* path, char* out) {
  Text name(out, kPathBytes);
  name.add(path);
  for (u32 i = 0; i < kLinks; ++i) {
    if (name.cut()) return too_long(path);
    char link[kPathBytes];
    const ssize_t length = ::readlink(out, link, sizeof link);
    if (length < 0) return {};  // not there, or no link
    const std::string_view to(link, static_cast<std::size_t>(length));
    const std::size_t slash = name.view().rfind('/');
    FixedText<kPathBytes> next;
    if (!to.starts_with('/') && slash != std::string_view::npos)
      next.add(piece_of(name.view(), 0, slash + 1));
    next.add(to);
    if (next.cut()) return too_long(path);
    name.clear();
    name.add(next.view());
  }
  return Status::fail_os(Code::io, ELOOP, "cannot follow %s", path);
}

Status absolute_path(const char* path, char* out) {
  if (path[0] == '/') {
    Text name(out, kPathBytes);
    name.add(path);
    return name.cut() ? too_long(path) : Status();
  }
  char folder[kPathBytes];
  if (::getcwd(folder, sizeof folder) == nullptr)
    return Status::fail_os(Code::io, errno, "cannot tell the current folder for %s", path);
  return join_path(out, folder, path);
}

}  // namespace xmc
