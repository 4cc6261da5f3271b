#include "platform/device_ram.h"

#include <cerrno>

#include "xmc/check.h"

namespace xmc {
namespace {

constexpr u8 kDiscarded = 0xDD;
constexpr const char* kAsideName = "(new)";

Status no_room(const char* name) {
  return Status::fail_os(Code::disk_full, ENOSPC, "%s: the memory of the RAM folder is used up",
                         name);
}

}  // namespace

RamDevice::RamDevice(DiskUse& use, const char* name, RamStore& store, u32 file)
    : DeviceBase(use, name, {kBlockBytes, 1u << 20, 1, true}, store.size_bytes(file)),
      store_(&store),
      file_(file) {}

Status RamDevice::do_read(std::span<const ReadRequest> batch, Purpose) {
  for (const ReadRequest& request : batch) store_->read(file_, request.offset, request.into);
  return {};
}

Status RamDevice::do_append(std::span<const u8> blocks, Purpose) {
  // A tail that is no whole block was not counted as data when the file was opened: it goes now.
  if (store_->size_bytes(file_) > size_bytes()) store_->truncate(file_, size_bytes());
  return store_->append(file_, blocks) ? Status() : no_room(name());
}

Result<bool> RamDevice::do_discard(u64 offset, u64 bytes) {
  store_->overwrite(file_, offset, bytes, kDiscarded);
  return false;
}

Status RamDevice::do_truncate(u64 bytes) {
  store_->truncate(file_, bytes);
  return {};
}

Result<DeviceBase*> RamFolder::do_open(u32 slot, const char* name, Open how) {
  u32 file = store_.find(name);
  if (how == Open::existing && file == kNone) {
    return Status::fail_os(Code::io, ENOENT, "cannot open %s", name);
  }
  if (how == Open::create && file != kNone) {
    use_.shrink(store_.size_bytes(file));
    store_.truncate(file, 0);
  }
  if (file == kNone) file = store_.create(name);
  if (file == kNone) return no_room(name);
  return static_cast<DeviceBase*>(devices_.make(slot, use_, name, store_, file));
}

Status RamFolder::do_remove(const char* name) {
  const u32 file = store_.find(name);
  if (file == kNone) return {};
  use_.shrink(store_.size_bytes(file));
  store_.remove(file);
  return {};
}

Status RamFolder::do_replace(const char* name, std::span<const u8> contents) {
  const u32 aside = store_.create(kAsideName);
  if (aside == kNone) return no_room(name);
  if (!store_.append(aside, contents)) {
    store_.remove(aside);
    return no_room(name);
  }
  use_.grow(contents.size());
  XMC_TRY(do_remove(name));
  store_.rename(aside, name);
  return {};
}

Result<u64> RamFolder::do_load(const char* name, std::span<u8> into) {
  const u32 file = store_.find(name);
  if (file == kNone) return Status::fail_os(Code::io, ENOENT, "cannot open %s", name);
  const u64 bytes = store_.size_bytes(file);
  if (bytes > into.size()) {
    return Status::fail(Code::budget, "%s has %llu bytes, room is for %llu", name, wide(bytes),
                        wide(into.size()));
  }
  store_.read(file, 0, into.first(static_cast<std::size_t>(bytes)));
  return bytes;
}

}  // namespace xmc
