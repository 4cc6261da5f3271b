// FileFolder: a directory of the file system as a Folder, its files as devices, over any
// FileBackend.
//
// Small files (replace, load) and names go through plain system calls whatever the backend is: they
// are written once per checkpoint. Files are opened past the page cache when the file system allows
// it; when it does not, the run goes on through the page cache and notice() has a sentence for the
// report, because the kernel may then hold more of the data in memory than --ram says.
//
// A write that finds the file system full is done again with the space that hold_space() had taken
// for it, and ran_full() says so from then on.
//
// A folder may be made when it is first needed (start_later): most searches stay in memory. Files
// that are opened before have no bytes and no name; the first write of any of them has whoever
// knows the place make it, and opens them all.
//
// What begin_read() and begin_append() start is done by the I/O thread of the process
// (io_worker.h), one read or write of the backend each. Without the thread they are done at once,
// and notice() says so.
#pragma once

#include "platform/device_base.h"
#include "platform/file_backend.h"
#include "platform/files.h"
#include "platform/held_space.h"
#include "platform/io_worker.h"
#include "xmc/text.h"

namespace xmc {

class FileFolder;

// Who makes a folder that is not there yet: `path` has kPathBytes bytes for where it is then.
struct FolderMaker {
  void* self = nullptr;
  Status (*make)(void* self, char* path) = nullptr;
};

class FileDevice final : public DeviceBase {
 public:
  // `opened` is null while the folder is not made.
  FileDevice(DiskUse& use, const char* name, FileFolder& folder, FileBackend& backend,
             IoWorker& worker, HeldSpace& held, const FileBackend::Opened* opened);
  FileBackend::File file() const { return {handle_, name()}; }
  bool is_open() const { return handle_ != kNotOpen; }
  // The folder is there now, and the file in it.
  void attach(const FileBackend::Opened& opened);
  // Takes note when the backend had to leave direct I/O. Only while nothing is under way: it is the
  // worker that finds out then.
  void note_direct() {
    if (is_open()) set_direct(backend_->direct(file()));
  }

 private:
  static constexpr u32 kNotOpen = ~u32{0};

  Status do_read(std::span<const ReadRequest> batch, Purpose purpose) override;
  Status do_append(std::span<const u8> blocks, Purpose purpose) override;
  Status do_sync() override;
  Result<bool> do_discard(u64 offset, u64 bytes) override;
  Status do_truncate(u64 bytes) override;
  bool do_begin_read(std::span<const ReadRequest> batch, Purpose purpose, Status& result) override;
  bool do_begin_append(std::span<const u8> blocks, Purpose purpose, Status& result) override;
  void do_finish_read() override;
  void do_finish_append() override;

  // What the worker sees of a transfer: it never touches the device itself.
  struct ReadJob : IoJob {
    FileBackend* backend = nullptr;
    FileBackend::File file;
    std::span<const ReadRequest> batch;
    Status* result = nullptr;
  };
  struct AppendJob : IoJob {
    FileBackend* backend = nullptr;
    HeldSpace* held = nullptr;
    FileBackend::File file;
    u64 offset = 0;
    std::span<const u8> blocks;
    Status* result = nullptr;
  };

  FileFolder* folder_;
  FileBackend* backend_;
  IoWorker* worker_;
  HeldSpace* held_;
  u32 handle_ = kNotOpen;
  ReadJob read_job_;
  AppendJob append_job_;
};

class FileFolder final : public FolderBase {
 public:
  explicit FileFolder(FileBackend& backend, bool want_direct = true,
                      const FileCalls& calls = kSystemCalls, IoWorker& worker = io_worker())
      : backend_(&backend), calls_(&calls), worker_(&worker), want_direct_(want_direct) {}
  ~FileFolder() { settle_all(); }

  // The folder has to be there. Sums up what is in it already for disk_use(), and starts the I/O
  // thread.
  Status start(const char* path);
  // The folder will be made by `maker` on the file system of `place`, which is there.
  Status start_later(const char* place, const FolderMaker& maker);
  // Ok when it is there.
  Status make() { return made_ ? Status() : make_now(); }

  Result<u64> free_bytes() override { return free_space(path_); }
  Status sync() override { return made_ ? sync_folder(path_) : Status(); }
  void hold_space(u64 bytes) override { held_.want(*calls_, path_, bytes); }
  u64 held_bytes() const override { return held_.bytes(); }
  bool ran_full() const override { return held_.given_back(); }

  // Empty, or why the page cache is used, and why the search waits for every transfer.
  std::string_view notice() const { return notice_.view(); }
  // No file was found so far that the system refused direct I/O for.
  bool direct() const { return want_direct_ && !page_cache_noted_; }
  FileBackend& backend() { return *backend_; }

 private:
  Result<DeviceBase*> do_open(u32 slot, const char* name, Open how) override;
  void do_close(u32 slot) override;
  Status do_remove(const char* name) override;
  Status do_replace(const char* name, std::span<const u8> contents) override;
  Result<u64> do_load(const char* name, std::span<u8> into) override;
  Status start_worker();
  Status make_now();
  Status open_file(const char* name, bool create, FileBackend::Opened& opened);
  Status write_aside(const char* path, std::span<const u8> contents);
  void note_page_cache(const char* refused);

  FileBackend* backend_;
  const FileCalls* calls_;
  IoWorker* worker_;
  bool want_direct_;
  bool page_cache_noted_ = false;
  bool made_ = true;
  FolderMaker maker_;
  char path_[kPathBytes] = {};  // of the place, until it is made
  FixedText<512> notice_;
  HeldSpace held_;
  DeviceSlots<FileDevice> devices_;
};

}  // namespace xmc
