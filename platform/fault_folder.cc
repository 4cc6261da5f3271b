// FaultFolder (device_fault.h): decides, call by call, what fails, and what a power cut leaves of
// the names of files. What a cut leaves of their contents is decided in fault_power.cc.
#include <algorithm>
#include <cerrno>
#include <string_view>

#include "platform/device_fault.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {
namespace {

// splitmix64: every decision is a hash of the seed and of what is decided, so that none depends on
// the order.
u64 mix(u64 x) {
  x += 0x9E37'79B9'7F4A'7C15;
  x = (x ^ (x >> 30)) * 0xBF58'476D'1CE4'E5B9;
  x = (x ^ (x >> 27)) * 0x94D0'49BB'1331'11EB;
  return x ^ (x >> 31);
}

}  // namespace

FaultFolder::FaultFolder(Folder& below, std::span<u8> journal_memory)
    : below_(&below), journal_(journal_memory) {}

void FaultFolder::arm(const FaultPlan& plan) {
  plan_ = plan;
  steps_ = 0;
  reads_ = 0;
  writes_ = 0;
  syncs_ = 0;
  space_used_ = 0;
  was_hit_ = false;
}

void FaultFolder::meet(FaultEvent::Kind kind, const char* name, Purpose purpose, u64 offset) {
  met_ = {kind, purpose, {}, offset};
  const std::string_view text(name);
  copy(std::span<char>(met_.name), std::span<const char>(text.data(), text.size()));
  if (see_ != nullptr) see_(watcher_, met_);
}

void FaultFolder::note_hit() {
  if (!was_hit_) hit_ = met_;
  was_hit_ = true;
}

bool FaultFolder::begin_step(FaultEvent::Kind kind, const char* name, Purpose purpose, u64 offset) {
  meet(kind, name, purpose, offset);
  if (++steps_ != plan_.cut_at) return false;
  note_hit();
  return true;
}

void FaultFolder::begin_read(const char* name, Purpose purpose, u64 offset) {
  meet(FaultEvent::Kind::read, name, purpose, offset);
  reads_ += 1;
}

u64 FaultFolder::dice(u64 a, u64 b) const { return mix(mix(plan_.seed ^ mix(a)) + b); }

void FaultFolder::flip_one(std::span<u8> bytes, u64 offset) {
  const u64 bit = dice(offset, 0) % (u64{bytes.size()} * 8);
  bytes[static_cast<std::size_t>(bit / 8)] ^= static_cast<u8>(1u << (bit % 8));
}

bool FaultFolder::coin(u64 a, u64 b) const { return dice(a, b) % 2 == 0; }

Status FaultFolder::power_off() const {
  return powered_ ? Status() : Status::fail_os(Code::io, EIO, "the power is off");
}

Status FaultFolder::fail_if(bool hit, const char* what, const char* name) {
  if (!hit) return {};
  note_hit();
  return Status::fail_os(Code::io, EIO, "injected: cannot %s %s", what, name);
}

Status FaultFolder::take_write(const char* name, u64 bytes) {
  writes_ += 1;
  XMC_TRY(fail_if(writes_ == plan_.fail_write_at, "write", name));
  if (bytes > plan_.full_after_bytes - std::min(space_used_, plan_.full_after_bytes)) {
    note_hit();
    return Status::fail_os(Code::disk_full, ENOSPC, "injected: cannot write %llu bytes to %s",
                           wide(bytes), name);
  }
  space_used_ += bytes;
  return {};
}

u32 FaultFolder::find(const char* name) const {
  for (u32 i = 0; i < kFiles; ++i) {
    if (files_[i].used && std::string_view(files_[i].name) == name) return i;
  }
  return kNone;
}

u32 FaultFolder::track(const char* name) {
  if (const u32 known = find(name); known != kNone) return known;
  u32 file = 0;
  while (file < kFiles && files_[file].used) ++file;
  if (file == kFiles) return kNone;
  files_[file] = File();
  files_[file].used = true;
  const std::string_view text(name);
  copy(std::span<char>(files_[file].name), std::span<const char>(text.data(), text.size()));
  return file;
}

bool FaultFolder::gone(const char* name) const {
  const u32 file = find(name);
  return file != kNone && files_[file].removed;
}

Result<DeviceBase*> FaultFolder::do_open(u32 slot, const char* name, Open how) {
  XMC_TRY(power_off());
  const bool cut =
      how == Open::create && begin_step(FaultEvent::Kind::create, name, Purpose::other);
  if (how == Open::existing && gone(name)) return no_file(name);
  // Whether the name is durable already shows in whether the folder below knows it.
  bool fresh = false;
  if (how == Open::create && find(name) == kNone) {
    const Result<Device*> there = below_->open(name, Open::existing);
    fresh = !there.ok();
    if (there.ok()) below_->close(there.value());
  }
  const Result<Device*> below = below_->open(name, how);
  if (!below.ok()) return below.status();
  const u32 file = track(name);
  if (file == kNone) {
    below_->close(below.value());
    return Status::fail(Code::internal, "the fault folder keeps track of %u files only", kFiles);
  }
  File& entry = files_[file];
  if (how == Open::create) journal_.drop(file);
  entry.fresh = entry.fresh || fresh;
  entry.removed = false;
  entry.below = below.value();
  if (cut) {
    const Status status = cut_power();
    below_->close(entry.below);
    entry.below = nullptr;
    return status;
  }
  const u64 size = std::max(entry.below->size_bytes(), journal_.end_of(file));
  return static_cast<DeviceBase*>(devices_.make(slot, use_, name, *this, file, *entry.below, size));
}

void FaultFolder::do_close(u32 slot) {
  File& file = files_[devices_.at(slot).file()];
  below_->close(file.below);
  file.below = nullptr;
}

void FaultFolder::commit_removal(u32 file) {
  XMC_CHECK(files_[file].below == nullptr);
  XMC_CHECK(below_->remove(files_[file].name).ok());
  journal_.drop(file);
  files_[file] = File();
}

Status FaultFolder::do_remove(const char* name) {
  XMC_TRY(power_off());
  const bool cut = begin_step(FaultEvent::Kind::remove, name, Purpose::other);
  const u32 file = track(name);
  if (file == kNone)
    return Status::fail(Code::internal, "the fault folder keeps track of %u files only", kFiles);
  files_[file].removed = true;
  if (cut) return cut_power();
  if (files_[file].fresh) commit_removal(file);
  return {};
}

Status FaultFolder::do_replace(const char* name, std::span<const u8> contents) {
  XMC_TRY(power_off());
  const bool cut = begin_step(FaultEvent::Kind::replace, name, Purpose::checkpoint);
  const Status injected = take_write(name, contents.size());
  const bool kept =
      plan_.survival == Survival::kept || (plan_.survival != Survival::dropped && coin(steps_, 1));
  if (cut && (!injected.ok() || !kept)) return cut_power();
  XMC_TRY(injected);
  XMC_TRY(below_->replace(name, contents));
  if (const u32 file = find(name); file != kNone) {
    journal_.drop(file);
    files_[file] = File();
  }
  return cut ? cut_power() : Status();
}

Result<u64> FaultFolder::do_load(const char* name, std::span<u8> into) {
  XMC_TRY(power_off());
  if (gone(name)) return no_file(name);
  begin_read(name, Purpose::checkpoint, 0);
  XMC_TRY(fail_if(reads_ == plan_.fail_read_at, "read", name));
  const u32 file = find(name);
  if (file != kNone) XMC_TRY(write_back(file));
  XMC_LET(const u64 bytes, below_->load(name, into));
  if (reads_ == plan_.flip_read_at && bytes > 0) {
    note_hit();
    flip_one(into.first(static_cast<std::size_t>(bytes)), 0);
  }
  return bytes;
}

Result<u64> FaultFolder::free_bytes() {
  XMC_TRY(power_off());
  const Result<u64> below = below_->free_bytes();
  if (!below.ok() || plan_.full_after_bytes == ~u64{0}) return below;
  return std::min(below.value(),
                  plan_.full_after_bytes - std::min(space_used_, plan_.full_after_bytes));
}

Status FaultFolder::sync() {
  XMC_TRY(power_off());
  if (begin_step(FaultEvent::Kind::sync_names, "", Purpose::other)) return cut_power();
  for (u32 file = 0; file < kFiles; ++file) {
    if (files_[file].used && files_[file].removed) commit_removal(file);
    files_[file].fresh = false;
  }
  return below_->sync();
}

}  // namespace xmc
