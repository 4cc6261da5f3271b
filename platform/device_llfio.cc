// The LLFIO backend (ned14/llfio): the POSIX backend with LLFIO's handles in the place of
// descriptors, so that retries, short transfers and refused direct I/O are treated by one code. The
// only file that includes LLFIO: of it files, not networks, processes and walks through folders,
// which llfio.hpp has, too, and which bring the streams of the C++ library along.
//
// Two things are not left to LLFIO. Its zero() writes zeros where a file system cannot take space
// back; and its barrier for data alone is sync_file_range on Linux, after which neither the length
// of a file nor what the device has in its cache is durable.
#ifdef XMC_HAVE_LLFIO

#include <cerrno>

// config.hpp has to be the first; without the last one a function of the second is not there.
#include <llfio/v2.0/config.hpp>

#include <llfio/v2.0/file_handle.hpp>
#include <llfio/v2.0/symlink_handle.hpp>

#include "platform/device_posix.h"

namespace xmc {
namespace {

namespace llfio = LLFIO_V2_NAMESPACE;
using llfio::file_handle;

// What stands for a descriptor is the place in this table. Nothing is taken from the heap for it.
// It is never destroyed: a handle that is open at the end, when all is said, and cannot be closed
// would change the status of the process.
union Handles {
  constexpr Handles() : at{} {}
  constexpr ~Handles() {}
  file_handle at[kFileHandles];
};
constinit Handles g_handles;

int native(int fd) { return g_handles.at[fd].native_handle().fd; }

// The negated errno behind an error of LLFIO, or that of EIO.
template <class R>
int negated_errno(const R& result) {
  const std::error_code code = make_error_code(result.error());
  const bool posix =
      code.category() == std::generic_category() || code.category() == std::system_category();
  return posix && code.value() > 0 ? -code.value() : -EIO;
}

template <class R>
int zero_or_errno(const R& result) {
  return result ? 0 : negated_errno(result);
}

template <class R>
i64 moved_or_errno(R& result) {
  return result ? static_cast<i64>(result.bytes_transferred()) : negated_errno(result);
}

int close_handle(int fd) {
  const auto closed = g_handles.at[fd].close();
  if (closed) return 0;
  // Linux frees the descriptor even then; a handle that still has it would close another one's.
  static_cast<void>(g_handles.at[fd].release());
  return negated_errno(closed);
}

int open_handle(const char* path, u32 flags) {
  u32 slot = 0;
  while (slot < kFileHandles && g_handles.at[slot].is_valid()) ++slot;
  if (slot == kFileHandles) return -EMFILE;
  const bool create = (flags & kOpenCreate) != 0;
  const auto caching =
      (flags & kOpenDirect) != 0 ? file_handle::caching::only_metadata : file_handle::caching::all;
  // An old file is emptied below; creation::always_new would put a new one in its place by a
  // rename.
  auto opened = file_handle::file(
      {}, path, file_handle::mode::write,
      create ? file_handle::creation::if_needed : file_handle::creation::open_existing, caching);
  if (!opened) return negated_errno(opened);
  g_handles.at[slot] = std::move(opened).value();
  const int fd = static_cast<int>(slot);
  if (!create) return fd;
  const auto emptied = g_handles.at[slot].truncate(0);
  if (emptied) return fd;
  close_handle(fd);
  return negated_errno(emptied);
}

i64 size_of_handle(int fd) {
  const auto size = g_handles.at[fd].maximum_extent();
  return size ? static_cast<i64>(size.value()) : negated_errno(size);
}

i64 read_handle(int fd, u8* into, u64 bytes, u64 offset) {
  file_handle::buffer_type buffer(reinterpret_cast<llfio::byte*>(into),
                                  static_cast<std::size_t>(bytes));
  auto got = g_handles.at[fd].read({{&buffer, 1}, offset});
  return moved_or_errno(got);
}

i64 write_handle(int fd, const u8* from, u64 bytes, u64 offset) {
  file_handle::const_buffer_type buffer(reinterpret_cast<const llfio::byte*>(from),
                                        static_cast<std::size_t>(bytes));
  auto put = g_handles.at[fd].write({{&buffer, 1}, offset});
  return moved_or_errno(put);
}

int sync_handle(int fd) {
  return zero_or_errno(g_handles.at[fd].barrier({}, file_handle::barrier_kind::wait_all));
}

int truncate_handle(int fd, u64 bytes) { return zero_or_errno(g_handles.at[fd].truncate(bytes)); }

int punch_handle(int fd, u64 offset, u64 bytes) {
  return kSystemCalls.punch(native(fd), offset, bytes);
}

int stop_direct_handle(int fd) { return kSystemCalls.stop_direct(native(fd)); }

int allocate_handle(int fd, u64 bytes) { return kSystemCalls.allocate(native(fd), bytes); }

constexpr FileCalls kLlfioCalls = {
    open_handle, close_handle,    size_of_handle, read_handle,        write_handle,
    sync_handle, truncate_handle, punch_handle,   stop_direct_handle, allocate_handle};

class LlfioBackend final : public PosixFiles {
 public:
  constexpr LlfioBackend() : PosixFiles(kLlfioCalls) {}
  const char* name() const override { return "llfio"; }
  u32 queue_depth() const override { return 1; }
};

}  // namespace

FileBackend* llfio_backend() {
  static constinit LlfioBackend backend;
  return &backend;
}

}  // namespace xmc

#endif  // XMC_HAVE_LLFIO
