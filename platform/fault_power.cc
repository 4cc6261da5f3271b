// What a power cut leaves behind, and the way of the journal to the folder below.
#include <algorithm>

#include "platform/device_fault.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {
namespace {

constexpr u64 kSectorBytes = 512;
constexpr u64 kSectorsPerBlock = kBlockBytes / kSectorBytes;

enum : u64 { kDiceSurvival = 1'000'000, kDiceName, kDicePrefix, kDiceBlock };

}  // namespace

Status FaultFolder::write_back(u32 file) {
  Device* below = files_[file].below;
  const bool borrowed = below == nullptr && journal_.end_of(file) > 0;
  if (borrowed) {
    XMC_LET(Device* const opened, below_->open(files_[file].name, Open::existing));
    below = opened;
  }
  Status status;
  for (const FaultJournal::Entry& entry : journal_.entries()) {
    if (entry.file != file || !status.ok()) continue;
    XMC_CHECK(entry.offset == below->size_bytes());
    status = below->append(journal_.data(entry), Purpose::other);
  }
  if (borrowed) below_->close(below);
  if (status.ok()) journal_.drop(file);
  return status;
}

Status FaultFolder::write_back_all() {
  for (u32 file = 0; file < kFiles; ++file) {
    if (files_[file].used) XMC_TRY(write_back(file));
  }
  return {};
}

Status FaultFolder::journal_append(u32 file, std::span<const u8> blocks, u64 offset) {
  if (journal_.add(file, offset, blocks)) return {};
  XMC_TRY(write_back_all());
  if (journal_.add(file, offset, blocks)) return {};
  return files_[file].below->append(blocks, Purpose::other);
}

Status FaultFolder::cut_power() {
  for (u32 file = 0; file < kFiles; ++file) {
    if (files_[file].used) XMC_TRY(settle(file));
  }
  powered_ = false;
  return power_off();
}

Status FaultFolder::settle(u32 file) {
  File& entry = files_[file];
  const bool unsure = plan_.survival != Survival::dropped && plan_.survival != Survival::kept;
  const bool done = plan_.survival == Survival::kept || (unsure && coin(kDiceName, file));
  const bool vanishes = (entry.removed && done) || (entry.fresh && !done);
  if (vanishes) {
    journal_.drop(file);
    if (entry.below == nullptr) return below_->remove(entry.name);
    entry.removed = true;  // still open below: restore_power removes it after closing
    return {};
  }
  entry.removed = false;
  if (entry.below != nullptr) return settle_data(file, *entry.below);
  const Result<Device*> opened = below_->open(entry.name, Open::existing);
  if (!opened.ok()) return {};  // a name that was removed without ever having been there
  const Status status = settle_data(file, *opened.value());
  below_->close(opened.value());
  return status;
}

Status FaultFolder::settle_data(u32 file, Device& below) {
  const u64 base = below.size_bytes();
  const u64 end = std::max(base, journal_.end_of(file));
  const u64 blocks = (end - base) / kBlockBytes;
  Survival how = plan_.survival;
  if (how == Survival::any) {
    how = static_cast<Survival>(dice(kDiceSurvival, file) % static_cast<u64>(Survival::any));
  }
  u64 keep = blocks;  // blocks that are in the file afterwards
  u64 sectors = 0;    // of the last one, when it is torn
  if (how == Survival::dropped) keep = 0;
  if (how == Survival::torn_blocks) keep = dice(kDicePrefix, file) % (blocks + 1);
  if (how == Survival::torn_sectors) {
    const u64 count = dice(kDicePrefix, file) % (blocks * kSectorsPerBlock + 1);
    keep = divide_up(count, kSectorsPerBlock);
    sectors = count % kSectorsPerBlock;
  }
  const auto survives = [&](u64 i) {
    return how != Survival::reordered || coin(kDiceBlock + file, i);
  };
  while (keep > 0 && !survives(keep - 1)) --keep;

  for (u64 i = 0; i < keep; ++i) {
    const std::span<u8> block(block_);
    fill_zero(block);
    if (survives(i)) journal_.overlay(file, base + i * kBlockBytes, block);
    if (i + 1 == keep && sectors > 0)
      fill_zero(block.subspan(static_cast<std::size_t>(sectors * kSectorBytes)));
    XMC_TRY(below.append(block, Purpose::other));
  }
  journal_.drop(file);
  return {};
}

void FaultFolder::cut_power_now() {
  XMC_CHECK(powered_);
  static_cast<void>(cut_power());
  XMC_CHECK(!powered_);
}

void FaultFolder::restore_power() {
  XMC_CHECK(!powered_);
  for (u32 slot = 0; slot < kOpenDevices; ++slot) {
    if (open_in(slot) != nullptr) close(open_in(slot));
  }
  for (File& file : files_) {
    if (file.used && file.removed) XMC_CHECK(below_->remove(file.name).ok());
    file = File();
  }
  plan_.cut_at = 0;
  powered_ = true;
}

}  // namespace xmc
