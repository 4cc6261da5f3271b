#include "platform/device_base.h"

#include <cerrno>

#include "platform/clock.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/hash.h"

namespace xmc {

Status no_file(const char* name) {
  return Status::fail_os(Code::io, ENOENT, "cannot open %s", name);
}

void DiskUse::grow(u64 bytes) {
  now_bytes += bytes;
  if (now_bytes > peak_bytes) peak_bytes = now_bytes;
}

void DiskUse::shrink(u64 bytes) { now_bytes -= bytes < now_bytes ? bytes : now_bytes; }

DeviceBase::DeviceBase(DiskUse& use, const char* name, DeviceGeometry geometry, u64 size_bytes)
    : use_(&use), geometry_(geometry), size_bytes_(round_down(size_bytes, geometry.block_bytes)) {
  const std::string_view text(name);
  XMC_CHECK(text.size() < sizeof name_);
  fill_zero(std::span<char>(name_));
  copy(std::span<char>(name_), std::span<const char>(text.data(), text.size()));
}

u64 DeviceBase::now_ns() const { return monotonic_ns(); }

void DeviceBase::bind(FolderIdentity& identity, bool is_new) {
  identity_ = &identity;
  if (is_new) ++identity.life;
  life_ = identity.life;
  new_from_ = is_new ? 0 : size_bytes_;
  const std::string_view name(name_);
  file_seed_ = hash_bytes({reinterpret_cast<const u8*>(name.data()), name.size()}, identity.run);
}

// Neighbouring offsets give unrelated seeds (the finalizer of SplitMix64).
BlockPlace DeviceBase::place(u64 offset) const {
  u64 seed = file_seed_ + offset * 0x9E37'79B9'7F4A'7C15;
  seed = (seed ^ seed >> 30) * 0xBF58'476D'1CE4'E5B9;
  seed = (seed ^ seed >> 27) * 0x94D0'49BB'1331'11EB;
  return {seed ^ seed >> 31, life_, offset >= new_from_};
}

bool DeviceBase::aligned(const u8* at) const {
  return reinterpret_cast<std::uintptr_t>(at) % geometry_.block_bytes == 0;
}

Status DeviceBase::check_read(const ReadRequest& request) const {
  XMC_CHECK(aligned(request.offset));
  XMC_CHECK(aligned(u64{request.into.size()}));
  XMC_CHECK(aligned(request.into.data()));
  if (request.offset <= size_bytes_ && request.into.size() <= size_bytes_ - request.offset)
    return {};
  return Status::fail(Code::corrupt, "%s has %llu bytes, but %llu bytes at %llu were asked for",
                      name_, wide(size_bytes_), wide(request.into.size()), wide(request.offset));
}

void DeviceBase::count_read(const ReadRequest& request, DeviceCounters::Flow& flow) {
  flow.read_calls += 1;
  flow.bytes_read += request.into.size();
  if (request.offset != last_read_end_) flow.random_reads += 1;
  last_read_end_ = request.offset + request.into.size();
}

void DeviceBase::count_append(u64 bytes, Purpose purpose) {
  DeviceCounters::Flow& flow = counters_.by_purpose[static_cast<u32>(purpose)];
  flow.write_calls += 1;
  flow.bytes_written += bytes;
  size_bytes_ += bytes;
  use_->grow(bytes);
}

void DeviceBase::check_append(std::span<const u8> blocks) const {
  XMC_CHECK(aligned(u64{blocks.size()}));
  XMC_CHECK(aligned(blocks.data()));
}

Status DeviceBase::check_writable() const {
  if (!sync_failed_ && !append_failed_) return {};
  return Status::fail(Code::io, "%s is not written any more: %s of it failed", name_,
                      sync_failed_ ? "a sync" : "an append");
}

Status DeviceBase::read(std::span<const ReadRequest> batch, Purpose purpose) {
  XMC_TRY(settle());
  for (const ReadRequest& request : batch) XMC_TRY(check_read(request));
  if (batch.empty()) return {};
  const u64 start_ns = now_ns();
  const Status status = do_read(batch, purpose);
  counters_.wait_ns += now_ns() - start_ns;
  if (!status.ok()) return status;
  DeviceCounters::Flow& flow = counters_.by_purpose[static_cast<u32>(purpose)];
  for (const ReadRequest& request : batch) count_read(request, flow);
  return {};
}

Status DeviceBase::append(std::span<const u8> blocks, Purpose purpose) {
  check_append(blocks);
  XMC_TRY(settle());
  if (blocks.empty()) return {};
  XMC_TRY(check_writable());
  const u64 start_ns = now_ns();
  const Status status = do_append(blocks, purpose);
  counters_.wait_ns += now_ns() - start_ns;
  if (!status.ok()) return status;
  count_append(blocks.size(), purpose);
  return {};
}

Status DeviceBase::sync() {
  XMC_TRY(settle());
  XMC_TRY(check_writable());
  const u64 start_ns = now_ns();
  const Status status = do_sync();
  counters_.wait_ns += now_ns() - start_ns;
  if (!status.ok()) {
    sync_failed_ = true;
    return status;
  }
  counters_.syncs += 1;
  return {};
}

Status DeviceBase::discard(u64 offset, u64 bytes) {
  XMC_CHECK(aligned(offset));
  XMC_CHECK(aligned(bytes));
  XMC_TRY(settle());
  XMC_CHECK(offset <= size_bytes_);
  XMC_CHECK(bytes <= size_bytes_ - offset);
  if (bytes == 0) return {};
  const u64 start_ns = now_ns();
  const Result<bool> given_back = do_discard(offset, bytes);
  counters_.wait_ns += now_ns() - start_ns;
  if (!given_back.ok()) return given_back.status();
  counters_.discarded_bytes += bytes;
  if (given_back.value()) use_->shrink(bytes);
  return {};
}

Status DeviceBase::truncate(u64 bytes) {
  XMC_CHECK(aligned(bytes));
  XMC_TRY(settle());
  if (bytes > size_bytes_) {
    return Status::fail(Code::corrupt, "%s has %llu bytes and cannot be cut at %llu", name_,
                        wide(size_bytes_), wide(bytes));
  }
  const u64 start_ns = now_ns();
  const Status status = do_truncate(bytes);
  counters_.wait_ns += now_ns() - start_ns;
  if (!status.ok()) return status;
  use_->shrink(size_bytes_ - bytes);
  size_bytes_ = new_from_ = bytes;
  if (identity_ != nullptr) life_ = ++identity_->life;
  return {};
}

}  // namespace xmc
