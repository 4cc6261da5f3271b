#include "platform/fault_journal.h"

#include <algorithm>

#include "platform/device_base.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {
namespace {

std::span<u8> aligned_part(std::span<u8> memory) {
  const std::uintptr_t start = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::size_t skip = static_cast<std::size_t>(round_up(start, kBlockBytes) - start);
  if (skip >= memory.size()) return {};
  return memory.subspan(skip,
                        static_cast<std::size_t>(round_down(memory.size() - skip, kBlockBytes)));
}

}  // namespace

FaultJournal::FaultJournal(std::span<u8> memory) : memory_(aligned_part(memory)) {}

std::span<const u8> FaultJournal::data(const Entry& entry) const {
  return memory_.subspan(static_cast<std::size_t>(entry.position),
                         static_cast<std::size_t>(entry.bytes));
}

bool FaultJournal::add(u32 file, u64 offset, std::span<const u8> blocks) {
  XMC_CHECK(blocks.size() % kBlockBytes == 0);
  if (count_ == kEntries || blocks.size() > memory_.size() - used_) return false;
  copy(memory_.subspan(static_cast<std::size_t>(used_)), blocks);
  entries_[count_++] = {file, offset, blocks.size(), used_};
  used_ += blocks.size();
  return true;
}

void FaultJournal::overlay(u32 file, u64 offset, std::span<u8> into) const {
  const u64 end = offset + into.size();
  for (const Entry& entry : entries()) {
    const u64 from = std::max(offset, entry.offset);
    const u64 to = std::min(end, entry.offset + entry.bytes);
    if (entry.file != file || from >= to) continue;
    const std::span<const u8> part = data(entry).subspan(
        static_cast<std::size_t>(from - entry.offset), static_cast<std::size_t>(to - from));
    copy(into.subspan(static_cast<std::size_t>(from - offset)), part);
  }
}

u64 FaultJournal::end_of(u32 file) const {
  u64 end = 0;
  for (const Entry& entry : entries()) {
    if (entry.file == file) end = std::max(end, entry.offset + entry.bytes);
  }
  return end;
}

void FaultJournal::truncate(u32 file, u64 bytes) {
  u32 kept = 0;
  for (u32 i = 0; i < count_; ++i) {
    Entry entry = entries_[i];
    if (entry.file == file) {
      if (entry.offset >= bytes) continue;
      entry.bytes = std::min(entry.bytes, bytes - entry.offset);
    }
    entries_[kept++] = entry;
  }
  count_ = kept;
  close_gaps();
}

void FaultJournal::close_gaps() {
  used_ = 0;
  for (u32 i = 0; i < count_; ++i) {
    Entry& entry = entries_[i];
    // Block by block and downwards, so that no copy overlaps itself.
    for (u64 done = 0; entry.position != used_ && done < entry.bytes; done += kBlockBytes) {
      copy(memory_.subspan(static_cast<std::size_t>(used_ + done), kBlockBytes),
           std::span<const u8>(
               memory_.subspan(static_cast<std::size_t>(entry.position + done), kBlockBytes)));
    }
    entry.position = used_;
    used_ += entry.bytes;
  }
}

}  // namespace xmc
