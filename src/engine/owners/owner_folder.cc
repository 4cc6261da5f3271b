#include "engine/owners/owner_folder.h"

#include "xmc/check.h"

namespace xmc {

void OwnerFolder::start(Folder& folder, Parallel* parallel, const OwnerPrefix& prefix) {
  folder_ = &folder;
  parallel_ = parallel;
  prefix_ = prefix;
}

FileName OwnerFolder::name_of(const char* name) const { return FileName(prefix_.view(), name); }

Result<Device*> OwnerFolder::open(const char* name, Open how) {
  const ParallelLock lock(parallel_);
  XMC_LET(Device* const device, folder_->open(name_of(name).c_str(), how));
  for (SharedDevice& slot : devices_) {
    if (slot.is_started()) continue;
    slot.start(device, parallel_);
    return static_cast<Device*>(&slot);
  }
  XMC_CHECK(false);
  return device;
}

void OwnerFolder::close(Device* device) {
  for (SharedDevice& slot : devices_) {
    if (&slot != device) continue;
    const ParallelLock lock(parallel_);
    closed_wait_ns_ += slot.counters().wait_ns;
    folder_->close(slot.device());
    slot.start(nullptr, nullptr);
    return;
  }
  XMC_CHECK(false);
}

Status OwnerFolder::remove(const char* name) {
  const ParallelLock lock(parallel_);
  return folder_->remove(name_of(name).c_str());
}

Status OwnerFolder::replace(const char* name, std::span<const u8> contents) {
  const ParallelLock lock(parallel_);
  return folder_->replace(name_of(name).c_str(), contents);
}

Result<u64> OwnerFolder::load(const char* name, std::span<u8> into) {
  const ParallelLock lock(parallel_);
  return folder_->load(name_of(name).c_str(), into);
}

Result<u64> OwnerFolder::free_bytes() {
  const ParallelLock lock(parallel_);
  return folder_->free_bytes();
}

u64 OwnerFolder::wait_ns() const {
  u64 sum = closed_wait_ns_;
  for (const SharedDevice& slot : devices_) {
    if (slot.is_started()) sum += slot.counters().wait_ns;
  }
  return sum;
}

Status OwnerFolder::sync() {
  const ParallelLock lock(parallel_);
  return folder_->sync();
}

}  // namespace xmc
