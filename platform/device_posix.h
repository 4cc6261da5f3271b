// PosixFiles: pread, pwrite, fdatasync. O_DIRECT where the file system allows it; where it says
// EINVAL, at open or at the first transfer, the file goes on through the page cache and direct()
// tells so. io_uring differs only in how a batch is read, so its backend derives from this one.
#pragma once

#include "platform/file_backend.h"
#include "platform/file_calls.h"
#include "platform/open_files.h"

namespace xmc {

class PosixFiles : public FileBackend {
 public:
  constexpr explicit PosixFiles(const FileCalls& calls) : calls_(&calls) {}
  PosixFiles(const PosixFiles&) = delete;
  PosixFiles& operator=(const PosixFiles&) = delete;

  Result<Opened> open(const char* path, bool create, bool want_direct) override;
  void close(const File& file) override;
  Status read(const File& file, std::span<const ReadRequest> batch) override;
  Status write(const File& file, u64 offset, std::span<const u8> blocks) override;
  Status sync(const File& file) override;
  Status truncate(const File& file, u64 bytes) override;
  Result<bool> discard(const File& file, u64 offset, u64 bytes) override;
  bool direct(const File& file) const override { return direct_[file.handle]; }

 protected:
  ~PosixFiles() = default;

  Status read_one(const File& file, const ReadRequest& request);

 private:
  // After EINVAL on a direct transfer: true when it is worth trying again.
  bool leave_direct(u32 handle);

  const FileCalls* calls_;
  // Handles are descriptors; a process of ours has few, so they index a table.
  bool direct_[kFileHandles] = {};
};

class PosixBackend final : public PosixFiles {
 public:
  using PosixFiles::PosixFiles;
  const char* name() const override { return "posix"; }
  u32 queue_depth() const override { return 1; }
};

}  // namespace xmc
