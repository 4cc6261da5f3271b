#include "platform/device_fault.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

FaultDevice::FaultDevice(DiskUse& use, const char* name, FaultFolder& folder, u32 file,
                         Device& below, u64 size_bytes)
    : DeviceBase(use, name, below.geometry(), size_bytes),
      folder_(&folder),
      below_(&below),
      file_(file) {}

Status FaultDevice::do_read(std::span<const ReadRequest> batch, Purpose purpose) {
  XMC_TRY(folder_->power_off());
  for (const ReadRequest& request : batch) {
    folder_->begin_read(name(), purpose, request.offset);
    XMC_TRY(folder_->fail_if(folder_->reads_ == folder_->plan_.fail_read_at, "read", name()));
    const u64 stored = below_->size_bytes();
    if (request.offset < stored) {
      const u64 bytes = std::min<u64>(request.into.size(), stored - request.offset);
      const ReadRequest part = {request.offset,
                                request.into.first(static_cast<std::size_t>(bytes))};
      XMC_TRY(below_->read({&part, 1}, purpose));
    }
    folder_->journal_.overlay(file_, request.offset, request.into);
    if (folder_->reads_ == folder_->plan_.flip_read_at && !request.into.empty()) {
      folder_->note_hit();
      folder_->flip_one(request.into, request.offset);
    }
  }
  return {};
}

Status FaultDevice::do_append(std::span<const u8> blocks, Purpose purpose) {
  XMC_TRY(folder_->power_off());
  const bool cut = folder_->begin_step(FaultEvent::Kind::append, name(), purpose, size_bytes());
  Status status = folder_->take_write(name(), blocks.size());
  if (status.ok()) status = folder_->journal_append(file_, blocks, size_bytes());
  return cut ? folder_->cut_power() : status;
}

Status FaultDevice::do_sync() {
  XMC_TRY(folder_->power_off());
  if (folder_->begin_step(FaultEvent::Kind::sync, name(), Purpose::other)) {
    return folder_->cut_power();
  }
  folder_->syncs_ += 1;
  XMC_TRY(folder_->fail_if(folder_->syncs_ == folder_->plan_.fail_sync_at, "sync", name()));
  XMC_TRY(folder_->write_back(file_));
  return below_->sync();
}

Result<bool> FaultDevice::do_discard(u64 offset, u64 bytes) {
  XMC_TRY(folder_->power_off());
  const u64 stored = below_->size_bytes();
  if (offset < stored) XMC_TRY(below_->discard(offset, std::min(bytes, stored - offset)));
  return true;
}

Status FaultDevice::do_truncate(u64 bytes) {
  XMC_TRY(folder_->power_off());
  const bool cut = folder_->begin_step(FaultEvent::Kind::truncate, name(), Purpose::other, bytes);
  folder_->journal_.truncate(file_, bytes);
  if (bytes < below_->size_bytes()) XMC_TRY(below_->truncate(bytes));
  return cut ? folder_->cut_power() : Status();
}

}  // namespace xmc
