// FileFolder: a directory of the file system as a Folder, its files as devices, over any
// FileBackend.
//
// Small files (replace, load) and names go through plain system calls whatever the backend is: they
// are written once per checkpoint. Files are opened past the page cache when the file system allows
// it; when it does not, the run goes on through the page cache and notice() has a sentence for the
// report, because the kernel may then hold more of the data in memory than --ram says.
#pragma once

#include "platform/device_base.h"
#include "platform/file_backend.h"
#include "platform/files.h"
#include "xmc/text.h"

namespace xmc {

class FileDevice final : public DeviceBase {
 public:
  FileDevice(DiskUse& use, const char* name, FileBackend& backend,
             const FileBackend::Opened& opened);
  FileBackend::File file() const { return {handle_, name()}; }

 private:
  Status do_read(std::span<const ReadRequest> batch, Purpose purpose) override;
  Status do_append(std::span<const u8> blocks, Purpose purpose) override;
  Status do_sync() override;
  Result<bool> do_discard(u64 offset, u64 bytes) override;
  Status do_truncate(u64 bytes) override;
  // Passes a status on and takes note when the backend had to leave direct I/O.
  Status noted(Status status);

  FileBackend* backend_;
  u32 handle_;
};

class FileFolder final : public FolderBase {
 public:
  explicit FileFolder(FileBackend& backend, bool want_direct = true,
                      const FileCalls& calls = kSystemCalls)
      : backend_(&backend), calls_(&calls), want_direct_(want_direct) {}

  // The folder has to be there. Sums up what is in it already for disk_use().
  Status start(const char* path);

  Result<u64> free_bytes() override { return free_space(path_); }
  Status sync() override { return sync_folder(path_); }

  // Empty, or why the page cache is used.
  std::string_view notice() const { return notice_.view(); }
  FileBackend& backend() { return *backend_; }

 private:
  Result<DeviceBase*> do_open(u32 slot, const char* name, Open how) override;
  void do_close(u32 slot) override;
  Status do_remove(const char* name) override;
  Status do_replace(const char* name, std::span<const u8> contents) override;
  Result<u64> do_load(const char* name, std::span<u8> into) override;
  Status write_aside(const char* path, std::span<const u8> contents);

  FileBackend* backend_;
  const FileCalls* calls_;
  bool want_direct_;
  char path_[kPathBytes] = {};
  FixedText<256> notice_;
  DeviceSlots<FileDevice> devices_;
};

}  // namespace xmc
