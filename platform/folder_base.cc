// FolderBase (device_base.h): what every folder does around its devices. It checks names, gives out
// slots and adds up the counters of devices that are closed.
#include <cerrno>

#include "platform/clock.h"
#include "platform/device_base.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {
namespace {

void add_counters(DeviceCounters& to, const DeviceCounters& from) {
  for (u32 i = 0; i < kPurposes; ++i) {
    DeviceCounters::Flow& sum = to.by_purpose[i];
    const DeviceCounters::Flow& flow = from.by_purpose[i];
    sum.bytes_read += flow.bytes_read;
    sum.bytes_written += flow.bytes_written;
    sum.read_calls += flow.read_calls;
    sum.write_calls += flow.write_calls;
    sum.random_reads += flow.random_reads;
  }
  to.syncs += from.syncs;
  to.discarded_bytes += from.discarded_bytes;
  to.wait_ns += from.wait_ns;
}

// A plain file name: it must not lead out of the folder.
bool plain_name(std::string_view name) {
  return !name.empty() && name.size() < kDeviceNameBytes &&
         name.find('/') == std::string_view::npos && name != "." && name != "..";
}

}  // namespace

void FolderBase::check_closed(const char* name) const {
  XMC_CHECK(plain_name(name));
  for (const DeviceBase* device : open_) {
    XMC_CHECK(device == nullptr || std::string_view(device->name()) != name);
  }
}

Result<Device*> FolderBase::open(const char* name, Open how) {
  check_closed(name);
  u32 slot = 0;
  while (slot < kOpenDevices && open_[slot] != nullptr) ++slot;
  if (slot == kOpenDevices) {
    return Status::fail(Code::internal, "cannot open %s: %u files are open already", name,
                        kOpenDevices);
  }
  XMC_LET(DeviceBase * device, do_open(slot, name, how));
  open_[slot] = device;
  open_[slot]->bind(identity_, how == Open::create);
  return static_cast<Device*>(device);
}

void FolderBase::close(Device* device) {
  u32 slot = 0;
  while (slot < kOpenDevices && open_[slot] != device) ++slot;
  XMC_CHECK(slot < kOpenDevices);
  XMC_CHECK(device != nullptr);
  static_cast<void>(open_[slot]->settle());
  add_counters(retired_, device->counters());
  do_close(slot);
  open_[slot] = nullptr;
}

void FolderBase::settle_all() {
  for (DeviceBase* device : open_) {
    if (device != nullptr) static_cast<void>(device->settle());
  }
}

Status FolderBase::remove(const char* name) {
  check_closed(name);
  const u64 start_ns = now_ns();
  const Status status = do_remove(name);
  retired_.wait_ns += now_ns() - start_ns;
  return status;
}

Status FolderBase::replace(const char* name, std::span<const u8> contents) {
  check_closed(name);
  const u64 start_ns = now_ns();
  const Status status = do_replace(name, contents);
  retired_.wait_ns += now_ns() - start_ns;
  if (!status.ok()) return status;
  DeviceCounters::Flow& flow = retired_.by_purpose[static_cast<u32>(Purpose::checkpoint)];
  flow.write_calls += 1;
  flow.bytes_written += contents.size();
  retired_.syncs += 1;
  return {};
}

Result<u64> FolderBase::load(const char* name, std::span<u8> into) {
  check_closed(name);
  const u64 start_ns = now_ns();
  const Result<u64> bytes = do_load(name, into);
  retired_.wait_ns += now_ns() - start_ns;
  if (!bytes.ok()) return bytes;
  DeviceCounters::Flow& flow = retired_.by_purpose[static_cast<u32>(Purpose::checkpoint)];
  flow.read_calls += 1;
  flow.bytes_read += bytes.value();
  return bytes;
}

DeviceCounters FolderBase::counters() const {
  DeviceCounters sum = retired_;
  for (const DeviceBase* device : open_) {
    if (device != nullptr) add_counters(sum, device->counters());
  }
  return sum;
}

u64 FolderBase::now_ns() const { return monotonic_ns(); }

u64 FolderBase::wait_ns() const {
  u64 sum = retired_.wait_ns;
  for (const DeviceBase* device : open_) {
    if (device != nullptr) sum += device->counters().wait_ns;
  }
  return sum;
}

u32 FolderBase::open_count() const {
  u32 count = 0;
  for (const DeviceBase* device : open_) count += device != nullptr ? 1 : 0;
  return count;
}

}  // namespace xmc
