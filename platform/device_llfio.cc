// The LLFIO backend (ned14/llfio). The only file that includes LLFIO, and the only one that may be
// compiled with other flags: its headers use exceptions in places that this code does not reach.
// Handles live in a table, so that nothing is allocated here; what LLFIO and std::filesystem
// allocate while opening a file is theirs.
#ifdef XMC_HAVE_LLFIO

#include <cerrno>

#include <llfio.hpp>

#include "platform/file_backend.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {
namespace {

namespace llfio = LLFIO_V2_NAMESPACE;
using llfio::file_handle;

constexpr u32 kHandles = 64;

// The errno behind an LLFIO error, or EIO.
template <class R>
int errno_of(const R& result) {
  const std::error_code code = make_error_code(result.error());
  const bool posix =
      code.category() == std::generic_category() || code.category() == std::system_category();
  return posix && code.value() > 0 ? code.value() : EIO;
}

class LlfioBackend final : public FileBackend {
 public:
  const char* name() const override { return "llfio"; }
  u32 queue_depth() const override { return 1; }
  Result<Opened> open(const char* path, bool create, bool want_direct) override;
  void close(const File& file) override;
  Status read(const File& file, std::span<const ReadRequest> batch) override;
  Status write(const File& file, u64 offset, std::span<const u8> blocks) override;
  Status sync(const File& file) override;
  Status truncate(const File& file, u64 bytes) override;
  Result<bool> discard(const File& file, u64 offset, u64 bytes) override;
  bool direct(const File& file) const override { return direct_[file.handle]; }

 private:
  Status read_one(const File& file, const ReadRequest& request);
  // Whole blocks only: the next direct transfer has to start aligned.
  u64 progress(const File& file, u64 bytes) const {
    return direct_[file.handle] ? round_down(bytes, kPageBytes) : bytes;
  }

  file_handle handles_[kHandles];
  bool direct_[kHandles] = {};
};

Result<FileBackend::Opened> LlfioBackend::open(const char* path, bool create, bool want_direct) {
  u32 slot = 0;
  while (slot < kHandles && handles_[slot].is_valid()) ++slot;
  if (slot == kHandles)
    return Status::fail(Code::io, "cannot open %s: %u files are open", path, kHandles);
  // An old file is emptied below; creation::always_new would put a new one in its place by a
  // rename.
  const auto creation =
      create ? file_handle::creation::if_needed : file_handle::creation::open_existing;
  const auto try_open = [&](file_handle::caching caching) {
    return file_handle::file({}, path, file_handle::mode::write, creation, caching);
  };
  bool direct = want_direct;
  auto opened = try_open(direct ? file_handle::caching::only_metadata : file_handle::caching::all);
  if (!opened && direct && errno_of(opened) == EINVAL) {
    direct = false;
    opened = try_open(file_handle::caching::all);
  }
  if (!opened) {
    const int error = errno_of(opened);
    return Status::fail_os(code_of_error(error), error, "cannot open %s", path);
  }
  handles_[slot] = std::move(opened).value();
  const auto size = create ? handles_[slot].truncate(0) : handles_[slot].maximum_extent();
  if (!size) {
    const int error = errno_of(size);
    close({slot, path});
    return Status::fail_os(Code::io, error, "cannot look at %s", path);
  }
  direct_[slot] = direct;
  return Opened{slot, size.value(), direct};
}

void LlfioBackend::close(const File& file) {
  static_cast<void>(handles_[file.handle].close());
  handles_[file.handle] = file_handle();
}

Status LlfioBackend::read_one(const File& file, const ReadRequest& request) {
  u64 done = 0;
  while (done < request.into.size()) {
    file_handle::buffer_type buffer(reinterpret_cast<llfio::byte*>(request.into.data()) + done,
                                    static_cast<std::size_t>(request.into.size() - done));
    auto got = handles_[file.handle].read({{&buffer, 1}, request.offset + done});
    if (!got) {
      const int error = errno_of(got);
      if (error == EINTR) continue;
      return Status::fail_os(Code::io, error, "%s: cannot read %llu bytes at %llu", file.name,
                             wide(request.into.size()), wide(request.offset));
    }
    const u64 moved = progress(file, got.bytes_transferred());
    if (moved == 0) {
      return Status::fail(Code::corrupt, "%s ended after %llu of %llu bytes at %llu", file.name,
                          wide(done), wide(request.into.size()), wide(request.offset));
    }
    done += moved;
  }
  return {};
}

Status LlfioBackend::read(const File& file, std::span<const ReadRequest> batch) {
  for (const ReadRequest& request : batch) XMC_TRY(read_one(file, request));
  return {};
}

Status LlfioBackend::write(const File& file, u64 offset, std::span<const u8> blocks) {
  u64 done = 0;
  int error = 0;
  while (done < blocks.size() && error == 0) {
    file_handle::const_buffer_type buffer(
        reinterpret_cast<const llfio::byte*>(blocks.data()) + done,
        static_cast<std::size_t>(blocks.size() - done));
    auto put = handles_[file.handle].write({{&buffer, 1}, offset + done});
    if (!put) {
      error = errno_of(put) == EINTR ? 0 : errno_of(put);
      continue;
    }
    const u64 moved = progress(file, put.bytes_transferred());
    if (moved == 0) error = EIO;
    done += moved;
  }
  if (error == 0) return {};
  static_cast<void>(handles_[file.handle].truncate(offset));
  return Status::fail_os(code_of_error(error), error, "%s: cannot write %llu bytes at %llu",
                         file.name, wide(blocks.size()), wide(offset));
}

Status LlfioBackend::sync(const File& file) {
  const auto done = handles_[file.handle].barrier({}, file_handle::barrier_kind::wait_data_only);
  if (done) return {};
  const int error = errno_of(done);
  return Status::fail_os(code_of_error(error), error, "%s: cannot sync", file.name);
}

Status LlfioBackend::truncate(const File& file, u64 bytes) {
  const auto done = handles_[file.handle].truncate(bytes);
  if (done) return {};
  return Status::fail_os(Code::io, errno_of(done), "%s: cannot cut at %llu bytes", file.name,
                         wide(bytes));
}

Result<bool> LlfioBackend::discard(const File& file, u64 offset, u64 bytes) {
  const auto done = handles_[file.handle].zero({offset, bytes});
  if (done) return true;
  const int error = errno_of(done);
  if (error == EOPNOTSUPP || error == ENOSYS || error == EINVAL) return false;
  return Status::fail_os(Code::io, error, "%s: cannot discard %llu bytes at %llu", file.name,
                         wide(bytes), wide(offset));
}

}  // namespace

FileBackend* llfio_backend() {
  static LlfioBackend backend;
  return &backend;
}

}  // namespace xmc

#endif  // XMC_HAVE_LLFIO
