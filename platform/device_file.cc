#include "platform/device_file.h"

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {
namespace {

constexpr u32 kPreferredBytes = 1u << 20;

static_assert(kFileHandles >= kOpenDevices, "every device of a folder has a handle");

DeviceGeometry geometry_of(const FileBackend& backend, const FileBackend::Opened* opened) {
  const bool direct = opened != nullptr && opened->direct;
  return {kBlockBytes, kPreferredBytes, backend.queue_depth(), direct};
}

// What "name.new" is called while replace() writes it.
constexpr const char* kAsideSuffix = ".new";

struct SumOfFolder {
  const char* path;
  u64 bytes;
};

bool add_entry(void* self, const char* name) {
  SumOfFolder& sum = *static_cast<SumOfFolder*>(self);
  char path[kPathBytes];
  if (!join_path(path, sum.path, name).ok()) return true;
  const Result<u64> bytes = stored_bytes(path);
  if (bytes.ok()) sum.bytes += bytes.value();
  return true;
}

}  // namespace

FileDevice::FileDevice(DiskUse& use, const char* name, FileFolder& folder, FileBackend& backend,
                       IoWorker& worker, HeldSpace& held, const FileBackend::Opened* opened)
    : DeviceBase(use, name, geometry_of(backend, opened),
                 opened == nullptr ? 0 : opened->size_bytes),
      folder_(&folder),
      backend_(&backend),
      worker_(&worker),
      held_(&held) {
  if (opened != nullptr) handle_ = opened->handle;
}

void FileDevice::attach(const FileBackend::Opened& opened) {
  XMC_CHECK(!is_open());
  handle_ = opened.handle;
  set_direct(opened.direct);
}

Status FileDevice::do_read(std::span<const ReadRequest> batch, Purpose) {
  if (!is_open()) return {};  // there is nothing that could be asked for
  const Status status = backend_->read(file(), batch);
  note_direct();
  return status;
}

Status FileDevice::do_append(std::span<const u8> blocks, Purpose) {
  XMC_TRY(folder_->make());
  if (!is_open()) return no_file(name());
  held_->take_if_wanted();
  const Status status =
      held_->with_room([&] { return backend_->write(file(), size_bytes(), blocks); });
  note_direct();
  return status;
}

Status FileDevice::do_sync() { return is_open() ? backend_->sync(file()) : Status(); }

Result<bool> FileDevice::do_discard(u64 offset, u64 bytes) {
  if (!is_open()) return false;
  return backend_->discard(file(), offset, bytes);
}

Status FileDevice::do_truncate(u64 bytes) {
  return is_open() ? backend_->truncate(file(), bytes) : Status();
}

bool FileDevice::do_begin_read(std::span<const ReadRequest> batch, Purpose, Status& result) {
  if (!worker_->running() || !is_open()) return false;
  read_job_.run = [](IoJob& base) {
    const ReadJob& job = static_cast<const ReadJob&>(base);
    *job.result = job.backend->read(job.file, job.batch);
  };
  read_job_.backend = backend_;
  read_job_.file = file();
  read_job_.batch = batch;
  read_job_.result = &result;
  worker_->submit(read_job_);
  return true;
}

bool FileDevice::do_begin_append(std::span<const u8> blocks, Purpose, Status& result) {
  // Where no folder can be made, do_append() says so.
  if (!worker_->running() || !folder_->make().ok() || !is_open()) return false;
  held_->take_if_wanted();
  append_job_.run = [](IoJob& base) {
    const AppendJob& job = static_cast<const AppendJob&>(base);
    *job.result =
        job.held->with_room([&] { return job.backend->write(job.file, job.offset, job.blocks); });
  };
  append_job_.backend = backend_;
  append_job_.held = held_;
  append_job_.file = file();
  append_job_.offset = size_bytes();
  append_job_.blocks = blocks;
  append_job_.result = &result;
  worker_->submit(append_job_);
  return true;
}

void FileDevice::do_finish_read() { worker_->wait(read_job_); }

void FileDevice::do_finish_append() { worker_->wait(append_job_); }

Status FileFolder::start(const char* path) {
  if (!folder_exists(path)) return Status::fail(Code::io, "there is no folder %s", path);
  XMC_TRY(join_path(path_, path, ""));
  SumOfFolder sum = {path_, 0};
  XMC_TRY(list_folder(path_, &add_entry, &sum));
  use_.grow(sum.bytes);
  return start_worker();
}

Status FileFolder::start_later(const char* place, const FolderMaker& maker) {
  XMC_CHECK(maker.make != nullptr);
  XMC_TRY(join_path(path_, place, ""));
  made_ = false;
  maker_ = maker;
  return start_worker();
}

Status FileFolder::start_worker() {
  if (const Status status = worker_->start(); !status.ok())
    notice_.format("%s: the search waits for every transfer", status.c_str());
  return {};
}

// In the place where the folder is made, all that was opened so far is empty.
Status FileFolder::make_now() {
  char path[kPathBytes];
  XMC_TRY(maker_.make(maker_.self, path));
  XMC_TRY(join_path(path_, path, ""));
  made_ = true;
  for (u32 slot = 0; slot < kOpenDevices; ++slot) {
    if (open_in(slot) == nullptr) continue;
    FileDevice& device = devices_.at(slot);
    FileBackend::Opened opened;
    XMC_TRY(open_file(device.name(), true, opened));
    device.attach(opened);
  }
  return {};
}

void FileFolder::note_page_cache(const char* refused) {
  if (page_cache_noted_) return;
  page_cache_noted_ = true;
  if (notice_.size() > 0) notice_.add("; ");
  notice_.format("%.120s is on %s, which %s: data goes through the page cache", path_,
                 file_system_name(path_), refused);
}

Status FileFolder::open_file(const char* name, bool create, FileBackend::Opened& opened) {
  char path[kPathBytes];
  XMC_TRY(join_path(path, path_, name));
  if (create) {
    const Result<u64> old_bytes = stored_bytes(path);
    if (old_bytes.ok()) use_.shrink(old_bytes.value());
  }
  XMC_TRY(held_.with_room([&]() -> Status {
    XMC_LET(opened, backend_->open(path, create, want_direct_));
    return {};
  }));
  if (want_direct_ && !opened.direct) note_page_cache("refuses direct I/O");
  return {};
}

Result<DeviceBase*> FileFolder::do_open(u32 slot, const char* name, Open how) {
  const bool later = !made_ && how == Open::create;
  if (!made_ && !later) return no_file(name);
  FileBackend::Opened opened;
  if (!later) XMC_TRY(open_file(name, how == Open::create, opened));
  return static_cast<DeviceBase*>(devices_.make(slot, use_, name, *this, *backend_, *worker_, held_,
                                                later ? nullptr : &opened));
}

void FileFolder::do_close(u32 slot) {
  FileDevice& device = devices_.at(slot);
  if (!device.is_open()) return;
  device.note_direct();
  if (want_direct_ && !device.geometry().direct) note_page_cache("refused a direct transfer");
  backend_->close(device.file());
}

Status FileFolder::do_remove(const char* name) {
  if (!made_) return {};
  char path[kPathBytes];
  XMC_TRY(join_path(path, path_, name));
  const Result<u64> bytes = stored_bytes(path);
  XMC_TRY(remove_file(path));
  if (bytes.ok()) use_.shrink(bytes.value());
  return {};
}

Status FileFolder::write_aside(const char* path, std::span<const u8> contents) {
  const int fd = calls_->open(path, kOpenCreate);
  if (fd < 0) return Status::fail_os(code_of_error(-fd), -fd, "cannot make %s", path);
  int result = write_fully(*calls_, fd, contents.data(), contents.size(), 0, false);
  if (result == 0) result = sync_fully(*calls_, fd);
  const int closed = calls_->close(fd);
  if (result == 0) result = closed;
  if (result < 0) return Status::fail_os(code_of_error(-result), -result, "cannot write %s", path);
  return {};
}

Status FileFolder::do_replace(const char* name, std::span<const u8> contents) {
  XMC_TRY(make());
  char path[kPathBytes];
  XMC_TRY(join_path(path, path_, name));
  FixedText<kDeviceNameBytes + 8> aside_name;
  aside_name.add(name).add(kAsideSuffix);
  char aside[kPathBytes];
  XMC_TRY(join_path(aside, path_, aside_name.c_str()));

  const Result<u64> old_bytes = stored_bytes(path);
  Status status = held_.with_room([&] { return write_aside(aside, contents); });
  if (status.ok()) status = rename_file(aside, path);
  if (!status.ok()) {
    static_cast<void>(remove_file(aside));
    return status;
  }
  use_.grow(round_up(contents.size(), kBlockBytes));
  if (old_bytes.ok()) use_.shrink(old_bytes.value());
  return sync_folder(path_);
}

Result<u64> FileFolder::do_load(const char* name, std::span<u8> into) {
  if (!made_) return no_file(name);
  char path[kPathBytes];
  XMC_TRY(join_path(path, path_, name));
  return read_file(path, into);
}

}  // namespace xmc
